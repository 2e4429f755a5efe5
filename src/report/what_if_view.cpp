#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

constexpr f64 worth_a_row = 0.01;  // of the time

std::string_view text_of(WhatIf::How how) {
  switch (how) {
    case WhatIf::How::played:
      return "played";
    case WhatIf::How::formula:
      return "formula";
    case WhatIf::How::nothing:
      break;
  }
  return "nothing";
}

Json collect_what_if(const RunData& run) {
  if (!run.what_if) return nullptr;
  const WhatIfs& all = *run.what_if;
  Json data;
  data["cycles"] = all.cycles;
  if (run.repeated.first) data["of_launch"] = 1;
  if (all.alone) data["alone"] = true;
  if (!all.missing.empty()) data["missing"] = all.missing;
  data["timing_dependent"] = all.timing_dependent;
  data["answers"] = Json::array();
  for (const WhatIf& one : all.answers) {
    const f64 before = static_cast<f64>(all.cycles), after = static_cast<f64>(one.cycles);
    data["answers"].push_back({{"question", one.name},
                               {"title", one.title},
                               {"by", text_of(one.how)},
                               {"cycles", one.cycles},
                               {"saved_cycles", before - after},
                               {"saved_share", before > 0 ? 1 - after / before : 0}});
  }
  return data;
}

void append(std::string& list, const std::string& one) {
  list += (list.empty() ? "" : "; ") + one;
}

std::string what_if_view_text(const Json& data) {
  std::string out = heading("What it would cost with one thing changed");
  if (data.contains("missing"))
    return out + fmt::format("  cannot be told: {}\n", data["missing"].get<std::string>());
  out += fmt::format("  of {} cycles{}; docs/what-if.md says what each question means\n",
                     data["cycles"].get<u64>(),
                     data.contains("of_launch") ? " of the first launch"
                     : data.contains("alone")   ? " of this launch alone, caches empty"
                                                : "");
  if (data["timing_dependent"].get<bool>())
    out +=
        "  what waves do depends on when (a clock, a returned atomic, a volatile load): all of this is "
        "played as "
        "it "
        "was recorded, and with other times they might do something else\n";
  std::string little, worse, nothing;
  for (const Json& one : data["answers"]) {
    const f64 share = one["saved_share"].get<f64>();
    const std::string title = one["title"].get<std::string>();
    if (one["by"] == "nothing") {
      append(nothing, title);
    } else if (share <= -worth_a_row) {
      append(worse, fmt::format("{} ({:+.1f} %)", title, -100 * share));
    } else if (share < worth_a_row) {
      append(little, title);
    } else {
      out += fmt::format("  saves {:>5.1f} %  {:>12} cycles  {}{}\n", 100 * share, one["cycles"].get<u64>(),
                         title, one["by"] == "formula" ? " (by formula)" : "");
    }
  }
  if (!little.empty()) out += fmt::format("  less than 1 %: {}\n", little);
  if (!worse.empty()) out += fmt::format("  takes longer: {}\n", worse);
  if (!nothing.empty()) out += fmt::format("  there is nothing of it: {}\n", nothing);
  return out;
}

}  // namespace

View what_if_view() {
  return {"what_if", collect_what_if, what_if_view_text};
}

}  // namespace lockstep
