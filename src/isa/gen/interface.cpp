// How a launch begins: cross-thread data and the binding table as the driver makes them, r0 and the
// work-items' numbers as the thread dispatcher does. Source: "Skylake PRM, volume 7: 3D-Media-GPGPU", "GPGPU
// Thread Payload"; Intel's compute runtime for what .ze_info's arguments hold.
#include "isa/gen/interface.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "base/assert.h"
#include "isa/gen/byte_registers.h"
#include "isa/gen/register_use.h"
#include "isa/gen/wave.h"
#include "isa/item_place.h"

namespace lockstep::gen {
namespace {

using Kind = PayloadField::Kind;

const GenProgram& own(const Program& program) {
  return static_cast<const GenProgram&>(*program.isa);
}

// As many bytes of a value as a field has.
void put(std::vector<u8>& bytes, u32 at, u32 count, u64 value) {
  std::memcpy(bytes.data() + at, &value, std::min<std::size_t>(count, sizeof(value)));
}

template <class F>
void put_three(std::vector<u8>& bytes, const PayloadField& field, F value) {
  for (u32 i = 0; i < 3 && 4 * (i + 1) <= field.bytes; ++i)
    put(bytes, field.offset + 4 * i, 4, static_cast<u64>(value(i)));
}

u64 address_of(const ArgumentValue& value) {
  u64 address = 0;
  std::copy_n(value.bytes.begin(), std::min(sizeof(address), value.bytes.size()),
              reinterpret_cast<u8*>(&address));
  return address;
}

void fill(const PayloadField& field, const LaunchState& state, std::span<const ArgumentValue> values,
          const std::vector<u64>& local_offsets, std::vector<u8>& bytes) {
  const NdRange& range = state.range;
  const GenProgram& program = own(*state.program);
  const u64 image = state.image_address - state.module->image.address;
  const auto argument = [&]() -> const ArgumentValue& {
    LOCKSTEP_ASSERT(field.argument < values.size(), "every argument of the payload is one of the kernel's");
    return values[field.argument];
  };
  switch (field.kind) {
    case Kind::global_offset:
      return put_three(bytes, field, [&](u32 i) { return range.offset[i]; });
    case Kind::local_size:
    case Kind::enqueued_local_size:
      return put_three(bytes, field, [&](u32 i) { return range.local[i]; });
    case Kind::group_count:
      return put_three(bytes, field, [&](u32 i) { return range.groups(i); });
    case Kind::global_size:
      return put_three(bytes, field, [&](u32 i) { return range.global[i]; });
    case Kind::work_dimensions:
      return put(bytes, field.offset, field.bytes, range.dimensions);
    case Kind::argument_value: {
      const std::vector<u8>& value = argument().bytes;
      if (field.source_offset < value.size())
        std::memcpy(bytes.data() + field.offset, value.data() + field.source_offset,
                    std::min<std::size_t>(field.bytes, value.size() - field.source_offset));
      return;
    }
    case Kind::argument_address:
      return put(bytes, field.offset, field.bytes, address_of(argument()));
    case Kind::argument_local:
      return put(bytes, field.offset, field.bytes, local_offsets[field.argument]);
    case Kind::private_base:
      return put(bytes, field.offset, field.bytes, state.private_base);
    case Kind::global_base:
      return put(bytes, field.offset, field.bytes, image + program.global_base);
    case Kind::constant_base:
      return put(bytes, field.offset, field.bytes, image + program.constant_base);
    case Kind::printf_buffer:
      return put(bytes, field.offset, field.bytes, state.printf_buffer_address);
    default:
      return;  // zero
  }
}

std::vector<u8> build_arguments(LaunchState& state, std::span<const ArgumentValue> values) {
  const Program& program = *state.program;
  const GenProgram& mine = own(program);
  std::vector<u8> bytes(mine.argument_bytes(), 0);
  // Arguments in local memory are numbered from 0: the code adds the bytes of the variables, which lie before
  // them.
  u32 behind_variables = 0;
  std::vector<u64> local_offsets(values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (program.parameters[i].kind != ParameterKind::local_pointer) continue;
    const u32 at = align_up(behind_variables, std::max(program.parameters[i].align, 16u));
    local_offsets[i] = at;
    behind_variables = static_cast<u32>(at + values[i].local_bytes);
  }
  state.local_bytes = program.needs.local_bytes + behind_variables + state.range.dynamic_local_bytes;
  for (const PayloadField& field : mine.fields) fill(field, state, values, local_offsets, bytes);
  const auto put_address = [&](u32 at, u32 argument) {
    if (argument < values.size()) put(bytes, at, 8, address_of(values[argument]));
  };
  for (const BindingEntry& entry : mine.bindings)
    put_address(mine.payload_bytes + 8 * entry.index, entry.argument);
  for (const SamplerEntry& entry : mine.samplers) {
    const u32 at = mine.sampler_table() + 8 * entry.index;
    put(bytes, at, 8, entry.bits);
    put_address(at, entry.argument);
  }
  for (std::size_t i = 0; i < mine.described.size(); ++i)
    put_address(mine.described_table() + 8 * static_cast<u32>(i), mine.described[i]);
  return bytes;
}

std::vector<u8> no_packet(const LaunchState&) {
  return {};
}

void begin_wave(WaveState& wave, const LaunchState& state, const GroupId& group) {
  const GenProgram& program = own(*state.program);
  const NdRange& range = state.range;
  const u32 lanes = state.program->needs.wave_lanes;
  // An indexed operand may begin at the last register: behind it is room for one operand's reach.
  const u32 bytes = file::symbols + 8 * static_cast<u32>(program.symbols.size()) + file::indexed_reach;
  wave.allocate(lanes, (bytes + 4 * lanes - 1) / (4 * lanes), 0);
  wave.pc = state.program->entry;
  wave.scc = false;
  wave.instructions = 0;
  wave.group = group.linear;
  wave.code_base = state.image_address - state.module->image.address;
  wave.private_base = state.private_base + state.private_bytes_per_wave * wave.slot;
  wave.private_bytes_per_lane = state.private_bytes_per_item;
  if (wave.isa == nullptr) wave.isa = std::make_unique<GenWave>();
  GenWave& mine = gen(wave);
  mine.operations = program.operations->data();
  mine.program = &program;
  mine.arguments_address = state.arguments_address;
  mine.begun = false;
  mine.scratch_base = state.private_base;
  mine.waiting = 0;
  mine.signalled = false;
  mine.accumulator.fill(0);

  u8* registers = bytes_of(wave);
  const auto put = [&](u32 at, u32 value) { std::memcpy(registers + at, &value, 4); };
  put(4 * 1, group.id[0]);
  put(4 * 6, group.id[1]);
  put(4 * 7, group.id[2]);
  // Where its scratch memory begins, and in the low bits the thread's number, which is 0 here (run_first).
  put(4 * 5, static_cast<u32>(state.private_bytes_per_wave * wave.slot));

  const u64 items = range.group_items();
  wave.valid_lanes = 0;
  const u32 row = lanes == 32 ? 64 : 32;
  const u64 first = u64{wave.index_in_group} * lanes;
  ItemPlace place(range, first);
  for (u32 lane = 0; lane < lanes; ++lane, place.next()) {
    if (first + lane < items) wave.valid_lanes |= u64{1} << lane;
    for (u32 i = 0; i < program.local_id_dimensions; ++i) {
      const u16 word = static_cast<u16>(place[i]);
      std::memcpy(registers + file::register_bytes + i * row + 2 * lane, &word, 2);
    }
  }
  for (std::size_t i = 0; i < program.symbols.size(); ++i) {
    const u64 address = program.symbols[i].address + (program.symbols[i].code ? 0 : wave.code_base);
    const u64 shown = program.symbols[i].type == 1   ? address
                      : program.symbols[i].type == 2 ? address & 0xFFFFFFFF
                                                     : address >> 32;
    std::memcpy(registers + file::symbols + 8 * i, &shown, 8);
  }
  const u32 running = static_cast<u32>(wave.valid_lanes);
  put(file::channels, running);
  wave.set_exec(wave.valid_lanes);
}

}  // namespace

const IsaInterface& isa_interface() {
  static constexpr IsaInterface interface = [] {
    IsaInterface functions{};
    functions.arguments = build_arguments;
    functions.dispatch_packet = no_packet;
    functions.begin_wave = begin_wave;
    functions.first_registers = [](const LaunchState& state) {
      const GenProgram& program = own(*state.program);
      return FirstRegisters{1 + program.thread_registers +
                                (program.payload_bytes + file::register_bytes - 1) / file::register_bytes,
                            0};
    };
    functions.register_use = [](const Program& program, const Instruction& instruction, RegisterUse& use) {
      register_use(instruction, own(program), use);
    };
    functions.byte_registers = &byte_registers;
    functions.depends_on_issue = [](const Instruction&) { return false; };
    return functions;
  }();
  return interface;
}

}  // namespace lockstep::gen
