// Source: LLVM, "User Guide for AMDGPU Backend": Kernel Arguments (implicit arguments of code object V5),
// Initial Kernel Execution State; HSA Platform System Architecture, AQL kernel dispatch packet.
#include "isa/amd/interface.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "base/assert.h"
#include "isa/amd/addressing.h"
#include "isa/amd/control.h"
#include "isa/amd/module.h"
#include "isa/amd/register_index.h"
#include "isa/amd/register_use.h"
#include "isa/amd/text.h"
#include "isa/item_place.h"
#include "isa/program.h"
#include "isa/wave.h"

namespace lockstep::amd {
namespace {

void put(std::vector<u8>& bytes, std::size_t offset, u64 value, u32 size) {
  LOCKSTEP_ASSERT(size <= sizeof(value), "loading checks how large hidden arguments are");
  if (offset + size > bytes.size()) bytes.resize(offset + size);
  std::memcpy(bytes.data() + offset, &value, size);
}

// The value of a hidden argument; 0 for what this launch has none of (queues, completion actions, heap).
u64 hidden_value(const LaunchState& state, const std::string& kind) {
  const NdRange& range = state.range;
  const auto dimension = [&] { return static_cast<u32>(kind.back() - 'x'); };
  if (kind.starts_with("hidden_block_count_")) return range.global[dimension()] / range.local[dimension()];
  if (kind.starts_with("hidden_group_size_")) return range.local[dimension()];
  if (kind.starts_with("hidden_remainder_")) return range.global[dimension()] % range.local[dimension()];
  if (kind.starts_with("hidden_global_offset_")) return range.offset[dimension()];
  if (kind == "hidden_grid_dims") return range.dimensions;
  if (kind == "hidden_dynamic_lds_size") return range.dynamic_local_bytes;
  if (kind == "hidden_printf_buffer") return state.printf_buffer_address;
  if (kind == "hidden_private_base") return private_aperture_base >> 32;
  if (kind == "hidden_shared_base") return shared_aperture_base >> 32;
  return 0;
}

std::vector<u8> build_arguments(LaunchState& state, std::span<const ArgumentValue> values) {
  const Program& program = *state.program;
  std::vector<u8> bytes(program.needs.argument_bytes, 0);
  state.local_bytes = program.needs.local_bytes + state.range.dynamic_local_bytes;
  std::size_t next = 0;
  for (const Parameter& parameter : program.parameters) {
    if (parameter.kind == ParameterKind::hidden) {
      put(bytes, parameter.offset, hidden_value(state, parameter.hidden), parameter.bytes);
      continue;
    }
    LOCKSTEP_ASSERT(next < values.size(), "every explicit parameter has a value before a launch");
    const ArgumentValue& value = values[next++];
    if (parameter.kind == ParameterKind::local_pointer) {
      const u32 at = align_up(state.local_bytes, std::max(parameter.align, 1u));
      state.local_bytes = at + static_cast<u32>(value.local_bytes);
      put(bytes, parameter.offset, at, 4);
      continue;
    }
    const std::size_t size = std::min<std::size_t>(parameter.bytes, value.bytes.size());
    if (parameter.offset + size > bytes.size()) bytes.resize(parameter.offset + size);
    if (size != 0) std::memcpy(bytes.data() + parameter.offset, value.bytes.data(), size);
  }
  return bytes;
}

std::vector<u8> dispatch_packet(const LaunchState& state) {
  std::vector<u8> packet(64, 0);
  const NdRange& range = state.range;
  put(packet, 0, 2, 2);  // header: kernel dispatch
  put(packet, 2, range.dimensions, 2);
  for (u32 i = 0; i < 3; ++i) {
    put(packet, 4 + 2 * i, range.local[i], 2);
    put(packet, 12 + 4 * i, range.global[i], 4);
  }
  put(packet, 24, state.private_bytes_per_item, 4);
  put(packet, 28, state.local_bytes, 4);
  put(packet, 32, state.image_address + state.program->descriptor_address - state.module->image.address, 8);
  put(packet, 40, state.arguments_address, 8);
  return packet;
}

// The resource through which a kernel reaches its private memory: swizzled, so that lanes lie side by side
// dword by dword. Source: "Vega Instruction Set Architecture", Buffer Resource Descriptor; word 3 has index
// stride 64 in bits 22:21 and "add thread id" in bit 23; up to gfx8, dwords as element size in bits 20:19.
// RDNA: index stride by the wave's width, format 32_FLOAT in 18:12, resource level in 24, raw range checks in
// 29:28.
void write_private_resource(WaveState& wave, u32 first, const Target& target) {
  wave.write_scalar(first, static_cast<u32>(wave.private_base));
  wave.write_scalar(first + 1, static_cast<u32>(wave.private_base >> 32) | u32{1} << 31);
  wave.write_scalar(first + 2, 0xFFFFFFFF);
  u32 word3 = u32{wave.lanes == 64 ? 3u : 2u} << 21 | u32{1} << 23;
  if (target.major <= 8) word3 |= u32{1} << 19;
  if (target.major >= 10) word3 |= u32{0x16} << 12 | u32{1} << 24 | u32{3} << 28;
  wave.write_scalar(first + 3, word3);
}

// User scalar registers in the descriptor's order; the private segment's wave offset is 0, since base
// addresses are already the wave's own.
u32 write_user_scalars(WaveState& wave, const LaunchState& state, const KernelDescriptor& descriptor) {
  const Target& target = *state.module->target;
  u32 next = 0;
  if (descriptor.property(0)) {
    write_private_resource(wave, next, target);
    next += 4;
  }
  const auto put64 = [&](bool enabled, u64 value) {
    if (!enabled) return;
    wave.write_scalar64(next, value);
    next += 2;
  };
  put64(descriptor.property(1), state.dispatch_packet_address);
  put64(descriptor.property(2), 0);  // queue
  put64(descriptor.property(3), state.arguments_address);
  put64(descriptor.property(4), 0);  // dispatch id
  put64(descriptor.property(5), wave.private_base);
  if (descriptor.property(6)) wave.write_scalar(next++, static_cast<u32>(state.private_bytes_per_item));
  return std::max(next, descriptor.user_scalars());
}

void write_work_item_ids(WaveState& wave, const NdRange& range, bool packed, u32 dimensions) {
  const u64 items = range.group_items();
  wave.valid_lanes = 0;
  const u64 first = u64{wave.index_in_group} * wave.lanes;
  ItemPlace place(range, first);
  for (u32 lane = 0; lane < wave.lanes; ++lane, place.next()) {
    if (first + lane < items) wave.valid_lanes |= u64{1} << lane;
    if (packed) {
      wave.row(0)[lane] = place[0] | place[1] << 10 | place[2] << 20;
      continue;
    }
    wave.row(0)[lane] = place[0];
    if (dimensions > 1) wave.row(1)[lane] = place[1];
    if (dimensions > 2) wave.row(2)[lane] = place[2];
  }
}

// gfx90a, gfx940 and from gfx11 on: all three ids in one register.
bool packs_work_item_ids(const Target& target) {
  return (target.major == 9 && (target.stepping == 10 || target.minor == 4)) || target.major >= 11;
}

void begin_wave(WaveState& wave, const LaunchState& state, const GroupId& group) {
  const Program& program = *state.program;
  const auto& descriptor = static_cast<const KernelDescriptor&>(*program.isa);
  const Target& target = *state.module->target;
  wave.allocate(program.needs.wave_lanes, descriptor.rows, scalar_registers);
  wave.pc = program.entry;
  wave.scc = false;
  wave.instructions = 0;
  wave.mode = descriptor.float_mode();
  // gfx12 has neither bit: minima quiet NaNs and clamp makes them 0, always.
  wave.ieee_mode = descriptor.ieee_mode() || target.major >= 12;
  wave.dx10_clamp = descriptor.dx10_clamp() || target.major >= 12;
  wave.group = group.linear;
  wave.code_base = state.image_address - state.module->image.address;
  wave.private_base = state.private_base + u64{wave.slot} * state.private_bytes_per_wave;
  wave.private_bytes_per_lane = state.private_bytes_per_item;

  u32 next = write_user_scalars(wave, state, descriptor);
  for (u32 i = 0; i < 3; ++i) {
    if (descriptor.group_id(i)) wave.write_scalar(next++, group.id[i]);
  }
  if (descriptor.group_info()) wave.write_scalar(next++, state.waves_per_group);
  if (descriptor.private_segment()) wave.write_scalar(next++, 0);
  if (target.major >= 12) {
    // gfx12 has the group's id in trap temporaries 9 (x) and 7 (y in the low, z in the high half).
    wave.write_scalar(108 + 9, group.id[0]);
    wave.write_scalar(108 + 7, group.id[1] | group.id[2] << 16);
  }
  write_work_item_ids(wave, state.range, packs_work_item_ids(target), descriptor.work_item_id_dimensions());
  wave.set_exec(wave.valid_lanes);
}

// As begin_wave writes them.
FirstRegisters first_registers(const LaunchState& state) {
  const auto& descriptor = static_cast<const KernelDescriptor&>(*state.program->isa);
  u32 scalars = 0;
  constexpr u32 registers_of_property[] = {4, 2, 2, 2, 2, 2, 1};
  for (u32 i = 0; i < 7; ++i) scalars += descriptor.property(i) ? registers_of_property[i] : 0;
  scalars = std::max(scalars, descriptor.user_scalars());
  for (u32 i = 0; i < 3; ++i) scalars += descriptor.group_id(i) ? 1 : 0;
  scalars += (descriptor.group_info() ? 1 : 0) + (descriptor.private_segment() ? 1 : 0);
  const u32 rows = packs_work_item_ids(*state.module->target) ? 1 : descriptor.work_item_id_dimensions();
  return {std::max(rows, 1u), scalars};
}

bool depends_on_issue(const Instruction& in) {
  if (in.cost == Cost::smem_time) return true;
  // Of the messages with an answer only the clock's has one here.
  if (in.cost == Cost::message) return in.meaning->result != Kind::none;
  return reads_issue_register(in);
}

}  // namespace

const IsaInterface& isa_interface() {
  static constexpr IsaInterface interface{
      build_arguments,
      dispatch_packet,
      begin_wave,
      first_registers,
      indexed_instruction,
      [](const Program& program, const Instruction& instruction, RegisterUse& use) {
        register_use(instruction, program.needs.wave_lanes, use);
      },
      nullptr,
      depends_on_issue};
  return interface;
}

}  // namespace lockstep::amd
