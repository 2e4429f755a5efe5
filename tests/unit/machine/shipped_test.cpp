// The machine files that come with the program: every one loads, and states what its target needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "machine/driver.h"
#include "machine/machine.h"
#include "machine/occupancy.h"

namespace lockstep {
namespace {

const std::string directory = LOCKSTEP_SOURCE_DIR "/machines";

Machine load(std::string_view id) {
  Expected<Machine> machine = load_machine(directory, id);
  if (!machine.ok()) ADD_FAILURE() << to_string(machine.error());
  return machine.ok() ? *machine : Machine{};
}

TEST(ShippedMachines, AreTheAdvertisedOnes) {
  const std::set<std::string> advertised{
      "w7000",    "hd7970",    "r9-290x", "r9-390",   "r9-285",    "mi25",   "vega64",  "mi60",    "mi50",
      "mi210",    "mi250x",    "mi300x",  "rx6900xt", "rx7900xtx", "hd5870", "hd6970",  "8800",    "gtx285",
      "gtx580",   "gtx560ti",  "k40c",    "k80",      "m60",       "p100",   "gtx1080", "gtx1050", "v100",
      "a100",     "a10",       "a6000",   "h200",     "hd530",     "uhd600", "mi100",   "mi300a",  "rx5700xt",
      "rx9070xt", "rtx2080ti", "rtx3090", "rtx4090",  "h100",      "gtx465", "gtx480",  "gt630",   "gtx660",
      "titan",    "gtx780ti",  "k20c",    "k20x",     "gtx750",    "k620",   "gtx960",  "gtx980",  "gtx980ti",
      "titanx",   "gtx1060",   "p40",     "p620"};
  const auto machines = list_machines(directory);
  ASSERT_TRUE(machines.ok()) << to_string(machines.error());
  std::set<std::string> found;
  for (const MachineSummary& machine : *machines) found.insert(machine.id);
  EXPECT_EQ(found, advertised);
  // Vendors in order, each vendor's targets from old to new.
  EXPECT_EQ(machines->front().id, "hd5870");
  EXPECT_EQ(machines->back().target->vendor, Vendor::intel);
}

TEST(ShippedMachines, AllLoad) {
  const auto machines = list_machines(directory);
  ASSERT_TRUE(machines.ok()) << to_string(machines.error());
  for (const MachineSummary& summary : *machines) {
    const Expected<Machine> machine = load_machine(directory, summary.id);
    ASSERT_TRUE(machine.ok()) << to_string(machine.error());
    EXPECT_EQ(machine->id, summary.id);
    EXPECT_FALSE(machine->sources.empty());
    for (const Quantity& quantity : machine->quantities) {
      EXPECT_NE(quantity.place.line, 0u) << quantity.info->key;
      if (quantity.confidence == Confidence::assumed) {
        EXPECT_FALSE(quantity.why.empty()) << quantity.info->key;
      }
    }
    for (const std::string& alias : summary.aliases) EXPECT_EQ(load(alias).id, summary.id);
  }
}

TEST(ShippedMachines, MemoryBandwidthAgreesWithTheChannelsOfTheTimingModel) {
  for (const std::string_view id : {"mi25", "vega64", "mi60"}) {
    const Machine machine = load(id);
    const f64 from_channels =
        number(machine, "timing.dram.channels") * number(machine, "timing.dram.burst_bytes") /
        number(machine, "timing.dram.burst_clocks") * number(machine, "memory.clock_hz");
    EXPECT_NEAR(number(machine, "memory.bytes_per_second") / from_channels, 1, 0.005) << id;
    EXPECT_LT(number(machine, "timing.l1.hit_cycles"), number(machine, "timing.l2.hit_cycles"));
    EXPECT_LT(number(machine, "timing.l2.hit_cycles"), number(machine, "timing.dram.latency_cycles"));
  }
}

TEST(ShippedMachines, CarryTheCardsFigures) {
  const Machine mi25 = load("mi25");
  EXPECT_EQ(mi25.name, "AMD Radeon Instinct MI25");
  EXPECT_EQ(mi25.target, find_target("gfx900"));
  EXPECT_EQ(integer(mi25, "compute.units"), 64u);
  EXPECT_EQ(integer(mi25, "memory.bytes_per_second"), 483'800'000'000u);
  EXPECT_EQ(integer(mi25, "l1.size_bytes"), 16384u);
  EXPECT_EQ(integer(mi25, "occupancy.sgprs_per_simd"), 800u);
  EXPECT_EQ(integer(load("h200"), "local.bytes_per_unit"), 228u * 1024);
  EXPECT_EQ(integer(load("k80"), "occupancy.registers_per_unit"), 131072u);
}

// docs/machines.md ends with the table of keys, as schema_reference() prints it.
TEST(Documentation, ListsEveryKey) {
  std::ifstream stream(LOCKSTEP_SOURCE_DIR "/docs/machines.md");
  std::ostringstream content;
  content << stream.rdbuf();
  EXPECT_TRUE(content.str().ends_with(schema_reference())) << "docs/machines.md must end with this table:\n"
                                                           << schema_reference();
}

TEST(Driver, SetsBanksWhereTheGpuHasTheChoice) {
  const Expected<Machine> kepler = load_machine(directory, "k40c");
  ASSERT_TRUE(kepler.ok());
  EXPECT_EQ(integer(*kepler, "local.bank_bytes"), 4u);
  const Expected<Machine> wide = with_bank_bytes(*kepler, 8);
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(integer(*wide, "local.bank_bytes"), 8u);
  EXPECT_EQ(with_bank_bytes(*kepler, 16).error().code, "bad-banks");
  const Expected<Machine> maxwell = load_machine(directory, "gtx980");
  ASSERT_TRUE(maxwell.ok());
  EXPECT_EQ(with_bank_bytes(*maxwell, 8).error().code, "bad-banks");
  EXPECT_EQ(memory_clock_hz(*maxwell), 1502000000u) << "the driver's second state";
  EXPECT_EQ(memory_clock_hz(*kepler), integer(*kepler, "memory.clock_hz"));
}

}  // namespace
}  // namespace lockstep
