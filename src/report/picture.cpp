#include "report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/stall_timeline.h"
#include "report/svg.h"
#include "report/timed_lines.h"
#include "report/verdict.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep {
namespace {

constexpr u32 width = 760;
constexpr f64 right = 750;
constexpr std::string_view issuing_colour = "#2f9e5b", bar_colour = "#4c8fdc", saved_colour = "#2f9e5b";
// By Stall: a reason has the same colour in each picture.
constexpr std::string_view stall_colours[] = {"#7f8790", "#b8b53e", "#e0843d", "#4c8fdc",
                                              "#3fb3c4", "#8f74c4", "#c9544f", "#d27fbb",
                                              "#8a6a5c", "#6f5f4a", "#b0a08c", "#c8ccd0"};
static_assert(std::size(stall_colours) == stall_count);

std::string heading_of(const RunData& run) {
  return fmt::format("{} on {}: {} cycles", run.program->name, run.machine->name, run.timing->cycles);
}

f64 number_of(u64 value) {
  return static_cast<f64>(value);
}

std::string clipped(std::string text, std::size_t most) {
  text.erase(0, text.find_first_not_of(' ') == std::string::npos ? 0 : text.find_first_not_of(' '));
  if (text.size() <= most) return text;
  // Never within a character of several bytes.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most) + "...";
}

// Names of reasons side by side; returns the y below them.
f64 legend(Svg& svg, f64 x, f64 y,
           const std::vector<std::pair<std::string_view, std::string_view>>& entries) {
  const f64 begin = x;
  for (const auto& [colour, words] : entries) {
    const f64 wide = 28 + 7.0 * number_of(words.size());
    if (x + wide > right) x = begin, y += 18;
    svg.bar(x, y - 9, 10, 10, colour);
    svg.text(x + 14, y, words);
    x += wide;
  }
  return y + 18;
}

// Resident waves over the time, stacked by what they did.
std::string draw_timeline(const RunData& run, const LaunchTrace& trace) {
  constexpr f64 left = 60, top = 34, bottom = 214;
  const Words& words = words_of(*run.machine);
  // Parts wide enough to be seen, of the mean of the trace's.
  constexpr std::size_t most_parts = 100;
  const StallTimeline timeline = stall_timeline(trace);
  const std::size_t each = std::max<std::size_t>(1, (timeline.resident.size() + most_parts - 1) / most_parts);
  const std::size_t count = (timeline.resident.size() + each - 1) / each;
  const auto merged = [&](const std::vector<f64>& waves) {
    std::vector<f64> made(count, 0);
    for (std::size_t i = 0; i < waves.size(); ++i) made[i / each] += waves[i] / number_of(each);
    return made;
  };
  const std::vector<f64> resident = merged(timeline.resident);
  const f64 cycles = number_of(run.timing->cycles);
  f64 most = 1;
  for (const f64 one : resident) most = std::max(most, one);
  Svg svg(width, 274, "resident waves over the time, by what they did");
  svg.text(10, 18, heading_of(run) + fmt::format("; resident {}s by what they did", words.wave));
  std::vector<f64> floor(count, 0);
  std::vector<std::pair<std::string_view, std::string_view>> entries;
  const auto x_of = [&](std::size_t bucket) {
    return left + std::min(1.0, number_of(bucket * each * trace.bucket_cycles) / cycles) * (right - left);
  };
  const auto y_of = [&](f64 waves) { return bottom - waves / most * (bottom - top); };
  const auto stack = [&](std::string_view title, std::string_view colour, const std::vector<f64>& waves) {
    if (std::ranges::all_of(waves, [&](f64 one) { return one < most / 200; })) return;
    std::string up, down;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string low = coordinate(y_of(floor[i]));
      floor[i] += waves[i];
      up += fmt::format("{}{}V{}H{}", i == 0 ? "M" : "",
                        i == 0 ? fmt::format("{} {}", coordinate(x_of(0)), low) : "",
                        coordinate(y_of(floor[i])), coordinate(x_of(i + 1)));
      down = fmt::format("V{}H{}", low, coordinate(x_of(i))) + down;
    }
    svg.path(up + down + "Z", colour, title);
    entries.emplace_back(colour, title);
  };
  stack("issuing", issuing_colour, merged(timeline.issuing));
  for (std::size_t reason = 0; reason < stall_count; ++reason)
    stack(name(static_cast<Stall>(reason)), stall_colours[reason], merged(timeline.stalls[reason]));
  svg.line(left, bottom, right, bottom);
  svg.text(left - 6, top + 8, fmt::format("{:.0f}", most), Svg::Anchor::end, true);
  svg.text(left - 6, bottom, "0", Svg::Anchor::end, true);
  svg.text(left, bottom + 16, "0", Svg::Anchor::start, true);
  svg.text(right, bottom + 16, fmt::format("{} cycles", run.timing->cycles), Svg::Anchor::end, true);
  legend(svg, left, bottom + 36, entries);
  return std::move(svg).finish();
}

// The costliest source lines, each as long as its share of the waves' cycles, parted by what waves did there.
std::string draw_lines(const RunData& run) {
  constexpr std::size_t most_lines = 8;
  constexpr f64 left = 62, step = 38;
  std::vector<TimedLine> lines = timed_lines(run);
  if (lines.size() > most_lines) lines.resize(most_lines);
  f64 longest = 1;
  for (const TimedLine& line : lines) longest = std::max(longest, number_of(wave_cycles(line.figures)));
  std::array<bool, stall_count> used{};
  for (const TimedLine& line : lines) {
    for (std::size_t i = 0; i < stall_count; ++i) used[i] = used[i] || line.figures.stalls[i] != 0;
  }
  std::vector<std::pair<std::string_view, std::string_view>> entries{{issuing_colour, "issuing"}};
  for (std::size_t i = 0; i < stall_count; ++i) {
    if (used[i]) entries.emplace_back(stall_colours[i], name(static_cast<Stall>(i)));
  }
  const f64 below = 34 + step * number_of(lines.size());
  Svg svg(width, static_cast<u32>(below) + 44, "the costliest source lines, by what waves did there");
  svg.text(10, 18, heading_of(run) + "; share of the waves' cycles by source line");
  f64 y = 34;
  for (const TimedLine& line : lines) {
    const f64 cycles = number_of(wave_cycles(line.figures));
    svg.text(left - 8, y + 24, percent(cycles, number_of(run.timing->wave_cycles)), Svg::Anchor::end);
    svg.code(left, y + 10, clipped(fmt::format("{}: {}", line.at.line, text_of(run, line.at)), 96));
    f64 x = left;
    const auto part = [&](std::string_view title, std::string_view colour, u64 value) {
      const f64 wide = number_of(value) / longest * (right - left);
      if (wide >= 0.5) svg.bar(x, y + 14, wide, 14, colour, title);
      x += wide;
    };
    u64 stalled = 0;
    for (const u64 one : line.figures.stalls) stalled += one;
    part("issuing", issuing_colour, wave_cycles(line.figures) - stalled);
    for (std::size_t i = 0; i < stall_count; ++i)
      part(name(static_cast<Stall>(i)), stall_colours[i], line.figures.stalls[i]);
    y += step;
  }
  legend(svg, left, below + 12, entries);
  return std::move(svg).finish();
}

// How near its ceiling each resource was: the busiest of its units, and the mean as a thin bar.
std::string draw_resources(const RunData& run) {
  constexpr f64 left = 220, far = 690, step = 22;
  const Verdicts verdicts = judge(run);
  Svg svg(width, static_cast<u32>(44 + step * number_of(verdicts.utilisations.size())),
          "how near its ceiling each resource was");
  svg.text(10, 18, heading_of(run) + "; busiest unit of each resource (thin: mean)");
  f64 y = 32;
  for (const Utilisation& one : verdicts.utilisations) {
    svg.text(left - 8, y + 12, one.resource->title, Svg::Anchor::end);
    svg.bar(left, y, far - left, 16, bar_colour, {}, 0.12);
    svg.bar(left, y, one.busiest * (far - left), 16, bar_colour, one.resource->meaning);
    svg.bar(left, y + 6, one.mean * (far - left), 4, "#12365f");
    svg.text(far + 6, y + 12, percent(one.busiest, 1), Svg::Anchor::start, true);
    y += step;
  }
  return std::move(svg).finish();
}

// Each unit of each resource as a cell, as dark as it was busy.
std::string draw_units(const RunData& run) {
  struct Row {
    std::string title;
    const std::vector<u64>* busy;
    f64 most;
  };
  std::vector<Row> rows;
  const TimingResult& timing = *run.timing;
  const auto add = [&](std::string title, const std::vector<u64>& busy, f64 most) {
    if (busy.size() > 1 && most > 0 && *std::ranges::max_element(busy) != 0)
      rows.push_back({std::move(title), &busy, most});
  };
  if (!timing.unit_wave_cycles.empty())
    add(fmt::format("resident {}s", words_of(*run.machine).wave), timing.unit_wave_cycles,
        number_of(*std::ranges::max_element(timing.unit_wave_cycles)));
  for (const Resource& one : timing.resources) add(one.title, one.busy_cycles, active_clocks(timing, one));
  constexpr f64 left = 200, step = 26;
  Svg svg(width, static_cast<u32>(40 + step * number_of(rows.size())), "each unit of each resource");
  svg.text(10, 18, heading_of(run) + "; each cell a unit, as dark as it was busy");
  f64 y = 30;
  for (const Row& row : rows) {
    svg.text(left - 8, y + 13, row.title, Svg::Anchor::end);
    const f64 wide = (right - left) / number_of(row.busy->size());
    // Cells of the same shade beside each other are one bar.
    std::size_t begin = 0;
    const auto shade = [&](std::size_t i) {
      return std::round(std::min(1.0, number_of((*row.busy)[i]) / row.most) * 50) / 50;
    };
    for (std::size_t i = 1; i <= row.busy->size(); ++i) {
      if (i < row.busy->size() && shade(i) == shade(begin)) continue;
      svg.bar(left + wide * number_of(begin), y, wide * number_of(i - begin), 18, "#0b62c4", {},
              0.06 + 0.93 * shade(begin));
      begin = i;
    }
    y += step;
  }
  return std::move(svg).finish();
}

// What each change would save.
std::string draw_what_if(const RunData& run) {
  constexpr f64 left = 300, far = 690, step = 22;
  std::vector<const WhatIf*> rows;
  for (const WhatIf& one : run.what_if->answers) {
    if (one.how != WhatIf::How::nothing && one.cycles < run.what_if->cycles) rows.push_back(&one);
  }
  if (rows.size() > 10) rows.resize(10);
  Svg svg(width, static_cast<u32>(44 + step * number_of(rows.size())), "what each change would save");
  svg.text(10, 18, heading_of(run) + "; what it would save with one thing changed");
  f64 y = 32;
  for (const WhatIf* one : rows) {
    const f64 saved = 1 - number_of(one->cycles) / number_of(std::max<u64>(1, run.what_if->cycles));
    svg.text(left - 8, y + 12, clipped(one->title, 46), Svg::Anchor::end);
    svg.bar(left, y, far - left, 16, saved_colour, {}, 0.12);
    svg.bar(left, y, saved * (far - left), 16, saved_colour, one->title);
    svg.text(far + 6, y + 12, percent(saved, 1), Svg::Anchor::start, true);
    y += step;
  }
  return std::move(svg).finish();
}

constexpr PictureKind kinds[] = {
    {picture_needs_trace, "resident waves over the time, by what they did"},
    {"lines", "the costliest source lines, by what waves did there"},
    {"resources", "how near its ceiling each resource was"},
    {"units", "each unit of each resource, as dark as it was busy"},
    {"what-if", "what it would save with one thing changed (with --what-if)"},
};

Diagnostic nothing(std::string_view kind, std::string why, std::string hint) {
  return {"no-picture", {fmt::format("--picture {}", kind), 0, 0}, std::move(why), std::move(hint)};
}

}  // namespace

std::span<const PictureKind> picture_kinds() {
  return kinds;
}

Expected<std::string> draw_picture(std::string_view kind, const RunData& run, const LaunchTrace* trace) {
  if (!run.timing) return nothing(kind, "there is no modelled time to draw", "time the launch");
  if (kind == picture_needs_trace) {
    if (trace == nullptr)
      return nothing(kind, "what waves did over the time was not recorded",
                     "a timed launch without --check, not too large, can be traced");
    return draw_timeline(run, *trace);
  }
  if (kind == "lines") return draw_lines(run);
  if (kind == "resources") return draw_resources(run);
  if (kind == "units") return draw_units(run);
  if (!run.what_if || !run.what_if->missing.empty())
    return nothing(kind, "nothing was asked of the launch", "add --what-if");
  return draw_what_if(run);
}

}  // namespace lockstep
