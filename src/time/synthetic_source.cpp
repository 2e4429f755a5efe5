#include "time/synthetic_source.h"

#include "isa/amd/format.h"

namespace lockstep {

u32 SyntheticProgram::add(Cost cost, u32 size) {
  Instruction instruction;
  instruction.cost = cost;
  instruction.size = static_cast<u8>(size);
  instruction.address = bytes_;
  bytes_ += size;
  code.push_back(instruction);
  extra_.emplace_back();
  return static_cast<u32>(code.size() - 1);
}

u32 SyntheticProgram::repeat(Cost cost, u32 count, u32 size) {
  u32 last = 0;
  for (u32 i = 0; i < count; ++i) last = add(cost, size);
  return last;
}

u32 SyntheticProgram::memory(Cost cost, Space space, AccessKind kind, u32 bytes, AddressFunction addresses) {
  const u32 index = add(cost, 8);
  Extra& extra = extra_[index];
  extra.addresses = std::move(addresses);
  extra.access.space = space;
  extra.access.kind = kind;
  extra.access.bytes = static_cast<u8>(bytes);
  if (kind == AccessKind::atomic_return) code[index].flags |= Instruction::returns;
  return index;
}

u32 SyntheticProgram::wait(u32 vector, u32 local) {
  const u32 index = add(Cost::wait);
  amd::WaitCounts counts;
  counts.vector = static_cast<u8>(vector);
  counts.local = static_cast<u8>(local);
  counts.pack(code[index]);
  return index;
}

u32 SyntheticProgram::loop(u32 target, u32 trips) {
  const u32 index = add(Cost::branch);
  code[index].target = target;
  extra_[index].trips = trips;
  return index;
}

void SyntheticSource::begin_group(u64 group, u32, std::span<const WaveHandle> waves) {
  for (u32 i = 0; i < waves.size(); ++i) {
    if (waves[i] >= waves_.size()) waves_.resize(waves[i] + 1);
    State& state = waves_[waves[i]];
    state.pc = 0;
    state.group = group;
    state.wave = i;
    state.visits.assign(program_.code.size(), 0);
  }
}

void SyntheticSource::end_group(u64, u32) {}

const Outcome& SyntheticSource::next(WaveHandle wave, u64 now_cycles, u32, u32) {
  State& state = waves_[wave];
  const u32 pc = state.pc;
  if (on_issue) on_issue(wave, pc, now_cycles);
  const Instruction& instruction = program_.code[pc];
  const SyntheticProgram::Extra& extra = program_.extra_[pc];
  outcome_.instruction = &instruction;
  outcome_.pc = pc;
  outcome_.next_pc = pc + 1;
  outcome_.active = ~u64{0};
  outcome_.event = Event::none;
  outcome_.access_count = 0;
  const u64 count = state.visits[pc]++;
  if (extra.addresses) {
    Access& access = outcome_.access[0];
    access.space = extra.access.space;
    access.kind = extra.access.kind;
    access.bytes = extra.access.bytes;
    access.lanes = ~u64{0};
    outcome_.access_count = 1;
    extra.addresses({state.group, state.wave, count}, access);
  } else if (instruction.cost == Cost::branch) {
    if (count + 1 < extra.trips) {
      outcome_.next_pc = instruction.target;
    } else {
      state.visits[pc] = 0;
    }
  } else if (instruction.cost == Cost::barrier) {
    outcome_.event = Event::barrier;
  } else if (instruction.cost == Cost::end) {
    outcome_.event = Event::end;
  }
  state.pc = outcome_.next_pc;
  return outcome_;
}

void strided(Access& access, u64 base, u64 stride) {
  for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = base + lane * stride;
}

}  // namespace lockstep
