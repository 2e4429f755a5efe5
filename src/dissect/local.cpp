// Local memory: latency, bandwidth by width, conflicts.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "dissect/suite.h"

namespace lockstep::dissect {
namespace {

struct Access {
  u32 width = 4;   // bytes
  u32 stride = 4;  // bytes between neighbouring work-items
  u32 group = 64;
  std::string_view kernel = "read";
};

// Seconds of one access by a whole group.
Expected<f64> seconds_of(Bench& bench, const Access& access) {
  const u32 bytes = static_cast<u32>(std::bit_floor(std::min<u64>(bench.traits().local_bytes, 16384)));
  const Expected<BufferId> out = bench.output(u64{1} << 16);
  if (!out) return out.error();
  const bool one = access.kernel == "latency";
  return bench.seconds_per_step(
      {"local",
       std::string(access.kernel),
       {fmt::format("WIDTH={}", access.width), fmt::format("GROUP={}", access.group),
        fmt::format("BYTES={}", bytes)}},
      one ? 1 : 4,
      [&](KernelId kernel, u32 rounds) {
        return Launch{kernel, 1, access.group, {BufferArgument{*out}, rounds, access.stride}};
      },
      2);
}

// What an AMD machine file's cycles for a wave's access of 64 lanes mean for a whole compute unit.
std::optional<Stated> stated_bandwidth(const Bench& bench, bool store, u32 width) {
  auto stated = bench.stated(fmt::format("timing.lds.{}_b{}_cycles", store ? "write" : "read", width * 8));
  if (!stated || stated->value == 0) return bench.stated("local.bytes_per_cycle");
  // A group's memory is in one half of an RDNA work-group processor's: in one of its units.
  // Where no port is stated all of the unit's SIMDs share one.
  const f64 simds = bench.figure_or("compute.simds_per_unit", 1);
  const f64 ports = simds / bench.figure_or("timing.lds.simds_per_port", simds);
  stated->value = 64 * width * ports / stated->value;
  return stated;
}

}  // namespace

Status measure_local(Bench& bench) {
  const Traits& traits = bench.traits();
  const u32 wave = std::max(traits.wave_lanes, 1u);
  const u32 most = std::min(traits.max_group_items, 1024u);

  std::optional<Stated> latency = bench.stated("timing.lds.latency_cycles");
  if (!latency) latency = bench.stated("local.latency_cycles");
  Bounds at_least;
  at_least.floor = 1;
  at_least.floor_is = "one issue";
  {
    const Expected<f64> seconds = seconds_of(bench, {.group = wave, .kernel = "latency"});
    if (!seconds) return seconds.error();
    Figure& figure =
        bench.add("local latency", "cycles", *seconds * bench.clock_hz(), at_least, std::move(latency));
    figure.writes_key = "local.latency_cycles";
    figure.writes_unit = "cycles";
    figure.writes_value = figure.value;
  }

  Bounds ceiling;
  std::optional<Stated> bandwidth = bench.stated("local.bytes_per_cycle");
  if (bandwidth) {
    ceiling.ceiling = bandwidth->value;
    ceiling.ceiling_is = "the width of all banks";
  }
  for (const bool store : {false, true}) {
    for (const u32 width : {4u, 8u, 16u}) {
      const Expected<f64> seconds = seconds_of(
          bench, {.width = width, .stride = width, .group = most, .kernel = store ? "write" : "read"});
      if (!seconds) return seconds.error();
      const f64 bytes = static_cast<f64>(most) * width / (*seconds * bench.clock_hz());
      bench.add(fmt::format("{} of {} B", store ? "stores" : "loads", width), "B/cycle", bytes, ceiling,
                stated_bandwidth(bench, store, width));
    }
  }

  // Work-items whose words are `degree` apart: so many of them meet in a bank.
  Curve curve{"conflicts", "words between work-items", "words", "cycles for a wave's load", "cycles", {}};
  f64 without = 0;
  for (const u32 degree : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    const Expected<f64> seconds = seconds_of(bench, {.stride = degree * 4, .group = most});
    if (!seconds) return seconds.error();
    const f64 cycles = *seconds * bench.clock_hz() * wave / most;
    if (degree == 1) without = cycles;
    curve.points.push_back({static_cast<f64>(degree), cycles});
    if (degree > 1) bench.add(fmt::format("stride of {} words", degree), "times", cycles / without);
  }
  const Expected<f64> same = seconds_of(bench, {.stride = 0, .group = most});
  if (!same) return same.error();
  bench.add("one word for all", "times", *same * bench.clock_hz() * wave / most / without);
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

}  // namespace lockstep::dissect
