// A launch timed on a model of its machine in which one cost is taken away or one resource is changed. The
// figures that the model works with are changed, not the machine's file: what the file's checks would refuse
// (a memory nearer than the cache before it) can be asked here.
#pragma once
#include <functional>

#include "time/device.h"

namespace lockstep {

struct ModelChange {
  std::function<void(DeviceFigures&)> device;
  std::function<void(LaunchModel&)> launch;  // after `device`
};

// As time_launch(), on the changed model.
Expected<TimingResult> time_changed(const Machine& machine, const TimedLaunch& launch, SourceFactory& sources,
                                    const TimingOptions& options, const ModelChange& change);

// Operations of 64-bit floats take what the program's cheapest operation of 32 bits takes.
void floats_for_doubles(LaunchModel& model);

}  // namespace lockstep
