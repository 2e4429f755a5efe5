#include <fmt/format.h>

#include <algorithm>

#include "report/view.h"

namespace lockstep {
namespace {

// What tells a launch that found its data in caches from one that did not.
Json summary(const TimingResult& timing) {
  Json data{{"cycles", timing.cycles}};
  data["hit_rates"] = Json::object();
  for (const CacheFigures& cache : timing.caches) {
    if (const u64 asked = cache.hits + cache.merges + cache.misses; asked != 0 && cache.shared)
      data["hit_rates"][cache.title] = static_cast<f64>(cache.hits) / static_cast<f64>(asked);
  }
  for (const Resource& one : timing.resources) {
    if (one.kind == ResourceKind::memory) data["memory_bytes"] = one.amount;
  }
  return data;
}

Json collect_repeats(const RunData& run) {
  const RepeatedLaunches& repeated = run.repeated;
  if (!run.timing || repeated.asked < 2) return nullptr;
  const f64 ns = 1e9 / static_cast<f64>(run.clock_hz());
  Json data;
  data["asked"] = repeated.asked;
  data["cold"] = repeated.cold;
  data["clock_hz"] = run.clock_hz();
  data["shown"] = repeated.shown + 1;
  data["launches"] = Json::array();
  for (std::size_t i = 0; i < repeated.cycles.size(); ++i)
    data["launches"].push_back({{"launch", i + 1},
                                {"cycles", repeated.cycles[i]},
                                {"time_ns", static_cast<f64>(repeated.cycles[i]) * ns}});
  if (!repeated.first) return data;
  data["first"] = summary(*repeated.first);
  Json counters = Json::object();
  for (const Counter& counter : repeated.first->counters) counters[counter.name] = counter.value;
  data["first"]["counters"] = std::move(counters);
  data["median"] = summary(*run.timing);
  const auto [least, most] = std::minmax_element(repeated.cycles.begin() + 1, repeated.cycles.end());
  data["median"]["least_cycles"] = *least;
  data["median"]["most_cycles"] = *most;
  return data;
}

std::string line(const std::string& what, const Json& of, f64 hz) {
  std::string out = fmt::format("  {:<20} {:>12} cycles  {:>10}", what, of["cycles"].get<u64>(),
                                with_unit(of["cycles"].get<f64>() / hz, "s"));
  for (const auto& [cache, rate] : of["hit_rates"].items())
    out += fmt::format("   {}: hit rate {}", cache, percent(rate.get<f64>(), 1));
  return out + fmt::format("   memory: {} bytes\n", of["memory_bytes"].get<u64>());
}

std::string repeats_view_text(const Json& data) {
  std::string out = heading("Launches");
  const u64 count = data["launches"].size();
  out += fmt::format("  {} launches one after the other, {}\n", data["asked"].get<u64>(),
                     data["cold"].get<bool>()
                         ? "all caches and translations empty before each"
                         : "each with the caches, translations and buffers that the one before left");
  if (!data.contains("first"))
    return out +
           fmt::format("  {} ended; everything below is of launch {}\n", count, data["shown"].get<u64>());
  const f64 hz = data["clock_hz"].get<f64>();
  out += line("first", data["first"], hz);
  out += line(count == 2 ? "second" : fmt::format("median of the others"), data["median"], hz);
  if (count > 2)
    out += fmt::format("  the others took {} to {} cycles\n", data["median"]["least_cycles"].get<u64>(),
                       data["median"]["most_cycles"].get<u64>());
  return out + fmt::format("  everything below is of launch {}\n", data["shown"].get<u64>());
}

}  // namespace

View repeats_view() {
  return {"launches", collect_repeats, repeats_view_text};
}

}  // namespace lockstep
