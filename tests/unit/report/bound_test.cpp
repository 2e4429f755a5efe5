#include "report/bound.h"

#include <gtest/gtest.h>

#include "report/view.h"

namespace lockstep {
namespace {

// A run of 1000 cycles on MI25 whose SIMDs were busy for `valu` of them and which moved `bytes` from memory.
struct Sample {
  Machine machine;
  Module module;
  Program program;
  RunData run;

  Sample(u64 valu, u64 bytes) : machine(*load_machine(LOCKSTEP_SOURCE_DIR "/machines", "mi25")) {
    program.name = "sample";
    run.machine = &machine;
    run.module = &module;
    run.program = &program;
    TimingResult timing;
    timing.cycles = 1000;
    timing.wave_cycles = 1000;
    timing.units.push_back({"valu", "", std::vector<u64>(256, valu)});
    timing.counters.push_back({"dram.read_bytes", "bytes", "", bytes});
    run.timing = timing;
  }
};

TEST(Bound, NamesTheResourceNearItsCeiling) {
  const Sample arithmetic(900, 0);
  EXPECT_EQ(find_bound(arithmetic.run).name, "arithmetic");
  EXPECT_NEAR(find_bound(arithmetic.run).fraction, 0.9, 1e-12);

  // 80 % of what the machine's memory can move in 1000 cycles.
  const f64 seconds = 1000.0 / static_cast<f64>(run_clock_hz(arithmetic.machine));
  const u64 bytes = static_cast<u64>(0.8 * number(arithmetic.machine, "memory.bytes_per_second") * seconds);
  const Sample memory(100, bytes);
  EXPECT_EQ(find_bound(memory.run).name, "memory bandwidth");
  EXPECT_NEAR(find_bound(memory.run).fraction, 0.8, 1e-3);
}

TEST(Bound, IsLatencyWhenNothingIsNearItsCeiling) {
  const Sample idle(100, 0);
  EXPECT_EQ(find_bound(idle.run).name, "latency");
}

TEST(Report, HoldsTheKeysThatOtherToolsRelyOn) {
  const Sample sample(900, 0);
  const Json report = Json::parse(json_report(sample.run));
  for (const char* key :
       {"gpu", "kernel", "time_ns", "cycles", "clock_hz", "occupancy", "counters", "bound"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["gpu"], "mi25");
  EXPECT_EQ(report["cycles"], 1000);
  EXPECT_NEAR(report["time_ns"].get<f64>(), 1000e9 / static_cast<f64>(sample.run.clock_hz()), 1e-6);
  EXPECT_TRUE(report["occupancy"].contains("waves_per_cu"));
  EXPECT_EQ(report["counters"]["dram.read_bytes"], 0);
}

TEST(Report, TextAndJsonShowTheSameViews) {
  const Sample sample(900, 0);
  const Json views = Json::parse(json_report(sample.run))["views"];
  const std::string text = text_report(sample.run);
  EXPECT_TRUE(views.contains("bound"));
  EXPECT_NE(text.find("What bounds it\n  arithmetic"), std::string::npos) << text;
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
