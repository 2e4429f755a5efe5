// Clocks of waves, the shadow that remembers accesses, and the words that choose checks.
#include <gtest/gtest.h>

#include "exec/check/clock.h"
#include "exec/check/race_shadow.h"
#include "exec/check/selection.h"
#include "exec/progress.h"

namespace lockstep {
namespace {

using namespace check;

// Group `group` of two waves.
std::vector<WaveClock> make_group(u32 group) {
  std::vector<WaveClock> waves(2);
  for (u32 i = 0; i < 2; ++i) {
    waves[i].first = 2 * group;
    waves[i].wave = 2 * group + i;
    waves[i].known.assign(2, 0);
  }
  return waves;
}

Stamp now(const WaveClock& wave) {
  return {wave.wave, wave.clock};
}

TEST(WaveClocks, ABarrierOrdersWhatWasBefore) {
  std::vector<WaveClock> waves = make_group(3);
  const Stamp before = now(waves[0]);
  EXPECT_FALSE(waves[1].behind(before));
  EXPECT_TRUE(waves[0].behind(before));
  meet(waves);
  EXPECT_TRUE(waves[1].behind(before));
  EXPECT_FALSE(waves[1].behind(now(waves[0])));
}

TEST(WaveClocks, AtomicsCarryWhatTheReleaserKnew) {
  std::vector<WaveClock> a = make_group(0), b = make_group(1), c = make_group(2);
  const Stamp of_peer = now(a[1]);
  meet(a);  // a[0] knows a[1]'s past
  const Stamp own = now(a[0]);
  SyncPlaces places;
  EXPECT_EQ(places.find(64), nullptr);
  a[0].release(places.at(64));
  ++a[0].clock;
  const Stamp later = now(a[0]);
  b[1].acquire(*places.find(64));
  EXPECT_TRUE(b[1].behind(own));
  EXPECT_TRUE(b[1].behind(of_peer));
  EXPECT_FALSE(b[1].behind(later));
  EXPECT_FALSE(b[1].behind(now(a[1])));  // what it does after the barrier
  EXPECT_FALSE(b[0].behind(own));        // the other wave did not look
  meet(b);
  EXPECT_TRUE(b[0].behind(own));
  // On to a third group through another place.
  b[0].release(places.at(128));
  c[0].acquire(*places.find(128));
  EXPECT_TRUE(c[0].behind(own));
  EXPECT_FALSE(c[0].behind(later));
}

TEST(WaveClocks, MoreThanTheBoundsCountsAsKnown) {
  SyncPlace place;
  for (u32 i = 0; i <= SyncPlaces::most_stamps; ++i) place.released.push_back({i + 10, 1});
  std::vector<WaveClock> waves = make_group(0);
  waves[0].acquire(place);
  EXPECT_TRUE(waves[0].everything);
  EXPECT_TRUE(waves[0].behind({5000, 77}));
  EXPECT_FALSE(waves[0].behind({1, 1}));  // its own group is exact
}

TEST(RaceShadow, KeepsDwordsUntilBytesAreReachedApart) {
  RaceShadow shadow(u64{1} << 20);
  std::vector<WaveClock> waves = make_group(0);
  shadow.cells(8, 4)[0].write = Touch::make(waves[1], 77, 5, Sort::write);
  EXPECT_EQ(shadow.cells(8, 8).size(), 2u);
  const auto bytes = shadow.cells(9, 2);
  ASSERT_EQ(bytes.size(), 2u);
  for (const RaceCell& cell : bytes) {
    EXPECT_EQ(cell.write.wave_number(), 1u);
    EXPECT_EQ(cell.write.instruction(), 77u);
    EXPECT_EQ(cell.write.lane(), 5u);
  }
  EXPECT_EQ(shadow.cells(8, 4).size(), 4u);
  EXPECT_FALSE(shadow.cells(12, 1)[0].write.exists());
}

TEST(RaceSorts, AnAccessCoversAnotherThatRacesWithNothingElse) {
  constexpr Sort sorts[] = {Sort::read, Sort::write, Sort::atomic_load, Sort::atomic, Sort::unsure};
  for (const Sort a : sorts) {
    for (const Sort b : sorts) {
      EXPECT_EQ(race(a, b), race(b, a));
      bool all = true;
      for (const Sort other : sorts) all = all && (!race(other, b) || race(other, a));
      EXPECT_EQ(covers(a, b), all);
    }
  }
  EXPECT_FALSE(covers(Sort::atomic, Sort::write));
  EXPECT_FALSE(covers(Sort::atomic, Sort::read));
}

TEST(RaceShadow, ForgetsTheOldestPagesWhenFull) {
  // A page and the cells of one of its lines.
  constexpr u64 page = RaceShadow::page_cost_bytes + RaceLine::bytes / 4 * sizeof(RaceCell);
  RaceShadow shadow(3 * page);
  std::vector<WaveClock> waves = make_group(0);
  for (u64 i = 0; i < 5; ++i)
    shadow.cells(i * RaceShadow::page_bytes, 4)[0].write = Touch::make(waves[0], 1, 0, Sort::write);
  EXPECT_EQ(shadow.forgotten_pages(), 2u);
  EXPECT_TRUE(shadow.cells(4 * RaceShadow::page_bytes, 4)[0].write.exists());
  EXPECT_FALSE(shadow.cells(0, 4)[0].write.exists());
}

TEST(CheckSelection, IsReadFromWords) {
  EXPECT_TRUE(parse_checks("all")->races);
  EXPECT_FALSE(parse_checks("all")->lane_races);
  EXPECT_TRUE(parse_checks("1")->values);
  EXPECT_FALSE(parse_checks("0")->any());
  EXPECT_FALSE(parse_checks("none")->any());
  const CheckSelection some = *parse_checks("bounds,lane-races");
  EXPECT_TRUE(some.bounds && some.races && some.lane_races);
  EXPECT_FALSE(some.values || some.barriers || some.same_value_races);
  EXPECT_TRUE(parse_checks("lane-races,all")->lane_races);
  for (const char* wrong : {"", "race", "bounds,", "none,bounds", "all,xyz"}) {
    const auto parsed = parse_checks(wrong);
    ASSERT_FALSE(parsed.ok()) << wrong;
    EXPECT_EQ(parsed.error().code, "bad-check");
  }
}

TEST(Patience, GrowsUntilThereIsProgress) {
  Patience patience(10);
  EXPECT_FALSE(patience.spent(9));
  EXPECT_TRUE(patience.spent(1));
  EXPECT_FALSE(patience.spent(39));
  EXPECT_TRUE(patience.spent(1));
  patience.progress();
  EXPECT_TRUE(patience.spent(10));
}

}  // namespace
}  // namespace lockstep
