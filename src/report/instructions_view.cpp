#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect(const RunData& run) {
  if (!run.timing) return nullptr;
  const TimingResult& timing = *run.timing;
  Json data;
  data["total"] = timing.instructions;
  data["by_class"] = Json::object();
  for (std::size_t i = 0; i < static_cast<std::size_t>(Cost::count); ++i) {
    const std::string_view cost = name(static_cast<Cost>(i));
    const u64 count = timing.counter(fmt::format("instructions.class.{}", cost));
    if (count > 0) data["by_class"][std::string(cost)] = count;
  }
  u64 valu = 0, lanes = timing.counter("lanes.active");
  valu = timing.counter("instructions.valu");
  const u32 width = run.program->needs.wave_lanes;
  data["lanes"] = {{"width", width},
                   {"mean_active", valu > 0 ? static_cast<f64>(lanes) / static_cast<f64>(valu) : 0.0}};
  u64 full = 0, all = 0, none = timing.active_lanes[0];
  for (u32 i = 0; i < timing.active_lanes.size(); ++i) {
    all += timing.active_lanes[i];
    if (i == width) full = timing.active_lanes[i];
  }
  data["lanes"]["full"] = full;
  data["lanes"]["none"] = none;
  data["lanes"]["counted"] = all;
  return data;
}

std::string text(const Json& data) {
  std::string out = heading("Instructions");
  const f64 total = data["total"].get<f64>();
  for (const auto& [cost, count] : data["by_class"].items()) {
    out += fmt::format("  {:<24} {:>14} {:>8}\n", cost, count.get<u64>(), percent(count.get<f64>(), total));
  }
  const Json& lanes = data["lanes"];
  out +=
      fmt::format("  divergence: {:.1f} of {} lanes active in a vector instruction on average; {} had all\n",
                  lanes["mean_active"].get<f64>(), lanes["width"].get<u32>(),
                  percent(lanes["full"].get<f64>(), lanes["counted"].get<f64>()));
  return out;
}

}  // namespace

View instructions_view() {
  return {"instructions", collect, text};
}

}  // namespace lockstep
