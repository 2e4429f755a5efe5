// What measured times mean: rates by the difference of two lengths, steps of a curve, figures that cannot be.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace lockstep::dissect {

// The middle of the values (the mean of the two middle ones); 0 of none.
f64 median(std::vector<f64> values);

// A length and the times that launches of this length took.
struct Timed {
  f64 length = 0;
  std::vector<f64> seconds;
};

// Seconds for one more unit of length: what launches cost whatever their length falls out. By the shortest
// times, since a disturbance only ever makes a launch longer. Nothing where the lengths are the same or no
// time was taken.
std::optional<f64> slope(const Timed& shorter, const Timed& longer);

struct Point {
  f64 x = 0, y = 0;
};

// A stretch of a curve whose values are alike.
struct Plateau {
  f64 first_x = 0, last_x = 0;  // of its points
  f64 y = 0;                    // the median of them
  u32 points = 0;
};

// The levels of a curve that goes up (latency over footprint) or down (bandwidth) by steps. Points join a
// plateau while they differ from its median by at most `tolerance` of it; a stretch of fewer than
// `least_points` is the slope between two plateaus and belongs to none. The points' x ascend.
std::vector<Plateau> plateaus(std::span<const Point> curve, f64 tolerance, u32 least_points);

// What a figure can be at all, in its own unit.
struct Bounds {
  std::optional<f64> ceiling;  // what the hardware's widths and clocks allow
  std::string ceiling_is;      // in words: "four SIMDs of 16 lanes"
  std::optional<f64> floor;    // the least that a latency or a time can be
  std::string floor_is;
};

// Why a value cannot be a result; empty for one that can: it is no number, infinite, zero, negative, more
// than 2 % above its ceiling, or more than 2 % below its floor.
std::string impossible(f64 value, const Bounds& bounds);

}  // namespace lockstep::dissect
