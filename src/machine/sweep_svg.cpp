// The picture of a sweep, written as text: no drawing library.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "machine/sweep.h"

namespace lockstep {
namespace {

constexpr int width = 720, height = 400;
constexpr int left = 64, right = 664, top = 56, bottom = 320;

struct Colour {
  std::string_view limiter, value;
};

// Distinct in hue and in lightness, so that a grey print tells them apart too.
constexpr Colour colours[] = {{"wave slots", "#2a9d5c"},       {"work-group slots", "#7b52ab"},
                              {"vector registers", "#d1495b"}, {"scalar registers", "#e08e2b"},
                              {"local memory", "#1f6fb2"},     {"barriers", "#6b6b6b"}};

std::string_view colour_of(std::string_view limiter) {
  for (const Colour& colour : colours) {
    if (colour.limiter == limiter) return colour.value;
  }
  return "#000000";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

std::string text_at(f64 x, f64 y, std::string_view anchor, std::string_view text, int size = 12) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y,
                     anchor, size, escaped(text));
}

// A step of 1, 2, 4, 8, ... times `unit` that gives at most eight ticks.
u64 tick_step(u64 range, u64 unit) {
  u64 step = std::max<u64>(1, unit);
  while (range / step > 8) step *= 2;
  return step;
}

}  // namespace

std::string sweep_svg(const Sweep& sweep) {
  LOCKSTEP_ASSERT(!sweep.rows.empty(), "a sweep without rows has no picture");
  const u64 first = sweep.rows.front().value, last = sweep.rows.back().value;
  const u64 step = sweep.rows.size() > 1 ? sweep.rows[1].value - first : 1;
  // Each row is a bar of one step that ends at its value: a step curve without gaps.
  const f64 low = static_cast<f64>(first - std::min(first, step)), high = static_cast<f64>(last);
  const auto x_of = [&](f64 value) { return left + (value - low) / (high - low) * (right - left); };
  const auto y_of = [&](f64 occupancy) { return bottom - occupancy * (bottom - top); };

  u32 slots = 0;
  for (const SweepRow& row : sweep.rows) {
    if (row.ok) slots = static_cast<u32>(std::lround(row.waves_per_cu / row.occupancy));
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" fill=\"#222222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height);
  svg +=
      text_at(left, 24, "start", fmt::format("{}: occupancy by {}", sweep.gpu, axis_label(sweep.axis)), 15);
  svg += text_at(left, 44, "middle", "occupancy") +
         text_at(right, 44, "middle", fmt::format("waves / {}", sweep.unit));

  for (int i = 0; i <= 4; ++i) {
    const f64 y = y_of(i / 4.0);
    svg += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#dddddd\"/>\n", left, y, right);
    svg += text_at(left - 8, y + 4, "end", fmt::format("{:.2f}", i / 4.0));
    svg += text_at(right + 8, y + 4, "start", fmt::format("{:g}", slots * i / 4.0));
  }
  const u64 ticks = tick_step(last, sweep.axis == SweepAxis::vector_registers ? 4 : step);
  for (u64 value = ticks; value <= last; value += ticks) {
    const f64 x = x_of(static_cast<f64>(value));
    svg += fmt::format("<path d=\"M{0:.1f} {1}v5\" stroke=\"#222222\"/>\n", x, bottom);
    svg += text_at(x, bottom + 20, "middle", fmt::format("{}", value));
  }
  svg += text_at((left + right) / 2.0, bottom + 40, "middle", axis_label(sweep.axis));

  // Runs of equal rows become one bar and one stroke on top of it.
  std::vector<std::string_view> used;
  for (std::size_t begin = 0; begin < sweep.rows.size();) {
    const SweepRow& row = sweep.rows[begin];
    std::size_t end = begin + 1;
    while (end < sweep.rows.size() && sweep.rows[end].ok == row.ok &&
           sweep.rows[end].occupancy == row.occupancy && sweep.rows[end].limiter == row.limiter)
      ++end;
    if (row.ok) {
      const f64 x = x_of(static_cast<f64>(row.value - std::min(row.value, step)));
      const f64 bar = x_of(static_cast<f64>(sweep.rows[end - 1].value)) - x;
      const f64 y = y_of(row.occupancy);
      svg += fmt::format(
          "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" fill=\"{4}\" "
          "fill-opacity=\"0.25\"/>\n<path d=\"M{0:.1f} {1:.1f}h{2:.1f}\" stroke=\"{4}\" "
          "stroke-width=\"2.5\"/>\n",
          x, y, bar, bottom - y, colour_of(row.limiter));
      if (std::ranges::find(used, row.limiter) == used.end()) used.push_back(row.limiter);
    }
    begin = end;
  }
  svg += fmt::format("<path d=\"M{0} {1}V{2}H{3}V{1}\" fill=\"none\" stroke=\"#222222\"/>\n", left, top,
                     bottom, right);
  if (sweep.current >= first && sweep.current <= last) {
    const f64 x = x_of(static_cast<f64>(sweep.current));
    svg += fmt::format("<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#222222\" stroke-dasharray=\"4 3\"/>\n", x, top,
                       bottom);
    const bool room = x < right - 60;  // the mark's value stands right of it, unless the frame is near
    svg += text_at(room ? x + 4 : x - 4, top + 14, room ? "start" : "end", fmt::format("{}", sweep.current));
  }
  f64 x = left;
  svg += text_at(x, height - 14, "start", "limited by");
  x += 70;
  for (const Colour& colour : colours) {
    if (std::ranges::find(used, colour.limiter) == used.end()) continue;
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", x,
                       height - 24, colour.value);
    svg += text_at(x + 17, height - 14, "start", colour.limiter);
    x += 30 + 7.0 * static_cast<f64>(colour.limiter.size());
  }
  return svg + "</svg>\n";
}

}  // namespace lockstep
