// From a machine file to levels and ways: latencies that come out as stated, addresses that reach every
// slice.
#include <map>
#include <set>

#include "machine/machine.h"
#include "memory_support.h"

namespace lockstep {
namespace {

using namespace memory_test;

constexpr u32 nearest_work = 4;

Machine load(std::string_view id) {
  const Expected<Machine> machine = load_machine(machine_directory(), id);
  if (!machine.ok()) ADD_FAILURE() << to_string(machine.error());
  return machine.ok() ? *machine : Machine{};
}

Expected<Hierarchy> hierarchy_of(const Machine& machine) {
  return make_hierarchy(machine, run_clock_hz(machine),
                        static_cast<u32>(integer_or(machine, "timing.l1.hit_cycles", 100)), nearest_work);
}

std::vector<std::string> timed_machines() {
  std::vector<std::string> ids;
  const auto machines = list_machines(machine_directory());
  EXPECT_TRUE(machines.ok());
  for (const MachineSummary& summary : *machines) {
    if (has(load(summary.id), "timing.l1.next")) ids.push_back(summary.id);
  }
  return ids;
}

TEST(Hierarchy, Mi25) {
  const Machine machine = load("mi25");
  const Expected<Hierarchy> h = hierarchy_of(machine);
  ASSERT_TRUE(h.ok()) << to_string(h.error());
  ASSERT_EQ(h->levels.size(), 1u);
  const CacheLevel& l2 = h->levels[0];
  EXPECT_EQ(l2.name, "l2");
  EXPECT_EQ(l2.slices, 16u);
  EXPECT_EQ(l2.size_bytes, 256u << 10);
  EXPECT_TRUE(l2.write_back);
  EXPECT_TRUE(l2.holds_atomics);
  EXPECT_EQ(l2.way_cycles, (integer(machine, "timing.l2.hit_cycles") - nearest_work - 1) / 2);
  EXPECT_EQ(h->channels, 16u);
  EXPECT_EQ(h->dram.bank_groups, 4u);
}

// A chain of dependent loads that hits in each level in turn takes the cycles that the file states.
TEST(Hierarchy, ChainsOfLoadsTakeTheStatedLatencies) {
  constexpr u64 near = 3 << 20;  // belongs to the client's half, where a cache has two
  for (const std::string& id : timed_machines()) {
    const Machine machine = load(id);
    const Expected<Hierarchy> made = hierarchy_of(machine);
    ASSERT_TRUE(made.ok()) << to_string(made.error());
    Hierarchy figures = *made;
    figures.dram.refresh_interval = 0;
    const u32 line = static_cast<u32>(integer(machine, "l1.line_bytes"));
    // A line that farther levels fetch in parts comes one part after the other.
    u32 parts = 1;
    for (const CacheLevel& level : figures.levels) parts = std::max(parts, line / level.sector_bytes);
    // What a clock of the memory is in cycles: arrivals wait for its beginning.
    const f64 clock = static_cast<f64>(run_clock_hz(machine)) / number(machine, "memory.clock_hz");
    for (u32 level = 0; level <= figures.levels.size(); ++level) {
      Rig rig(figures);
      if (level < figures.levels.size()) {
        for (u32 i = 0; i < figures.levels[level].slices; ++i) {
          // Every slice has it: the client's own is among them.
          for (u32 part = 0; part < line; part += figures.levels[level].line_bytes)
            rig.slices[rig.map.first_slice(level) - 1 + i]->hold(near + part);
        }
      }
      rig.clients[0]->script = {read(nearest_work, near, 1, line)};
      rig.run();
      ASSERT_EQ(rig.clients[0]->answers.size(), 1u);
      const u64 took = rig.clients[0]->answers[0].time;
      if (level < figures.levels.size()) {
        const CacheLevel& of = figures.levels[level];
        EXPECT_GE(took + of.spread_cycles / 2, of.latency_cycles) << id << " " << of.name;
        EXPECT_LE(took, of.latency_cycles + of.spread_cycles / 2 + parts - 1) << id;
        EXPECT_EQ(rig.clients[0]->answers[0].level, level + 1);
      } else {
        const u32 either = figures.levels.back().spread_cycles / 2;
        const u32 nearest = figures.memory_latency_cycles - figures.levels.back().far_cycles / 2;
        EXPECT_GE(took + either, nearest) << id;
        const f64 late = 2 + (parts - 1) * (figures.dram.trrd + figures.dram.burst_clocks);
        EXPECT_LE(static_cast<f64>(took), nearest + either + late * clock + 1) << id;
      }
    }
  }
}

// An H200's second level: what answers take goes by block and cluster, the stated latency in the mean, more
// from the other half.
TEST(Hierarchy, AnswersComeFromNearAndFar) {
  const Expected<Hierarchy> made = hierarchy_of(load("h200"));
  ASSERT_TRUE(made.ok()) << to_string(made.error());
  const CacheLevel& level = made->levels[0];
  ASSERT_GT(level.spread_cycles, 0u);
  f64 sum = 0;
  u64 least = ~u64{0}, most = 0;
  constexpr u32 blocks = 512;
  for (u32 block = 0; block < blocks; ++block) {
    const u64 address = (1 << 20) + u64{block} * level.interleave_bytes;
    Rig rig(*made);
    for (u32 i = 0; i < level.slices; ++i) rig.slices[rig.map.first_slice(0) - 1 + i]->hold(address);
    rig.clients[0]->script = {read(nearest_work, address, 1, 32)};
    rig.run();
    ASSERT_EQ(rig.clients[0]->answers.size(), 1u);
    const u64 took = rig.clients[0]->answers[0].time - (second_half(address) ? level.far_cycles : 0);
    sum += static_cast<f64>(took);
    least = std::min(least, took);
    most = std::max(most, took);
  }
  EXPECT_NEAR(sum / blocks, level.latency_cycles, 2);
  EXPECT_GE(most - least, level.spread_cycles * 9 / 10);
  EXPECT_LT(most - least, level.spread_cycles);
}

TEST(Hierarchy, RefusesFiguresThatContradictEachOther) {
  Machine machine = load("mi25");
  const auto set = [&machine](std::string_view key, u64 value) {
    for (Quantity& quantity : machine.quantities) {
      if (quantity.info->key == key) quantity.integer = value;
    }
  };
  const auto set_text = [&machine](std::string_view key, std::string value) {
    for (Quantity& quantity : machine.quantities) {
      if (quantity.info->key == key) quantity.text = value;
    }
  };
  const auto complaint = [&machine] {
    const Expected<Hierarchy> h = hierarchy_of(machine);
    return h.ok() ? std::string() : h.error().message + " | " + h.error().hint;
  };
  set("timing.dram.latency_cycles", 260);
  EXPECT_NE(complaint().find("timing.dram.latency_cycles, timing.l2.hit_cycles"), std::string::npos);
  set("timing.dram.latency_cycles", 600);
  EXPECT_EQ(complaint(), "");
  set("timing.l2.hit_cycles", 100);
  EXPECT_NE(complaint().find("timing.l1.hit_cycles, timing.l2.hit_cycles"), std::string::npos);
  set("timing.l2.hit_cycles", 240);
  set_text("timing.l2.next", "l3");
  EXPECT_NE(complaint().find("timing.l2.next names the unknown level \"l3\""), std::string::npos);
  set_text("timing.l2.next", "l2");
  EXPECT_NE(complaint().find("leads back to \"l2\""), std::string::npos);
  set_text("timing.l2.next", "mall");
  EXPECT_NE(complaint().find("lacks last_level.line_bytes"), std::string::npos);
  set_text("timing.l2.next", "memory");
  set_text("timing.l2.hash", "xor");
  EXPECT_NE(complaint().find("timing.l2.hash cannot be \"xor\""), std::string::npos);
  set_text("timing.l2.hash", "mix");
  set("timing.dram.banks", 12);
  EXPECT_NE(complaint().find("timing.dram.banks"), std::string::npos);
  set("timing.dram.banks", 16);
  set("timing.dram.queue", 16384);
  EXPECT_EQ(complaint(), "");
  set("timing.dram.queue", 32768);
  EXPECT_NE(complaint().find("a queue has 1 to 16384 requests"), std::string::npos);
  set("timing.dram.queue", 64);
  std::erase_if(machine.quantities,
                [](const Quantity& quantity) { return quantity.info->key == "timing.tlb.walkers"; });
  EXPECT_NE(complaint().find("timing.tlb.walkers"), std::string::npos);
}

TEST(Interleave, EveryRowOfBlocksReachesEverySlice) {
  for (const u32 count : {1u, 2u, 8u, 12u, 16u, 24u, 128u}) {
    for (const Mixing mixing : {Mixing::none, Mixing::rows}) {
      const Interleave interleave(count, 256, mixing);
      for (const u64 row : {u64{0}, u64{1}, u64{77}, u64{1} << 25}) {
        std::set<u32> slices;
        std::set<u64> inner;
        for (u64 i = 0; i < count; ++i) {
          const u64 address = (row * count + i) * 256 + 17;
          slices.insert(interleave.slice(address));
          inner.insert(interleave.inner(address));
        }
        EXPECT_EQ(slices.size(), count) << (mixing == Mixing::rows);
        EXPECT_EQ(*slices.rbegin(), count - 1);
        EXPECT_EQ(inner, std::set<u64>{row * 256 + 17});
      }
    }
  }
}

TEST(Interleave, PlainBitsCampAndMixedOnesDoNot) {
  const Interleave plain(8, 256, Mixing::none), mixed(8, 256, Mixing::rows), twelve(12, 256, Mixing::rows);
  for (const u64 address : {u64{0x12345}, u64{0xABCDEF00}, u64{0x7F00}})
    EXPECT_EQ(plain.slice(address), address >> 8 & 7);  // the channel is in bits 8 to 10
  const auto slices = [](const Interleave& interleave, u64 stride) {
    std::set<u32> reached;
    for (u64 i = 0; i < 256; ++i) reached.insert(interleave.slice(i * stride));
    return reached.size();
  };
  for (u64 stride = 2048; stride <= u64{1} << 20; stride *= 2) {
    EXPECT_EQ(slices(plain, stride), 1u);
    EXPECT_EQ(slices(mixed, stride), 8u) << stride;
    EXPECT_GE(slices(twelve, stride), 3u) << stride;
  }
}

// Lines that lie side by side fill the sets of each half alike.
TEST(Interleave, NumbersOfAHalfsLinesFollowOneAnother) {
  const Interleave interleave(80, 512, Mixing::pairs);
  constexpr u64 lines = 32 << 20 >> 7, begin = 5 << 20;
  std::map<std::pair<u32, bool>, std::set<u64>> numbers;
  for (u64 i = 0; i < lines; ++i) {
    const u64 address = begin + i * 128;
    const auto of = std::pair(interleave.slice(address), second_half(address));
    numbers[of].insert(interleave.dense(address) / 128);
  }
  EXPECT_EQ(numbers.size(), 160u);
  for (const auto& [of, seen] : numbers) {
    const u64 reach = *seen.rbegin() - *seen.begin() + 1;
    EXPECT_NEAR(static_cast<f64>(reach), lines / 160.0, 100) << of.first;
    EXPECT_GT(seen.size(), reach * 9 / 10) << of.first;
  }
}

// An H200's: a KB lies in two slices, 256 bytes in turn; which two they are is as good as chance.
TEST(Interleave, PairsOfSlicesTakeTurnsWithinTwoBlocks) {
  const Interleave interleave(80, 512, Mixing::pairs);
  std::vector<u32> chunks(40);
  std::set<std::pair<u32, u64>> places;
  for (u64 chunk = 0; chunk < 4096; ++chunk) {
    const u32 first = interleave.slice(chunk * 1024);
    ++chunks[first / 2];
    for (u32 at = 0; at < 1024; at += 128) {
      const u64 address = chunk * 1024 + at;
      const u32 slice = interleave.slice(address);
      EXPECT_EQ(slice, first ^ (at / 256 & 1));
      EXPECT_EQ(interleave.address(slice, interleave.inner(address)), address);
      EXPECT_TRUE(places.emplace(slice, interleave.inner(address)).second);
    }
  }
  EXPECT_GT(*std::ranges::min_element(chunks), 4096u / 40 - 5);
  EXPECT_LT(*std::ranges::max_element(chunks), 4096u / 40 + 6);
  // Of as many as there are pairs some meet.
  std::set<u32> reached;
  for (u64 chunk = 0; chunk < 40; ++chunk) reached.insert(interleave.slice(chunk * 1024) / 2);
  EXPECT_LT(reached.size(), 33u);
  EXPECT_GT(reached.size(), 18u);
}

TEST(Hierarchy, BanksThatAreTurnedAskForBanks) {
  Hierarchy h = three_levels();
  EXPECT_TRUE(check_hierarchy(h).ok());
  h.dram.hashed_banks = true;
  ASSERT_FALSE(check_hierarchy(h).ok());
  EXPECT_NE(check_hierarchy(h).error().message.find("turns a bank's bits"), std::string::npos);
  h.dram.bank_bytes = 256;
  EXPECT_TRUE(check_hierarchy(h).ok());
}

TEST(Hierarchy, RowsAreOpenBeforeTheyClose) {
  Hierarchy h = three_levels();
  h.dram.trcd = h.dram.tras + h.dram.trp;
  EXPECT_TRUE(check_hierarchy(h).ok());
  ++h.dram.trcd;
  ASSERT_FALSE(check_hierarchy(h).ok());
  EXPECT_NE(check_hierarchy(h).error().message.find("a row is open before the next one"), std::string::npos);
}

TEST(Hierarchy, BanksWaitForSomeThousandClocks) {
  Hierarchy h = three_levels();
  h.dram.refresh_interval = 20000;
  h.dram.refresh = 5000;
  EXPECT_TRUE(check_hierarchy(h).ok());
  h.dram.refresh = 9000;
  ASSERT_FALSE(check_hierarchy(h).ok());
  EXPECT_NE(check_hierarchy(h).error().message.find("at most 8191 can be modelled"), std::string::npos);
}

TEST(AddressMap, NumbersShardsAndGroups) {
  const Hierarchy h = three_levels();
  const AddressMap map(h, 8, 9);
  EXPECT_EQ(map.first_slice(0), 9u);
  EXPECT_EQ(map.first_slice(1), 13u);
  EXPECT_EQ(map.first_slice(2), 17u);
  EXPECT_EQ(map.first_channel(), 23u);
  EXPECT_EQ(map.translation(), 25u);
  EXPECT_EQ(map.end(), 26u);
  EXPECT_EQ(map.group_of_cluster(0, 7), 3u);
  EXPECT_EQ(map.group_of_cluster(1, 3), 0u);
  EXPECT_EQ(map.group_of_cluster(1, 4), 1u);
  EXPECT_EQ(map.next_group(0, 2), 1u);
  EXPECT_EQ(map.next_group(1, 1), 0u);
  EXPECT_GE(map.slice(1, 0x1000, 1), 15u);
  EXPECT_LT(map.slice(1, 0x1000, 0), 15u);
}

TEST(Divider, IsExact) {
  for (const u64 divisor : {1ull, 2ull, 3ull, 12ull, 24ull, 127ull, 128ull, 1000ull}) {
    const Divider by(divisor);
    for (const u64 x :
         {0ull, 1ull, 11ull, 12ull, 13ull, 999ull, 1000ull, 123456789012ull, (1ull << 50) - 1}) {
      EXPECT_EQ(by.quotient(x), x / divisor);
      EXPECT_EQ(by.remainder(x), x % divisor);
    }
  }
}

}  // namespace
}  // namespace lockstep
