// A launch timed once more to note what each wave did over the time.
#pragma once
#include <functional>

#include "run/simulation.h"
#include "time/attribution/trace.h"

namespace lockstep {

inline constexpr u32 page_buckets = 240;  // parts of the time in a page's picture of waves

// Plays the recorded first launch of a run back. `buckets`: parts of its time that waits are summed over.
// Errors: "not-recorded" with the reason, "stopped", those of timing.
Expected<LaunchTrace> trace_launch(const RunData& run, const LaunchRecord& record, u64 most_each, u32 buckets,
                                   const std::function<bool()>& go_on);

}  // namespace lockstep
