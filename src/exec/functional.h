// Functional execution: the program's effect, no cycles. Groups run in parallel where that cannot change
// results.
#pragma once
#include <functional>

#include "exec/group.h"
#include "exec/progress.h"

namespace lockstep {

struct StepRunner;

struct FunctionalOptions {
  u32 threads = 1;
  u64 instructions_per_wave = u64{1} << 30;  // an endless loop ends here
  StepChecker* checker = nullptr;            // checked runs take one thread
  // Runs the waves of one of the host's threads (from 0) instead of the plain loop; exec/run_wave.h.
  std::function<StepRunner*(u32 thread)> runner;
  std::function<bool(const RunProgress&)>
      progress;  // false ends the run; may be called by any of the threads
};

struct FunctionalResult {
  u64 wave_instructions = 0;
  u64 groups = 0;        // that ran to their end
  bool stopped = false;  // progress() ended the run before its end
  u32 threads = 1;
  std::string_view order;  // why groups ran in parallel, or in one fixed order
};

// Runs every group of the launch. Groups that wait for each other make progress as long as they are among
// those that `launch` holds at once. Errors: a fault's diagnostic (describe_fault), "endless-loop",
// "deadlock" (find_deadlock; runs on one thread), "barrier-not-reached" in checked runs.
Expected<FunctionalResult> run_functional(const PreparedLaunch& launch, const FunctionalOptions& options);

// Whether groups may run in any order, and so in parallel, without changing results, and why not. All of the
// module's code counts: kernels may share functions.
struct GroupOrder {
  bool returning_atomics = false;  // of global memory, as all of these
  bool ordered_atomics = false;    // which do not commute
  bool several_kinds = false;      // of atomics, whose order shows where they meet
  bool may_wait = false;           // volatile or atomic loads: groups may wait for each other

  bool fixed() const { return returning_atomics || ordered_atomics || several_kinds || may_wait; }
  std::string_view text() const;
};
GroupOrder group_order(const Module& module);

// How many waves of the launch a machine that holds `machine_waves` of this kernel has at once, at least one
// group: what PreparedLaunch needs for the functional runner.
u32 functional_resident_waves(const NdRange& range, u32 wave_lanes, u32 machine_waves);

}  // namespace lockstep
