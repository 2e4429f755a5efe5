// Clocks as users write them, and machines at another clock.
#include "run/clock.h"

#include <gtest/gtest.h>

#include "machine/machine.h"
#include "time/timing.h"

namespace lockstep {
namespace {

TEST(Clock, IsReadInAnyUnit) {
  for (const char* text : {"1.04GHz", "1.04 GHz", "1040MHz", "1040000 kHz", "1040000000", "1.04e9Hz"})
    EXPECT_EQ(*parse_clock(text), 1'040'000'000u) << text;
  for (const char* text :
       {"", "GHz", "1.04ghz", "1 GHz ", "-1GHz", "0", "1e300GHz", "nan", "inf", "1,04GHz", "0x10"}) {
    const Expected<u64> clock = parse_clock(text);
    ASSERT_FALSE(clock.ok()) << text;
    EXPECT_EQ(clock.error().code, "bad-clock");
  }
}

// Every timed GPU: a run can be at both ends of the range, and what lies beyond the second level keeps its
// time.
TEST(Clock, OfEveryTimedMachine) {
  const auto machines = list_machines(machine_directory());
  ASSERT_TRUE(machines.ok()) << to_string(machines.error());
  u32 timed = 0;
  for (const MachineSummary& summary : *machines) {
    const Expected<Machine> machine = load_machine(machine_directory(), summary.id);
    ASSERT_TRUE(machine.ok()) << to_string(machine.error());
    if (!timing_model(*machine)) continue;
    ++timed;
    const u64 own = own_clock_hz(*machine);
    EXPECT_EQ(run_clock_hz(*machine), own);
    const auto beyond_ns = [](const Machine& m) {
      const u64 cycles = integer(m, "timing.dram.latency_cycles") - integer(m, "timing.l2.hit_cycles");
      return static_cast<f64>(cycles) * 1e9 / static_cast<f64>(run_clock_hz(m));
    };
    for (const u64 clock : {own / 10, own / 3, own, own + 12345, own * 2}) {
      const Expected<Machine> changed = with_clock(*machine, clock);
      ASSERT_TRUE(changed.ok()) << to_string(changed.error());
      EXPECT_EQ(run_clock_hz(*changed), clock);
      EXPECT_EQ(own_clock_hz(*changed), own);
      EXPECT_EQ(integer(*changed, "timing.l2.hit_cycles"), integer(*machine, "timing.l2.hit_cycles"));
      EXPECT_EQ(integer(*changed, "memory.clock_hz"), integer(*machine, "memory.clock_hz"));
      EXPECT_NEAR(beyond_ns(*changed), beyond_ns(*machine), 1e9 / static_cast<f64>(clock));
      if (has(*machine, "timing.mall.hit_cycles")) {
        // As whole bytes a cycle allow.
        const auto cycle_bytes = [](const Machine& m) {
          return static_cast<f64>(integer(m, "last_level.bytes_per_cycle_per_slice"));
        };
        const f64 ratio = static_cast<f64>(clock) / static_cast<f64>(own);
        EXPECT_NEAR(cycle_bytes(*changed), cycle_bytes(*machine) / ratio, 0.5001);
      }
      const Status model = timing_model(*changed);
      EXPECT_TRUE(model.ok()) << summary.id << " at " << clock << ": " << to_string(model.error());
    }
    for (const u64 clock : {own / 10 - 1, own * 2 + 1}) {
      const Expected<Machine> changed = with_clock(*machine, clock);
      ASSERT_FALSE(changed.ok());
      EXPECT_EQ(changed.error().code, "bad-clock");
    }
  }
  EXPECT_GE(timed, 17u);
}

}  // namespace
}  // namespace lockstep
