#include "report/annotated.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/timed_lines.h"
#include "report/view.h"

namespace lockstep {
namespace {

constexpr std::string_view form = "{:>7} {:>11} {:>7} {:>13} {:>6}  {:<22} {:<22} {}";

std::string share_of(u64 part, u64 whole) {
  return whole == 0 || part == 0
             ? ""
             : fmt::format("{:.1f} %", 100 * static_cast<f64>(part) / static_cast<f64>(whole));
}

// "vector_memory 71 %": what waves waited for most in front of it.
std::string stall_text(const InstructionFigures& figures) {
  const auto worst = std::ranges::max_element(figures.stalls);
  if (*worst == 0) return "";
  return fmt::format("{} {:.0f} %", name(static_cast<Stall>(worst - figures.stalls.begin())),
                     100 * static_cast<f64>(*worst) / static_cast<f64>(wave_cycles(figures)));
}

// "l2 75 %, memory 25 %"
std::string served_text(const InstructionFigures& figures, const TimingResult& timing) {
  u64 all = 0;
  for (const u64 lines : figures.served) all += lines;
  std::string out;
  for (std::size_t i = 0; i < timing.levels.size(); ++i) {
    if (figures.served[i] == 0) continue;
    out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", timing.levels[i],
                       100 * static_cast<f64>(figures.served[i]) / static_cast<f64>(all));
  }
  if (figures.bank_conflict_cycles != 0)
    out += fmt::format("{}{} conflicts", out.empty() ? "" : ", ", figures.bank_conflict_cycles);
  return out;
}

std::string row(const TimedLine& line, u64 total, const TimingResult& timing, const std::string& text) {
  const InstructionFigures& f = line.figures;
  const std::string lanes =
      line.lane_instructions == 0
          ? ""
          : fmt::format("{:.1f}", static_cast<f64>(line.lanes) / static_cast<f64>(line.lane_instructions));
  const std::string transactions =
      f.transactions == 0 ? "" : fmt::format("{}/{}", f.transactions, f.ideal_transactions);
  const auto number = [](u64 value) { return value == 0 ? std::string() : std::to_string(value); };
  std::string out =
      fmt::format(fmt::runtime(form), share_of(wave_cycles(f), total), number(f.issued),
                  number(f.issue_cycles), transactions, lanes, stall_text(f), served_text(f, timing), text);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

}  // namespace

std::string annotated_listing(const RunData& run, const LoweredLines& lowered) {
  if (!run.timing) return "";
  const TimingResult& timing = *run.timing;
  const Code& code = run.module->code;
  u64 total = 0;
  for (const InstructionFigures& figures : timing.per_instruction) total += wave_cycles(figures);
  std::map<u32, std::vector<const std::string*>> issued;  // by instruction
  for (const auto& [instruction, text] : lowered) issued[instruction].push_back(&text);
  std::map<SourceLine, std::vector<u32>> of_line;
  for (u32 i = 0; i < timing.per_instruction.size(); ++i) {
    if (took_part(timing.per_instruction[i]) || issued.contains(i))
      of_line[source_line(code, i)].push_back(i);
  }
  std::map<SourceLine, TimedLine> lines;
  for (const TimedLine& line : timed_lines(run)) lines[line.at] = line;

  std::string out = heading("Annotated listing");
  out += "  source lines, their instructions in the order of the code";
  out += lowered.empty() ? "\n" : ", and what the hardware issues for them (>)\n";
  out += fmt::format(fmt::runtime(form), "share", "issued", "cycles", "lines/ideal", "lanes", "main stall",
                     "served by", "");
  out.erase(out.find_last_not_of(' ') + 1);
  out += "\n";
  // A file's lines between those that have instructions are shown, too.
  const auto source_from = [&](u32 file, u32 from, u32 to) {
    for (u32 number = from; number < to; ++number) {
      if (text_of(run, {file, number}).empty()) continue;
      out += fmt::format("{:>95}| {}\n", number, run.source_lines[number - 1]);
    }
  };
  SourceLine last{~0u, 0};
  for (const auto& [at, instructions] : of_line) {
    if (at.file == last.file && at.line > last.line) source_from(at.file, last.line + 1, at.line);
    last = at;
    const bool has_text = !text_of(run, at).empty();
    const std::string text = at.line == 0 ? std::string("(no line)")
                             : has_text   ? fmt::format("{}| {}", at.line, run.source_lines[at.line - 1])
                                          : place_text(file_of(code, at), at.line);
    const auto line = lines.find(at);
    out += row(line == lines.end() ? TimedLine{} : line->second, total, timing, text);
    for (const u32 i : instructions) {
      out += row(timed_instruction(run, i), total, timing,
                 fmt::format("    {:06x}  {}", code.instructions[i].address,
                             i < code.text.size() ? code.text[i] : ""));
      const auto machine = issued.find(i);
      if (machine == issued.end()) continue;
      for (const std::string* one : machine->second) out += fmt::format("{:>95}      > {}\n", "", *one);
    }
  }
  return out;
}

}  // namespace lockstep
