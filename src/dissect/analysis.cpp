#include "dissect/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::dissect {

f64 median(std::vector<f64> values) {
  if (values.empty()) return 0;
  const std::size_t half = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<f64> slope(const Timed& shorter, const Timed& longer) {
  if (shorter.seconds.empty() || longer.seconds.empty() || shorter.length == longer.length)
    return std::nullopt;
  const f64 less = *std::min_element(shorter.seconds.begin(), shorter.seconds.end());
  const f64 more = *std::min_element(longer.seconds.begin(), longer.seconds.end());
  return (more - less) / (longer.length - shorter.length);
}

std::vector<Plateau> plateaus(std::span<const Point> curve, f64 tolerance, u32 least_points) {
  std::vector<Plateau> found;
  std::vector<f64> values;
  const auto close = [&](std::size_t end) {
    if (values.size() >= std::max(least_points, 1u)) {
      const std::size_t begin = end - values.size();
      const f64 y = median(values);
      Plateau* const last = found.empty() ? nullptr : &found.back();
      // What a lone disturbed point cut in two is one plateau.
      if (last && std::fabs(y - last->y) <= tolerance * std::fabs(last->y)) {
        last->last_x = curve[end - 1].x;
        last->points += static_cast<u32>(values.size());
      } else {
        found.push_back({curve[begin].x, curve[end - 1].x, y, static_cast<u32>(values.size())});
      }
    }
    values.clear();
  };
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!values.empty()) {
      const f64 y = median(values);
      if (std::fabs(curve[i].y - y) > tolerance * std::fabs(y)) close(i);
    }
    values.push_back(curve[i].y);
  }
  close(curve.size());
  return found;
}

std::string impossible(f64 value, const Bounds& bounds) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return "infinite";
  if (value < 0) return fmt::format("negative ({:.4g})", value);
  if (value == 0) return "zero";
  if (bounds.ceiling && value > *bounds.ceiling * 1.02)
    return fmt::format("{:.4g} is above {:.4g}, {}", value, *bounds.ceiling, bounds.ceiling_is);
  if (bounds.floor && value < *bounds.floor * 0.98)
    return fmt::format("{:.4g} is below {:.4g}, {}", value, *bounds.floor, bounds.floor_is);
  return {};
}

}  // namespace lockstep::dissect
