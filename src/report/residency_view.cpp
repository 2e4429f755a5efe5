// How much of the device the launch filled, and over which time.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/timed_lines.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep {
namespace {

constexpr std::size_t timeline_columns = 64;  // of the timeline in the text

Json collect_residency(const RunData& run) {
  if (!run.timing) return nullptr;
  const TimingResult& timing = *run.timing;
  const f64 units = static_cast<f64>(std::max<std::size_t>(1, timing.unit_wave_cycles.size()));
  const f64 active = std::max(1.0, static_cast<f64>(timing.cycles - timing.launch_cycles));
  const f64 mean = static_cast<f64>(timing.wave_cycles) / active / units;
  const u64 at_once = static_cast<u64>(units) * run.occupancy.groups_per_cu;
  Json data;
  data["unit"] = words_of(*run.machine).unit;
  data["wave"] = words_of(*run.machine).wave;
  data["group"] = words_of(*run.machine).group;
  data["units"] = timing.unit_wave_cycles.size();
  data["units_used"] = units_used(timing);
  data["theoretical_waves"] = run.occupancy.waves_per_cu;
  data["wave_slots"] = run.occupancy.wave_slots;
  data["achieved_waves"] = mean;
  data["groups"] = run.range.total_groups();
  data["groups_at_once"] = at_once;
  data["rounds"] =
      at_once == 0 ? 0.0 : static_cast<f64>(run.range.total_groups()) / static_cast<f64>(at_once);
  data["most_waves"] = static_cast<u64>(units) * run.occupancy.waves_per_cu;
  data["timeline"] = Json::array();
  for (const OccupancySample& sample : timing.occupancy)
    data["timeline"].push_back({{"begin_cycle", sample.begin_cycle},
                                {"cycles", sample.cycles},
                                {"mean_waves", sample.cycles == 0 ? 0.0
                                                                  : static_cast<f64>(sample.wave_cycles) /
                                                                        static_cast<f64>(sample.cycles)}});
  return data;
}

// A column for each part of the time, as high as the waves that were resident in it.
std::string timeline(const Json& data) {
  constexpr std::array<std::string_view, 9> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const Json& samples = data["timeline"];
  if (samples.empty()) return "";
  const u64 end = samples.back()["begin_cycle"].get<u64>() + samples.back()["cycles"].get<u64>();
  const f64 most = std::max(1.0, data["most_waves"].get<f64>());
  std::array<f64, timeline_columns> waves{};
  for (const Json& sample : samples) {
    const f64 begin = sample["begin_cycle"].get<f64>(), cycles = sample["cycles"].get<f64>();
    const f64 each = static_cast<f64>(end) / timeline_columns;
    for (std::size_t i = 0; i < timeline_columns; ++i) {
      const f64 from = std::max(begin, static_cast<f64>(i) * each);
      const f64 to = std::min(begin + cycles, static_cast<f64>(i + 1) * each);
      if (to > from) waves[i] += sample["mean_waves"].get<f64>() * (to - from) / each;
    }
  }
  std::string out;
  for (const f64 one : waves) {
    const f64 height = std::clamp(one / most, 0.0, 1.0) * 8;
    out += blocks[one > 0 ? std::max<std::size_t>(1, static_cast<std::size_t>(height + 0.5)) : 0];
  }
  return fmt::format("  |{}| resident {}s over the time, of {}\n", out, data["wave"].get<std::string>(),
                     data["most_waves"].get<u64>());
}

std::string residency_view_text(const Json& data) {
  const std::string unit = data["unit"].get<std::string>(), wave = data["wave"].get<std::string>();
  return heading("How full the device was") +
         fmt::format(
             "  {:.3g} of {} {}s {} were resident on average ({} have slots); {} of {} {}s were used\n",
             data["achieved_waves"].get<f64>(), data["theoretical_waves"].get<u32>(), wave,
             with_article(unit), data["wave_slots"].get<u32>(), data["units_used"].get<u64>(),
             data["units"].get<u64>(), unit) +
         fmt::format("  {} {}s, {} fit at once: {:.3g} times the device\n", data["groups"].get<u64>(),
                     data["group"].get<std::string>(), data["groups_at_once"].get<u64>(),
                     data["rounds"].get<f64>()) +
         timeline(data);
}

}  // namespace

View residency_view() {
  return {"residency", collect_residency, residency_view_text};
}

}  // namespace lockstep
