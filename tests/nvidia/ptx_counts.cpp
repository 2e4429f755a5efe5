// How often each PTX instruction of the corpus is executed, for lowering_witness.py:
//
//   ptx_counts DIRECTORY [--target sm_90] [WORD...]
//
// Writes CASE.ptx, and CASE.counts with a line "KERNEL LINE EXECUTED" for each line of the PTX that a wave
// came to.
#include <fmt/format.h>

#include <fstream>

#include "corpus_run.h"

namespace lockstep::corpus {
namespace {

int counts_main(const std::vector<std::string>& arguments) {
  std::string folder, target_name = "sm_90";
  std::vector<std::string> words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--target" && i + 1 < arguments.size()) {
      target_name = arguments[++i];
    } else if (folder.empty()) {
      folder = arguments[i];
    } else {
      words.push_back(arguments[i]);
    }
  }
  const Target* target = find_target(target_name);
  if (folder.empty() || target == nullptr || target->isa != IsaFamily::ptx) {
    fmt::print(stderr, "usage: ptx_counts DIRECTORY [--target sm_XX] [WORD...]\n");
    return 2;
  }
  std::filesystem::create_directories(folder);
  for (const std::string& path : corpus_paths(words)) {
    const auto test = read_case(path);
    if (!test || !unsuitable(*test).empty()) continue;
    const auto counted = count_case(*test, *target, 3);
    if (!counted) {
      const std::string text = to_string(counted.error());
      fmt::print("left out {}: {}\n", test->name, text.substr(0, text.find('\n')));
      continue;
    }
    std::ofstream(fmt::format("{}/{}.ptx", folder, test->name)) << counted->ptx;
    std::ofstream out(fmt::format("{}/{}.counts", folder, test->name));
    const Code& code = counted->module->code;
    for (const auto& [kernel, counts] : counted->counts) {
      // Of the instructions of one statement the most executed one stands for it.
      std::map<u32, u64> lines;
      for (u32 i = 0; i < counts.size(); ++i) {
        if (code.text[i] == "(meet)" || counts[i] == 0) continue;
        u64& line = lines[code.position(i).line];
        line = std::max(line, counts[i]);
      }
      for (const auto& [line, count] : lines) out << fmt::format("{} {} {}\n", kernel, line, count);
    }
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::corpus

int main(int count, char** arguments) {
  return lockstep::corpus::counts_main({arguments + 1, arguments + count});
}
