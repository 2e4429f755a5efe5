// What bounds a timed launch, with the evidence, and how near every resource is to its ceiling.
#include <fmt/format.h>

#include "report/verdict.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep {
namespace {

constexpr std::size_t most_others = 4;  // in the text

Json verdict_json(const RunData& run, const Verdict& verdict) {
  Json data{
      {"cause", verdict.cause}, {"title", verdict.title}, {"text", verdict.text}, {"share", verdict.share}};
  data["at"] = nullptr;
  if (verdict.at)
    data["at"] = {{"file", file_of(run.module->code, *verdict.at)},
                  {"line", verdict.at->line},
                  {"text", text_of(run, *verdict.at)},
                  {"mean_lanes", verdict.line_lanes}};
  return data;
}

Json collect_bound(const RunData& run) {
  if (!run.timing) return nullptr;
  const Verdicts verdicts = judge(run);
  Json data = verdict_json(run, verdicts.found.front());
  data["wave_lanes"] = run.program->needs.wave_lanes;
  data["also"] = Json::array();
  for (std::size_t i = 1; i < verdicts.found.size(); ++i)
    data["also"].push_back(verdict_json(run, verdicts.found[i]));
  data["resources"] = Json::array();
  for (const Utilisation& u : verdicts.utilisations) {
    Json row{{"name", u.resource->name},
             {"title", u.resource->title},
             {"meaning", u.resource->meaning},
             {"units", u.resource->busy_cycles.size()},
             {"busiest", u.busiest},
             {"busiest_unit", u.unit},
             {"mean", u.mean}};
    if (u.ceiling > 0) {
      row["achieved"] = u.achieved;
      row["ceiling"] = u.ceiling;
      row["unit"] = std::string(u.resource->amount_unit) + "/s";
    }
    data["resources"].push_back(std::move(row));
  }
  return data;
}

std::string place(const Json& verdict, u32 width) {
  const Json& at = verdict["at"];
  if (at.is_null()) return "";
  std::string out = "    " + place_text(at["file"].get<std::string>(), at["line"].get<u32>());
  if (at["mean_lanes"].get<f64>() > 0)
    out += fmt::format(", {:.1f} of {} lanes", at["mean_lanes"].get<f64>(), width);
  if (const std::string source = at["text"].get<std::string>(); !source.empty()) out += ":  " + source;
  return out + "\n";
}

std::string bound_view_text(const Json& data) {
  const u32 width = data["wave_lanes"].get<u32>();
  std::string out = heading("What bounds it");
  out += fmt::format("  {}: {}\n", data["title"].get<std::string>(), data["text"].get<std::string>());
  out += place(data, width);
  std::size_t shown = 0;
  for (const Json& other : data["also"]) {
    if (++shown > most_others) break;
    out +=
        fmt::format("  also {}: {}\n", other["title"].get<std::string>(), other["text"].get<std::string>());
    out += place(other, width);
  }
  out += fmt::format("\n  {:<26} {:>6} {:>9} {:>9}\n", "how near each ceiling", "units", "busiest", "mean");
  for (const Json& row : data["resources"]) {
    out += fmt::format("  {:<26} {:>6} {:>9} {:>9}", row["title"].get<std::string>(), row["units"].get<u64>(),
                       percent(row["busiest"].get<f64>(), 1), percent(row["mean"].get<f64>(), 1));
    if (row.contains("ceiling")) {
      const std::string unit = row["unit"] == "bytes/s" ? "B/s" : row["unit"].get<std::string>();
      out += fmt::format("   {} of {}", with_unit(row["achieved"].get<f64>(), unit),
                         with_unit(row["ceiling"].get<f64>(), unit));
    }
    out += "\n";
  }
  return out;
}

}  // namespace

View bound_view() {
  return {"bound", collect_bound, bound_view_text};
}

}  // namespace lockstep
