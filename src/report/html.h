// The report as one page that needs nothing else: no network, no other file.
#pragma once
#include <string>

#include "report/annotated.h"
#include "report/run_data.h"
#include "time/attribution/trace.h"

namespace lockstep {

// `trace`: what waves did over the time; null: the timeline says only how many were resident.
std::string html_report(const RunData& run, const LoweredLines& lowered, const LaunchTrace* trace);

}  // namespace lockstep
