#include "report/bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/view.h"

namespace lockstep {
namespace {

// The mean use of a kind of unit: busy cycles over cycles times units.
f64 busy_fraction(const TimingResult& timing, std::string_view name) {
  for (const UnitBusy& unit : timing.units) {
    if (unit.unit != name || unit.busy_cycles.empty() || timing.cycles == 0) continue;
    const f64 busy = std::accumulate(unit.busy_cycles.begin(), unit.busy_cycles.end(), 0.0);
    return busy / (static_cast<f64>(timing.cycles) * static_cast<f64>(unit.busy_cycles.size()));
  }
  return 0;
}

Utilisation bandwidth(const RunData& run, std::string_view name, f64 bytes, f64 ceiling) {
  const f64 seconds = static_cast<f64>(run.timing->cycles) / static_cast<f64>(run.clock_hz());
  const f64 achieved = seconds > 0 ? bytes / seconds : 0;
  return {name, ceiling > 0 ? achieved / ceiling : 0, achieved, ceiling, "B/s"};
}

f64 figure(const Machine& machine, std::string_view key) {
  return has(machine, key) ? number(machine, key) : 0;
}

}  // namespace

Bound find_bound(const RunData& run) {
  const TimingResult& timing = *run.timing;
  const Machine& machine = *run.machine;
  const f64 clock = static_cast<f64>(run.clock_hz());
  const f64 units = figure(machine, "compute.units");
  const auto counter = [&](std::string_view name) { return static_cast<f64>(timing.counter(name)); };
  Bound bound;
  std::vector<Utilisation>& list = bound.utilisations;
  list.push_back({"arithmetic", busy_fraction(timing, "valu"), 0, 0, ""});
  list.push_back({"matrix arithmetic", busy_fraction(timing, "matrix"), 0, 0, ""});
  list.push_back({"scalar unit", busy_fraction(timing, "salu"), 0, 0, ""});
  list.push_back({"local memory", busy_fraction(timing, "lds"), 0, 0, ""});
  list.push_back({"vector memory issue", busy_fraction(timing, "address"), 0, 0, ""});
  list.push_back(bandwidth(run, "first-level cache bandwidth", counter("vector.load_bytes"),
                           units * clock * figure(machine, "l1.bytes_per_cycle")));
  list.push_back(
      bandwidth(run, "second-level cache bandwidth", counter("l2.read_bytes") + counter("l2.write_bytes"),
                figure(machine, "l2.slices") * clock * figure(machine, "l2.bytes_per_cycle_per_slice")));
  // A slice takes one request in a cycle, however few bytes of its line that wants.
  list.push_back({"second-level cache requests", busy_fraction(timing, "l2_slice"), 0, 0, ""});
  list.push_back(bandwidth(run, "memory bandwidth", counter("dram.read_bytes") + counter("dram.write_bytes"),
                           figure(machine, "memory.bytes_per_second")));
  const f64 slots =
      static_cast<f64>(timing.cycles) * units * figure(machine, "timing.issue.instructions_per_turn");
  list.push_back(
      {"instruction issue", slots > 0 ? static_cast<f64>(timing.instructions) / slots : 0, 0, 0, ""});
  std::stable_sort(list.begin(), list.end(),
                   [](const Utilisation& a, const Utilisation& b) { return a.fraction > b.fraction; });
  if (list.front().fraction >= bound_threshold) {
    bound.name = list.front().name;
    bound.fraction = list.front().fraction;
    bound.why = "this resource works near its ceiling";
    return bound;
  }
  const f64 launch = counter("stall.launch");
  if (timing.wave_cycles > 0 && launch > 0.5 * static_cast<f64>(timing.wave_cycles)) {
    bound.name = "launch";
    bound.fraction = launch / static_cast<f64>(timing.wave_cycles);
    bound.why = "most of the time goes into starting groups and waves";
    return bound;
  }
  bound.name = "latency";
  bound.fraction = list.front().fraction;
  bound.why = "no resource is near its ceiling: waves wait, and there are too few of them to hide it";
  return bound;
}

namespace {

Json collect(const RunData& run) {
  if (!run.timing) return nullptr;
  const Bound bound = find_bound(run);
  Json data;
  data["bound"] = bound.name;
  data["why"] = bound.why;
  data["utilisation"] = Json::array();
  for (const Utilisation& u : bound.utilisations) {
    Json row{{"resource", u.name}, {"fraction", u.fraction}};
    if (u.ceiling > 0) {
      row["achieved"] = u.achieved;
      row["ceiling"] = u.ceiling;
      row["unit"] = u.unit;
    }
    data["utilisation"].push_back(row);
  }
  return data;
}

std::string text(const Json& data) {
  std::string out = heading("What bounds it");
  out += fmt::format("  {}: {}\n", data["bound"].get<std::string>(), data["why"].get<std::string>());
  for (const Json& row : data["utilisation"]) {
    out += fmt::format("  {:<30} {:>8}", row["resource"].get<std::string>(),
                       percent(row["fraction"].get<f64>(), 1));
    if (row.contains("ceiling")) {
      out += fmt::format("   {} of {}", with_unit(row["achieved"].get<f64>(), "B/s"),
                         with_unit(row["ceiling"].get<f64>(), "B/s"));
    }
    out += "\n";
  }
  return out;
}

}  // namespace

View bound_view() {
  return {"bound", collect, text};
}

}  // namespace lockstep
