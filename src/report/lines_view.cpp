#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/source_text.h"
#include "report/view.h"

namespace lockstep {
namespace {

constexpr std::size_t most_lines = 10;  // in the text

// Wave-cycles: the cycles in which waves issued it, and those that they stood in front of it.
u64 cost(const InstructionFigures& figures) {
  u64 sum = figures.issued;
  for (const u64 cycles : figures.stalls) sum += cycles;
  return sum;
}

std::string_view main_stall(const StallCycles& stalls) {
  const auto worst = std::max_element(stalls.begin(), stalls.end());
  return *worst == 0 ? "none" : name(static_cast<Stall>(worst - stalls.begin()));
}

// What both lines and instructions tell.
void add_figures(Json& data, const InstructionFigures& figures, const TimingResult& timing) {
  data["wave_cycles"] = cost(figures);
  data["instructions"] = figures.issued;
  data["lanes_active"] = figures.lanes_active;
  data["issue_cycles"] = figures.issue_cycles;
  data["main_stall"] = main_stall(figures.stalls);
  data["stalls"] = Json::object();
  for (std::size_t i = 0; i < stall_count; ++i) {
    if (figures.stalls[i] != 0) data["stalls"][name(static_cast<Stall>(i))] = figures.stalls[i];
  }
  data["transactions"] = figures.transactions;
  data["ideal_transactions"] = figures.ideal_transactions;
  data["bank_conflict_cycles"] = figures.bank_conflict_cycles;
  data["served"] = Json::object();
  for (std::size_t i = 0; i < timing.levels.size(); ++i) {
    if (figures.served[i] != 0) data["served"][timing.levels[i]] = figures.served[i];
  }
}

Json collect(const RunData& run) {
  if (!run.timing) return nullptr;
  const Code& code = run.module->code;
  const TimingResult& timing = *run.timing;
  std::map<SourceLine, InstructionFigures> lines;
  u64 total = 0;
  Json data;
  data["wave_cycles"] = 0;
  data["levels"] = timing.levels;
  data["lines"] = Json::array();
  data["instructions"] = Json::array();
  for (std::size_t i = 0; i < timing.per_instruction.size(); ++i) {
    const InstructionFigures& figures = timing.per_instruction[i];
    if (cost(figures) == 0) continue;
    total += cost(figures);
    const SourceLine at = source_line(code, i);
    lines[at] += figures;
    Json row = {{"index", i},
                {"address", code.instructions[i].address},
                {"text", i < code.text.size() ? code.text[i] : ""},
                {"file", file_of(code, at)},
                {"line", at.line}};
    add_figures(row, figures, timing);
    data["instructions"].push_back(std::move(row));
  }
  data["wave_cycles"] = total;
  std::vector<std::pair<SourceLine, const InstructionFigures*>> ranked;
  for (const auto& [at, line] : lines) ranked.emplace_back(at, &line);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return cost(*a.second) > cost(*b.second); });
  for (const auto& [at, line] : ranked) {
    Json row = {{"file", file_of(code, at)}, {"line", at.line}, {"text", text_of(run, at)}};
    add_figures(row, *line, timing);
    data["lines"].push_back(std::move(row));
  }
  return data;
}

// "l2 75 %, memory 25 %": which level served the lines that memory accesses touched.
std::string served_text(const Json& served) {
  u64 all = 0;
  for (const auto& [level, lines] : served.items()) all += lines.get<u64>();
  std::string out;
  for (const auto& [level, lines] : served.items())
    out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", level,
                       100 * lines.get<f64>() / static_cast<f64>(all));
  return out;
}

std::string text(const Json& data) {
  std::string out = heading("The costliest source lines (share of wave-cycles)");
  out += fmt::format("  {:>7}  {:<24} {:>12} {:>12}  {:<14} {}\n", "share", "line", "instructions",
                     "unit cycles", "main stall", "source; where memory accesses were served");
  const f64 total = data["wave_cycles"].get<f64>();
  std::size_t shown = 0;
  for (const Json& row : data["lines"]) {
    if (++shown > most_lines) break;
    const std::string place = place_text(row["file"].get<std::string>(), row["line"].get<u32>());
    out += fmt::format("  {:>7}  {:<24} {:>12} {:>12}  {:<14} {}\n",
                       percent(row["wave_cycles"].get<f64>(), total), place, row["instructions"].get<u64>(),
                       row["issue_cycles"].get<u64>(), row["main_stall"].get<std::string>(),
                       row["text"].get<std::string>());
    if (!row["served"].empty())
      out += fmt::format("  {:>7}  {:<24} {:>12} {:>12}  {:<14} {}\n", "", "", "", "", "",
                         served_text(row["served"]));
  }
  if (data["lines"].size() > most_lines)
    out += fmt::format("  and {} other lines: the JSON report has all, and every instruction\n",
                       data["lines"].size() - most_lines);
  return out;
}

}  // namespace

View lines_view() {
  return {"lines", collect, text};
}

}  // namespace lockstep
