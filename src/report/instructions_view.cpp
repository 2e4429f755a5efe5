#include <fmt/format.h>

#include "report/counters.h"
#include "report/view.h"

namespace lockstep {
namespace {

Json collect_instructions(const RunData& run) {
  const CounterTable counter(run);
  if (counter.empty()) return nullptr;
  const std::array<u64, 65>& active_lanes = run.timing ? run.timing->active_lanes : run.counts->active_lanes;
  Json data;
  data["total"] = counter("instructions");
  data["by_class"] = Json::object();
  for (std::size_t i = 0; i < static_cast<std::size_t>(Cost::count); ++i) {
    const std::string_view cost = name(static_cast<Cost>(i));
    const u64 count = counter(fmt::format("instructions.class.{}", cost));
    if (count > 0) data["by_class"][std::string(cost)] = count;
  }
  const u64 valu = counter("instructions.valu"), lanes = counter("lanes.active");
  const u32 width = run.program->needs.wave_lanes;
  data["lanes"] = {{"width", width},
                   {"mean_active", valu > 0 ? static_cast<f64>(lanes) / static_cast<f64>(valu) : 0.0}};
  u64 full = 0, all = 0, none = active_lanes[0];
  for (u32 i = 0; i < active_lanes.size(); ++i) {
    all += active_lanes[i];
    if (i == width) full = active_lanes[i];
  }
  data["lanes"]["full"] = full;
  data["lanes"]["none"] = none;
  data["lanes"]["counted"] = all;
  if (!run.timing) data["lanes"]["parted"] = counter("divergence.parted");
  return data;
}

std::string instructions_view_text(const Json& data) {
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
  if (lanes.contains("parted") && lanes["parted"].get<u64>() > 0)
    out += fmt::format("  {} times some lanes of a wave went on without the others\n",
                       lanes["parted"].get<u64>());
  return out;
}

}  // namespace

View instructions_view() {
  return {"instructions", collect_instructions, instructions_view_text};
}

}  // namespace lockstep
