#include "report/view.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/counters.h"
#include "report/report_data.h"
#include "report/verdict.h"

namespace lockstep {

std::span<const View> views() {
  static const std::array list{launch_view(),       failure_view(),       violations_view(), bound_view(),
                               advice_view(),       what_if_view(),       counts_view(),     time_view(),
                               residency_view(),    trust_view(),         repeats_view(),    occupancy_view(),
                               lines_view(),        counted_lines_view(), stalls_view(),     memory_view(),
                               instructions_view(), assumptions_view(),   counters_view()};
  return list;
}

std::string text_report(const RunData& run) {
  std::string text;
  for (const View& view : views()) {
    const Json data = view.collect(run);
    if (!data.is_null()) text += view.text(data);
  }
  return text;
}

std::string json_text(const Json& data) {
  return data.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json report_data(const RunData& run) {
  Json report;
  report["version"] = report_version;
  report["gpu"] = run.machine->id;
  report["kernel"] = run.program->source_name.empty() ? run.program->name : run.program->source_name;
  report["status"] = status_of(run);
  if (run.stopped) report["partial"] = run.failed->message;
  if (run.timing) {
    report["time_ns"] = static_cast<f64>(run.timing->cycles) * 1e9 / static_cast<f64>(run.clock_hz());
    report["cycles"] = run.timing->cycles;
  } else {
    report["time_ns"] = nullptr;
    report["cycles"] = nullptr;
  }
  report["clock_hz"] = run.clock_hz();
  report["occupancy"] = {{"waves_per_cu", run.occupancy.waves_per_cu},
                         {"limit", run.occupancy.wave_slots},
                         {"limiter", run.occupancy.limiter}};
  Json counters = Json::object();
  if (!run.timing && run.functional) {
    counters["groups"] = run.functional->groups;
    counters["instructions"] = run.functional->wave_instructions;
  }
  const CounterTable table(run);
  if (!table.empty()) {
    for (const Counter& counter : table.all()) counters[counter.name] = counter.value;
  }
  report["counters"] = counters;
  report["bound"] = run.timing ? Json(judge(run).found.front().cause) : Json(nullptr);
  Json details = Json::object();
  for (const View& view : views()) {
    Json data = view.collect(run);
    if (!data.is_null()) details[std::string(view.name)] = std::move(data);
  }
  report["views"] = details;
  return report;
}

std::string json_report(const RunData& run) {
  return json_text(report_data(run));
}

std::string heading(std::string_view title) {
  return fmt::format("\n{}\n", title);
}

std::string percent(f64 part, f64 whole) {
  return whole <= 0 ? "-" : fmt::format("{:.1f} %", 100 * part / whole);
}

std::string with_unit(f64 value, std::string_view unit) {
  static constexpr std::array<std::pair<f64, std::string_view>, 7> scales{
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}}};
  for (const auto& [scale, prefix] : scales) {
    if (std::fabs(value) >= scale) return fmt::format("{:.4g} {}{}", value / scale, prefix, unit);
  }
  return value == 0 ? fmt::format("0 {}", unit) : fmt::format("{:.4g} n{}", value * 1e9, unit);
}

}  // namespace lockstep
