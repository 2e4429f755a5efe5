// What the lowering makes of the corpus, in figures:
//
//   lowering_figures [--target sm_90] [--print] [WORD...]
//
// A line for each kernel: "CASE KERNEL TARGET registers N static N executed N", then the executed warp
// instructions by mnemonic.
#include <fmt/format.h>

#include "lowering_count.h"
#include "time/program/nv/text.h"

namespace lockstep::corpus {
namespace {

int figures_main(const std::vector<std::string>& arguments) {
  std::string target_name = "sm_90";
  std::vector<std::string> words;
  bool print = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--target" && i + 1 < arguments.size()) {
      target_name = arguments[++i];
    } else if (arguments[i] == "--print") {
      print = true;
    } else {
      words.push_back(arguments[i]);
    }
  }
  const Target* target = find_target(target_name);
  if (target == nullptr || target->isa != IsaFamily::ptx) {
    fmt::print(stderr, "usage: lowering_figures [--target sm_XX] [WORD...]\n");
    return 2;
  }
  for (const std::string& path : corpus_paths(words)) {
    const auto test = read_case(path);
    if (!test || !unsuitable(*test).empty()) continue;
    const auto counted = count_case(*test, *target, 3);
    if (!counted) continue;
    for (const auto& [kernel, counts] : counted->counts) {
      const auto lowered = lower_kernel(*counted->module, *counted->module->find(kernel));
      if (!lowered) {
        fmt::print(stderr, "{}\n", to_string(lowered.error()));
        return 1;
      }
      if (print) {
        const Code& code = counted->module->code;
        fmt::print("{}", print_lowered(*lowered, [&](u32 from) {
                     return fmt::format("{} x{}", code.text[from], counts[from]);
                   }));
        continue;
      }
      const LoweringCount count = count_lowered(*lowered, counts);
      fmt::print("{} {} {} registers {} static {} executed {}", test->name, kernel, target_name,
                 lowered->registers, lowered->instructions.size(), count.executed);
      for (const auto& [mnemonic, number] : count.by_mnemonic) fmt::print(" {}={}", mnemonic, number);
      fmt::print("\n");
    }
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::corpus

int main(int count, char** arguments) {
  return lockstep::corpus::figures_main({arguments + 1, arguments + count});
}
