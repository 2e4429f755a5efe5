// Counts what the waves of a functional run do.
#pragma once
#include <memory>
#include <vector>

#include "count/counts.h"
#include "exec/functional.h"
#include "exec/run_wave.h"
#include "isa/program.h"

namespace lockstep {

class ThreadCounter;

// The counts of one launch. Each host thread counts for itself; sums and maxima do not depend on how many
// there are.
class LaunchCounter {
 public:
  LaunchCounter(const Module& module, const CountingRules& rules, u32 threads);
  ~LaunchCounter();
  LaunchCounter(const LaunchCounter&) = delete;
  LaunchCounter& operator=(const LaunchCounter&) = delete;

  // The run with these options is counted; it has at most as many threads.
  void watch(FunctionalOptions& options);
  LaunchCounts result() const;

 private:
  StepRunner* runner(u32 thread);

  const Module& module_;
  CountingRules rules_;
  std::vector<std::unique_ptr<ThreadCounter>> threads_;
};

}  // namespace lockstep
