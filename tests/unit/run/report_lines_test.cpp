// What the report says of lines and instructions adds up to what it says of the kernel.
#include <map>

#include "first_launch.h"
#include "report/view.h"

namespace lockstep {
namespace {

std::string corpus_path(const std::string& name) {
  return LOCKSTEP_SOURCE_DIR "/tests/corpus/" + name + ".cl";
}

class ReportLines : public testing::TestWithParam<const char*> {};

u64 sum(const Json& rows, const char* key) {
  u64 total = 0;
  for (const Json& row : rows) total += row.at(key).get<u64>();
  return total;
}

u64 sum_of(const Json& rows, const char* table, const std::string& key) {
  u64 total = 0;
  for (const Json& row : rows) total += row.at(table).value(key, u64{0});
  return total;
}

TEST_P(ReportLines, AddUpToTheCounters) {
  for (const char* gpu : {"mi25", "rx6900xt"}) {
    SCOPED_TRACE(gpu);
    const auto first = First::make(gpu, corpus_path(GetParam()));
    ASSERT_TRUE(first);
    const auto run = first->execute_on(first->machine, nullptr);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    const Json report = Json::parse(json_report(*run));
    const Json &counters = report["counters"], &view = report["views"]["lines"];
    const auto counter = [&](const std::string& name) { return counters.at(name).get<u64>(); };
    u64 issue_cycles = 0;
    for (const InstructionFigures& figures : run->timing->per_instruction)
      issue_cycles += figures.issue_cycles;
    EXPECT_GT(issue_cycles, 0u);
    for (const char* kind : {"lines", "instructions"}) {
      SCOPED_TRACE(kind);
      const Json& rows = view[kind];
      EXPECT_EQ(sum(rows, "instructions"), counter("instructions"));
      EXPECT_EQ(sum(rows, "wave_cycles"), counter("wave_cycles"));
      EXPECT_EQ(sum(rows, "transactions"), counter("vector.transactions"));
      EXPECT_EQ(sum(rows, "ideal_transactions"), counter("vector.ideal_transactions"));
      EXPECT_EQ(sum(rows, "bank_conflict_cycles"), counter("lds.conflict_cycles"));
      EXPECT_EQ(sum(rows, "issue_cycles"), issue_cycles);
      EXPECT_EQ(sum(rows, "instructions"), counter("wave_cycles.issue"));
      EXPECT_EQ(sum(rows, "load_bytes"), counter("vector.load_bytes"));
      EXPECT_EQ(sum(rows, "store_bytes"), counter("vector.store_bytes"));
      EXPECT_EQ(sum(rows, "local_bytes"), counter("lds.bytes"));
      EXPECT_EQ(sum(rows, "scalar_lines"), counter("scalar.requests"));
      for (std::size_t i = 0; i < stall_count; ++i) {
        const std::string stall(name(static_cast<Stall>(i)));
        EXPECT_EQ(sum_of(rows, "stalls", stall), counter("stall." + stall)) << stall;
      }
      u64 served = 0;
      for (const Json& level : view["levels"]) served += sum_of(rows, "served", level.get<std::string>());
      EXPECT_EQ(served, counter("vector.transactions") + counter("scalar.requests"));
      EXPECT_EQ(sum_of(rows, "served", "near"), counter("l1.hits") + counter("scalar.hits"));
    }
    // By class: what is counted of kinds of instructions.
    std::map<std::string, u64> classes;
    u64 valu_lanes = 0, valu = 0;
    for (const Json& row : view["instructions"]) {
      const std::string cost = row.at("class").get<std::string>();
      classes[cost] += row.at("instructions").get<u64>();
      if (!cost.starts_with("valu_")) continue;
      valu += row.at("instructions").get<u64>();
      valu_lanes += row.at("lanes_active").get<u64>();
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(Cost::count); ++i) {
      const std::string cost(name(static_cast<Cost>(i)));
      EXPECT_EQ(classes[cost], counter("instructions.class." + cost)) << cost;
    }
    EXPECT_EQ(valu, counter("instructions.valu"));
    EXPECT_EQ(valu_lanes, counter("lanes.active"));
    EXPECT_EQ(classes["branch"], counter("branches"));
    // The costliest first, all of them, and the text shows some.
    for (std::size_t i = 1; i < view["lines"].size(); ++i)
      EXPECT_GE(view["lines"][i - 1]["wave_cycles"], view["lines"][i]["wave_cycles"]);
    const std::string text = text_report(*run);
    EXPECT_NE(text.find("costliest source lines"), std::string::npos);
    EXPECT_NE(text.find("memory "), std::string::npos);
  }
}

// Of every family: what holds of counters whatever an instruction becomes when it is issued.
TEST_P(ReportLines, AddUpOnEveryFamily) {
  for (const char* gpu : {"gtx560ti", "k40c", "p100", "v100", "h200", "hd530", "hd6970"}) {
    SCOPED_TRACE(gpu);
    // r600's compiler has no atomics with a result.
    if (std::string(gpu) == "hd6970" && !std::string(GetParam()).starts_with("pattern_")) continue;
    const auto first = First::make(gpu, corpus_path(GetParam()));
    ASSERT_TRUE(first);
    const auto run = first->execute_on(first->machine, nullptr);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    const Json report = Json::parse(json_report(*run));
    const Json &counters = report["counters"], &view = report["views"]["lines"];
    for (const char* kind : {"lines", "instructions"}) {
      SCOPED_TRACE(kind);
      const Json& rows = view[kind];
      EXPECT_EQ(sum(rows, "instructions"), counters.at("instructions"));
      EXPECT_EQ(sum(rows, "wave_cycles"), counters.at("wave_cycles"));
      EXPECT_EQ(sum(rows, "transactions"), counters.at("vector.transactions"));
      EXPECT_EQ(sum(rows, "ideal_transactions"), counters.at("vector.ideal_transactions"));
      EXPECT_EQ(sum(rows, "bank_conflict_cycles"), counters.at("lds.conflict_cycles"));
      EXPECT_EQ(sum(rows, "load_bytes"), counters.at("vector.load_bytes"));
      EXPECT_EQ(sum(rows, "store_bytes"), counters.at("vector.store_bytes"));
      EXPECT_EQ(sum(rows, "local_bytes"), counters.at("lds.bytes"));
      for (std::size_t i = 0; i < stall_count; ++i) {
        const std::string stall(name(static_cast<Stall>(i)));
        EXPECT_EQ(sum_of(rows, "stalls", stall), counters.at("stall." + stall)) << stall;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, ReportLines,
                         testing::Values("local_reduce", "local_histogram", "atomics_global", "pattern_spmv",
                                         "pattern_matmul"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

// Launches one after the other: the first beside the median, whose counters the report has.
TEST(ReportLaunches, HaveTheFirstAndTheMedian) {
  const auto first = First::make("mi25", corpus_path("local_histogram"));
  ASSERT_TRUE(first);
  SimulationOptions options;
  const auto alone = first->execute_on(first->machine, nullptr);
  options.repeat = 6;
  const auto repeated = first->execute_on(first->machine, nullptr, options);
  options.cold = true;
  const auto cold = first->execute_on(first->machine, nullptr, options);
  ASSERT_TRUE(alone.ok() && repeated.ok() && cold.ok());
  const RepeatedLaunches& launches = repeated->repeated;
  ASSERT_EQ(launches.cycles.size(), 6u);
  ASSERT_TRUE(launches.first);
  EXPECT_EQ(launches.cycles[0], alone->timing->cycles);
  EXPECT_EQ(launches.first->cycles, alone->timing->cycles);
  std::vector<u64> others(launches.cycles.begin() + 1, launches.cycles.end());
  std::ranges::sort(others);
  EXPECT_EQ(repeated->timing->cycles, others[2]);
  EXPECT_EQ(launches.cycles[launches.shown], others[2]);
  EXPECT_LT(others[2], launches.cycles[0]);
  EXPECT_GT(repeated->timing->counter("l2.hits"), alone->timing->counter("l2.hits"));
  EXPECT_LT(repeated->timing->counter("dram.read_bytes"), alone->timing->counter("dram.read_bytes") / 2);
  for (const u64 cycles : cold->repeated.cycles) EXPECT_EQ(cycles, alone->timing->cycles);
  const Json report = Json::parse(json_report(*repeated));
  const Json& view = report["views"]["launches"];
  EXPECT_EQ(view["launches"].size(), 6u);
  EXPECT_EQ(view["launches"][0]["cycles"], alone->timing->cycles);
  EXPECT_EQ(view["shown"], launches.shown + 1);
  EXPECT_EQ(view["first"]["counters"]["dram.read_bytes"], alone->timing->counter("dram.read_bytes"));
  EXPECT_EQ(report["cycles"], others[2]);
  EXPECT_FALSE(Json::parse(json_report(*alone))["views"].contains("launches"));
}

}  // namespace
}  // namespace lockstep
