// Transactions by the rules of each generation, against what its documents say of the access.
#include "count/rules.h"

#include <gtest/gtest.h>

#include <random>

#include "time/units/local_memory.h"

namespace lockstep {
namespace {

CountingRules rules_of(const std::string& gpu) {
  const auto machine = load_machine(machine_directory(), gpu);
  EXPECT_TRUE(machine.ok()) << gpu;
  const auto rules = counting_rules(*machine, machine->target->wave_widths().back());
  EXPECT_TRUE(rules.ok()) << gpu << ": " << to_string(rules.error());
  return *rules;
}

// All lanes of the wave, `stride` bytes apart.
Access strided(const CountingRules& rules, u64 base, u64 stride, u8 bytes) {
  Access access;
  access.bytes = bytes;
  access.lanes = rules.wave_lanes == 64 ? ~u64{0} : (u64{1} << rules.wave_lanes) - 1;
  for (u32 lane = 0; lane < rules.wave_lanes; ++lane) access.address[lane] = base + lane * stride;
  return access;
}

void expect(const char* gpu, u64 base, u64 stride, u8 bytes, u32 made, u32 ideal) {
  const CountingRules rules = rules_of(gpu);
  const Transactions counted = count_transactions(rules, strided(rules, base, stride, bytes));
  EXPECT_EQ(counted.made, made) << gpu << " stride " << stride << " from " << base;
  EXPECT_EQ(counted.ideal, ideal) << gpu << " stride " << stride << " from " << base;
}

TEST(CountingRules, EveryGpuThatExecutesHasThem) {
  const auto machines = list_machines(machine_directory());
  ASSERT_TRUE(machines.ok());
  u32 found = 0;
  for (const MachineSummary& summary : *machines) {
    const auto machine = load_machine(machine_directory(), summary.id);
    ASSERT_TRUE(machine.ok()) << summary.id;
    if (machine->target->isa != IsaFamily::amdgcn && machine->target->isa != IsaFamily::ptx) continue;
    const auto rules = counting_rules(*machine, machine->target->widths[0]);
    EXPECT_TRUE(rules.ok()) << summary.id << ": " << to_string(rules.error());
    ++found;
  }
  EXPECT_GT(found, 30u);
}

TEST(CountingRules, AmdTakesGroupsOfLanes) {
  expect("mi25", 0x1000, 4, 4, 4, 4);    // 16 lanes a line of 64 bytes
  expect("mi25", 0x1004, 4, 4, 8, 4);    // each group crosses a line
  expect("mi25", 0x1000, 64, 4, 64, 4);  // a line for each lane
  expect("mi25", 0x1000, 0, 4, 4, 4);    // a line for each group
  expect("mi25", 0x1000, 16, 16, 16, 16);
}

TEST(CountingRules, SectorsFromKeplerOn) {
  for (const char* gpu : {"k40c", "gtx1080", "v100", "a100", "h100"}) {
    expect(gpu, 0x1000, 4, 4, 4, 4);  // 128 bytes
    expect(gpu, 0x1004, 4, 4, 5, 4);
    expect(gpu, 0x1000, 128, 4, 32, 4);
    expect(gpu, 0x1000, 0, 4, 1, 1);
    expect(gpu, 0x1000, 16, 16, 16, 16);
  }
  // A sector that two halves of a wave touch: one from Volta on.
  expect("gtx1080", 0x1008, 8, 8, 10, 8);
  expect("v100", 0x1008, 8, 8, 9, 8);
}

TEST(CountingRules, LinesOnFermi) {
  expect("gtx580", 0x1000, 4, 4, 1, 1);
  expect("gtx580", 0x1004, 4, 4, 2, 1);
  expect("gtx580", 0x1000, 128, 4, 32, 1);
  expect("gtx580", 0x1000, 8, 8, 2, 2);  // a request for each half of the wave
  expect("gtx580", 0x1000, 0, 8, 2, 2);
  expect("gtx580", 0x1000, 16, 16, 4, 4);  // for each quarter
}

// CUDA C Programming Guide 4.2, F.3.2, and figure F-1.
TEST(CountingRules, SegmentsOfHalfWavesOnTesla) {
  expect("gtx285", 0x1000, 4, 4, 2, 2);  // 64 bytes for each half
  expect("gtx285", 0x1004, 4, 4, 3, 2);  // the second half crosses 128 bytes
  expect("gtx285", 0x1000, 128, 4, 32, 2);
  expect("gtx285", 0x1000, 0, 4, 2, 2);
  expect("gtx285", 0x1000, 1, 1, 2, 2);
  expect("gtx285", 0x1000, 64, 1, 32, 2);  // bytes come in segments of 32

  expect("8800", 0x1000, 4, 4, 2, 2);
  expect("8800", 0x1004, 4, 4, 32, 2);  // not aligned: a transaction for each lane
  expect("8800", 0x1000, 0, 4, 32, 2);  // not in order
  expect("8800", 0x1000, 8, 8, 2, 2);
  expect("8800", 0x1000, 16, 16, 4, 4);  // two of 128 bytes for each half
  expect("8800", 0x1000, 2, 2, 32, 2);   // no words of 4, 8 or 16 bytes
}

TEST(CountingRules, LanesThatTakeNoPartDoNotBreakTheOrder) {
  const CountingRules rules = rules_of("8800");
  Access access = strided(rules, 0x1000, 4, 4);
  access.lanes = 0xFFF0;  // lane 0 is not there, its word stays free
  EXPECT_EQ(count_transactions(rules, access).made, 1u);
}

// What the counter relies on when it knows the shape of an access again.
TEST(CountingRules, ShiftedByAPeriodNothingChanges) {
  std::mt19937 random(7);
  for (const char* gpu : {"8800", "gtx285", "gtx580", "v100", "mi25", "rx6900xt"}) {
    const CountingRules rules = rules_of(gpu);
    for (int i = 0; i < 2000; ++i) {
      Access access;
      access.bytes = static_cast<u8>(1u << random() % 5);
      access.lanes = (random() % 2 == 0 ? ~u64{0} : random()) & strided(rules, 0, 0, 4).lanes;
      const u64 base = 0x1000 + random() % 256 * (random() % 2 == 0 ? access.bytes : 1);
      const u64 stride = random() % 2 == 0 ? access.bytes : random() % 64;
      for (u32 lane = 0; lane < rules.wave_lanes; ++lane)
        access.address[lane] = base + (random() % 32 == 0 ? random() % 512 : lane * stride);
      Access shifted = access;
      for (u64& address : shifted.address) address += rules.period_bytes();
      ASSERT_EQ(count_transactions(rules, access).made, count_transactions(rules, shifted).made) << gpu;
      Access next_word = access;
      for (u64& address : next_word.address) address += 4;
      ASSERT_EQ(bank_passes(access, rules.wave_lanes, rules.local_lanes_at_once, rules.banks).extra,
                bank_passes(next_word, rules.wave_lanes, rules.local_lanes_at_once, rules.banks).extra)
          << gpu;
    }
  }
}

TEST(CountingRules, BanksOfLocalMemory) {
  const auto passes = [](const char* gpu, u64 stride, u8 bytes) {
    const CountingRules rules = rules_of(gpu);
    const BankPasses counted = bank_passes(strided(rules, 0, stride, bytes), rules.wave_lanes,
                                           rules.local_lanes_at_once, rules.banks);
    return counted.groups + counted.extra;
  };
  EXPECT_EQ(passes("v100", 4, 4), 1u);
  EXPECT_EQ(passes("v100", 8, 4), 2u);
  EXPECT_EQ(passes("v100", 128, 4), 32u);
  EXPECT_EQ(passes("v100", 0, 4), 1u);
  EXPECT_EQ(passes("v100", 8, 8), 2u);
  EXPECT_EQ(passes("gtx285", 4, 4), 2u);  // 16 banks, half a wave at a time
  EXPECT_EQ(passes("gtx285", 64, 4), 32u);
  EXPECT_EQ(passes("mi25", 4, 4), 2u);
  EXPECT_EQ(passes("rx6900xt", 4, 4), 2u);  // waves of 64
}

}  // namespace
}  // namespace lockstep
