#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect(const RunData& run) {
  if (!run.timing) return nullptr;
  Json data = Json::array();
  const f64 cycles = static_cast<f64>(run.timing->cycles);
  // Memory channels count clocks of their own.
  const f64 memory_clock = has(*run.machine, "memory.clock_hz") ? number(*run.machine, "memory.clock_hz") : 0;
  for (const UnitBusy& unit : run.timing->units) {
    if (unit.busy_cycles.empty()) continue;
    const bool memory = unit.unit == "dram_channel";
    const f64 clocks = memory ? cycles * memory_clock / static_cast<f64>(run.clock_hz()) : cycles;
    const u64 total = std::accumulate(unit.busy_cycles.begin(), unit.busy_cycles.end(), u64{0});
    const auto [least, most] = std::minmax_element(unit.busy_cycles.begin(), unit.busy_cycles.end());
    data.push_back(
        {{"unit", unit.unit},
         {"meaning", unit.meaning},
         {"count", unit.busy_cycles.size()},
         {"clocks", clocks},
         {"mean",
          clocks > 0 ? static_cast<f64>(total) / static_cast<f64>(unit.busy_cycles.size()) / clocks : 0},
         {"least", clocks > 0 ? static_cast<f64>(*least) / clocks : 0},
         {"most", clocks > 0 ? static_cast<f64>(*most) / clocks : 0}});
  }
  return data;
}

std::string text(const Json& data) {
  std::string out = heading("Units: busy share of the time");
  out += fmt::format("  {:<14} {:>6} {:>9} {:>9} {:>9}\n", "unit", "count", "mean", "least", "most");
  for (const Json& row : data) {
    out += fmt::format("  {:<14} {:>6} {:>9} {:>9} {:>9}\n", row["unit"].get<std::string>(),
                       row["count"].get<u64>(), percent(row["mean"].get<f64>(), 1),
                       percent(row["least"].get<f64>(), 1), percent(row["most"].get<f64>(), 1));
  }
  return out;
}

}  // namespace

View units_view() {
  return {"units", collect, text};
}

}  // namespace lockstep
