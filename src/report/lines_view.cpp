#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/view.h"

namespace lockstep {
namespace {

constexpr std::size_t most_lines = 10;

struct Line {
  u64 issued = 0, transactions = 0, ideal = 0, conflicts = 0;
  StallCycles stalls{};
  u64 cost() const {
    u64 sum = issued;
    for (const u64 cycles : stalls) sum += cycles;
    return sum;
  }
};

std::string source_text(const RunData& run, const std::string& file, u32 line) {
  if (file != run.source_file || line == 0 || line > run.source_lines.size()) return "";
  const std::string& text = run.source_lines[line - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

Json collect(const RunData& run) {
  if (!run.timing) return nullptr;
  const Code& code = run.module->code;
  std::map<std::pair<u32, u32>, Line>
      lines;  // by file and line; line 0 gathers what the compiler places nowhere
  u64 total = 0;
  for (std::size_t i = 0; i < run.timing->per_instruction.size(); ++i) {
    const InstructionFigures& figures = run.timing->per_instruction[i];
    const SourcePosition at = code.position(static_cast<u32>(i));
    Line& line = lines[{at.line == 0 ? 0 : at.file, at.line}];
    line.issued += figures.issued;
    line.transactions += figures.transactions;
    line.ideal += figures.ideal_transactions;
    line.conflicts += figures.bank_conflict_cycles;
    for (std::size_t s = 0; s < stall_count; ++s) line.stalls[s] += figures.stalls[s];
  }
  std::vector<std::pair<std::pair<u32, u32>, const Line*>> ranked;
  for (const auto& [place, line] : lines) {
    if (line.cost() == 0) continue;
    total += line.cost();
    ranked.emplace_back(place, &line);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second->cost() > b.second->cost(); });
  Json data;
  data["wave_cycles"] = total;
  data["lines"] = Json::array();
  for (std::size_t i = 0; i < ranked.size() && i < most_lines; ++i) {
    const auto& [place, line] = ranked[i];
    const std::string file =
        place.second == 0 || place.first >= code.files.size() ? "" : code.files[place.first];
    const auto worst = std::max_element(line->stalls.begin(), line->stalls.end());
    data["lines"].push_back(
        {{"file", file},
         {"line", place.second},
         {"text", source_text(run, file, place.second)},
         {"wave_cycles", line->cost()},
         {"instructions", line->issued},
         {"main_stall",
          *worst == 0 ? std::string_view("none") : name(static_cast<Stall>(worst - line->stalls.begin()))},
         {"transactions", line->transactions},
         {"ideal_transactions", line->ideal},
         {"bank_conflict_cycles", line->conflicts}});
  }
  return data;
}

std::string text(const Json& data) {
  std::string out = heading("The costliest source lines (share of wave-cycles)");
  const f64 total = data["wave_cycles"].get<f64>();
  for (const Json& row : data["lines"]) {
    const u32 line = row["line"].get<u32>();
    const std::string place =
        line == 0 ? "(no line)" : fmt::format("{}:{}", row["file"].get<std::string>(), line);
    out += fmt::format("  {:>7}  {:<24} {:<14} {}\n", percent(row["wave_cycles"].get<f64>(), total), place,
                       row["main_stall"].get<std::string>(), row["text"].get<std::string>());
  }
  return out;
}

}  // namespace

View lines_view() {
  return {"lines", collect, text};
}

}  // namespace lockstep
