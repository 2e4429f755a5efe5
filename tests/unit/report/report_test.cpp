#include <gtest/gtest.h>

#include <algorithm>

#include "report/verdict.h"
#include "report/view.h"

namespace lockstep {
namespace {

// A run of 1000 cycles on MI25 whose SIMDs were busy for `valu` of them, the busiest slice of whose second
// level for `slice` and the others for a tenth of that.
struct Sample {
  Machine machine;
  Module module;
  Program program;
  RunData run;

  Sample(u64 valu, u64 slice) : machine(*load_machine(LOCKSTEP_SOURCE_DIR "/machines", "mi25")) {
    program.name = "sample";
    run.machine = &machine;
    run.module = &module;
    run.program = &program;
    TimingResult timing;
    timing.cycles = 1000;
    timing.wave_cycles = 1000;
    timing.levels = {"near", "l2", "memory"};
    const auto add = [&](ResourceKind kind, const char* name, std::vector<u64> busy) {
      Resource& one = timing.resources.emplace_back();
      one.kind = kind;
      one.name = one.title = name;
      one.busy_cycles = std::move(busy);
      one.clocks = 1000;
    };
    add(ResourceKind::arithmetic, "valu", std::vector<u64>(256, valu));
    std::vector<u64> slices(16, slice / 10);
    slices[5] = slice;
    add(ResourceKind::shared_cache, "l2_slice", slices);
    for (const char* name : {"instructions", "instructions.valu", "lanes.active", "vector.transactions",
                             "vector.ideal_transactions", "lds.conflict_cycles", "busy.lds", "dram.row_hits",
                             "dram.row_misses", "dram.row_conflicts", "cycles.write_back", "cycles.flush"})
      timing.counters.push_back({name, "", "", 0});
    for (std::size_t i = 0; i < static_cast<std::size_t>(Cost::count); ++i)
      timing.counters.push_back({"instructions.class." + std::string(name(static_cast<Cost>(i))), "", "", 0});
    run.timing = timing;
  }
};

TEST(Verdict, NamesTheResourceNearItsCeiling) {
  const Verdicts verdicts = judge(Sample(900, 0).run);
  EXPECT_EQ(verdicts.found.front().cause, "arithmetic");
  EXPECT_NEAR(verdicts.found.front().share, 0.9, 1e-12);
}

// One slice that is always busy is the limit, however idle the others are.
TEST(Verdict, GoesByTheBusiestUnit) {
  const Sample sample(300, 920);
  const Verdicts verdicts = judge(sample.run);
  EXPECT_EQ(verdicts.found.front().cause, "one_slice");
  const Utilisation& tightest = verdicts.utilisations.front();
  EXPECT_NEAR(tightest.busiest, 0.92, 1e-12);
  EXPECT_LT(tightest.mean, 0.2);
  EXPECT_EQ(tightest.unit, 5u);
}

TEST(Verdict, LeavesOutTheTimeBeforeTheFirstGroup) {
  Sample sample(400, 0);
  sample.run.timing->launch_cycles = 450;
  EXPECT_NEAR(judge(sample.run).found.front().share, 400.0 / 550, 1e-12);
  sample.run.timing->launch_cycles = 600;
  EXPECT_EQ(judge(sample.run).found.front().cause, "launch_overhead");
}

TEST(Verdict, IsWhatWavesWaitForWhenNothingIsNearItsCeiling) {
  Sample idle(100, 0);
  idle.run.timing->stalls[static_cast<std::size_t>(Stall::barrier)] = 700;
  EXPECT_EQ(judge(idle.run).found.front().cause, "barriers");
}

TEST(Verdict, SpeaksOfADeviceThatIsMostlyIdle) {
  Sample sample(900, 0);
  sample.run.timing->unit_wave_cycles.assign(64, 0);
  std::fill_n(sample.run.timing->unit_wave_cycles.begin(), 16, u64{1000});
  const Verdicts verdicts = judge(sample.run);
  EXPECT_EQ(verdicts.found.front().cause, "grid_too_small");
  EXPECT_NE(verdicts.found.front().text.find("25 %"), std::string::npos) << verdicts.found.front().text;
  EXPECT_EQ(verdicts.found.at(1).cause, "arithmetic");
}

#if GTEST_HAS_DEATH_TEST
TEST(CountersDeathTest, ThatAreNotThereAreAskedForInVain) {
  const Sample sample(900, 0);
  EXPECT_DEATH(static_cast<void>(sample.run.timing->counter("l9.hits")),
               "a counter that is asked for exists");
}
#endif

TEST(Report, HoldsTheKeysThatOtherToolsRelyOn) {
  const Sample sample(900, 0);
  const Json report = Json::parse(json_report(sample.run));
  for (const char* key : {"version", "gpu", "kernel", "status", "time_ns", "cycles", "clock_hz", "occupancy",
                          "counters", "bound"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["gpu"], "mi25");
  EXPECT_EQ(report["cycles"], 1000);
  EXPECT_NEAR(report["time_ns"].get<f64>(), 1000e9 / static_cast<f64>(sample.run.clock_hz()), 1e-6);
  EXPECT_TRUE(report["occupancy"].contains("waves_per_cu"));
  EXPECT_EQ(report["counters"]["vector.transactions"], 0);
  EXPECT_EQ(report["status"], "done");
}

TEST(Report, TextAndJsonShowTheSameViews) {
  const Sample sample(900, 0);
  const Json views = Json::parse(json_report(sample.run))["views"];
  const std::string text = text_report(sample.run);
  EXPECT_TRUE(views.contains("bound"));
  EXPECT_NE(text.find("What bounds it\n  vector arithmetic"), std::string::npos) << text;
}

TEST(Report, OfALaunchThatFailed) {
  Sample sample(900, 0);
  sample.run.timing.reset();
  sample.run.failed = Diagnostic{"out-of-bounds", {"a.cl", 3, 5}, "load of 4 bytes", "look there"};
  sample.run.violations.keep({"data-race", {"a.cl", 4, 1}, "two stores", ""});
  sample.run.violations.wanted("data-race", 7);
  const Json report = Json::parse(json_report(sample.run));
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["views"]["failure"]["code"], "out-of-bounds");
  EXPECT_EQ(report["views"]["failure"]["line"], 3);
  EXPECT_EQ(report["views"]["violations"]["count"], 1);
  EXPECT_EQ(report["views"]["violations"]["kept"][0]["code"], "data-race");
  const std::string text = text_report(sample.run);
  EXPECT_NE(text.find("The launch failed\n  a.cl:3:5: error: load of 4 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("Violations: 1"), std::string::npos) << text;
}

TEST(Units, AreWrittenWithTheirPrefix) {
  EXPECT_EQ(with_unit(1.5e9, "Hz"), "1.5 GHz");
  EXPECT_EQ(with_unit(32.5e-6, "s"), "32.5 us");
  EXPECT_EQ(with_unit(0, "B/s"), "0 B/s");
  EXPECT_EQ(percent(1, 3), "33.3 %");
  EXPECT_EQ(percent(1, 0), "-");
}

}  // namespace
}  // namespace lockstep
