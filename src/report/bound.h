// What bounds a kernel: the resource nearest to its ceiling, or latency when none is near.
#pragma once
#include <string_view>
#include <vector>

#include "report/run_data.h"

namespace lockstep {

// One resource's use over the run, against what it can do at most.
struct Utilisation {
  std::string_view name;  // "arithmetic", "memory bandwidth", ...
  f64 fraction = 0;       // of its ceiling, 0 to 1
  f64 achieved = 0;       // in `unit`; 0 where only the fraction makes sense
  f64 ceiling = 0;
  std::string_view unit;
};

struct Bound {
  std::string_view name;  // of the resource, or "latency", or "launch"
  f64 fraction = 0;
  std::vector<Utilisation> utilisations;  // all that were considered, the most used first
  std::string_view why;                   // a sentence
};

// Above this fraction of its ceiling a resource is what bounds the kernel; below, waiting does.
inline constexpr f64 bound_threshold = 0.6;

Bound find_bound(const RunData& run);

}  // namespace lockstep
