#include "exec/functional.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <numeric>
#include <optional>
#include <thread>

#include "isa/semantic.h"

namespace lockstep {
namespace {

// A wave that has run this long without reaching a barrier or its end lets others run: it may be waiting for
// them.
constexpr u64 quantum = 1 << 16;

// Runs one wave until something happens or the budget is spent; returns the instructions executed.
template <bool Checked>
u64 run_wave(WaveState& wave, StepContext& context, const Instruction* code, u64 budget) {
  u64 left = budget;
  while (left != 0) {
    const Instruction& instruction = code[wave.pc];
    --left;
    ++wave.pc;
    if constexpr (Checked) {
      context.checker->before(wave, instruction, context);
      if (context.event != Event::none) break;
    }
    instruction.run(wave, instruction, context);
    if (context.event != Event::none) break;
  }
  wave.instructions += budget - left;
  return budget - left;
}

// One host thread's share: the groups it holds, and how it takes new ones.
class Worker {
 public:
  Worker(const PreparedLaunch& launch, const FunctionalOptions& options, std::atomic<u64>& next_group,
         std::atomic<u64>& done_groups, std::atomic<bool>& stop, u32 first_slot, u32 most_groups)
      : launch_(launch),
        options_(options),
        context_(make_context(launch)),
        next_group_(next_group),
        done_groups_(done_groups),
        stop_(stop),
        first_slot_(first_slot),
        most_groups_(most_groups) {
    context_.checker = options.checker;
  }

  u64 instructions() const { return instructions_; }
  const std::optional<Diagnostic>& error() const { return error_; }
  u64 error_group() const { return error_group_; }

  void run(bool report_progress) {
    const u64 total = launch_.state().range.total_groups();
    std::deque<std::unique_ptr<Group>> active;
    std::vector<std::unique_ptr<Group>> idle;
    while (!stop_.load(std::memory_order_relaxed)) {
      if (active.empty() && !take_group(active, idle, total)) break;
      Group& group = *active.front();
      if (!run_group(group)) break;
      std::unique_ptr<Group> front = std::move(active.front());
      active.pop_front();
      if (front->done()) {
        idle.push_back(std::move(front));
        const u64 done = done_groups_.fetch_add(1, std::memory_order_relaxed) + 1;
        if (report_progress && options_.progress) options_.progress(done, total);
      } else {
        // It may wait for a group that has not begun.
        active.push_back(std::move(front));
        take_group(active, idle, total);
      }
    }
  }

 private:
  bool take_group(std::deque<std::unique_ptr<Group>>& active, std::vector<std::unique_ptr<Group>>& idle,
                  u64 total) {
    if (active.size() >= most_groups_) return false;
    const u64 linear = next_group_.fetch_add(1, std::memory_order_relaxed);
    if (linear >= total) return false;
    if (idle.empty()) {
      idle.push_back(std::make_unique<Group>());
      idle.back()->waves.resize(launch_.state().waves_per_group);
      slot_of_.push_back({idle.back().get(),
                          first_slot_ + static_cast<u32>(slot_of_.size()) * launch_.state().waves_per_group});
    }
    std::unique_ptr<Group> group = std::move(idle.back());
    idle.pop_back();
    const auto slot = std::find_if(slot_of_.begin(), slot_of_.end(),
                                   [&](const auto& entry) { return entry.first == group.get(); });
    slots_.resize(launch_.state().waves_per_group);
    std::iota(slots_.begin(), slots_.end(), slot->second);
    group->begin(launch_, linear, slots_);
    if (options_.checker != nullptr) options_.checker->begin(group->waves);
    active.push_back(std::move(group));
    return true;
  }

  // One turn for a group: every wave runs until it ends, waits or has had its quantum. False after an error.
  bool run_group(Group& group) {
    const Instruction* code = launch_.module().code.instructions.data();
    for (int turn = 0; turn < 16 && !group.done(); ++turn) {
      for (u32 i = 0; i < group.waves.size(); ++i) {
        if (group.status[i] != WaveStatus::running) continue;
        WaveState& wave = group.waves[i];
        // A group of one wave needs no turns within itself.
        const u64 executed = context_.checker != nullptr ? run_wave<true>(wave, context_, code, quantum)
                                                         : run_wave<false>(wave, context_, code, quantum);
        instructions_ += executed;
        const Event event = context_.event;
        context_.event = Event::none;
        if (event == Event::end) {
          group.end(i);
        } else if (event == Event::barrier) {
          group.arrive(i);
        } else if (event == Event::fault) {
          return fail(group, describe_fault(launch_, wave, wave.pc - 1, context_.fault, context_.checker));
        }
        if (wave.instructions > options_.instructions_per_wave) return fail(group, endless(wave));
      }
      if (group.barrier_complete()) {
        if (context_.checker != nullptr && group.at_barrier < group.waves.size())
          return fail(group, uneven_barrier(group));
        group.release_barrier();
        if (context_.checker != nullptr) context_.checker->barrier(group.waves);
      }
    }
    return true;
  }

  bool fail(const Group& group, Diagnostic diagnostic) {
    error_ = std::move(diagnostic);
    error_group_ = group.id.linear;
    stop_ = true;
    return false;
  }

  Diagnostic endless(const WaveState& wave) const {
    Fault fault{FaultKind::none, AccessKind::load, Space::global, 0, 0, 0, ""};
    Diagnostic diagnostic = describe_fault(launch_, wave, wave.pc, fault, context_.checker);
    diagnostic.code = "endless-loop";
    const std::size_t detail = diagnostic.message.find('\n');
    diagnostic.message =
        fmt::format("a wave executed more than {} instructions{}", options_.instructions_per_wave,
                    detail == std::string::npos ? "" : diagnostic.message.substr(detail));
    diagnostic.hint =
        "an endless loop, or a longer kernel than the limit allows: raise it with --max-instructions";
    return diagnostic;
  }

  Diagnostic uneven_barrier(const Group& group) const {
    u32 waiting = 0;
    while (group.status[waiting] != WaveStatus::at_barrier) ++waiting;
    const WaveState& wave = group.waves[waiting];
    Diagnostic diagnostic = describe_fault(launch_, wave, wave.pc - 1, {}, context_.checker);
    diagnostic.code = "barrier-not-reached";
    const std::size_t detail = diagnostic.message.find('\n');
    diagnostic.message =
        fmt::format("{} of the group's {} waves wait at a barrier that the others, ended, did not reach{}",
                    group.at_barrier, group.waves.size(),
                    detail == std::string::npos ? "" : diagnostic.message.substr(detail));
    diagnostic.hint = "every work-item of a group must reach the same barriers";
    return diagnostic;
  }

  const PreparedLaunch& launch_;
  const FunctionalOptions& options_;
  StepContext context_;
  std::atomic<u64>& next_group_;
  std::atomic<u64>& done_groups_;
  std::atomic<bool>& stop_;
  u32 first_slot_;
  u32 most_groups_;
  std::vector<std::pair<Group*, u32>> slot_of_;
  std::vector<u32> slots_;
  u64 instructions_ = 0;
  std::optional<Diagnostic> error_;
  u64 error_group_ = 0;
};

}  // namespace

bool groups_commute(const Module& module, const Program& program) {
  const auto ordered = [](const Instruction& instruction) {
    if (instruction.cost != Cost::vmem_atomic) return false;
    const std::string_view name = instruction.meaning->name;
    return (instruction.flags & Instruction::glc) != 0 || name.find("f32") != std::string_view::npos ||
           name.find("f64") != std::string_view::npos || name.find("f16") != std::string_view::npos;
  };
  (void)program;  // functions may be shared by the module's kernels: all of the code counts
  return std::none_of(module.code.instructions.begin(), module.code.instructions.end(), ordered);
}

u32 functional_resident_waves(const NdRange& range, u32 wave_lanes, u32 machine_waves, u32 threads) {
  const u32 per_group = (range.group_items() + wave_lanes - 1) / wave_lanes;
  const u64 all = range.total_groups() * per_group;
  const u64 held = std::max<u64>(std::min<u64>(all, machine_waves), u64{per_group} * threads);
  return static_cast<u32>(std::min<u64>(held, 0x7FFFFFFF));
}

Expected<FunctionalResult> run_functional(const PreparedLaunch& launch, const FunctionalOptions& options) {
  FunctionalResult result;
  const LaunchState& state = launch.state();
  const u64 total = state.range.total_groups();
  const bool commute = groups_commute(launch.module(), launch.program());
  const u32 holdable = std::max(1u, launch.resident_waves() / state.waves_per_group);
  u32 threads = std::max(1u, options.threads);
  if (!commute || options.checker != nullptr) threads = 1;
  threads = static_cast<u32>(std::min<u64>({threads, total, holdable}));
  result.threads = threads;
  result.groups = total;
  result.order = options.checker != nullptr ? "one fixed order: the run is checked"
                 : !commute                 ? "one fixed order: returning or floating-point global atomics"
                                            : "any order: no global atomic whose order shows";

  std::atomic<u64> next_group{0}, done_groups{0};
  std::atomic<bool> stop{false};
  const u32 groups_per_thread = holdable / threads;
  std::vector<std::unique_ptr<Worker>> workers;
  for (u32 i = 0; i < threads; ++i) {
    workers.push_back(std::make_unique<Worker>(launch, options, next_group, done_groups, stop,
                                               i * groups_per_thread * state.waves_per_group,
                                               groups_per_thread));
  }
  std::vector<std::thread> others;
  for (u32 i = 1; i < threads; ++i) others.emplace_back([&, i] { workers[i]->run(false); });
  workers[0]->run(true);
  for (std::thread& thread : others) thread.join();

  // Several threads may have failed: the lowest group's error is the one that every run reports first.
  const Worker* failed = nullptr;
  for (const auto& worker : workers) {
    result.wave_instructions += worker->instructions();
    if (worker->error() && (failed == nullptr || worker->error_group() < failed->error_group()))
      failed = worker.get();
  }
  if (failed != nullptr) return *failed->error();
  return result;
}

}  // namespace lockstep
