// Cache tags against the plainest possible model of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "time/units/cache_tags.h"

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

}  // namespace
}  // namespace lockstep
