// Reports beside each other: one launch on several GPUs, or one before and after a change.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "report/view.h"
#include "run/request.h"

namespace lockstep {

// A launch on one GPU; the report is null where there is none, and `error` says why.
struct ComparedLaunch {
  std::string gpu;
  Json report;
  std::string error;
};

struct MeasureOptions {
  bool functional = false;
  u32 threads = 1;              // of the host
  std::function<bool()> go_on;  // false ends it
};
// Runs it, timed where the GPU has a timing model. What goes wrong is in the result.
ComparedLaunch measure_launch(const LaunchRequest& request, const MeasureOptions& options);
// The same of what is prepared.
ComparedLaunch measure_launch(RequestedLaunch& launch, const MeasureOptions& options);

// The figures that compare GPUs, as JSON: a list of objects with gpu, gpu_name, target, status, time_ns,
// cycles, clock_hz, bound, occupancy, limiter, instructions, transactions, transactions_times_ideal,
// bank_conflicts, error; null where a run does not say it.
Json comparison_rows(const std::vector<ComparedLaunch>& launches);
std::string comparison_text(const Json& rows);
// RFC 4180, with a line of names; empty where a run does not say it.
std::string rows_csv(const Json& rows);

// What a change did, as JSON: {before, after} (rows as above), time_ratio, counters (those that differ),
// lines (cost before and after; the line's number before or after is null where there is none). Lines belong
// together where their text is the same, in order. Error: "not-comparable" for a timed and an untimed report.
Expected<Json> compare_reports(const Json& before, const Json& after);
std::string change_text(const Json& change);

}  // namespace lockstep
