#include "support/synthetic.h"

#include "isa/amd/format.h"

namespace lockstep {
namespace {

constexpr u32 most_ahead = 128;

}  // namespace

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

bool SyntheticProgram::ordered(u32 instruction) const {
  const Extra& extra = extra_[instruction];
  const bool atomic =
      extra.access.kind == AccessKind::atomic || extra.access.kind == AccessKind::atomic_return;
  return extra.addresses && atomic && extra.access.space != Space::local &&
         extra.access.space != Space::private_memory;
}

std::unique_ptr<WaveSource> SyntheticFactory::open(u32 cluster, u32) {
  return std::make_unique<SyntheticSource>(program_, *this, cluster);
}

void SyntheticSource::begin_group(u64 group, std::span<const WaveHandle> waves) {
  for (u32 i = 0; i < waves.size(); ++i) {
    while (waves[i] >= waves_.size()) waves_.push_back(std::make_unique<State>());
    State& state = *waves_[waves[i]];
    state.pc = 0;
    state.group = group;
    state.wave = i;
    state.visits.assign(program_.code.size(), 0);
  }
}

// Appends the next instruction to the segment.
void SyntheticSource::step(State& state) {
  Segment& segment = state.segment;
  const u32 pc = state.pc;
  const Instruction& instruction = program_.code[pc];
  const SyntheticProgram::Extra& extra = program_.extra_[pc];
  segment.next_pc = pc + 1;
  const u64 count = state.visits[pc]++;
  if (extra.addresses) {
    access_.space = extra.access.space;
    access_.kind = extra.access.kind;
    access_.bytes = extra.access.bytes;
    access_.lanes = ~u64{0};
    extra.addresses({state.group, state.wave, count}, access_);
    add_access(segment, segment.count, access_);
  } else if (instruction.cost == Cost::branch) {
    if (count + 1 < extra.trips) {
      segment.next_pc = instruction.target;
    } else {
      state.visits[pc] = 0;
    }
  } else if (instruction.cost == Cost::barrier) {
    segment.end = Event::barrier;
  } else if (instruction.cost == Cost::end) {
    segment.end = Event::end;
  } else if (instruction.cost == Cost::sleep) {
    segment.end = Event::yield;
  }
  segment.active.push_back(~u64{0});
  ++segment.count;
  ++instructions_;
  state.pc = segment.next_pc;
}

void SyntheticSource::tell(WaveHandle wave, const Segment& segment) const {
  if (factory_.on_segment) factory_.on_segment(cluster_, wave, segment);
}

const Segment& SyntheticSource::next(WaveHandle wave) {
  State& state = *waves_[wave];
  Segment& segment = state.segment;
  segment.clear();
  segment.first = segment.next_pc = state.pc;
  while (segment.count < most_ahead && segment.end == Event::none) {
    const u32 pc = state.pc;
    const Cost cost = program_.code[pc].cost;
    const bool ordered = program_.ordered(pc);
    if (ordered || cost == Cost::smem_time || factory_.on_issue) {
      if (segment.count != 0) break;
      segment.at_issue = true;
      segment.ordered = ordered;
      segment.count = 1;
      segment.active.push_back(~u64{0});
      segment.next_pc = pc + 1;
      break;
    }
    step(state);
    if (cost == Cost::branch) break;
  }
  tell(wave, segment);
  return segment;
}

const Segment& SyntheticSource::at_issue(WaveHandle wave, const IssuePlace& place) {
  State& state = *waves_[wave];
  state.segment.active.clear();
  state.segment.count = 0;
  if (factory_.on_issue) factory_.on_issue(cluster_, wave, state.pc, place.now_cycles);
  step(state);
  tell(wave, state.segment);
  return state.segment;
}

const Segment& SyntheticSource::execute(WaveHandle wave, const IssuePlace& place) {
  return at_issue(wave, place);
}

u32 SyntheticSource::capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) {
  segment = &at_issue(wave, place);
  if (free_tokens_.empty()) {
    free_tokens_.push_back(static_cast<u32>(tokens_.size()));
    tokens_.push_back(0);
  }
  const u32 token = free_tokens_.back();
  free_tokens_.pop_back();
  tokens_[token] = segment->first;
  return token;
}

void SyntheticSource::perform(u32 token) {
  if (factory_.on_perform) factory_.on_perform(cluster_, tokens_[token]);
}

void SyntheticSource::commit(u32 token) {
  free_tokens_.push_back(token);
}

Diagnostic SyntheticSource::fault(WaveHandle) {
  return {"fault", {}, "the program did something that its machine does not allow", ""};
}

void strided(Access& access, u64 base, u64 stride) {
  for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = base + lane * stride;
}

}  // namespace lockstep
