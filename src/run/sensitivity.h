// How much a launch's time leans on the figures of its machine that nobody published.
#pragma once
#include <functional>

#include "run/simulation.h"

namespace lockstep {

struct SensitivityWork {
  const LaunchRecord* record = nullptr;  // of the run; null: there is none
  // Executes the same launch from its beginning on a changed machine.
  std::function<Expected<TimingResult>(const Machine&)> again;
  u32 threads = 1;  // of the host; any number gives the same result
  // Told by one thread at a time how many figures are done. Asked also by several: false ends everything.
  std::function<void(u64 done, u64 all)> progress;
  std::function<bool()> go_on;
};

// The time of the run's first launch with each assumed figure that timing reads 20 % larger: by playing the
// record back, several at a time, or by executing the launch again where there is no record or where what
// waves do depends on when. Fills RunData's sensitivity. Errors: "stopped", those of execution.
Status measure_sensitivity(RunData& run, const SensitivityWork& work);

// The time of a recorded launch on another machine than it was recorded on, caches empty. Error also:
// "stopped", when go_on() gives false.
Expected<TimingResult> replay(const Machine& machine, const Module& module, const Program& program,
                              const LaunchRecord& record, const std::function<bool()>& go_on);

}  // namespace lockstep
