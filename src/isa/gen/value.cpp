// The shape of operations on values: fetch, compute, test, commit. And those that reach the accumulator.
#include <algorithm>
#include <cstring>

#include "isa/gen/compute.h"
#include "isa/gen/image.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {
namespace {

u64 flags_of(const WaveState& wave) {
  u64 flags;
  std::memcpy(&flags, bytes_of(wave) + file::flag, sizeof(flags));
  return flags;
}

void set_flags(WaveState& wave, const Operation& operation, u32 mask, u32 bits) {
  const u64 wide = u64{mask} << operation.condition_bit;
  const u64 flags = (flags_of(wave) & ~wide) | (u64{bits & mask} << operation.condition_bit);
  std::memcpy(bytes_of(wave) + file::flag, &flags, sizeof(flags));
}

u32 control_of(const WaveState& wave) {
  u32 control;
  std::memcpy(&control, bytes_of(wave) + file::control, sizeof(control));
  return control;
}

void fetch_all(WaveState& wave, const Operation& operation, Work& work) {
  work.lanes = operation.lanes;
  work.control = control_of(wave);
  if (operation.fetch[0] != nullptr) operation.fetch[0](wave, operation.source[0], operation.lanes, work.a);
  if (operation.fetch[1] != nullptr) operation.fetch[1](wave, operation.source[1], operation.lanes, work.b);
  if (operation.fetch[2] != nullptr) operation.fetch[2](wave, operation.source[2], operation.lanes, work.c);
}

}  // namespace

const Operation& operation_of(const WaveState& wave, const Instruction& in) {
  return gen(wave).operations[in.detail];
}

u32 predicate_of(const WaveState& wave, const Operation& operation) {
  const u32 all = channel_mask(operation.lanes);
  u32 bits = static_cast<u32>(flags_of(wave) >> operation.predicate_bit);
  if (operation.inverse) bits = ~bits;
  if (operation.group != Group::each) {
    u32 made = 0;
    for (u32 first = 0; first < most_channels; first += operation.group_lanes) {
      const u32 mask = channel_mask(operation.group_lanes) << first;
      const bool holds = operation.group == Group::any ? (bits & mask) != 0 : (bits & mask) == mask;
      if (holds) made |= mask;
    }
    bits = made;
  }
  return bits & all;
}

u32 active_of(const WaveState& wave, const Operation& operation) {
  const u32 all = channel_mask(operation.lanes);
  const u32 running = operation.every_channel ? all : static_cast<u32>(wave.exec() >> operation.first) & all;
  return operation.predicated && !operation.selects ? running & predicate_of(wave, operation) : running;
}

void run_first(WaveState& wave, const Instruction& in, StepContext& context) {
  GenWave& own = gen(wave);
  if (!own.begun) {
    own.begun = true;
    const u32 at = file::register_bytes * (1 + own.program->thread_registers);
    const u64 bytes = std::min<u64>(own.program->payload_bytes, file::address - at);
    if (context.global.contains(own.arguments_address, bytes))
      std::memcpy(bytes_of(wave) + at, context.global.at(own.arguments_address), bytes);
    // Code adds the thread's number times its bytes to the address of private memory: here every thread has
    // the number 0, and an address of its own.
    if (own.program->private_bytes != 0) {
      const u64 address = wave.private_base + own.program->scratch_bytes;
      for (const PayloadField& field : own.program->fields) {
        if (field.kind == PayloadField::Kind::private_base && field.bytes == 8)
          std::memcpy(bytes_of(wave) + at + field.offset, &address, 8);
      }
    }
    if (!own.program->described.empty()) fill_described_fields(wave, context, bytes_of(wave) + at);
    if (context.fault.kind != FaultKind::none) return;
  }
  operation_of(wave, in).then(wave, in, context);
}

void run_value(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 active = active_of(wave, operation);
  if (active == 0) return;
  Work work;
  fetch_all(wave, operation, work);
  if (operation.selects) work.predicate = predicate_of(wave, operation);
  operation.compute(work);
  if (operation.test != nullptr)
    set_flags(wave, operation, active, operation.test(work.out, operation.lanes));
  if (operation.commit != nullptr) {
    operation.commit(wave, operation.result, operation.lanes, active, work.out, work.control);
  }
}

// What was computed goes to the flags that the instruction sets and to its result.
void finish(WaveState& wave, const Operation& operation, u32 active, Work& work) {
  if (operation.test != nullptr)
    set_flags(wave, operation, active, operation.test(work.out, operation.lanes));
  if (operation.commit != nullptr)
    operation.commit(wave, operation.result, operation.lanes, active, work.out, work.control);
}

// The accumulator has the product of the first source and the low half of the second; here the other half's
// product is added. The result is the sum's upper half.
void run_multiply_high(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 active = active_of(wave, operation);
  Work work;
  fetch_all(wave, operation, work);
  GenWave& own = gen(wave);
  const bool is_signed = operation.computes == Class::i64;
  for (u32 i = 0; i < operation.lanes; ++i) {
    const u64 a = work.a.as<u64>()[i], b = work.b.as<u64>()[i];
    const u64 upper = is_signed ? static_cast<u64>(static_cast<i64>(b) >> 16) : b >> 16;
    const u64 sum = own.accumulator[i] + ((a * upper) << 16);
    work.out.as<u64>()[i] = is_signed ? static_cast<u64>(static_cast<i64>(sum) >> 32) : sum >> 32;
    if (((active >> i) & 1) != 0 && operation.writes_accumulator) own.accumulator[i] = sum;
  }
  finish(wave, operation, active, work);
}

// The carry goes to the accumulator.
void run_add_carry(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 active = active_of(wave, operation);
  Work work;
  fetch_all(wave, operation, work);
  GenWave& own = gen(wave);
  for (u32 i = 0; i < operation.lanes; ++i) {
    const u64 sum = u64{work.a.as<u32>()[i]} + work.b.as<u32>()[i];
    work.out.as<u32>()[i] = static_cast<u32>(sum);
    if (((active >> i) & 1) != 0) own.accumulator[i] = sum >> 32;
  }
  finish(wave, operation, active, work);
}

void run_subtract_borrow(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 active = active_of(wave, operation);
  Work work;
  fetch_all(wave, operation, work);
  GenWave& own = gen(wave);
  for (u32 i = 0; i < operation.lanes; ++i) {
    const u32 a = work.a.as<u32>()[i], b = work.b.as<u32>()[i];
    work.out.as<u32>()[i] = a - b;
    if (((active >> i) & 1) != 0) own.accumulator[i] = a < b ? 1 : 0;
  }
  finish(wave, operation, active, work);
}

// The immediate says which channels move.
void run_scattered_move(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 active = active_of(wave, operation) & static_cast<u32>(operation.source[1].value);
  if (active == 0) return;
  Work work;
  work.control = control_of(wave);
  operation.fetch[0](wave, operation.source[0], operation.lanes, work.out);
  operation.commit(wave, operation.result, operation.lanes, active, work.out, work.control);
}

}  // namespace lockstep::gen
