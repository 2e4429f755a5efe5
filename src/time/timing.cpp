#include "time/timing.h"

#include "machine/machine.h"

namespace lockstep {

Status timing_model(const Machine& machine) {
  const Expected<Gcn5Parameters> parameters = gcn5_parameters(machine);
  if (!parameters) return parameters.error();
  return Success{};
}

Expected<TimingResult> time_launch(const Machine& machine, const KernelNeeds& needs, u32 local_bytes,
                                   const TimedLaunch& launch, WaveSource& source,
                                   const TimingOptions& options) {
  if (needs.wave_lanes != 64) {
    return Diagnostic{"not-timed",
                      {},
                      "GCN5 runs waves of 64 lanes, this kernel has others",
                      "compile it for a gfx9 target"};
  }
  const Expected<Gcn5Parameters> parameters = gcn5_parameters(machine);
  if (!parameters.ok()) return parameters.error();
  const Expected<LaunchLimits> limits =
      launch_limits(machine, needs, launch.range.group_items(), local_bytes);
  if (!limits.ok()) return limits.error();
  return time_gcn5(*parameters, *limits, launch, source, options);
}

}  // namespace lockstep
