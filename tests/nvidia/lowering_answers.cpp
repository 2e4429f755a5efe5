// What the lowering makes of the corpus against the answers of NVIDIA's assembler in lowering.txt:
//
//   lowering_answers TARGET [--list]
//
// With --list each kernel's registers and executed instructions, the assembler's in brackets.
// Fails where the deviations are larger than docs/lowering.md says, or where a program's text does not read
// back as it was.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "lowering_count.h"
#include "time/program/nv/text.h"

namespace lockstep::corpus {
namespace {

struct Answer {
  f64 registers = 0, executed = 0;
};
using Answers = std::map<std::pair<std::string, std::string>, Answer>;

Answers read_answers(const std::string& target) {
  Answers answers;
  std::ifstream in(LOCKSTEP_SOURCE_DIR "/tests/nvidia/lowering.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string test, kernel, of;
    f64 registers = 0, instructions = 0, executed = 0;
    if (line.starts_with("#") || !(words >> test >> kernel >> of >> registers >> instructions >> executed) ||
        of != target)
      continue;
    answers[{test, kernel}] = {registers, executed};
  }
  return answers;
}

// At the median and the 90th of a hundred.
struct Deviation {
  f64 median = 0, ninth = 0;
};
Deviation deviation(std::vector<f64> values) {
  for (f64& value : values) value = std::abs(value);
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values[values.size() * 9 / 10]};
}

bool reads_back(const LoweredProgram& program) {
  const std::string text = print_lowered(program);
  const auto again = read_lowered(text, program.kernel);
  if (!again) {
    fmt::print("{}\n", to_string(again.error()));
    return false;
  }
  const std::string second = print_lowered(*again);
  if (second == text) return true;
  const auto at = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.end(), second.begin(), second.end()).first - text.begin());
  const std::size_t begin = text.rfind('\n', at) + 1;
  fmt::print("reads back as another: {}\n", text.substr(begin, text.find('\n', begin) - begin));
  return false;
}

// Every instruction stems from its region, and barriers and stalls are the hardware's.
bool is_sound(const LoweredProgram& program) {
  for (const LoweredRegion& region : program.regions) {
    for (u32 i = region.begin; i < region.end; ++i) {
      const LoweredInstruction& in = program.instructions[i];
      if (in.from - region.first >= region.count || in.control.stall > 15 || in.control.wait_mask > 63)
        return false;
    }
  }
  return true;
}

int answers_main(const std::vector<std::string>& arguments) {
  const bool lists = arguments.size() == 2 && arguments[1] == "--list";
  const Target* target = arguments.size() == 1 || lists ? find_target(arguments[0]) : nullptr;
  if (target == nullptr) {
    fmt::print(stderr, "usage: lowering_answers sm_80 [--list]\n");
    return 2;
  }
  const Answers answers = read_answers(arguments[0]);
  std::vector<f64> registers, executed;
  u32 bad = 0;
  for (const std::string& path : corpus_paths({})) {
    const auto test = read_case(path);
    if (!test || !unsuitable(*test).empty()) continue;
    const auto counted = count_case(*test, *target, 3);
    if (!counted) continue;
    for (const auto& [kernel, counts] : counted->counts) {
      const auto found = answers.find({test->name, kernel});
      if (found == answers.end() || found->second.executed == 0) continue;
      const auto lowered = lower_kernel(*counted->module, *counted->module->find(kernel));
      if (!lowered || !is_sound(*lowered) || !reads_back(*lowered)) {
        fmt::print("{} {}: {}\n", test->name, kernel, lowered ? "see above" : to_string(lowered.error()));
        ++bad;
        continue;
      }
      // Differences first: 15 % is not more than 15 %.
      const Answer& answer = found->second;
      registers.push_back((lowered->registers - answer.registers) / answer.registers);
      executed.push_back((count_lowered(*lowered, counts).executed - answer.executed) / answer.executed);
      if (lists) {
        fmt::print("{} {}: registers {} ({}), executed {:.0f} ({:.0f}, {:+.1f} %)\n", test->name, kernel,
                   lowered->registers, found->second.registers, count_lowered(*lowered, counts).executed,
                   found->second.executed, 100 * executed.back());
      }
    }
  }
  if (executed.size() < 100) {
    fmt::print("{} kernels have answers: too few\n", executed.size());
    return 1;
  }
  const Deviation r = deviation(registers), e = deviation(executed);
  fmt::print(
      "{}: {} kernels. Executed instructions deviate by {:.1f} % at the median, {:.1f} % at the 90th of a "
      "hundred; registers by {:.1f} "
      "% and {:.1f} %\n",
      arguments[0], executed.size(), 100 * e.median, 100 * e.ninth, 100 * r.median, 100 * r.ninth);
  // What docs/lowering.md says.
  const double ninth = arguments[0] == "sm_86" || arguments[0] == "sm_89" ? 0.267 : 0.26;
  const bool good = e.median <= 0.05 && e.ninth <= 0.15 && r.median <= 0.112 && r.ninth <= ninth;
  if (!good) fmt::print("more than docs/lowering.md says\n");
  return bad == 0 && good ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::corpus

int main(int count, char** arguments) {
  return lockstep::corpus::answers_main({arguments + 1, arguments + count});
}
