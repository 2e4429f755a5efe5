#include "isa/nv/interface.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "base/assert.h"
#include "isa/item_place.h"
#include "isa/nv/control.h"
#include "isa/nv/register_use.h"
#include "isa/nv/special.h"
#include "isa/nv/wave.h"
#include "isa/program.h"

namespace lockstep::nv {
namespace {

std::vector<u8> build_arguments(LaunchState& state, std::span<const ArgumentValue> values) {
  const Program& program = *state.program;
  std::vector<u8> bytes(program.needs.argument_bytes, 0);
  state.local_bytes = program.needs.local_bytes + state.range.dynamic_local_bytes;
  std::size_t next = 0;
  for (const Parameter& parameter : program.parameters) {
    LOCKSTEP_ASSERT(next < values.size(), "every parameter has a value before a launch");
    const ArgumentValue& value = values[next++];
    if (parameter.kind == ParameterKind::local_pointer) {
      const u64 at = align_up(state.local_bytes, std::max(parameter.align, 16u));
      state.local_bytes = static_cast<u32>(at + value.local_bytes);
      std::memcpy(bytes.data() + parameter.offset, &at, std::min(parameter.bytes, 8u));
      continue;
    }
    const std::size_t size = std::min<std::size_t>(parameter.bytes, value.bytes.size());
    std::copy_n(value.bytes.begin(), size, bytes.begin() + parameter.offset);
  }
  return bytes;
}

std::vector<u8> no_packet(const LaunchState&) {
  return {};
}

void begin_wave(WaveState& wave, const LaunchState& state, const GroupId& group) {
  const Program& program = *state.program;
  const auto& own = static_cast<const PtxProgram&>(*program.isa);
  const NdRange& range = state.range;
  wave.allocate(32, own.rows, own.scalars);
  wave.pc = program.entry;
  wave.scc = false;
  wave.instructions = 0;
  wave.mode = WaveState::ieee_mode_bits;
  wave.ieee_mode = true;
  wave.dx10_clamp = true;  // .sat turns NaN into 0
  wave.group = group.linear;
  wave.code_base = state.image_address - state.module->image.address;
  wave.private_base = state.private_base + u64{wave.slot} * state.private_bytes_per_wave;
  wave.private_bytes_per_lane = state.private_bytes_per_item;
  if (wave.isa == nullptr) wave.isa = std::make_unique<PtxWave>();
  PtxWave& lanes = ptx(wave);
  lanes.tables = own.tables.get();
  lanes.independent = state.module->target->major >= 7;
  lanes.meeting = nowhere;
  lanes.meetings.clear();
  lanes.free_meetings.clear();
  lanes.ready.clear();
  lanes.at_barrier.clear();
  lanes.at_members.clear();
  lanes.joined.clear();
  lanes.waits = Split::no_wait;
  lanes.arrived_at.fill(0);
  lanes.arrived_phase.fill(0);
  lanes.patience = lanes.waited = lanes.lane_of_turn = 0;
  lanes.arguments_address = state.arguments_address;
  lanes.printf_buffer_address = state.printf_buffer_address;
  if (wave.index_in_group == 0 || wave.group_state == nullptr) {
    // The first wave's own, of its group before this one too.
    if (wave.group_state == nullptr) wave.group_state = std::make_shared<PtxGroup>();
    ptx_group(wave) = PtxGroup{};
    ptx_group(wave).waves = state.waves_per_group;
  }

  const u64 items = range.group_items();
  wave.valid_lanes = 0;
  const u64 first = u64{wave.index_in_group} * 32;
  ItemPlace place(range, first);
  for (u32 lane = 0; lane < 32; ++lane, place.next()) {
    if (first + lane < items) wave.valid_lanes |= u64{1} << lane;
    for (u32 i = 0; i < 3; ++i) wave.row(fixed_row::tid + i)[lane] = place[i];
    wave.row(fixed_row::lane)[lane] = lane;
  }
  for (u32 i = 0; i < 3; ++i) {
    wave.write_scalar(fixed_scalar::ntid + i, range.local[i]);
    wave.write_scalar(fixed_scalar::ctaid + i, group.id[i]);
    wave.write_scalar(fixed_scalar::nctaid + i, static_cast<u32>(range.groups(i)));
    wave.write_scalar(fixed_scalar::offset + i, static_cast<u32>(range.offset[i]));
    wave.write_scalar(fixed_scalar::offset_high + i, static_cast<u32>(range.offset[i] >> 32));
  }
  wave.write_scalar(fixed_scalar::dimensions, range.dimensions);
  wave.write_scalar(fixed_scalar::wave_in_group, wave.index_in_group);
  wave.write_scalar(fixed_scalar::waves_in_group, state.waves_per_group);
  wave.write_scalar(fixed_scalar::dynamic_local_bytes, state.local_bytes - own.static_local_bytes);
  wave.write_scalar(fixed_scalar::local_bytes, state.local_bytes);
  lanes.alive = static_cast<u32>(wave.valid_lanes);
  wave.set_exec(wave.valid_lanes);
}

}  // namespace

const IsaInterface& isa_interface() {
  static constexpr IsaInterface interface = [] {
    IsaInterface functions{};
    functions.arguments = build_arguments;
    functions.dispatch_packet = no_packet;
    functions.begin_wave = begin_wave;
    functions.register_use = [](const Program& program, const Instruction& instruction, RegisterUse& use) {
      register_use(instruction, static_cast<const PtxProgram&>(*program.isa).tables.get(), use);
    };
    functions.waiting_lanes = [](const WaveState& wave) { return ptx(wave).waiting_pc(); };
    functions.depends_on_issue = [](const Instruction& in) {
      if (in.meaning == &counted_barrier()) return true;  // whom it waits for
      return in.meaning == &special_value() &&
             static_cast<Special>(in.operand[1].value) != Special::active_mask;
    };
    return functions;
  }();
  return interface;
}

}  // namespace lockstep::nv
