// What the lowering makes of the corpus, in figures:
//
//   lowering_figures [--target sm_90] [--print] [WORD...]
//   lowering_figures [--target sm_90] [--print] --ptx FILE...
//
// A line for each kernel: "CASE KERNEL TARGET registers N static N executed N", then the executed warp
// instructions by mnemonic; of PTX files, the instructions that they have.
#include <fmt/format.h>

#include "compile/compile.h"
#include "lowering_count.h"
#include "run/loader.h"
#include "time/program/nv/text.h"

namespace lockstep::corpus {
namespace {

// What a PTX file's kernels become.
int file_figures(const std::string& path, const Target& target, bool print) {
  CompileRequest request;
  request.path = path;
  request.target = &target;
  const auto loaded = load_program(request);
  if (!loaded) {
    fmt::print(stderr, "{}\n", to_string(loaded.error()));
    return 1;
  }
  for (const Program& program : loaded->module->programs) {
    const auto lowered = lower_kernel(*loaded->module, program);
    if (!lowered) {
      fmt::print(stderr, "{}\n", to_string(lowered.error()));
      return 1;
    }
    if (print) {
      fmt::print("{}", print_lowered(*lowered, [&](u32 from) { return loaded->module->code.text[from]; }));
      continue;
    }
    std::map<std::string, u32> by_mnemonic;
    for (const LoweredInstruction& in : lowered->instructions)
      ++by_mnemonic[std::string(info(in.opcode).mnemonic)];
    fmt::print("{} {} {} registers {} static {}", path.substr(path.rfind('/') + 1), program.name, target.name,
               lowered->registers, lowered->instructions.size());
    for (const auto& [mnemonic, number] : by_mnemonic) fmt::print(" {}={}", mnemonic, number);
    fmt::print("\n");
  }
  return 0;
}

int figures_main(const std::vector<std::string>& arguments) {
  std::string target_name = "sm_90";
  std::vector<std::string> words;
  bool print = false, files = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--target" && i + 1 < arguments.size()) {
      target_name = arguments[++i];
    } else if (arguments[i] == "--print") {
      print = true;
    } else if (arguments[i] == "--ptx") {
      files = true;
    } else {
      words.push_back(arguments[i]);
    }
  }
  const Target* target = find_target(target_name);
  if (target == nullptr || target->isa != IsaFamily::ptx) {
    fmt::print(stderr, "usage: lowering_figures [--target sm_XX] [--print] [WORD...] or --ptx FILE...\n");
    return 2;
  }
  for (std::size_t i = 0; files && i < words.size(); ++i) {
    if (file_figures(words[i], *target, print) != 0) return 1;
  }
  if (files) return 0;
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
