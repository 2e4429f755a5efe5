#include "time/live_source.h"

#include <algorithm>

namespace lockstep {

LiveSource::LiveSource(const PreparedLaunch& launch, StepChecker* checker, u64 most_instructions)
    : launch_(launch),
      code_(launch.module().code.instructions.data()),
      context_(make_context(launch)),
      most_instructions_(most_instructions) {
  context_.checker = checker;
  context_.outcome = &outcome_;
}

LiveSource::Place& LiveSource::place(WaveHandle wave) {
  if (wave >= places_.size()) places_.resize(wave + 1);
  return places_[wave];
}

void LiveSource::begin_group(u64 linear, u32, std::span<const WaveHandle> waves) {
  std::unique_ptr<Group> group;
  if (idle_.empty()) {
    group = std::make_unique<Group>();
  } else {
    group = std::move(idle_.back());
    idle_.pop_back();
  }
  group->begin(launch_, linear, waves);
  if (context_.checker != nullptr) context_.checker->begin(group->waves);
  for (u32 i = 0; i < waves.size(); ++i) place(waves[i]) = {&group->waves[i], group.get(), i};
  groups_[linear] = std::move(group);
  ++begun_;
  patience_.progress();
}

const Instruction* LiveSource::peek(WaveHandle wave) {
  return &code_[places_[wave].state->pc];
}

const Outcome& LiveSource::next(WaveHandle handle, u64 now_cycles, u32 compute_unit, u32 simd) {
  const Place& at = places_[handle];
  WaveState& wave = *at.state;
  const Instruction& instruction = code_[wave.pc];
  context_.now_cycles = now_cycles;
  context_.compute_unit = compute_unit;
  context_.simd = simd;
  context_.event = Event::none;
  outcome_.instruction = &instruction;
  outcome_.pc = wave.pc;
  outcome_.active = wave.exec();
  outcome_.access_count = 0;
  faulted_at_ = wave.pc;
  ++wave.pc;
  if (context_.checker != nullptr) context_.checker->before(wave, instruction, context_);
  if (context_.event == Event::none) {
    instruction.run(wave, instruction, context_);
    ++wave.instructions;
    ++instructions_;
  }
  outcome_.next_pc = wave.pc;
  follow(at);
  outcome_.event = context_.event;
  return outcome_;
}

void LiveSource::stop(Diagnostic diagnostic) {
  stopped_ = std::move(diagnostic);
  context_.event = Event::fault;
}

std::vector<Group*> LiveSource::active_groups() {
  std::vector<Group*> groups;
  for (const auto& [linear, group] : groups_) groups.push_back(group.get());
  std::sort(groups.begin(), groups.end(),
            [](const Group* a, const Group* b) { return a->id.linear < b->id.linear; });
  return groups;
}

void LiveSource::follow(const Place& at) {
  Group& group = *at.group;
  switch (context_.event) {
    case Event::end:
      group.end(at.wave);
      patience_.progress();
      break;
    case Event::barrier:
      group.arrive(at.wave);
      break;
    case Event::fault:
      return;
    default:
      if (at.state->instructions > most_instructions_) {
        const std::vector<Group*> groups = active_groups();
        stop(endless_loop(launch_, *at.state, most_instructions_,
                          std::vector<const Group*>(groups.begin(), groups.end()), context_.checker));
      } else if (patience_.spent(1)) {
        const std::vector<Group*> groups = active_groups();
        std::optional<Diagnostic> deadlock = find_deadlock(launch_, groups, begun_, context_.now_cycles);
        if (deadlock) stop(std::move(*deadlock));
      }
      return;
  }
  if (!group.barrier_complete()) return;
  if (context_.checker != nullptr && group.at_barrier < group.waves.size()) {
    Diagnostic uneven = uneven_barrier(launch_, group, context_.checker);
    if (!context_.checker->uneven_barrier(group.waves, uneven)) return stop(std::move(uneven));
  }
  if (context_.checker != nullptr) {
    std::optional<Diagnostic> different = different_barriers(launch_, group, context_.checker);
    if (different && !context_.checker->uneven_barrier(group.waves, *different))
      return stop(std::move(*different));
  }
  group.release_barrier();
  if (context_.checker != nullptr) context_.checker->barrier(group.waves);
  patience_.progress();
}

void LiveSource::end_group(u64 linear, u32) {
  const auto found = groups_.find(linear);
  if (context_.checker != nullptr) context_.checker->end(found->second->waves);
  idle_.push_back(std::move(found->second));
  groups_.erase(found);
}

Diagnostic LiveSource::fault(WaveHandle handle) {
  if (stopped_) return *stopped_;
  return describe_fault(launch_, *places_[handle].state, faulted_at_, context_.fault, context_.checker);
}

}  // namespace lockstep
