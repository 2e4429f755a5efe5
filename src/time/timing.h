// Times one launch: the machine, what the kernel needs, where its waves' instructions come from.
#pragma once
#include <functional>
#include <span>

#include "exec/progress.h"
#include "isa/program.h"
#include "time/counters.h"
#include "time/gcn5_parameters.h"
#include "time/wave_source.h"

namespace lockstep {

struct TimingOptions {
  // The second level holds the code, as after an earlier launch of the same kernel. The launch overhead of
  // the machine files, measured on kernels queued behind each other, means the same.
  bool code_in_second_level = true;
  u64 most_instructions = ~u64{0};  // wave-instructions after which the run ends with an error
  // Told now and then; false ends the run, whose result is then what was counted so far.
  std::function<bool(const RunProgress&)> progress;
};

struct TimedLaunch {
  std::span<const Instruction> code;  // of the module: the source's instructions are elements of it
  NdRange range;
  u64 code_address = 0;  // device address at which the module's image lies
};

// Whether there is a timing model for the machine: "not-timed" says that there is none. Other errors: figures
// that contradict each other.
Status timing_model(const Machine& machine);

// Errors: a machine or kernel that cannot be timed, a fault in the program, the instruction limit, a launch
// in which no wave can ever go on (each blocked wave is named with its instruction and what it waits for).
Expected<TimingResult> time_launch(const Machine& machine, const KernelNeeds& needs, u32 local_bytes,
                                   const TimedLaunch& launch, WaveSource& source,
                                   const TimingOptions& options = {});

// The same on bare figures; time_launch is made of it.
Expected<TimingResult> time_gcn5(const Gcn5Parameters& parameters, const LaunchLimits& limits,
                                 const TimedLaunch& launch, WaveSource& source,
                                 const TimingOptions& options = {});

// Waves of work-group `group`; the groups at the upper ends of the range may be smaller.
u32 waves_of_group(const NdRange& range, u64 group, u32 wave_lanes);

}  // namespace lockstep
