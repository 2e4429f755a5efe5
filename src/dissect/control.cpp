// Clock, barriers, divergence, code, launches, copies.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "dissect/suite.h"

namespace lockstep::dissect {

Status measure_clock(Bench& bench) {
  const Expected<KernelId> count = bench.backend().compile({"clock", "count_cycles", {}});
  if (!count) return count.error();
  const Expected<BufferId> cycles = bench.buffer(4096);
  if (!cycles) return cycles.error();
  const Expected<BufferId> out = bench.output(4096);
  if (!out) return out.error();
  // Of the same launches: their time and what the counter saw.
  u32 rounds = bench.traits().exact ? 16 : 1u << 14;
  struct Sample {
    f64 seconds = 0;
    u64 cycles = 0;
  };
  const auto sample = [&](u32 n) -> Expected<Sample> {
    Sample one;
    const Expected<f64> seconds = bench.backend().time(
        {*count, 1, 1, {BufferArgument{*cycles}, BufferArgument{*out}, BufferArgument{*out}, n}});
    if (!seconds) return seconds.error();
    one.seconds = *seconds;
    u8 bytes[8] = {};
    const Status read = bench.backend().read(*cycles, bytes);
    if (!read) return read.error();
    std::memcpy(&one.cycles, bytes, sizeof one.cycles);
    return one;
  };
  const Expected<Sample> warm = sample(rounds);
  if (!warm) return warm.error();
  std::vector<f64> clocks;
  for (u32 i = 0; i < (bench.traits().exact ? 1 : 5); ++i) {
    const Expected<Sample> less = sample(rounds);
    if (!less) return less.error();
    const Expected<Sample> more = sample(4 * rounds);
    if (!more) return more.error();
    if (more->cycles == 0 || more->cycles <= less->cycles)
      return Diagnostic{"not-applicable", {}, "OpenCL C has no counter of cycles on this device", ""};
    clocks.push_back(static_cast<f64>(more->cycles - less->cycles) / (more->seconds - less->seconds));
  }
  const f64 hertz = median(clocks);
  std::optional<Stated> stated = bench.stated("clock.boost_hz", 1e-6);
  if (bench.traits().exact && bench.machine())
    stated = Stated{bench.traits().clock_hz * 1e-6, "the run's clock", "documented", "DER"};
  Figure& figure = bench.add("clock", "MHz", hertz * 1e-6, {}, std::move(stated));
  if (figure.refused.empty() && !bench.traits().exact) bench.set_clock(hertz);
  return Success{};
}

Status measure_barrier(Bench& bench) {
  const u32 wave = std::max(bench.traits().wave_lanes, 1u);
  const Expected<BufferId> out = bench.output(65536);
  if (!out) return out.error();
  Bounds bounds;
  bounds.floor = 1;
  bounds.floor_is = "one issue";
  Curve curve{"barrier", "work-items of the group", "items", "cycles", "cycles", {}};
  for (u32 items = 2 * wave; items <= std::min(bench.traits().max_group_items, 1024u); items *= 2) {
    const Expected<f64> seconds = bench.seconds_per_step(
        {"control", "barrier", {fmt::format("GROUP={}", items)}}, 1,
        [&](KernelId kernel, u32 rounds) { return Launch{kernel, 1, items, {BufferArgument{*out}, rounds}}; },
        2);
    if (!seconds) return seconds.error();
    const f64 cycles = *seconds * bench.clock_hz();
    curve.points.push_back({static_cast<f64>(items), cycles});
    bench.add(fmt::format("group of {}", items), "cycles", cycles, bounds,
              bench.stated("timing.barrier.cycles"));
  }
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

// Launches of one wave whose lanes go so many ways, so many times.
Expected<std::function<Launch(u32 ways, u32 rounds)>> diverge_launcher(Bench& bench, u32 wave) {
  const Expected<KernelId> kernel =
      bench.backend().compile({"control", "diverge", {fmt::format("GROUP={}", wave)}});
  if (!kernel) return kernel.error();
  const Expected<BufferId> out = bench.output(65536);
  if (!out) return out.error();
  const Expected<BufferId> in = bench.buffer(65536);
  if (!in) return in.error();
  return std::function<Launch(u32, u32)>([=](u32 ways, u32 rounds) {
    return Launch{*kernel, 1, wave, {BufferArgument{*out}, BufferArgument{*in}, ways, rounds}};
  });
}

Status measure_divergence(Bench& bench) {
  const u32 wave = std::max(bench.traits().wave_lanes, 1u);
  const auto diverge = diverge_launcher(bench, wave);
  if (!diverge) return diverge.error();
  Curve curve{"divergence", "ways", "ways", "time of one way", "times", {}};
  f64 one = 0;
  for (u32 ways = 1; ways <= wave; ways *= 2) {
    const Expected<f64> seconds =
        bench.seconds_per_round([&](u32 rounds) { return (*diverge)(ways, rounds); }, 2);
    if (!seconds) return seconds.error();
    if (ways == 1) {
      one = *seconds;
      bench.add("one way of 64 multiply-adds", "cycles", one * bench.clock_hz());
    } else {
      bench.add(fmt::format("{} ways", ways), "times", *seconds / one);
    }
    curve.points.push_back({static_cast<f64>(ways), *seconds / one});
  }
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

Status measure_code(Bench& bench) {
  const u32 wave = std::max(bench.traits().wave_lanes, 1u);
  const Expected<BufferId> out = bench.output(65536);
  if (!out) return out.error();
  const Expected<BufferId> in = bench.buffer(65536);
  if (!in) return in.error();
  Curve curve{"code", "", "", "cycles of an instruction", "cycles", {}};
  bool in_bytes = true;
  for (const u32 unroll :
       {64u, 128u, 248u, 384u, 496u, 512u, 768u, 992u, 1024u, 1536u, 2048u, 3072u, 4095u}) {
    const Expected<KernelId> kernel =
        bench.backend().compile({"code", "straight", {fmt::format("UNROLL={}", unroll)}});
    // Compilers take minutes for the longest of them on some targets.
    if (!kernel && kernel.error().code == "compile-timeout" && curve.points.size() > 3) break;
    if (!kernel) return kernel.error();
    const Expected<f64> seconds = bench.seconds_per_round(
        [&](u32 rounds) {
          return Launch{*kernel, 1, wave, {BufferArgument{*out}, BufferArgument{*in}, rounds}};
        },
        2);
    if (!seconds) return seconds.error();
    u64 bytes = bench.backend().code_bytes(*kernel);
    if (bytes == 0) bytes = u64{unroll} * 8 * bench.traits().instruction_bytes;
    in_bytes = in_bytes && bytes != 0;
    curve.points.push_back(
        {static_cast<f64>(in_bytes ? bytes : unroll * 8), *seconds * bench.clock_hz() / (unroll * 8)});
  }
  curve.x = in_bytes ? "code" : "instructions";
  curve.x_unit = in_bytes ? "B" : "instructions";
  const std::vector<Plateau> steps = plateaus(curve.points, 0.03, 1);
  for (std::size_t i = 0; i + 1 < steps.size() && i < 3; ++i) {
    Figure& figure = bench.add(fmt::format("step {} is above", i + 1), curve.x_unit, steps[i].last_x, {},
                               i == 0 && in_bytes ? bench.stated("icache.size_bytes") : std::nullopt);
    figure.note = fmt::format("{:.3g} cycles below, {:.3g} above", steps[i].y, steps[i + 1].y);
  }
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

Status measure_launch(Bench& bench) {
  const Expected<KernelId> kernel = bench.backend().compile({"control", "nothing", {"GROUP=64"}});
  if (!kernel) return kernel.error();
  const Expected<BufferId> out = bench.output(4096);
  if (!out) return out.error();
  const Launch nothing{*kernel, 1, std::max(bench.traits().wave_lanes, 1u), {BufferArgument{*out}}};
  bench.backend().make_cold();
  const Expected<f64> first = bench.backend().time(nothing);
  if (!first) return first.error();
  const Expected<f64> second = bench.backend().time(nothing);
  if (!second) return second.error();
  Timed shorter, longer;
  const u32 few = bench.traits().exact ? 2 : 64, many = bench.traits().exact ? 4 : 256;
  for (u32 i = 0; i < (bench.traits().exact ? 1 : 5); ++i) {
    for (const u32 count : {few, many}) {
      const std::vector<Launch> queue(count, nothing);
      const Expected<f64> seconds = bench.backend().time_queue(queue);
      if (!seconds) return seconds.error();
      Timed& timed = count == few ? shorter : longer;
      timed.length = count;
      timed.seconds.push_back(*seconds);
    }
  }
  bench.add("first", "ns", *first * 1e9);
  bench.add("second", "ns", *second * 1e9);
  Figure& queued = bench.add("each of a queue", "ns", *slope(shorter, longer) * 1e9, {},
                             bench.stated("launch.overhead_ns"));
  if (bench.traits().exact) {
    if (auto cycles = bench.stated("timing.launch.overhead_cycles", 1e9 / bench.clock_hz()))
      queued.stated = std::move(cycles);
  }
  queued.writes_key = "launch.overhead_ns";
  queued.writes_unit = "ns";
  queued.writes_value = queued.value;
  return Success{};
}

Status measure_copy(Bench& bench) {
  constexpr u64 bytes = u64{64} << 20;
  const u32 wave = std::max(bench.traits().wave_lanes, 1u);
  const Expected<f64> alone = bench.backend().time_with_copy(nullptr, bytes);
  if (!alone && alone.error().code == "not-modelled")
    return Diagnostic{"not-applicable", {}, alone.error().message, ""};
  if (!alone) return alone.error();
  const auto diverge = diverge_launcher(bench, wave);
  if (!diverge) return diverge.error();
  const auto launch = [&](u32 rounds) { return (*diverge)(1, rounds); };
  // A kernel that takes as long as the copy.
  std::vector<f64> copies = {*alone};
  for (u32 i = 0; i < 4; ++i) {
    const Expected<f64> again = bench.backend().time_with_copy(nullptr, bytes);
    if (!again) return again.error();
    copies.push_back(*again);
  }
  const f64 copy = *std::min_element(copies.begin(), copies.end());
  const Expected<f64> round = bench.seconds_per_round(launch, 1024);
  if (!round) return round.error();
  const f64 rounds = std::clamp(copy / *round, 1.0, 1e9);
  const Launch same = launch(static_cast<u32>(rounds));
  f64 kernel_time = 0, both = 0;
  for (u32 i = 0; i < 5; ++i) {
    const Expected<f64> one = bench.backend().time(same);
    if (!one) return one.error();
    const Expected<f64> together = bench.backend().time_with_copy(&same, bytes);
    if (!together) return together.error();
    kernel_time = i == 0 ? *one : std::min(kernel_time, *one);
    both = i == 0 ? *together : std::min(both, *together);
  }
  bench.add("copy from pageable memory, alone", "GB/s", static_cast<f64>(bytes) / copy * 1e-9, {},
            bench.stated("host.bytes_per_second", 1e-9));
  Figure& figure = bench.add("of the shorter one's time hidden", "times",
                             (kernel_time + copy - both) / std::min(kernel_time, copy));
  figure.note = "0: one after the other; 1: beside each other";
  return Success{};
}

}  // namespace lockstep::dissect
