// How much of what a launch's waves touch caches of any size would keep.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "time/attribution/trace.h"

namespace lockstep {

// The share of touches that find their line in a cache that keeps the last lines touched, wherever they lie
// (fully associative, least recently used out first), for sizes of 2^i lines.
struct Footprint {
  u64 touches = 0;
  std::vector<f64> kept;  // by i, up to the size from which on nothing changes
};

// `touches` in their order.
Footprint footprint(std::span<const LaunchTrace::Touch> touches);

// Of the touches of each unit by itself, and of all of them as they came.
struct Footprints {
  Footprint each, together;
};
Footprints footprints(std::vector<LaunchTrace::Touch> touches);

}  // namespace lockstep
