// What a wave's load costs by where its words lie.
#include <fmt/format.h>

#include <algorithm>

#include "dissect/suite.h"

namespace lockstep::dissect {

Status measure_strides(Bench& bench) {
  const Traits& traits = bench.traits();
  constexpr u32 bytes = 8192;  // less than any first level
  const u32 group = std::min(traits.max_group_items, 1024u);
  const std::vector<std::string> defines = {fmt::format("GROUP={}", group)};
  const Expected<BufferId> memory = bench.buffer(2 * bytes);
  if (!memory) return memory.error();
  const Expected<BufferId> out = bench.output(65536);
  if (!out) return out.error();
  const Expected<KernelId> own = bench.backend().compile({"memory", "own_places", defines});
  if (!own) return own.error();
  const Expected<f64> made = bench.backend().time({*own, 1, 256, {BufferArgument{*memory}, 2 * bytes / 4}});
  if (!made) return made.error();
  const Expected<KernelId> gather = bench.backend().compile({"memory", "gather", defines});
  if (!gather) return gather.error();
  const auto cycles_of = [&](u32 stride, u32 offset) -> Expected<f64> {
    const Expected<f64> seconds = bench.seconds_per_round(
        [&](u32 rounds) {
          return Launch{*gather,
                        1,
                        group,
                        {BufferArgument{*memory}, BufferArgument{*out}, offset, stride, bytes - 1, rounds}};
        },
        2);
    if (!seconds) return seconds;
    return *seconds * bench.clock_hz() / 64 * traits.wave_lanes / group;
  };
  Bounds bounds;
  if (const auto width = bench.stated("l1.bytes_per_cycle")) {
    bounds.floor = traits.wave_lanes * 4 / (width->value * traits.units_per_group);
    bounds.floor_is = "a wave's bytes at the first level's width";
  }
  Curve strides{"strides", "words between work-items", "words", "cycles for a wave's load", "cycles", {}};
  for (const u32 stride : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const Expected<f64> cycles = cycles_of(stride * 4, 0);
    if (!cycles) return cycles.error();
    strides.points.push_back({static_cast<f64>(stride), *cycles});
    bench.add(fmt::format("stride of {} words", stride), "cycles", *cycles, bounds);
  }
  const Expected<f64> same = cycles_of(0, 0);
  if (!same) return same.error();
  bench.add("one word for all", "cycles", *same);
  for (const u32 offset : {4u, 16u, 32u, 64u}) {
    const Expected<f64> cycles = cycles_of(4, offset);
    if (!cycles) return cycles.error();
    bench.add(fmt::format("neighbours, {} B off", offset), "cycles", *cycles, bounds);
  }
  bench.outcome().curves.push_back(std::move(strides));
  return Success{};
}

Status measure_powers(Bench& bench) {
  const Traits& traits = bench.traits();
  constexpr u32 lines = 2048;
  const u32 group = std::min(512u, traits.max_group_items);
  const u32 groups = std::max(1u, 2 * traits.units / traits.units_per_group);
  const std::vector<std::string> defines = {fmt::format("GROUP={}", group)};
  const Expected<KernelId> strided = bench.backend().compile({"memory", "strided", defines});
  if (!strided) return strided.error();
  const Expected<BufferId> out = bench.output(u64{groups} * group * 4);
  if (!out) return out.error();
  constexpr u32 last_shift = 16;
  const Expected<BufferId> memory = bench.buffer((u64{lines} << last_shift) + lines * 256);
  if (!memory) return memory.error();
  Curve curve{"powers", "bytes between lines", "B", "lines of the whole device", "lines/cycle", {}};
  f64 worst = 0, best = 0, odd = 0;
  for (u32 shift = 7; shift <= last_shift; ++shift) {
    for (const u32 skew : {0u, 128u}) {
      if (skew != 0 && shift != last_shift) continue;
      const Expected<f64> seconds = bench.seconds_per_round(
          [&](u32 rounds) {
            return Launch{*strided,
                          groups,
                          group,
                          {BufferArgument{*memory}, BufferArgument{*out}, shift, skew, lines - 1, rounds}};
          },
          1);
      if (!seconds) return seconds.error();
      const f64 rate = 1.0 * groups * group * 8 / (*seconds * bench.clock_hz());
      if (skew != 0) {
        odd = rate;
        continue;
      }
      curve.points.push_back({static_cast<f64>(u64{1} << shift), rate});
      worst = worst == 0 ? rate : std::min(worst, rate);
      best = std::max(best, rate);
    }
  }
  bench.add("worst power of two", "lines/cycle", worst);
  bench.add("best power of two", "lines/cycle", best);
  bench.add("64 KiB and a line apart", "lines/cycle", odd);
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

Status measure_atomics(Bench& bench) {
  const Traits& traits = bench.traits();
  const u32 wave = std::max(traits.wave_lanes, 1u);
  const Expected<BufferId> out = bench.output(65536);
  if (!out) return out.error();
  const Expected<BufferId> memory = bench.buffer(u64{4} << 20);
  if (!memory) return memory.error();
  const Expected<KernelId> own = bench.backend().compile({"memory", "own_places", {"GROUP=256"}});
  if (!own) return own.error();
  const Expected<f64> made = bench.backend().time({*own, 64, 256, {BufferArgument{*memory}, 1u << 20}});
  if (!made) return made.error();
  Bounds bounds;
  bounds.floor = 1;
  bounds.floor_is = "one issue";
  for (const std::string space : {"local", "global"}) {
    Curve curve{space, "work-items that share a word", "items", "cycles of a wave's addition", "cycles", {}};
    for (u32 sharing = 1; sharing <= wave; sharing *= 2) {
      const Expected<f64> seconds = bench.seconds_per_step(
          {"atomics", space, {fmt::format("GROUP={}", wave)}}, 1,
          [&](KernelId kernel, u32 rounds) {
            return Launch{
                kernel, 1, wave, {BufferArgument{*memory}, BufferArgument{*out}, sharing, 0u, rounds}};
          },
          2);
      if (!seconds) return seconds.error();
      const f64 cycles = *seconds * bench.clock_hz();
      curve.points.push_back({static_cast<f64>(sharing), cycles});
      bench.add(fmt::format("{}, {} of a wave on a word", space, sharing), "cycles", cycles, bounds);
    }
    bench.outcome().curves.push_back(std::move(curve));
  }
  // A group of each compute unit on one word; a device full of waves on words of their own.
  constexpr u32 group = 256;
  for (const bool one : {true, false}) {
    const u32 groups = std::max(1u, traits.units / traits.units_per_group * (one ? 1 : 8));
    const Expected<BufferId> results = bench.output(u64{groups} * group * 4);
    if (!results) return results.error();
    const u32 sharing = one ? groups * group : 1;
    const Expected<f64> seconds = bench.seconds_per_step(
        {"atomics", "global", {fmt::format("GROUP={}", group)}}, 1,
        [&](KernelId kernel, u32 rounds) {
          return Launch{kernel,
                        groups,
                        group,
                        {BufferArgument{*memory}, BufferArgument{*results}, sharing, 0u, rounds}};
        },
        1);
    if (!seconds) return seconds.error();
    const f64 rate = 1.0 * groups * group / (*seconds * bench.clock_hz());
    if (one) {
      bench.add("global, all of the device on one word", "additions/cycle", rate);
    } else {
      bench.add("global, a word for each, full of waves", "additions/cycle", rate, {},
                bench.stated("timing.l2.atomic_lanes_per_cycle", bench.figure_or("l2.slices", 1)));
    }
  }
  return Success{};
}

}  // namespace lockstep::dissect
