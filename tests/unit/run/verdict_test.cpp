// Kernels with one planted cause each, in three sizes, on a GCN, an NVIDIA and an RDNA GPU: the report's
// verdict names the cause and its line; the mended twin does not get it. What taking the cause away is said
// to save is what the twin saves. tests/planted/*.cl hold both.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "first_launch.h"
#include "report/advice.h"
#include "run/launch_arguments.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "run/what_if.h"

namespace lockstep {
namespace {

struct Planted {
  std::string path, cause, line = "here";
  std::array<u64, 3> groups{}, mended_groups{};
  u32 local = 64;
  std::map<std::string, u64> mended_launches;  // by GPU: what the twin does in one launch; else 1
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
    if (key == "mended launches") {
      u64 launches = 0;
      for (std::string gpu; value >> gpu >> launches;) planted.mended_launches[gpu] = launches;
    }
    if (key == "arg") planted.arguments.push_back(value.str());
  }
  return planted;
}

u64 launches_of(const Planted& planted, const std::string& gpu) {
  const auto found = planted.mended_launches.find(gpu);
  return found == planted.mended_launches.end() ? 1 : found->second;
}

std::string with_sizes(std::string text, u64 groups, u32 local, u64 launches) {
  for (const auto& [name, value] : {std::pair<std::string, u64>("$items", groups * local),
                                    {"$groups", groups},
                                    {"$launches", launches}}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, name.size(), std::to_string(value));
  }
  return text;
}

RunData run_kernel(const Machine& machine, const Module& module, const Planted& planted,
                   const std::string& kernel, u64 groups, LaunchRecord* record) {
  const Program& program = **find_kernel(module, kernel);
  std::vector<ArgumentText> texts;
  for (const std::string& text : planted.arguments) {
    Expected<ArgumentText> one = parse_argument_text(
        with_sizes(text, groups, planted.local, launches_of(planted, machine.id)), "--arg");
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
  SimulationOptions options;
  options.record = record;
  auto run = simulate(memory, machine, module, program, range, buffers->values(), options);
  EXPECT_TRUE(run.ok()) << to_string(run.error());
  return std::move(*run);
}

// The rule of the advice that is about the cause.
std::string rule_of(const std::string& cause) {
  static const std::map<std::string, std::string> rules = {
      {"uncoalesced", "coalescing"}, {"grid_too_small", "small-grid"}, {"tlb", "translation"}};
  if (const auto found = rules.find(cause); found != rules.end()) return found->second;
  std::string rule = cause;
  std::ranges::replace(rule, '_', '-');
  return rule;
}

std::vector<Advice> advice_of(RunData& run, const LaunchRecord& record) {
  EXPECT_TRUE(record.recording) << record.missing;
  WhatIfWork work;
  work.record = &record;
  work.only = advice_questions(run);
  if (work.only.empty()) return {};
  EXPECT_TRUE(ask_what_if(run, work).ok());
  return advise(run);
}

std::string rules_text(const std::vector<Advice>& list) {
  std::string text;
  for (const Advice& one : list)
    text +=
        "\n  " + std::string(one.rule) + " saves " + std::to_string(one.saved_share) + ": " + one.evidence;
  return text;
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
    LaunchRecord record, mended_record;
    RunData planted_run =
        run_kernel(*machine, *loaded->module, planted, "planted", planted.groups[size], &record);
    const Verdicts bad = judge(planted_run);
    const Verdict& verdict = bad.found.front();
    EXPECT_EQ(verdict.cause, planted.cause) << causes(bad);
    if (planted.line == "here" && verdict.cause == planted.cause) {
      ASSERT_TRUE(verdict.at) << causes(bad);
      EXPECT_EQ(verdict.at->line, planted.here) << causes(bad);
    }
    RunData mended =
        run_kernel(*machine, *loaded->module, planted, "mended", planted.mended_groups[size], &mended_record);
    const Verdicts good = judge(mended);
    for (const Verdict& one : good.found) EXPECT_NE(one.cause, planted.cause) << causes(good);

    const std::string rule = rule_of(planted.cause);
    const std::vector<Advice> advice = advice_of(planted_run, record);
    const auto named = std::ranges::find(advice, rule, &Advice::rule);
    ASSERT_NE(named, advice.end()) << rules_text(advice);
    const f64 before = static_cast<f64>(planted_run.timing->cycles);
    const f64 twin_saves =
        1 - static_cast<f64>(mended.timing->cycles) / (before * static_cast<f64>(launches_of(planted, gpu)));
    EXPECT_GT(twin_saves, 0.05);
    EXPECT_NEAR(named->saved_share, twin_saves, 0.25 * twin_saves) << "of " << before << " cycles";
    const std::vector<Advice> after = advice_of(mended, mended_record);
    EXPECT_EQ(std::ranges::find(after, rule, &Advice::rule), after.end()) << rules_text(after);
  }
}

// Kernels that are as they should be. Their launches are those of tests and far too small, which two rules
// say.
TEST(Advice, HasNothingToSayOfGoodKernels) {
  for (const char* kernel : {"pattern_vector_add",
                             "pattern_stencil",
                             "pattern_black_scholes",
                             "pattern_matmul",
                             "pattern_fft",
                             "pattern_nbody",
                             "pattern_random",
                             "pattern_prefix_sum",
                             "local_reduce",
                             "local_scan",
                             "local_transpose",
                             "local_game_of_life",
                             "work_items_1d",
                             "work_items_3d",
                             "float_arithmetic",
                             "float_minmax",
                             "int_int",
                             "int_shifts",
                             "vector_float",
                             "math_native"}) {
    SCOPED_TRACE(kernel);
    const auto first =
        First::make("mi25", std::string(LOCKSTEP_SOURCE_DIR "/tests/corpus/") + kernel + ".cl");
    ASSERT_TRUE(first);
    LaunchRecord record;
    Expected<RunData> run = first->execute_on(first->machine, &record);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    for (const Advice& one : advice_of(*run, record)) {
      EXPECT_TRUE(one.rule == "small-grid" || one.rule == "launch-overhead") << rules_text({one});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PlantedCauses,
    testing::Combine(testing::Values("bank_conflicts", "uncoalesced", "divergence", "private_memory",
                                     "dependence_chain", "hot_atomics", "grid_too_small", "launch_overhead",
                                     "tlb", "barriers", "instruction_fetch"),
                     testing::Values("mi25", "v100", "rx6900xt")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

// The third vendor's: groups have at most 256 work-items, and a few threads of eight channels to 32 make a
// small launch wait for its own instructions, which leaves these of the causes.
INSTANTIATE_TEST_SUITE_P(Threads, PlantedCauses,
                         testing::Combine(testing::Values("bank_conflicts", "uncoalesced", "divergence",
                                                          "private_memory", "hot_atomics"),
                                          testing::Values("hd530")),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

// What a group of 256 work-items at most, LLVM's r600 back end and registers for arrays leave of them.
INSTANTIATE_TEST_SUITE_P(
    Packets, PlantedCauses,
    testing::Combine(testing::Values("bank_conflicts", "uncoalesced", "divergence", "dependence_chain"),
                     testing::Values("hd5870", "hd6970")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace lockstep
