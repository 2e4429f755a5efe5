// Cache tags against the plainest possible model of them, and their sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "time/units/cache_tags.h"
#include "time/units/set_hash.h"

namespace lockstep {
namespace {

struct PlainSet {
  struct Way {
    u64 line = CacheTags::invalid;
    u32 miss = CacheTags::arrived;
    u64 used = 0;
  };
  std::vector<Way> ways;
};

TEST(CacheTags, AreAsAPlainListOfLines) {
  for (const u32 ways : {1u, 3u, 4u, 8u, 12u, 16u, 32u, 64u}) {
    std::mt19937 random(ways);
    constexpr u32 sets = 5;
    CacheTags tags(sets, ways);
    EXPECT_EQ(tags.entries(), sets * ways);
    std::vector<PlainSet> plain(sets);
    for (PlainSet& set : plain) set.ways.resize(ways);
    u64 clock = 0;
    for (u32 step = 0; step < 20000; ++step) {
      // Numbers whose lower 16 bits agree as well.
      const u64 line = random() % (sets * ways * 2) * (random() % 2 ? 1 : 65536);
      const u32 s = static_cast<u32>(line % sets);
      PlainSet& set = plain[s];
      const auto at = [&](u64 wanted) {
        for (u32 w = 0; w < ways; ++w) {
          if (set.ways[w].line == wanted) return w;
        }
        return ways;
      };
      const u32 expected = at(line);
      const u32 found = tags.find(line, line);
      ASSERT_EQ(found, expected == ways ? CacheTags::none : s * ways + expected);
      if (expected != ways) {
        PlainSet::Way& way = set.ways[expected];
        way.used = ++clock;
        ASSERT_EQ(tags.miss(found), way.miss);
        const u32 what = static_cast<u32>(random() % 8);
        if (way.miss != CacheTags::arrived || what == 0) {
          way.miss = way.miss == CacheTags::arrived ? step : CacheTags::arrived;
          tags.set_miss(found, way.miss);
        } else if (what == 1) {
          way.line = CacheTags::invalid;
          tags.invalidate(found);
        }
        continue;
      }
      // An empty way, else the one used longest ago, among those whose line has arrived.
      u32 victim = ways;
      for (u32 w = 0; w < ways; ++w) {
        if (set.ways[w].miss != CacheTags::arrived) continue;
        if (set.ways[w].line == CacheTags::invalid) {
          victim = w;
          break;
        }
        if (victim == ways || set.ways[w].used < set.ways[victim].used) victim = w;
      }
      const u32 chosen = tags.victim(line);
      ASSERT_EQ(chosen, victim == ways ? CacheTags::none : s * ways + victim) << ways;
      if (victim == ways) {
        for (u32 w = 0; w < ways; ++w) {
          set.ways[w].miss = CacheTags::arrived;
          tags.set_miss(s * ways + w, CacheTags::arrived);
        }
        continue;
      }
      ASSERT_EQ(tags.line(chosen), set.ways[victim].line);
      const u32 miss = random() % 3 == 0 ? step : CacheTags::arrived;
      set.ways[victim] = {line, miss, ++clock};
      tags.place(chosen, line, miss);
      if (random() % 16 == 0) {
        tags.age(chosen);
        set.ways[victim].used = 0;
      }
    }
    tags.invalidate_all();
    for (u64 line = 0; line < 100; ++line) EXPECT_EQ(tags.find(line, line), CacheTags::none);
  }
}

// Two lists: lines that came once, and those used again, of which the one used longest ago goes to the others
// when they are too many.
TEST(CacheTags, ProtectWhatIsUsedAgain) {
  constexpr u32 sets = 3, ways = 4, most = 2;
  std::mt19937 random(7);
  CacheTags tags(sets, ways);
  tags.protect(most);
  std::array<std::vector<u64>, sets> once, again;
  u32 kept = 0;
  for (u32 step = 0; step < 20000; ++step) {
    const u32 s = static_cast<u32>(random() % sets);
    const u64 line = random() % 7 * sets + s;
    std::vector<u64>&a = once[s], &b = again[s];
    const u32 found = tags.find_in(line, s);
    const bool in_a = std::ranges::find(a, line) != a.end(), in_b = std::ranges::find(b, line) != b.end();
    ASSERT_EQ(found != CacheTags::none, in_a || in_b) << step;
    if (found != CacheTags::none) {
      ++kept;
      std::erase(a, line);
      std::erase(b, line);
      b.push_back(line);
      if (b.size() > most) {
        a.push_back(b.front());
        b.erase(b.begin());
      }
      if (random() % 50 == 0) {
        tags.invalidate(found);
        std::erase(b, line);
      }
      continue;
    }
    const u32 victim = tags.victim_in(s);
    if (a.size() + b.size() == ways) {
      ASSERT_EQ(tags.line(victim), a.front()) << step;
      a.erase(a.begin());
    }
    tags.place_in(s, victim, line, CacheTags::arrived);
    a.push_back(line);
  }
  EXPECT_GT(kept, 1000u);
}

TEST(CacheTags, KeepNoMoreThanTheyMay) {
  constexpr u32 sets = 16, ways = 4, most = 40;
  CacheTags tags(sets, ways);
  tags.keep_at_most(most);
  const auto there = [&] {
    u32 lines = 0;
    for (u64 line = 0; line < u64{sets} * ways; ++line)
      lines += tags.peek_in(line, line % sets) != CacheTags::none;
    return lines;
  };
  for (u64 line = 0; line < u64{sets} * ways; ++line) {
    const u32 set = static_cast<u32>(line % sets), entry = tags.make_room_in(set);
    ASSERT_NE(entry, CacheTags::none);
    // Two lines on their way stay, whatever chance chooses.
    tags.place_in(set, entry, line, line < 2 ? static_cast<u32>(line) : CacheTags::arrived);
    EXPECT_EQ(there(), std::min<u64>(line + 1, most));
  }
  EXPECT_NE(tags.peek_in(0, 0), CacheTags::none);
  EXPECT_NE(tags.peek_in(1, 1), CacheTags::none);
  // Where the set itself is full its oldest line goes.
  tags.drop_misses();
  tags.invalidate_all();
  for (u64 line = 0; line < 5; ++line) tags.place_in(3, tags.make_room_in(3), line, CacheTags::arrived);
  EXPECT_EQ(tags.peek_in(0, 3), CacheTags::none);
  for (u64 line = 1; line < 5; ++line) EXPECT_NE(tags.peek_in(line, 3), CacheTags::none);
}

TEST(SetHash, FillsAllSetsAlike) {
  // An H200's first level (machines/nvidia/cc70.toml), and lines of which the device said that they share set
  // 0 (experiments/h200-timing/sets.txt).
  const std::array<u64, 15> turns{0x71,  0x1B, 0x176, 0x149, 0x39,  0x1E1, 0x1DD, 0xEE,
                                  0x194, 0x8D, 0x1AC, 0xF4,  0x12F, 0x82,  0xF0};
  const SetHash set(512, turns);
  EXPECT_EQ(set.sets(), 512u);
  for (const u64 line : {0x552f30, 0x3cf1b6, 0x77f788, 0x582eff, 0x2f3f18, 0x7fad8b, 0x647ead, 0x64363a,
                         0x71753d, 0xfdd113, 0x6e69b6})
    EXPECT_EQ(set(line), 0u) << line;
  EXPECT_EQ(set(1 << 9), 0x71u);
  EXPECT_EQ(set(u64{1} << 23), 0xF0u);
  EXPECT_EQ(set(u64{1} << 24), 0x71u);  // beginning anew
  for (u32 shift = 0; shift < 15; ++shift) {
    std::array<u32, 512> lines{};
    for (u64 line = 0; line < 2048; ++line) ++lines[set(line << shift)];
    EXPECT_EQ(*std::ranges::max_element(lines), 4u) << shift;
  }
  EXPECT_EQ(SetHash().sets(), 0u);
}

}  // namespace
}  // namespace lockstep
