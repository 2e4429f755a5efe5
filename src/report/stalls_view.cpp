#include <fmt/format.h>

#include <algorithm>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect_stalls(const RunData& run) {
  if (!run.timing) return nullptr;
  const TimingResult& timing = *run.timing;
  Json data;
  data["wave_cycles"] = timing.wave_cycles;
  data["issue"] = timing.issue_cycles;
  data["reasons"] = Json::array();
  for (std::size_t i = 0; i < stall_count; ++i) {
    const Stall stall = static_cast<Stall>(i);
    data["reasons"].push_back(
        {{"reason", name(stall)}, {"meaning", meaning(stall)}, {"cycles", timing.stalls[i]}});
  }
  return data;
}

std::string stalls_view_text(const Json& data) {
  std::string out = heading("Where the waves' cycles went");
  const f64 total = data["wave_cycles"].get<f64>();
  out += fmt::format("  {:<16} {:>8}\n", "issuing", percent(data["issue"].get<f64>(), total));
  std::vector<Json> rows(data["reasons"].begin(), data["reasons"].end());
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a["cycles"].get<u64>() > b["cycles"].get<u64>();
  });
  for (const Json& row : rows) {
    if (row["cycles"].get<u64>() == 0) continue;
    out += fmt::format("  {:<16} {:>8}   {}\n", row["reason"].get<std::string>(),
                       percent(row["cycles"].get<f64>(), total), row["meaning"].get<std::string>());
  }
  return out;
}

}  // namespace

View stalls_view() {
  return {"stalls", collect_stalls, stalls_view_text};
}

}  // namespace lockstep
