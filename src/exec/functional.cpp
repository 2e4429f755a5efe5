#include "exec/functional.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "exec/progress.h"
#include "exec/run_wave.h"
#include "isa/semantic.h"

namespace lockstep {
namespace {

// A wave that has run this long without reaching a barrier or its end lets others run: it may be waiting for
// them. Shorter where the code looks as if it did.
constexpr u64 long_quantum = 1 << 16, short_quantum = 1 << 11;
constexpr int long_turns = 16;
// After so many instructions without any wave's end or barrier it is asked whether anything can go on.
constexpr u64 first_patience = 1 << 18;

// Wave-instructions of a thread between two looks at whether the run shall go on: some milliseconds' work.
constexpr u64 instructions_between_reports = u64{1} << 19;

// What the threads of a run share.
struct Shared {
  std::atomic<u64> next_group{0}, done_groups{0};
  std::atomic<u64> instructions{0};  // those that threads have reported
  std::atomic<bool> stop{false};     // after an error, or when the run shall not go on
  std::atomic<bool> stopped{false};  // it shall not go on
  std::mutex reporting;
};

// One host thread's share: the groups it holds, and how it takes new ones.
class Worker {
 public:
  Worker(const PreparedLaunch& launch, const FunctionalOptions& options, Shared& shared, u32 thread,
         u32 first_slot, u32 most_groups, bool may_wait, bool alone)
      : launch_(launch),
        options_(options),
        context_(make_context(launch)),
        shared_(shared),
        runner_(options.runner ? options.runner(thread) : nullptr),
        first_slot_(first_slot),
        most_groups_(most_groups),
        may_wait_(may_wait),
        alone_(alone) {
    context_.checker = options.checker;
  }

  u64 instructions() const { return instructions_; }
  const std::optional<Diagnostic>& error() const { return error_; }
  u64 error_group() const { return error_group_; }

  void run() {
    const u64 total = launch_.state().range.total_groups();
    while (!shared_.stop.load(std::memory_order_relaxed)) {
      if (active_.empty() && !take_group(total)) break;
      Group& group = *active_.front();
      const u64 before = instructions_;
      if (!run_group(group)) break;
      std::unique_ptr<Group> front = std::move(active_.front());
      active_.pop_front();
      if (front->done()) {
        if (options_.checker != nullptr) options_.checker->end(front->waves);
        idle_.push_back(std::move(front));
        shared_.done_groups.fetch_add(1, std::memory_order_relaxed);
        continue;
      }
      // It may wait for a group that has not begun.
      active_.push_back(std::move(front));
      if (take_group(total)) continue;
      if (alone_ && patience_.spent(instructions_ - before) && !can_go_on()) break;
    }
  }

 private:
  bool take_group(u64 total) {
    if (active_.size() >= most_groups_) return false;
    const u64 linear = shared_.next_group.fetch_add(1, std::memory_order_relaxed);
    if (linear >= total) return false;
    begun_ = linear + 1;
    if (idle_.empty()) {
      idle_.push_back(std::make_unique<Group>());
      idle_.back()->waves.resize(launch_.state().waves_per_group);
      slot_of_.push_back({idle_.back().get(),
                          first_slot_ + static_cast<u32>(slot_of_.size()) * launch_.state().waves_per_group});
    }
    std::unique_ptr<Group> group = std::move(idle_.back());
    idle_.pop_back();
    const auto slot = std::find_if(slot_of_.begin(), slot_of_.end(),
                                   [&](const auto& entry) { return entry.first == group.get(); });
    slots_.resize(launch_.state().waves_per_group);
    std::iota(slots_.begin(), slots_.end(), slot->second);
    group->begin(launch_, linear, slots_);
    if (options_.checker != nullptr) options_.checker->begin(group->waves);
    active_.push_back(std::move(group));
    patience_.progress();
    return true;
  }

  // One turn for a group: every wave runs until it ends, waits or has had its quantum. False after an error.
  bool run_group(Group& group) {
    const Instruction* code = launch_.module().code.instructions.data();
    const u64 quantum = may_wait_ ? short_quantum : long_quantum;
    bool moved = true;
    for (int turn = 0; (may_wait_ ? moved : turn < long_turns) && !group.done(); ++turn) {
      moved = false;
      for (u32 i = 0; i < group.waves.size(); ++i) {
        if (group.status[i] != WaveStatus::running) continue;
        WaveState& wave = group.waves[i];
        context_.now_cycles = wave.instructions;
        instructions_ += run_some(wave, code, quantum);
        const Event event = context_.event;
        context_.event = Event::none;
        if (event == Event::end) {
          group.end(i);
          patience_.progress();
        } else if (event == Event::barrier) {
          group.arrive(i);
        } else if (event == Event::fault) {
          return fail(group, describe_fault(launch_, wave, wave.pc - 1, context_.fault, context_.checker));
        }
        if (wave.instructions > options_.instructions_per_wave) {
          const std::vector<Group*> groups = active_groups();
          const std::vector<const Group*> listed(groups.begin(), groups.end());
          return fail(group,
                      endless_loop(launch_, wave, options_.instructions_per_wave, listed, context_.checker));
        }
        if (!report(wave)) return false;
      }
      if (!group.barrier_complete()) continue;
      if (context_.checker != nullptr && group.at_barrier < group.waves.size()) {
        const Diagnostic uneven = uneven_barrier(launch_, group, context_.checker);
        if (!context_.checker->uneven_barrier(group.waves, uneven)) return fail(group, uneven);
      }
      if (context_.checker != nullptr) {
        const auto different = different_barriers(launch_, group, context_.checker);
        if (different && !context_.checker->uneven_barrier(group.waves, *different))
          return fail(group, *different);
      }
      group.release_barrier();
      if (context_.checker != nullptr) context_.checker->barrier(group.waves);
      patience_.progress();
      moved = true;
    }
    return true;
  }

  u64 run_some(WaveState& wave, const Instruction* code, u64 budget) {
    if (runner_ != nullptr) return runner_->run(wave, context_, code, budget);
    NoWatch nobody;
    return context_.checker != nullptr ? run_wave<true>(wave, context_, code, budget, nobody)
                                       : run_wave<false>(wave, context_, code, budget, nobody);
  }

  std::vector<Group*> active_groups() {
    std::vector<Group*> groups;
    for (const auto& one : active_) groups.push_back(one.get());
    std::sort(groups.begin(), groups.end(),
              [](const Group* a, const Group* b) { return a->id.linear < b->id.linear; });
    return groups;
  }

  // False after an error: nothing that has begun can ever go on.
  bool can_go_on() {
    const std::vector<Group*> groups = active_groups();
    std::optional<Diagnostic> deadlock = find_deadlock(launch_, groups, begun_, instructions_);
    return !deadlock || fail(*groups.front(), std::move(*deadlock));
  }

  bool fail(const Group& group, Diagnostic diagnostic) {
    error_ = std::move(diagnostic);
    error_group_ = group.id.linear;
    shared_.stop = true;
    return false;
  }

  // Tells how far the run is, and asks whether it shall go on.
  bool report(const WaveState& wave) {
    if (instructions_ - reported_ < instructions_between_reports || !options_.progress) return true;
    shared_.instructions.fetch_add(instructions_ - reported_, std::memory_order_relaxed);
    reported_ = instructions_;
    // One thread speaks at a time; the others need not wait for it.
    const std::unique_lock lock(shared_.reporting, std::try_to_lock);
    if (!lock) return !shared_.stop.load(std::memory_order_relaxed);
    RunProgress progress;
    progress.groups_done = shared_.done_groups.load(std::memory_order_relaxed);
    progress.groups = launch_.state().range.total_groups();
    progress.instructions = shared_.instructions.load(std::memory_order_relaxed);
    progress.longest_wave = wave.instructions;
    if (!options_.progress(progress)) shared_.stopped = shared_.stop = true;
    return !shared_.stop.load(std::memory_order_relaxed);
  }

  const PreparedLaunch& launch_;
  const FunctionalOptions& options_;
  StepContext context_;
  Shared& shared_;
  StepRunner* runner_;  // null: nobody looks at the steps
  u32 first_slot_;
  u32 most_groups_;
  bool may_wait_;  // groups may wait for each other
  bool alone_;     // no other thread works on the launch
  std::deque<std::unique_ptr<Group>> active_;
  std::vector<std::unique_ptr<Group>> idle_;
  Patience patience_{first_patience};
  u64 begun_ = 0;  // groups
  std::vector<std::pair<Group*, u32>> slot_of_;
  std::vector<u32> slots_;
  u64 instructions_ = 0, reported_ = 0;
  std::optional<Diagnostic> error_;
  u64 error_group_ = 0;
};

// Loads that look at memory again and again instead of what a cache holds: volatile or atomic ones.
bool looks_again(const Instruction& instruction) {
  return instruction.cost == Cost::vmem_load && instruction.policy.strong();
}

}  // namespace

GroupOrder group_order(const Module& module) {
  GroupOrder order;
  Combining kind = Combining::none;
  for (const Instruction& instruction : module.code.instructions) {
    order.may_wait = order.may_wait || looks_again(instruction);
    const Combining combining =
        instruction.meaning != nullptr ? instruction.meaning->combining : Combining::none;
    if (combining == Combining::none) continue;
    // Local memory is its group's own, and a group's waves take turns in one order.
    if (instruction.addressing == Addressing::local) continue;
    order.returning_atomics = order.returning_atomics || (instruction.flags & Instruction::returns) != 0;
    order.ordered_atomics = order.ordered_atomics || !commutes(combining);
    order.several_kinds = order.several_kinds || (kind != Combining::none && kind != combining);
    kind = combining;
  }
  return order;
}

std::string_view GroupOrder::text() const {
  if (returning_atomics) return "one fixed order: global atomics that return what they found";
  if (ordered_atomics)
    return "one fixed order: global atomics that do not commute (exchanges, increments with a limit, "
           "floating-point ones)";
  if (several_kinds) return "one fixed order: global atomics of several kinds, which do not commute";
  if (may_wait)
    return "one fixed order: volatile or atomic loads of global memory, so groups may wait for each other";
  return "any order: no global atomic or load whose order shows";
}

u32 functional_resident_waves(const NdRange& range, u32 wave_lanes, u32 machine_waves) {
  const u32 per_group = (range.group_items() + wave_lanes - 1) / wave_lanes;
  const u64 all = range.total_groups() * per_group;
  const u64 held = std::max<u64>(std::min<u64>(all, machine_waves), per_group);
  return static_cast<u32>(std::min<u64>(held, 0x7FFFFFFF));
}

Expected<FunctionalResult> run_functional(const PreparedLaunch& launch, const FunctionalOptions& options) {
  FunctionalResult result;
  const LaunchState& state = launch.state();
  const u64 total = state.range.total_groups();
  const GroupOrder order = group_order(launch.module());
  const u32 holdable = std::max(1u, launch.resident_waves() / state.waves_per_group);
  u32 threads = std::max(1u, options.threads);
  if (order.fixed() || options.checker != nullptr) threads = 1;
  threads = static_cast<u32>(std::min<u64>({threads, total, holdable}));
  result.threads = threads;
  result.groups = total;
  result.order = options.checker != nullptr ? "one fixed order: the run is checked" : order.text();

  Shared shared;
  const u32 groups_per_thread = holdable / threads;
  std::vector<std::unique_ptr<Worker>> workers;
  for (u32 i = 0; i < threads; ++i) {
    workers.push_back(std::make_unique<Worker>(launch, options, shared, i,
                                               i * groups_per_thread * state.waves_per_group,
                                               groups_per_thread, order.fixed(), threads == 1));
  }
  std::vector<std::thread> others;
  for (u32 i = 1; i < threads; ++i) others.emplace_back([&, i] { workers[i]->run(); });
  workers[0]->run();
  for (std::thread& thread : others) thread.join();

  // Several threads may have failed: the lowest group's error is the one that every run reports first.
  const Worker* failed = nullptr;
  for (const auto& worker : workers) {
    result.wave_instructions += worker->instructions();
    if (worker->error() && (failed == nullptr || worker->error_group() < failed->error_group()))
      failed = worker.get();
  }
  if (failed != nullptr) return *failed->error();
  result.stopped = shared.stopped;
  if (result.stopped) result.groups = shared.done_groups;
  return result;
}

}  // namespace lockstep
