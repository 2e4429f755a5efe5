// Analysis on made-up curves.
#include "dissect/analysis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lockstep::dissect {
namespace {

TEST(Analysis, Median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 9}), 3);
}

TEST(Analysis, SlopeIsFreeOfWhatEveryLaunchCosts) {
  // 5 us a launch and 3 ns a step, with disturbances that make launches longer.
  const Timed shorter{1000, {8.4e-6, 8e-6, 9e-6}}, longer{3000, {14e-6, 30e-6}};
  EXPECT_NEAR(*slope(shorter, longer), 3e-9, 1e-15);
}

TEST(Analysis, NoSlopeOfOneLengthOrOfNothing) {
  EXPECT_FALSE(slope({10, {1}}, {10, {2}}));
  EXPECT_FALSE(slope({10, {}}, {20, {2}}));
  EXPECT_FALSE(slope({10, {1}}, {20, {}}));
}

TEST(Analysis, StepsOfALatencyCurve) {
  // 16 KiB at 125, 4 MiB at 240, then 600; the points at the edges are between two levels.
  std::vector<Point> curve;
  for (f64 kib = 1; kib <= 65536; kib *= 2) {
    f64 y = kib <= 16 ? 125 : kib <= 4096 ? 240 : 600;
    if (kib == 32) y = 190;
    if (kib == 8192) y = 470;
    curve.push_back({kib, y + (static_cast<u64>(kib) % 3 == 1 ? 1 : -1)});
  }
  const std::vector<Plateau> found = plateaus(curve, 0.05, 2);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0].y, 125, 1.01);
  EXPECT_EQ(found[0].first_x, 1);
  EXPECT_EQ(found[0].last_x, 16);
  EXPECT_NEAR(found[1].y, 240, 1.01);
  EXPECT_EQ(found[1].first_x, 64);
  EXPECT_EQ(found[1].last_x, 4096);
  EXPECT_NEAR(found[2].y, 600, 1.01);
  EXPECT_EQ(found[2].first_x, 16384);
}

TEST(Analysis, ALonePointDoesNotMakeTwoPlateaus) {
  const std::vector<Point> curve = {{1, 100}, {2, 101}, {3, 180}, {4, 100}, {5, 99}};
  const std::vector<Plateau> found = plateaus(curve, 0.05, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].last_x, 5);
  EXPECT_EQ(found[0].points, 4u);
}

TEST(Analysis, ACurveWithoutLevelsHasNone) {
  std::vector<Point> curve;
  for (f64 x = 1; x < 10; ++x) curve.push_back({x, std::exp2(x)});
  EXPECT_TRUE(plateaus(curve, 0.05, 2).empty());
  EXPECT_TRUE(plateaus({}, 0.05, 1).empty());
}

TEST(Analysis, AFallingCurveHasItsLevelsToo) {
  const std::vector<Point> curve = {{1, 64}, {2, 63.5}, {4, 40}, {8, 20}, {16, 20.4}};
  const std::vector<Plateau> found = plateaus(curve, 0.05, 2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[1].y, 20.2, 1e-9);
}

TEST(Analysis, WhatCannotBeIsRefusedWithItsReason) {
  const f64 infinity = std::numeric_limits<f64>::infinity();
  const Bounds none;
  EXPECT_EQ(impossible(1, none), "");
  EXPECT_EQ(impossible(0, none), "zero");
  EXPECT_EQ(impossible(infinity, none), "infinite");
  EXPECT_EQ(impossible(-infinity, none), "infinite");
  EXPECT_EQ(impossible(std::nan(""), none), "not a number");
  EXPECT_EQ(impossible(-2, none), "negative (-2)");
  Bounds bounds;
  bounds.ceiling = 64;
  bounds.ceiling_is = "64 lanes";
  bounds.floor = 1;
  bounds.floor_is = "one issue";
  EXPECT_EQ(impossible(65, bounds), "");  // within the 2 % that clocks and timers are off
  EXPECT_EQ(impossible(66, bounds), "66 is above 64, 64 lanes");
  EXPECT_EQ(impossible(0.99, bounds), "");
  EXPECT_EQ(impossible(0.5, bounds), "0.5 is below 1, one issue");
}

}  // namespace
}  // namespace lockstep::dissect
