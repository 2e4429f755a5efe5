#include <fmt/format.h>

#include <algorithm>

#include "report/timed_lines.h"
#include "report/view.h"

namespace lockstep {
namespace {

constexpr std::size_t most_lines = 10;  // in the text

struct Column {
  std::string_view key, unit, meaning;
};
constexpr Column columns[] = {
    {"wave_cycles", "cycles",
     "cycles in which waves issued it or stood in front of it: by which lines are sorted"},
    {"instructions", "instructions", "wave-instructions issued"},
    {"lanes_active", "lanes", "active lanes of these, summed, of scalar instructions too"},
    {"lane_instructions", "instructions", "of the instructions those in which lanes take part"},
    {"lane_instructions_active", "lanes", "active lanes of these, summed"},
    {"issue_cycles", "cycles", "cycles that it held the unit that executed it"},
    {"idle_lane_cycles", "cycles", "of those of vector arithmetic, the share of lanes that took no part"},
    {"transactions", "transactions",
     "cache lines, or sectors of them, that its vector memory accesses touched"},
    {"ideal_transactions", "transactions", "the fewest that could hold the bytes it asked for"},
    {"private_transactions", "transactions", "of the transactions, those of private memory"},
    {"load_bytes", "bytes", "bytes that lanes loaded from memory"},
    {"store_bytes", "bytes", "bytes that lanes stored or gave to atomics"},
    {"local_bytes", "bytes", "bytes that lanes moved from and to local memory"},
    {"scalar_lines", "lines", "look-ups of the scalar cache"},
    {"atomics", "lanes", "lanes that performed an atomic"},
    {"bank_conflict_cycles", "cycles", "further passes of the local-memory banks because of conflicts"},
    {"same_word_cycles", "cycles", "of these, those of atomics of several lanes on one word"},
    {"repeated_accesses", "instructions",
     "loads and stores whose addresses are those of the wave's last execution of the same instruction"},
    {"loads", "instructions", "vector memory instructions that return data"},
    {"load_cycles", "cycles", "their cycles from issue to the last line, summed"},
    {"translation_cycles", "cycles", "cycles that their lines waited for translations, summed"},
};

std::string_view main_stall(const StallCycles& stalls) {
  const auto worst = std::max_element(stalls.begin(), stalls.end());
  return *worst == 0 ? "none" : name(static_cast<Stall>(worst - stalls.begin()));
}

// What both lines and instructions tell.
void add_figures(Json& data, const TimedLine& line, const TimingResult& timing) {
  const InstructionFigures& figures = line.figures;
  const u64 values[] = {wave_cycles(figures),
                        figures.issued,
                        figures.lanes_active,
                        line.lane_instructions,
                        line.lanes,
                        figures.issue_cycles,
                        static_cast<u64>(line.idle_cycles),
                        figures.transactions,
                        figures.ideal_transactions,
                        figures.private_transactions,
                        figures.load_bytes,
                        figures.store_bytes,
                        figures.local_bytes,
                        figures.scalar_lines,
                        figures.atomic_lanes + figures.local_atomic_lanes,
                        figures.bank_conflict_cycles,
                        figures.same_word_cycles,
                        figures.repeated_accesses,
                        figures.memory_accesses,
                        figures.memory_cycles,
                        figures.translation_cycles};
  static_assert(std::size(values) == std::size(columns));
  for (std::size_t i = 0; i < std::size(columns); ++i) data[std::string(columns[i].key)] = values[i];
  data["main_stall"] = main_stall(figures.stalls);
  data["stalls"] = Json::object();
  for (std::size_t i = 0; i < stall_count; ++i) {
    if (figures.stalls[i] != 0) data["stalls"][name(static_cast<Stall>(i))] = figures.stalls[i];
  }
  data["served"] = Json::object();
  for (std::size_t i = 0; i < timing.levels.size(); ++i) {
    if (figures.served[i] != 0) data["served"][timing.levels[i]] = figures.served[i];
  }
}

Json collect_lines(const RunData& run) {
  if (!run.timing) return nullptr;
  const Code& code = run.module->code;
  const TimingResult& timing = *run.timing;
  Json data;
  u64 total = 0;
  for (const InstructionFigures& figures : timing.per_instruction) total += wave_cycles(figures);
  data["wave_cycles"] = total;
  data["wave_lanes"] = run.program->needs.wave_lanes;
  data["levels"] = timing.levels;
  for (const Column& column : columns)
    data["columns"][std::string(column.key)] = {{"unit", column.unit}, {"meaning", column.meaning}};
  data["lines"] = Json::array();
  for (const TimedLine& line : timed_lines(run)) {
    Json row = {{"file", file_of(code, line.at)}, {"line", line.at.line}, {"text", text_of(run, line.at)}};
    add_figures(row, line, timing);
    data["lines"].push_back(std::move(row));
  }
  data["instructions"] = Json::array();
  for (const u32 i : timing.per_instruction.present()) {
    if (!took_part(timing.per_instruction[i])) continue;
    const TimedLine one = timed_instruction(run, i);
    Json row = {{"index", i},
                {"address", code.instructions[i].address},
                {"text", i < code.text.size() ? code.text[i] : ""},
                {"class", name(code.instructions[i].cost)},
                {"file", file_of(code, one.at)},
                {"line", one.at.line}};
    add_figures(row, one, timing);
    data["instructions"].push_back(std::move(row));
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

// "1.0 x" of the fewest transactions, where there were any.
std::string waste_text(const Json& row) {
  const f64 ideal = row["ideal_transactions"].get<f64>();
  return ideal == 0 ? "" : fmt::format("{:.1f} x", row["transactions"].get<f64>() / ideal);
}

std::string lines_view_text(const Json& data) {
  std::string out = heading("The costliest source lines (share of the waves' cycles)");
  const std::string_view form = "  {:>7}  {:<22} {:>12} {:>6} {:>8} {:>9}  {:<14} {}";
  out += fmt::format(fmt::runtime(form), "share", "line", "instructions", "lanes", "x ideal", "conflicts",
                     "main stall", "source; where memory accesses were served") +
         "\n";
  const f64 total = data["wave_cycles"].get<f64>();
  std::size_t shown = 0;
  for (const Json& row : data["lines"]) {
    if (++shown > most_lines) break;
    const f64 lanes = row["lane_instructions"].get<f64>();
    const u64 conflicts = row["bank_conflict_cycles"].get<u64>();
    std::string line = fmt::format(
        fmt::runtime(form), percent(row["wave_cycles"].get<f64>(), total),
        place_text(row["file"].get<std::string>(), row["line"].get<u32>()), row["instructions"].get<u64>(),
        lanes > 0 ? fmt::format("{:.1f}", row["lane_instructions_active"].get<f64>() / lanes) : "",
        waste_text(row), conflicts > 0 ? std::to_string(conflicts) : "", row["main_stall"].get<std::string>(),
        row["text"].get<std::string>());
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (!row["served"].empty())
      out += fmt::format(fmt::runtime(form), "", "", "", "", "", "", "", served_text(row["served"])) + "\n";
  }
  if (data["lines"].size() > most_lines)
    out += fmt::format("  and {} other lines: the JSON report has all, and every instruction\n",
                       data["lines"].size() - most_lines);
  return out;
}

}  // namespace

View lines_view() {
  return {"lines", collect_lines, lines_view_text};
}

}  // namespace lockstep
