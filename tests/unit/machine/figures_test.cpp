// Figures of one machine that say the same in two ways agree: rates with lanes, peaks with rates, bandwidth
// with the bus.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace lockstep {
namespace {

const std::string directory = LOCKSTEP_SOURCE_DIR "/machines";

std::vector<Machine> shipped_machines() {
  const auto summaries = list_machines(directory);
  if (!summaries.ok()) ADD_FAILURE() << to_string(summaries.error());
  std::vector<Machine> machines;
  for (std::size_t i = 0; summaries.ok() && i < summaries->size(); ++i) {
    Expected<Machine> machine = load_machine(directory, (*summaries)[i].id);
    if (!machine.ok()) ADD_FAILURE() << to_string(machine.error());
    if (machine.ok()) machines.push_back(std::move(*machine));
  }
  return machines;
}

// What AMD, NVIDIA and Intel sell as the clock of their lanes: 1.x and 2.x have one of their own.
f64 arithmetic_clock(const Machine& machine) {
  return number(machine, has(machine, "clock.shader_hz") ? "clock.shader_hz" : "clock.boost_hz");
}

// Of an f32 rate that docs/machines.md defines: one result a lane (VLIW: a slot) in a cycle.
TEST(Figures, PlainRateIsTheNumberOfLanes) {
  for (const Machine& machine : shipped_machines()) {
    const u64 slots = integer_or(machine, "compute.vliw_slots", 1);
    EXPECT_EQ(integer(machine, "rate.f32"),
              integer(machine, "compute.simds_per_unit") * integer(machine, "compute.lanes_per_simd") * slots)
        << machine.id;
    if (has(machine, "rate.f32_packed")) {
      EXPECT_EQ(integer(machine, "rate.f32_packed"), 2 * integer(machine, "rate.f32")) << machine.id;
    }
  }
}

// Published peaks are 2 (a multiply-add) * results a cycle * compute units * clock.
TEST(Figures, PeaksAgreeWithRatesAndClocks) {
  for (const Machine& machine : shipped_machines()) {
    const f64 cycles = 2 * number(machine, "compute.units") * arithmetic_clock(machine);
    const f64 rate = number(machine, has(machine, "rate.f32_packed") ? "rate.f32_packed" : "rate.f32");
    ASSERT_TRUE(has(machine, "peak.f32_flops")) << machine.id;
    EXPECT_NEAR(number(machine, "peak.f32_flops") / (cycles * rate), 1, 0.02) << machine.id;
    if (!has(machine, "peak.f64_flops") || !has(machine, "rate.f64")) continue;
    // Peaks of a few dozen GFLOP/s are published with one or two digits.
    const f64 published = number(machine, "peak.f64_flops");
    EXPECT_NEAR(published, cycles * number(machine, "rate.f64"), std::max(0.02 * published, 5e9))
        << machine.id;
  }
}

// docs/machines.md, "Memory": what memory.clock_hz is the clock of.
TEST(Figures, BandwidthIsThatOfTheBus) {
  const std::map<std::string_view, f64> transfers_per_clock{
      {"DDR3", 2},    {"DDR4", 2}, {"GDDR3", 2}, {"GDDR5", 4}, {"GDDR5X", 8}, {"GDDR6", 8},
      {"GDDR6X", 16}, {"HBM2", 2}, {"HBM2e", 2}, {"HBM3", 2},  {"HBM3e", 2}};
  for (const Machine& machine : shipped_machines()) {
    ASSERT_TRUE(has(machine, "memory.type")) << machine.id;
    const auto transfers = transfers_per_clock.find(text(machine, "memory.type"));
    ASSERT_NE(transfers, transfers_per_clock.end()) << machine.id << ": " << text(machine, "memory.type");
    ASSERT_TRUE(has(machine, "memory.bus_bits") && has(machine, "memory.clock_hz") &&
                has(machine, "memory.bytes_per_second"))
        << machine.id;
    const f64 bandwidth =
        number(machine, "memory.bus_bits") / 8 * number(machine, "memory.clock_hz") * transfers->second;
    EXPECT_NEAR(number(machine, "memory.bytes_per_second") / bandwidth, 1, 0.01) << machine.id;
  }
}

}  // namespace
}  // namespace lockstep
