// Functional execution: the program's effect, no cycles. Groups run in parallel where that cannot change
// results.
#pragma once
#include <functional>

#include "exec/group.h"

namespace lockstep {

struct FunctionalOptions {
  u32 threads = 1;
  u64 instructions_per_wave = u64{1} << 30;  // an endless loop ends here
  StepChecker* checker = nullptr;            // checked runs take one thread
  std::function<void(u64 groups_done, u64 groups)> progress;
};

struct FunctionalResult {
  u64 wave_instructions = 0;
  u64 groups = 0;
  u32 threads = 1;
  std::string_view order;  // why groups ran in parallel, or in one fixed order
};

// Runs every group of the launch. Errors: a fault's diagnostic (describe_fault), "endless-loop",
// "barrier-deadlock".
Expected<FunctionalResult> run_functional(const PreparedLaunch& launch, const FunctionalOptions& options);

// Whether groups may run in any order without changing results: false with returning or floating-point global
// atomics.
bool groups_commute(const Module& module, const Program& program);

// How many waves the functional runner may hold at once: what PreparedLaunch needs for `threads` threads.
// Groups that wait for each other make progress as long as they are among these.
u32 functional_resident_waves(const NdRange& range, u32 wave_lanes, u32 machine_waves, u32 threads);

}  // namespace lockstep
