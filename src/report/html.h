// The report as one page that needs nothing else: no network, no other file.
#pragma once
#include <string>

#include "report/annotated.h"
#include "report/run_data.h"
#include "report/view.h"
#include "time/attribution/trace.h"

namespace lockstep {

// The page of an application: `application` is what its head tells (src/cli/application_page.cpp), `reports`
// are JSON reports by name, `pictures` what launch_pictures gave for these launches.
std::string application_html(const Json& application, const Json& reports, const Json& pictures);

// The page of a search: `search` has "title", "axes" (names with their values) and "rows" (TuneResults).
std::string tuning_html(const Json& search);

// What a page draws of a launch that its JSON report does not have: curves of occupancy, roofline, units side
// by side, and of a trace the stalls over the time, cache footprints, banks of local memory.
Json launch_pictures(const RunData& run, const LaunchTrace* trace);

// `trace`: what waves did over the time; null: the timeline says only how many were resident.
std::string html_report(const RunData& run, const LoweredLines& lowered, const LaunchTrace* trace);

}  // namespace lockstep
