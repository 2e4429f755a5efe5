// How far the time can be trusted: figures of the machine that nobody published, and how far this machine's
// model was from published measurements.
#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect_trust(const RunData& run) {
  if (!run.timing) return nullptr;
  Json data{{"figures", run.timing_figures}, {"assumed_figures", run.assumed_figures}};
  data["compared"] = nullptr;
  data["measured"] = nullptr;
  if (run.accuracy && run.accuracy->measured_figures != 0)
    data["measured"] = {{"figures", run.accuracy->measured_figures},
                        {"mean_error", run.accuracy->measured_mean_error},
                        {"median_error", run.accuracy->measured_median_error},
                        {"worst_error", run.accuracy->measured_worst_error}};
  if (run.accuracy && run.accuracy->figures != 0)
    data["compared"] = {{"gpus", run.accuracy->gpus},
                        {"figures", run.accuracy->figures},
                        {"mean_error", run.accuracy->mean_error},
                        {"worst_error", run.accuracy->worst_error}};
  return data;
}

std::string trust_view_text(const Json& data) {
  const f64 figures = data["figures"].get<f64>();
  std::string out = heading("How far to trust it");
  out += fmt::format("  {} of {} figures of the machine that timing reads are assumed ({})\n",
                     data["assumed_figures"].get<u32>(), data["figures"].get<u32>(),
                     percent(data["assumed_figures"].get<f64>(), figures));
  if (const Json& measured = data["measured"]; !measured.is_null())
    out += fmt::format(
        "  {} figures that were measured on a real one: the model is {} off on average, {} at the median, {} "
        "at worst\n",
        measured["figures"].get<u32>(), percent(measured["mean_error"].get<f64>(), 1),
        percent(measured["median_error"].get<f64>(), 1), percent(measured["worst_error"].get<f64>(), 1));
  const Json& compared = data["compared"];
  if (compared.is_null()) {
    if (!data["measured"].is_null()) return out;
    return out + "  no published measurement of this GPU has been compared: the error is not known\n";
  }
  std::string gpus;
  for (const Json& gpu : compared["gpus"]) gpus += (gpus.empty() ? "" : ", ") + gpu.get<std::string>();
  return out + fmt::format("  {} published figure{} of {}: the model is {} off on average, {} at worst\n",
                           compared["figures"].get<u32>(), compared["figures"].get<u32>() == 1 ? "" : "s",
                           gpus, percent(compared["mean_error"].get<f64>(), 1),
                           percent(compared["worst_error"].get<f64>(), 1));
}

}  // namespace

View trust_view() {
  return {"trust", collect_trust, trust_view_text};
}

}  // namespace lockstep
