// How a launch begins: parameters as a constant buffer, the first registers. Source: LLVM's R600ISelLowering
// (the implicit parameters and where the explicit ones begin), R600's calling convention of kernels (T0 the
// work-item's place in its group, T1 the group's), libclc's r600 builtins (dimensions and offsets behind the
// parameters).
#include "isa/vliw/interface.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "base/assert.h"
#include "isa/item_place.h"
#include "isa/vliw/control.h"
#include "isa/vliw/memory.h"
#include "isa/vliw/register_use.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

const VliwProgram& own(const Program& program) {
  return static_cast<const VliwProgram&>(*program.isa);
}

void put(std::vector<u8>& bytes, std::size_t at, u32 value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

std::vector<u8> build_arguments(LaunchState& state, std::span<const ArgumentValue> values) {
  const Program& program = *state.program;
  const NdRange& range = state.range;
  const u32 hidden = own(program).hidden_offset;
  std::vector<u8> bytes(std::max<std::size_t>(hidden + hidden_bytes, 4 * own(program).constants), 0);
  for (u32 i = 0; i < 3; ++i) {
    put(bytes, 4 * i, static_cast<u32>(range.groups(i)));
    put(bytes, 12 + 4 * i, static_cast<u32>(range.global[i]));
    put(bytes, 24 + 4 * i, range.local[i]);
    put(bytes, hidden + 4 + 4 * i, static_cast<u32>(range.offset[i]));
  }
  put(bytes, hidden, range.dimensions);
  if (state.printf_buffer_address != 0) put(bytes, hidden + 16, pointer_of(state.printf_buffer_address));
  state.local_bytes = program.needs.local_bytes + range.dynamic_local_bytes;
  std::size_t next = 0;
  for (const Parameter& parameter : program.parameters) {
    LOCKSTEP_ASSERT(next < values.size(), "every parameter has a value before a launch");
    const ArgumentValue& value = values[next++];
    if (parameter.kind == ParameterKind::local_pointer) {
      const u32 alignment = std::max(parameter.align, 16u);
      const u32 at = align_up(state.local_bytes, alignment);
      state.local_bytes = static_cast<u32>(at + value.local_bytes);
      put(bytes, parameter.offset, at);
    } else if (parameter.kind == ParameterKind::value) {
      const std::size_t size = std::min<std::size_t>(parameter.bytes, value.bytes.size());
      std::copy_n(value.bytes.begin(), size, bytes.begin() + parameter.offset);
    } else {
      u64 address = 0;
      std::copy_n(value.bytes.begin(), std::min(sizeof(address), value.bytes.size()),
                  reinterpret_cast<u8*>(&address));
      put(bytes, parameter.offset, address == 0 ? 0 : pointer_of(address));
    }
  }
  return bytes;
}

std::vector<u8> no_packet(const LaunchState&) {
  return {};
}

void begin_wave(WaveState& wave, const LaunchState& state, const GroupId& group) {
  const VliwProgram& program = own(*state.program);
  const NdRange& range = state.range;
  wave.allocate(64, program.layout.rows(), fixed_scalar::constants + program.constants);
  wave.pc = state.program->entry;
  wave.scc = false;
  wave.instructions = 0;
  wave.mode = 0xC0;  // f32 denormals flushed, those of f16 (which conversions alone know) kept
  wave.ieee_mode = false;
  wave.dx10_clamp = true;
  wave.group = group.linear;
  wave.code_base = state.image_address - state.module->image.address;
  wave.private_base = state.private_base + u64{wave.slot} * state.private_bytes_per_wave;
  wave.private_bytes_per_lane = state.private_bytes_per_item;
  if (wave.isa == nullptr) wave.isa = std::make_unique<VliwWave>();
  VliwWave& lanes = vliw(wave);
  lanes.stack.clear();
  lanes.loops.clear();
  lanes.constants = 0;
  lanes.arguments_address = state.arguments_address;
  lanes.private_pointer = program.private_pointer;
  lanes.program = &program;
  lanes.tables_begin = program.tables_begin;
  lanes.tables_end = program.tables_end;

  const u64 items = range.group_items();
  wave.valid_lanes = 0;
  const u64 first = u64{wave.index_in_group} * 64;
  ItemPlace place(range, first);
  for (u32 lane = 0; lane < 64; ++lane, place.next()) {
    if (first + lane < items) wave.valid_lanes |= u64{1} << lane;
    for (u32 i = 0; i < 3; ++i) wave.row(i)[lane] = place[i];
    for (u32 i = 0; i < 3; ++i) wave.row(4 + i)[lane] = group.id[i];
  }
  wave.set_exec(wave.valid_lanes);
}

}  // namespace

const IsaInterface& isa_interface() {
  static constexpr IsaInterface interface = [] {
    IsaInterface functions{};
    functions.arguments = build_arguments;
    functions.dispatch_packet = no_packet;
    functions.begin_wave = begin_wave;
    functions.first_registers = [](const LaunchState&) {
      return FirstRegisters{8, scalar_register::flat_scratch_lo};
    };
    functions.register_use = [](const Program& program, const Instruction& instruction, RegisterUse& use) {
      register_use(instruction, own(program).layout, use);
    };
    functions.depends_on_issue = [](const Instruction&) { return false; };
    return functions;
  }();
  return interface;
}

}  // namespace lockstep::vliw
