// Resident waves by what they did, for each part of a launch's time.
#pragma once
#include <array>
#include <vector>

#include "time/attribution/trace.h"

namespace lockstep {

// Mean waves in each part: resident ones, of these those that issued, and those that waited, by reason.
struct StallTimeline {
  std::vector<f64> resident, issuing;
  std::array<std::vector<f64>, stall_count> stalls;
};

StallTimeline stall_timeline(const LaunchTrace& trace);

}  // namespace lockstep
