#include "time/what_if/changed.h"

namespace lockstep {

Expected<TimingResult> time_changed(const Machine& machine, const TimedLaunch& launch, SourceFactory& sources,
                                    const TimingOptions& options, const ModelChange& change) {
  Expected<DeviceFigures> figures = device_figures(machine);
  if (!figures) return figures.error();
  Expected<LaunchModel> model = launch_model(machine, launch);
  if (!model) return model.error();
  if (change.device) change.device(*figures);
  if (change.launch) change.launch(*model);
  Device device(&machine, figures->core, figures->hierarchy);
  return device.run(*model, launch, launch.program->needs.wave_lanes, sources, options);
}

}  // namespace lockstep
