// A launch over the time, as Perfetto (ui.perfetto.dev) and Chrome's tracing show it.
#pragma once
#include <string>

#include "report/run_data.h"
#include "time/attribution/trace.h"

namespace lockstep {

// Trace Event Format: a process for each compute unit, a row for each of its wave slots; waves with the waits
// within them, groups and loads beside them. Times are microseconds of the modelled GPU.
std::string trace_json(const RunData& run, const LaunchTrace& trace);

}  // namespace lockstep
