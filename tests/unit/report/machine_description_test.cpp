// What `lockstep gpus --describe` says of the shipped machines.
#include "report/machine_description.h"

#include <gtest/gtest.h>

#include "machine/driver.h"

namespace lockstep {
namespace {

const std::string directory = LOCKSTEP_SOURCE_DIR "/machines";

Json describe(const std::string& id) {
  const Expected<Machine> machine = load_machine(directory, id);
  EXPECT_TRUE(machine.ok());
  if (!machine) return {};
  const Expected<Json> data = machine_description(*machine);
  EXPECT_TRUE(data.ok()) << to_string(data.error());
  return data ? *data : Json();
}

const Json& level(const Json& data, std::string_view name) {
  static const Json none;
  for (const Json& one : data["levels"]) {
    if (one["name"] == name) return one;
  }
  ADD_FAILURE() << "no level " << name;
  return none;
}

TEST(MachineDescription, OfMi25) {
  const Json data = describe("mi25");
  EXPECT_EQ(data["version"], 1);
  EXPECT_TRUE(data["timed"]);
  EXPECT_EQ(data["compute"]["compute_units"], 64);
  EXPECT_EQ(data["compute"]["wave_slots"], 64 * 40);
  const Json& l2 = level(data, "l2");
  EXPECT_EQ(l2["size_bytes"], 4 << 20);
  EXPECT_EQ(l2["slices"], 16);
  EXPECT_EQ(l2["copies"], 1);
  EXPECT_EQ(l2["compute_units_sharing_one"], 64);
  EXPECT_EQ(l2["leads_to"], "memory");
  EXPECT_EQ(l2["stores"], "back");
  EXPECT_TRUE(l2["atomics"]);
  EXPECT_DOUBLE_EQ(l2["read_bytes_per_second"].get<f64>(), 16 * 64 * 1.5e9);
  const Json& l1 = level(data, "l1");
  EXPECT_EQ(l1["copies"], 64);
  EXPECT_EQ(l1["leads_to"], "l2");
  EXPECT_DOUBLE_EQ(l1["read_bytes_per_second"].get<f64>(), 64 * 64 * 1.5e9);
  EXPECT_EQ(level(data, "icache")["compute_units_sharing_one"], 3);
  EXPECT_EQ(data["memory"]["bus_bits"], 2048);
  EXPECT_NEAR(data["memory"]["ceiling_bytes_per_second"].get<f64>(), 483.8e9, 1e9);
  EXPECT_GT(data["longest_window_cycles"].get<u64>(), 1u);
  for (const Json& one : data["issue"]) {
    if (one["class"] == "full") {
      EXPECT_DOUBLE_EQ(one["items_per_cycle_per_unit"].get<f64>(), 64.0);
    }
  }
}

TEST(MachineDescription, OfHalves) {
  const Json h200 = describe("h200"), v100 = describe("v100");
  EXPECT_EQ(level(h200, "l2")["far_cycles"], 174);
  EXPECT_FALSE(level(v100, "l2").contains("far_cycles"));
  EXPECT_NE(machine_description_text(h200).find("two halves, 174 cycles more"), std::string::npos);
  EXPECT_EQ(machine_description_text(v100).find("halves"), std::string::npos);
}

// Chains of levels: a shader array's cache, the second level, one in front of memory, each copy by copy.
TEST(MachineDescription, OfRdnaAndDies) {
  const Json rdna = describe("rx6900xt");
  EXPECT_EQ(level(rdna, "l1")["leads_to"], "gl1");
  EXPECT_EQ(level(rdna, "gl1")["leads_to"], "l2");
  EXPECT_EQ(level(rdna, "l2")["leads_to"], "mall");
  EXPECT_EQ(level(rdna, "mall")["leads_to"], "memory");
  EXPECT_EQ(level(rdna, "mall")["size_bytes"], 128 << 20);
  const Json& gl1 = level(rdna, "gl1");
  EXPECT_EQ(gl1["copies"].get<u64>() * gl1["compute_units_sharing_one"].get<u64>(), 80u);
  const Json dies = describe("mi300x");
  EXPECT_EQ(level(dies, "l2")["copies"], 8);
  EXPECT_EQ(level(dies, "l2")["size_bytes"], 4 << 20);
}

TEST(MachineDescription, OfEveryMachine) {
  const auto machines = list_machines(directory);
  ASSERT_TRUE(machines.ok());
  u32 timed = 0;
  for (const MachineSummary& summary : *machines) {
    SCOPED_TRACE(summary.id);
    const Expected<Machine> machine = load_machine(directory, summary.id);
    ASSERT_TRUE(machine.ok());
    const Json data = describe(summary.id);
    EXPECT_EQ(data["gpu"], summary.id);
    EXPECT_EQ(data["figures"].size(), machine->quantities.size());
    u64 counted = 0;
    for (const auto& [name, count] : data["confidence"].items()) counted += count.get<u64>();
    EXPECT_EQ(counted, machine->quantities.size());
    const std::string text = machine_description_text(data);
    EXPECT_NE(text.find(machine->name), std::string::npos);
    for (const Quantity& quantity : machine->quantities)
      EXPECT_NE(text.find(quantity.info->key), std::string::npos) << quantity.info->key;
    EXPECT_EQ(data["timed"].get<bool>(), text.find("not timed") == std::string::npos);
    if (!data["timed"].get<bool>()) {
      EXPECT_FALSE(data.contains("levels"));
      continue;
    }
    ++timed;
    // What was built reaches the stated peak of memory, and no level is slower than the next one is far.
    const Json& memory = data["memory"];
    EXPECT_NEAR(memory["ceiling_bytes_per_second"].get<f64>() / memory["peak_bytes_per_second"].get<f64>(),
                static_cast<f64>(memory_clock_hz(*machine)) / number(*machine, "memory.clock_hz"), 0.02);
    for (const Json& one : data["levels"]) {
      EXPECT_GT(one["latency_cycles"].get<u64>(), 0u);
      EXPECT_LE(one["latency_cycles"].get<u64>(), memory["latency_cycles"].get<u64>());
      EXPECT_GT(one["read_bytes_per_second"].get<f64>(), 0);
      EXPECT_GT(one["copies"].get<u64>(), 0u);
    }
  }
  EXPECT_GE(timed, 17u);
}

}  // namespace
}  // namespace lockstep
