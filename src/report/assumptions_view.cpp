#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect_assumptions(const RunData& run) {
  if (!run.timing) return nullptr;
  Json data;
  data["assumed_figures"] = run.assumed_figures;
  data["measured"] = run.sensitivity_measured;
  if (run.sensitivity_measured) {
    data["timed_again_by"] = run.sensitivity_executed.empty() ? "replay" : "execution";
    if (!run.sensitivity_executed.empty()) data["executed_because"] = run.sensitivity_executed;
    if (run.repeated.first) data["of_launch"] = 1;
  }
  data["leans_on"] = Json::array();
  for (const Sensitivity& one : run.sensitivity) {
    const Quantity* quantity = find_quantity(*run.machine, one.key);
    data["leans_on"].push_back({{"key", one.key},
                                {"figure", quantity ? to_string(*quantity) : std::string()},
                                {"factor", one.factor},
                                {"time_change", one.change},
                                {"why", quantity ? quantity->why : std::string()}});
  }
  return data;
}

std::string assumptions_view_text(const Json& data) {
  std::string out = heading("Assumed machine figures that the time leans on");
  if (!data["measured"].get<bool>()) {
    return out + fmt::format("  not measured: `lockstep run --sensitivity` says which of {} matter here\n",
                             data["assumed_figures"].get<u32>());
  }
  if (data.contains("of_launch")) out += "  of the first launch\n";
  if (data.contains("executed_because"))
    out += fmt::format("  executed again for each figure: {}\n", data["executed_because"].get<std::string>());
  if (data["leans_on"].empty()) {
    return out + fmt::format("  none of {}: a change of 20 % moves the time by less than 2 %\n",
                             data["assumed_figures"].get<u32>());
  }
  for (const Json& row : data["leans_on"]) {
    out += fmt::format("  {:<34} {:+.0f} %: time {:+.1f} %   {}\n", row["key"].get<std::string>(),
                       100 * (row["factor"].get<f64>() - 1), 100 * row["time_change"].get<f64>(),
                       row["figure"].get<std::string>());
  }
  return out;
}

}  // namespace

View assumptions_view() {
  return {"assumptions", collect_assumptions, assumptions_view_text};
}

}  // namespace lockstep
