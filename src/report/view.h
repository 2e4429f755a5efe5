// A view collects data from a run and shows the same data as text and as JSON. One file per view.
#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "report/run_data.h"

namespace lockstep {

using Json = nlohmann::ordered_json;

struct View {
  std::string_view name;                // the key of its data in the JSON report
  Json (*collect)(const RunData& run);  // null when there is nothing to show
  std::string (*text)(const Json& data);
};

View launch_view();
View failure_view();
View violations_view();
View occupancy_view();
View repeats_view();
View time_view();
View bound_view();
View residency_view();
View trust_view();
View counters_view();
View instructions_view();
View memory_view();
View stalls_view();
View lines_view();
View counts_view();
View counted_lines_view();
View assumptions_view();
View what_if_view();
View advice_view();

// "done"; "failed", for whatever reason; "stopped" by who watched it.
std::string_view status_of(const RunData& run);

// All views, in the order of the report.
std::span<const View> views();

// The whole report for people.
std::string text_report(const RunData& run);

// Of the JSON report: changes when a key changes its meaning or goes. docs/report.schema.json describes it.
inline constexpr int report_version = 2;

// The same data for programs: the keys that other tools rely on at the top (gpu, kernel, status, time_ns,
// cycles, clock_hz, occupancy, counters, bound), then one object per view; "partial" with the reason where
// the run was stopped before its end. A launch that failed has a report as well.
std::string json_report(const RunData& run);

// JSON as it is written to files, with a new line at the end. Names of files may hold any bytes: those that
// are no UTF-8 become U+FFFD.
std::string json_text(const Json& data);

// Small helpers of the views' text.
std::string heading(std::string_view title);
std::string percent(f64 part, f64 whole);
std::string with_unit(f64 value, std::string_view unit);  // 1.53 GB/s, 12.1 us

}  // namespace lockstep
