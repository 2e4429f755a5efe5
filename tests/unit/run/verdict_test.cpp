// Kernels with one planted cause each, in three sizes, on a GCN, an NVIDIA and an RDNA GPU: the report's
// verdict names the cause and its line; the mended twin does not get it. tests/planted/*.cl hold both.
#include "report/verdict.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "run/launch_arguments.h"
#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

struct Planted {
  std::string path, cause, line = "here";
  std::array<u64, 3> groups{}, mended_groups{};
  u32 local = 64;
  std::vector<std::string> arguments;
  u32 here = 0;  // the marked line
};

Planted read_planted(const std::string& path) {
  Planted planted;
  planted.path = path;
  std::ifstream in(path);
  u32 number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.find("// here") != std::string::npos) planted.here = number;
    if (!text.starts_with("// ")) continue;
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = text.substr(3, colon - 3);
    std::istringstream value(text.substr(colon + 2));
    if (key == "cause") value >> planted.cause;
    if (key == "line") value >> planted.line;
    if (key == "local") value >> planted.local;
    if (key == "groups") {
      for (u64& groups : planted.groups) value >> groups;
      planted.mended_groups = planted.groups;
    }
    if (key == "mended groups") {
      for (u64& groups : planted.mended_groups) value >> groups;
    }
    if (key == "arg") planted.arguments.push_back(value.str());
  }
  return planted;
}

std::string with_sizes(std::string text, u64 groups, u32 local) {
  for (const auto& [name, value] :
       {std::pair<std::string, u64>("$items", groups * local), {"$groups", groups}}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, name.size(), std::to_string(value));
  }
  return text;
}

Verdicts judge_kernel(const Machine& machine, const Module& module, const Planted& planted,
                      const std::string& kernel, u64 groups) {
  const Program& program = **find_kernel(module, kernel);
  std::vector<ArgumentText> texts;
  for (const std::string& text : planted.arguments) {
    Expected<ArgumentText> one = parse_argument_text(with_sizes(text, groups, planted.local), "--arg");
    EXPECT_TRUE(one.ok()) << to_string(one.error());
    texts.push_back(std::move(*one));
  }
  const auto arguments = place_arguments(program, texts);
  EXPECT_TRUE(arguments.ok()) << to_string(arguments.error());
  DeviceMemory memory;
  const auto buffers = Buffers::make(memory, *machine.target, *arguments);
  EXPECT_TRUE(buffers.ok()) << to_string(buffers.error());
  NdRange range;
  range.dimensions = 1;
  range.global[0] = groups * planted.local;
  range.local[0] = planted.local;
  const auto run = simulate(memory, machine, module, program, range, buffers->values(), {});
  EXPECT_TRUE(run.ok()) << to_string(run.error());
  return judge(*run);
}

std::string causes(const Verdicts& verdicts) {
  std::string text;
  for (const Verdict& one : verdicts.found)
    text += "\n  " + std::string(one.cause) + " at line " + std::to_string(one.at ? one.at->line : 0) + ": " +
            one.text;
  return text;
}

class PlantedCauses : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(PlantedCauses, AreNamedWithTheirLine) {
  const auto& [name, gpu] = GetParam();
  const Planted planted = read_planted(LOCKSTEP_SOURCE_DIR "/tests/planted/" + name + ".cl");
  const Expected<Machine> machine = load_machine(machine_directory(), gpu);
  ASSERT_TRUE(machine.ok());
  CompileRequest request;
  request.path = planted.path;
  request.target = machine->target;
  const Expected<LoadedProgram> loaded = load_program(request);
  ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
  for (std::size_t size = 0; size < planted.groups.size(); ++size) {
    SCOPED_TRACE(planted.groups[size]);
    const Verdicts bad = judge_kernel(*machine, *loaded->module, planted, "planted", planted.groups[size]);
    const Verdict& verdict = bad.found.front();
    EXPECT_EQ(verdict.cause, planted.cause) << causes(bad);
    if (planted.line == "here" && verdict.cause == planted.cause) {
      ASSERT_TRUE(verdict.at) << causes(bad);
      EXPECT_EQ(verdict.at->line, planted.here) << causes(bad);
    }
    const Verdicts good =
        judge_kernel(*machine, *loaded->module, planted, "mended", planted.mended_groups[size]);
    for (const Verdict& one : good.found) EXPECT_NE(one.cause, planted.cause) << causes(good);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PlantedCauses,
    testing::Combine(testing::Values("bank_conflicts", "uncoalesced", "divergence", "private_memory",
                                     "dependence_chain", "hot_atomics", "grid_too_small", "launch_overhead",
                                     "tlb", "barriers", "instruction_fetch"),
                     testing::Values("mi25", "v100", "rx6900xt")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace lockstep
