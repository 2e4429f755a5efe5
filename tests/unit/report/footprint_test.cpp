// What caches of any size keep, against a list that is searched.
#include "report/footprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lockstep {
namespace {

using Touches = std::vector<LaunchTrace::Touch>;

// Hits of a fully associative cache of so many lines.
u64 hits(const Touches& touches, std::size_t lines) {
  std::vector<u64> kept;  // the last touched first
  u64 found = 0;
  for (const LaunchTrace::Touch& one : touches) {
    const auto at = std::ranges::find(kept, one.line);
    if (at != kept.end()) {
      found += at - kept.begin() < static_cast<std::ptrdiff_t>(lines);
      kept.erase(at);
    }
    kept.insert(kept.begin(), one.line);
  }
  return found;
}

TEST(Footprint, IsWhatSuchCachesKeep) {
  std::mt19937 random(5);
  Touches touches;
  for (u32 i = 0; i < 3000; ++i) {
    const u32 range = i % 3 == 0 ? 8 : i % 3 == 1 ? 100 : 1000;
    touches.push_back({i, random() % range, 0});
  }
  const Footprint made = footprint(touches);
  ASSERT_GT(made.kept.size(), 8u);
  for (std::size_t i = 0; i < made.kept.size(); ++i)
    EXPECT_NEAR(made.kept[i] * 3000, static_cast<f64>(hits(touches, std::size_t{1} << i)), 1e-6) << i;
  EXPECT_GT(made.kept.back(), made.kept[made.kept.size() - 2]);  // it ends where nothing changes any more
}

TEST(Footprint, OfEachUnitAndOfAllTogether) {
  // Two units in turns, each going around four lines that the other wants as well.
  Touches touches;
  for (u32 i = 0; i < 64; ++i) touches.push_back({2 * i + 1, i % 4, 1});
  for (u32 i = 0; i < 64; ++i) touches.push_back({2 * i, i % 4, 0});
  const Footprints made = footprints(touches);
  ASSERT_EQ(made.each.kept.size(), 3u);
  EXPECT_EQ(made.each.kept[1], 0);
  EXPECT_EQ(made.each.kept[2], 120.0 / 128);
  EXPECT_EQ(made.together.kept[0], 64.0 / 128);  // the second unit finds what the first has just touched
  EXPECT_EQ(made.together.kept[2], 124.0 / 128);
  EXPECT_TRUE(footprints({}).each.kept.empty());
}

}  // namespace
}  // namespace lockstep
