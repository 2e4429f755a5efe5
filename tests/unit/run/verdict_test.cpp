// Kernels with one planted cause each, on a GCN, an NVIDIA, an RDNA and an Intel GPU: the report's verdict
// names the cause and its line; the mended twin does not get it, nor any other advice on its code. What
// taking the cause away is said to save is what the twin saves. tests/planted/*.cl hold both, for three
// sizes; tests/planted/other those that are only asked what the advice names first.
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
  std::string path, cause, line = "here", rule, mended_rule, gain, options;
  std::array<u64, 3> groups{}, mended_groups{};
  u32 local = 64, mended_local = 0;
  u64 mended_launches = 1;  // what the twin does in one launch
  std::vector<std::string> arguments;
  u32 here = 0;  // the marked line
};

// "// key: value", or "// key GPU: value" for one alone, which counts for it whatever the other says.
Planted read_planted(const std::string& path, const std::string& gpu) {
  Planted planted;
  planted.path = path;
  std::map<std::string, std::string> values;
  std::ifstream in(path);
  u32 number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.find("// here") != std::string::npos) planted.here = number;
    if (!text.starts_with("// ")) continue;
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = text.substr(3, colon - 3), value = text.substr(colon + 2);
    if (key == "arg") planted.arguments.push_back(value);
    values[key] = value;
  }
  const auto value_of = [&](const std::string& key) {
    const auto own = values.find(key + " " + gpu);
    const auto found = own != values.end() ? own : values.find(key);
    return std::istringstream(found == values.end() ? "" : found->second);
  };
  value_of("cause") >> planted.cause;
  value_of("rule") >> planted.rule;
  value_of("mended rule") >> planted.mended_rule;  // advice that is right for the twin on a GPU
  value_of("gain") >> planted.gain;  // "least": the twin may save more than is said; "any": more or less
  value_of("options") >> planted.options;
  value_of("line") >> planted.line;
  value_of("local") >> planted.local;
  planted.mended_local = planted.local;
  value_of("mended local") >> planted.mended_local;
  value_of("mended launches") >> planted.mended_launches;
  std::istringstream groups = value_of("groups");
  for (u64& one : planted.groups) groups >> one;
  for (std::size_t i = 0; i < planted.groups.size(); ++i)
    planted.mended_groups[i] = planted.groups[i] * planted.local / planted.mended_local;
  std::istringstream mended = value_of("mended groups");
  for (u64 one = 0, i = 0; i < planted.mended_groups.size() && mended >> one; ++i)
    planted.mended_groups[i] = one;
  return planted;
}

// "$items", "$items*4": so many for each work-item.
std::string with_sizes(std::string text, u64 groups, u32 local, u64 launches) {
  for (const auto& [name, value] : {std::pair<std::string, u64>("$items", groups * local),
                                    {"$groups", groups},
                                    {"$launches", launches}}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      std::size_t end = at + name.size();
      u64 product = value;
      if (end < text.size() && text[end] == '*') {
        std::size_t digits = 0;
        product *= std::stoull(text.substr(end + 1), &digits);
        end += 1 + digits;
      }
      text.replace(at, end - at, std::to_string(product));
    }
  }
  return text;
}

RunData run_kernel(const Machine& machine, const Module& module, const Planted& planted, bool mended,
                   u64 groups, LaunchRecord* record) {
  const u32 local = mended ? planted.mended_local : planted.local;
  const Program& program = **find_kernel(module, mended ? "mended" : "planted");
  std::vector<ArgumentText> texts;
  for (const std::string& text : planted.arguments) {
    Expected<ArgumentText> one =
        parse_argument_text(with_sizes(text, groups, local, planted.mended_launches), "--arg");
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
  range.global[0] = groups * local;
  range.local[0] = local;
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

// What is about the launch's size, not about the code.
bool is_of_size(const Advice& one) {
  return one.rule == "small-grid" || one.rule == "few-waves" || one.rule == "launch-overhead";
}

void expect_only_of_size(const std::vector<Advice>& list) {
  for (const Advice& one : list) EXPECT_TRUE(is_of_size(one)) << rules_text({one});
}

// The gain that is named is what the twin saves, within a quarter of that.
void expect_gain(const Planted& planted, const Advice& named, u64 before, u64 after) {
  const f64 twin_saves = 1 - static_cast<f64>(after) / static_cast<f64>(before * planted.mended_launches);
  if (planted.gain == "any") return;
  EXPECT_GT(twin_saves, 0.05);
  EXPECT_LE(named.saved_share, 1.25 * twin_saves) << "of " << before << " cycles";
  if (planted.gain != "least") {
    EXPECT_GE(named.saved_share, 0.75 * twin_saves) << "of " << before << " cycles";
  }
}

std::optional<LoadedProgram> load_planted(const Planted& planted, const Machine& machine) {
  CompileRequest request;
  request.path = planted.path;
  request.target = machine.target;
  request.options = {"-DLOCAL=" + std::to_string(planted.local)};
  if (!planted.options.empty()) request.options.push_back(planted.options);
  Expected<LoadedProgram> loaded = load_program(request);
  EXPECT_TRUE(loaded.ok()) << to_string(loaded.error());
  if (!loaded) return std::nullopt;
  return std::move(*loaded);
}

class PlantedCauses : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void are_named(std::size_t first_size, std::size_t end_size) {
    const auto& [name, gpu] = GetParam();
    const Planted planted = read_planted(LOCKSTEP_SOURCE_DIR "/tests/planted/" + name + ".cl", gpu);
    const Expected<Machine> machine = load_machine(machine_directory(), gpu);
    ASSERT_TRUE(machine.ok());
    const std::optional<LoadedProgram> loaded = load_planted(planted, *machine);
    ASSERT_TRUE(loaded);
    for (std::size_t size = first_size; size < end_size; ++size) {
      SCOPED_TRACE(planted.groups[size]);
      LaunchRecord record, mended_record;
      RunData planted_run =
          run_kernel(*machine, *loaded->module, planted, false, planted.groups[size], &record);
      const Verdicts bad = judge(planted_run);
      const Verdict& verdict = bad.found.front();
      EXPECT_EQ(verdict.cause, planted.cause) << causes(bad);
      if (planted.line == "here" && verdict.cause == planted.cause) {
        ASSERT_TRUE(verdict.at) << causes(bad);
        EXPECT_EQ(verdict.at->line, planted.here) << causes(bad);
      }
      RunData mended =
          run_kernel(*machine, *loaded->module, planted, true, planted.mended_groups[size], &mended_record);
      const Verdicts good = judge(mended);
      for (const Verdict& one : good.found) EXPECT_NE(one.cause, planted.cause) << causes(good);

      const std::string rule = rule_of(planted.cause);
      const std::vector<Advice> advice = advice_of(planted_run, record);
      const auto named = std::ranges::find(advice, rule, &Advice::rule);
      ASSERT_NE(named, advice.end()) << rules_text(advice) << causes(bad);
      expect_gain(planted, *named, planted_run.timing->cycles, mended.timing->cycles);
      std::vector<Advice> after = advice_of(mended, mended_record);
      EXPECT_EQ(std::ranges::find(after, rule, &Advice::rule), after.end()) << rules_text(after);
      std::erase_if(after, [&](const Advice& one) { return one.rule == planted.mended_rule; });
      expect_only_of_size(after);
    }
  }
};

TEST_P(PlantedCauses, AreNamedWithTheirLine) {
  are_named(0, 1);
}

// ctest -L long.
TEST_P(PlantedCauses, DISABLED_AreNamedInLargerLaunches) {
  are_named(1, 3);
}

// What a stranger would try: the first advice is what a person would say, and its twin gets none.
class OtherKernels : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(OtherKernels, AreAdvisedAsAPersonWould) {
  const auto& [name, gpu] = GetParam();
  const Planted planted = read_planted(LOCKSTEP_SOURCE_DIR "/tests/planted/other/" + name + ".cl", gpu);
  const Expected<Machine> machine = load_machine(machine_directory(), gpu);
  ASSERT_TRUE(machine.ok());
  const std::optional<LoadedProgram> loaded = load_planted(planted, *machine);
  ASSERT_TRUE(loaded);
  LaunchRecord record, mended_record;
  RunData run = run_kernel(*machine, *loaded->module, planted, false, planted.groups[0], &record);
  std::vector<Advice> advice = advice_of(run, record);
  std::erase_if(advice, [&](const Advice& one) { return is_of_size(one) && one.rule != planted.rule; });
  const std::string found = advice.empty() ? "none" : std::string(advice[0].rule);
  // "any": a GPU, or its compiler, makes something else of it.
  if (planted.rule != "any") {
    EXPECT_EQ(found, planted.rule) << rules_text(advice) << causes(judge(run));
  }
  RunData mended =
      run_kernel(*machine, *loaded->module, planted, true, planted.mended_groups[0], &mended_record);
  std::vector<Advice> after = advice_of(mended, mended_record);
  std::erase_if(after, [&](const Advice& one) { return one.rule == planted.mended_rule; });
  expect_only_of_size(after);
  if (found == planted.rule && found != "none")
    expect_gain(planted, advice[0], run.timing->cycles, mended.timing->cycles);
}

// Kernels that are as they should be. Their launches are those of tests and far too small, which three
// rules say.
class GoodKernels : public testing::TestWithParam<std::string> {};

TEST_P(GoodKernels, GetNoAdviceOnTheirCode) {
  // Where they are not as they should be for a GPU: each work-item stores its results side by side, in which
  // compilers for PTX and LLVM's r600 back end join nothing; trees whose upper levels leave more and more
  // threads waiting; few random numbers for each sum, of which LLVM makes a loop over a wave of 64.
  static const std::map<std::string, std::string> right = {
      {"v100 float_arithmetic", "coalescing"}, {"v100 int_int", "coalescing"},
      {"v100 int_shifts", "coalescing"},       {"v100 float_minmax", "coalescing"},
      {"hd530 local_reduce", "barriers"},      {"v100 pattern_prefix_sum", "barriers"},
      {"hd530 local_scan", "barriers"},        {"h200 float_arithmetic", "coalescing"},
      {"h200 int_int", "coalescing"},          {"h200 int_shifts", "coalescing"},
      {"mi300x local_scan", "barriers"},       {"hd6970 float_arithmetic", "coalescing"},
      {"hd6970 int_shifts", "coalescing"},     {"mi25 pattern_random", "hot-atomics"},
      {"mi300x pattern_random", "hot-atomics"}};
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
        First::make(GetParam(), std::string(LOCKSTEP_SOURCE_DIR "/tests/corpus/") + kernel + ".cl");
    ASSERT_TRUE(first);
    LaunchRecord record;
    Expected<RunData> run = first->execute_on(first->machine, &record);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    std::vector<Advice> advice = advice_of(*run, record);
    std::erase_if(advice, [&](const Advice& one) {
      const auto found = right.find(GetParam() + " " + kernel);
      return found != right.end() && found->second == one.rule;
    });
    expect_only_of_size(advice);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoodKernels,
                         testing::Values("mi25", "v100", "rx6900xt", "hd530", "h200", "mi300x", "hd6970"),
                         [](const auto& info) { return info.param; });

std::string name_of(const testing::TestParamInfo<std::tuple<std::string, std::string>>& info) {
  return std::get<0>(info.param) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedCauses,
                         testing::Combine(testing::Values("bank_conflicts", "local_atomics", "uncoalesced",
                                                          "divergence", "private_memory", "dependence_chain",
                                                          "hot_atomics", "grid_too_small", "launch_overhead",
                                                          "tlb", "barriers", "instruction_fetch",
                                                          "repeated_accesses"),
                                          testing::Values("mi25", "v100", "rx6900xt", "hd530")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(All, OtherKernels,
                         testing::Combine(testing::Values("row_per_item", "field_of_structure",
                                                          "every_other_pair", "private_table",
                                                          "branchy_switch", "counter_per_item", "tiny_groups",
                                                          "serial_section", "double_literal",
                                                          "division_in_loop", "constant_table"),
                                          testing::Values("mi25", "v100", "rx6900xt", "hd530")),
                         name_of);

// More of what a stranger would try. The other GPUs' part: ctest -L long.
const std::vector<std::string> further = {
    "packed_triples",  "column_copy",       "tile_of_doubles",  "structures_in_local",  "branch_by_data",
    "trips_by_data",   "sparse_items",      "skewed_histogram", "local_histogram_skew", "tickets",
    "spilled_sums",    "insertion_sort",    "chain_in_local",   "large_local",          "needless_barriers",
    "one_item_stores", "modulo_index",      "double_root",      "scattered_stores",     "misaligned_vectors",
    "page_per_row",    "unrolled_filter",   "bytes_one_by_one", "triangular_work",      "one_long_group",
    "spread_counters", "tiny_tasks",        "rows_in_turns",    "gather_random",        "long_division",
    "every_fourth",    "one_item_does_all", "even_and_odd",     "uneven_rows",          "stack_machine"};

INSTANTIATE_TEST_SUITE_P(Further, OtherKernels,
                         testing::Combine(testing::ValuesIn(further), testing::Values("mi25")), name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_Further, OtherKernels,
                         testing::Combine(testing::ValuesIn(further),
                                          testing::Values("hd530", "rx6900xt", "h200")),
                         name_of);

const std::vector<std::string> later = {"ratios_in_double", "one_wave_of_four", "interleaved_tree",
                                        "random_pages",     "unpadded_tile",    "stores_apart",
                                        "fields_of_many",   "digits_of_base",   "kinds_of_items",
                                        "last_groups_long", "matrix_by_rows"};

INSTANTIATE_TEST_SUITE_P(Later, OtherKernels,
                         testing::Combine(testing::ValuesIn(later), testing::Values("h200")), name_of);
INSTANTIATE_TEST_SUITE_P(Gcn, OtherKernels,
                         testing::Combine(testing::Values("ratios_in_double", "one_wave_of_four",
                                                          "interleaved_tree", "random_pages"),
                                          testing::Values("mi25")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_Later, OtherKernels,
                         testing::Combine(testing::ValuesIn(later), testing::Values("hd530", "mi300x")),
                         name_of);

// More of that kind, for the GPUs on which they are slow.
INSTANTIATE_TEST_SUITE_P(Slow, OtherKernels,
                         testing::Combine(testing::Values("stencil_columns", "radius_sixteen",
                                                          "four_in_a_row", "prefix_by_one", "two_barriers"),
                                          testing::Values("mi25")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_SlowOnGen9, OtherKernels,
                         testing::Combine(testing::Values("stencil_columns", "max_by_exchange", "lists_apart",
                                                          "same_for_all", "prefix_by_one", "two_barriers"),
                                          testing::Values("hd530")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(SlowOnHopper, OtherKernels,
                         testing::Combine(testing::Values("oversized_grid", "prefix_by_one", "two_barriers"),
                                          testing::Values("h200")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Applied, OtherKernels,
                         testing::Combine(testing::Values("score_matrix", "matrix_powers", "pivot_search",
                                                          "bands_of_rows"),
                                          testing::Values("mi25")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(AppliedOnRdna, OtherKernels,
                         testing::Combine(testing::Values("score_matrix"), testing::Values("rx6900xt")),
                         name_of);

// What another GPU's compiler or waves make of it is something else.
INSTANTIATE_TEST_SUITE_P(
    Few, OtherKernels,
    testing::Values(std::tuple("greatest_of_all", "mi25"), std::tuple("greatest_of_all", "rx6900xt"),
                    std::tuple("greatest_of_all", "h200"), std::tuple("sixteen_items", "mi25"),
                    std::tuple("sixteen_items", "hd530"), std::tuple("three_quarters", "mi25"),
                    std::tuple("three_quarters", "hd530"), std::tuple("echo_ring", "mi25"),
                    std::tuple("echo_ring", "hd530"), std::tuple("echo_ring", "rx6900xt"),
                    std::tuple("gather_by_few", "mi25")),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    DISABLED_Few, OtherKernels,
    testing::Values(std::tuple("greatest_of_all", "mi300x"), std::tuple("sixteen_items", "rx6900xt"),
                    std::tuple("sixteen_items", "h200"), std::tuple("three_quarters", "rx6900xt"),
                    std::tuple("three_quarters", "h200"), std::tuple("gather_by_few", "hd530")),
    name_of);

// A SIMD of GCN is busy with one wave that only works out values.
INSTANTIATE_TEST_SUITE_P(FewWaves, OtherKernels,
                         testing::Combine(testing::Values("few_waves"), testing::Values("h200", "hd530")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Gathered, OtherKernels,
                         testing::Combine(testing::Values("histogram_in_memory"), testing::Values("mi25")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_Gathered, OtherKernels,
                         testing::Combine(testing::Values("histogram_in_memory"),
                                          testing::Values("h200", "rx6900xt", "hd530")),
                         name_of);

// Where no address bits are mixed.
INSTANTIATE_TEST_SUITE_P(Strides, OtherKernels,
                         testing::Combine(testing::Values("camped_rows"),
                                          testing::Values("hd7970", "gtx285")),
                         name_of);

// What could stay in registers.
INSTANTIATE_TEST_SUITE_P(Repeats, OtherKernels,
                         testing::Combine(testing::Values("state_in_memory", "filter_in_place"),
                                          testing::Values("mi25", "h200", "hd530", "hd5870")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(NearRepeats, OtherKernels,
                         testing::Combine(testing::Values("sum_of_near", "state_in_local"),
                                          testing::Values("mi25", "h200")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(RepeatedStores, OtherKernels,
                         testing::Combine(testing::Values("sum_in_memory", "scale_reloaded"),
                                          testing::Values("v100", "h200")),
                         name_of);

// What a group of 256 work-items at most, LLVM's r600 back end and registers for arrays leave of them.
INSTANTIATE_TEST_SUITE_P(Packets, PlantedCauses,
                         testing::Combine(testing::Values("bank_conflicts", "uncoalesced", "divergence",
                                                          "dependence_chain", "repeated_accesses"),
                                          testing::Values("hd5870", "hd6970")),
                         name_of);

}  // namespace
}  // namespace lockstep
