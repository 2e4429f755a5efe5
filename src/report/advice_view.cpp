// What would help, each with its evidence and what it would save.
#include <fmt/format.h>

#include "report/advice.h"
#include "report/view.h"

namespace lockstep {
namespace {

Json collect_advice(const RunData& run) {
  if (!run.timing || !run.what_if || !run.what_if->missing.empty()) return nullptr;
  Json data = Json::array();
  for (const Advice& one : advise(run)) {
    Json row{{"rule", one.rule},
             {"title", one.title},
             {"action", one.action},
             {"evidence", one.evidence},
             {"question", one.question},
             {"saved_share", one.saved_share},
             {"cycles", one.cycles},
             {"before_cycles", run.what_if->cycles},
             {"page", fmt::format("docs/advice.md#{}", one.rule)}};
    row["at"] = nullptr;
    if (one.at)
      row["at"] = {{"file", file_of(run.module->code, *one.at)},
                   {"line", one.at->line},
                   {"text", text_of(run, *one.at)}};
    data.push_back(std::move(row));
  }
  return data;
}

std::string advice_view_text(const Json& data) {
  std::string out = heading("What would help");
  if (data.empty()) return out + "  no rule has anything to say that would save 5 % of the time\n";
  for (const Json& one : data) {
    const f64 before = one["before_cycles"].get<f64>(), after = one["cycles"].get<f64>();
    out += fmt::format("  about {:.0f} % less time ({:.1f} times as fast): {}\n",
                       100 * one["saved_share"].get<f64>(), after > 0 ? before / after : 0,
                       one["title"].get<std::string>());
    out += fmt::format("    {}\n", one["action"].get<std::string>());
    out += fmt::format("    because {}\n", one["evidence"].get<std::string>());
    if (const Json& at = one["at"]; !at.is_null())
      out += fmt::format("    {}  {}\n", place_text(at["file"].get<std::string>(), at["line"].get<u32>()),
                         at["text"].get<std::string>());
    out += fmt::format("    {}\n", one["page"].get<std::string>());
  }
  return out;
}

}  // namespace

View advice_view() {
  return {"advice", collect_advice, advice_view_text};
}

}  // namespace lockstep
