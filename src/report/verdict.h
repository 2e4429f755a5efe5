// What bounds a timed launch: the resource nearest to its ceiling, or what waves wait for, and what in the
// program makes it so. Resources are judged by their busiest unit: one slice that is always busy bounds a
// kernel whose other slices are idle. docs/report.md has the rules and their thresholds.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/run_data.h"
#include "report/source_text.h"

namespace lockstep {

// One resource's use over the time that waves could run, against what it can do at most.
struct Utilisation {
  const Resource* resource = nullptr;
  f64 busiest = 0, mean = 0;      // of its units, 0 to 1
  std::size_t unit = 0;           // number of the busiest
  f64 achieved = 0, ceiling = 0;  // a second, in the resource's unit; 0 where only the share makes sense
};

struct Verdict {
  std::string_view cause;  // stable: "bank_conflicts", "memory_bandwidth", ...
  std::string_view title;  // in words
  std::string text;        // the sentence with the evidence
  f64 share = 0;           // of the limit's ceiling, or of the waves' cycles, as the text says
  std::optional<SourceLine> at;
  f64 line_lanes = 0;  // of the line's instructions in which lanes take part: how many did, on average
};

struct Verdicts {
  std::vector<Utilisation> utilisations;  // the busiest first
  std::vector<Verdict> found;             // what bounds it, then what else is worth a word; never empty
};

// Of its ceiling: above this a resource is what bounds the kernel; below, waiting does.
inline constexpr f64 limit_share = 0.6;

Verdicts judge(const RunData& run);

}  // namespace lockstep
