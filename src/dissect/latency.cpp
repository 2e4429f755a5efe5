// Latency of loads: over footprint, over pages, of constants.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dissect/suite.h"

namespace lockstep::dissect {
namespace {

constexpr u32 steps_a_round = 64;  // of memory.cl's chase
const std::vector<std::string> memory_defines = {"GROUP=256"};

// A chain of elements in global memory, walked on from where the launch before it stopped, so that what a
// launch finds in a cache is what the whole walk left there.
// memory.cl says how elements lie.
struct Shape {
  u32 count = 0, page = 0;
  u32 inner = 1, inner_stride = 0, outer_stride = 0;
  u64 place(u32 i) const { return u64{i & (inner - 1)} * inner_stride + u64{i / inner} * outer_stride; }
  u64 bytes() const {
    return u64{inner - 1} * inner_stride + u64{(count - 1) / inner} * outer_stride + sizeof(u64);
  }
};

class Chain {
 public:
  explicit Chain(const Shape& shape) : shape_(shape) {}

  Status make(Bench& bench) {
    Backend& backend = bench.backend();
    const Expected<BufferId> memory = bench.buffer(shape_.bytes());
    if (!memory) return memory.error();
    memory_ = *memory;
    const Expected<KernelId> link = backend.compile({"memory", "link", memory_defines});
    if (!link) return link.error();
    const u32 groups = std::max(1u, std::min(shape_.count / 256, 8 * bench.traits().units));
    const Expected<f64> linked = backend.time({*link,
                                               groups,
                                               256,
                                               {BufferArgument{memory_}, shape_.count, shape_.page,
                                                shape_.inner, shape_.inner_stride, shape_.outer_stride}});
    if (!linked) return linked.error();
    const Expected<KernelId> sweep = backend.compile({"memory", "sweep", memory_defines});
    if (!sweep) return sweep.error();
    const Expected<BufferId> out = bench.output(u64{groups} * 256 * sizeof(u32));
    if (!out) return out.error();
    // The second time by one group, as the walk: a cache of two halves keeps copies where they were asked
    // for.
    for (const u32 by : {groups, 1u}) {
      const Expected<f64> swept = backend.time({*sweep,
                                                by,
                                                256,
                                                {BufferArgument{memory_}, BufferArgument{*out}, shape_.count,
                                                 shape_.inner, shape_.inner_stride, shape_.outer_stride}});
      if (!swept) return swept.error();
    }
    return Success{};
  }

  // The launch that walks on.
  Launch walk(KernelId chase, BufferId out, u32 rounds) {
    const u64 start = shape_.place(at_);
    for (u64 i = 0; i < u64{rounds} * steps_a_round; ++i) at_ = next(at_);
    return {chase, 1, 1, {BufferArgument{memory_}, BufferArgument{out}, start, rounds}};
  }

  BufferId memory() const { return memory_; }

 private:
  // As memory.cl has it.
  u32 next(u32 i) const {
    const u32 in_page = (i * 1664525u + 1013904223u) & (shape_.page - 1);
    const u32 begin = i & ~(shape_.page - 1);
    return in_page != 0 ? begin + in_page : begin + shape_.page == shape_.count ? 0 : begin + shape_.page;
  }

  Shape shape_;
  u32 at_ = 0;
  BufferId memory_ = 0;
};

// Cycles of a step of the chain, whose steady state `least_steps` reach.
Expected<f64> cycles_of(Bench& bench, Chain& chain, u32 least_steps, bool cold) {
  const Expected<KernelId> chase = bench.backend().compile({"memory", "chase", memory_defines});
  if (!chase) return chase.error();
  const Expected<BufferId> out = bench.output(4096);
  if (!out) return out.error();
  const auto before = [&] {
    if (cold) bench.backend().make_cold();
  };
  const Expected<f64> seconds =
      bench.seconds_per_round([&](u32 rounds) { return chain.walk(*chase, *out, rounds); },
                              std::max(1u, least_steps / steps_a_round), before);
  if (!seconds) return seconds;
  return *seconds / steps_a_round * bench.clock_hz();
}

struct Level {
  std::string_view name;
  std::string_view size_key;  // of one of its copies or all together
  std::string_view latency_keys[2];
  bool all_units;  // the size is the device's, of `timing.X.groups` copies
  std::string_view groups_key;
};

constexpr Level levels[] = {
    {"first level", "l1.size_bytes", {"timing.l1.hit_cycles", "l1.latency_cycles"}, false, ""},
    {"gl1", "mid.size_bytes", {"timing.gl1.hit_cycles", "mid.latency_cycles"}, false, ""},
    {"second level",
     "l2.size_bytes",
     {"timing.l2.hit_cycles", "l2.latency_cycles"},
     true,
     "timing.l2.groups"},
    {"last level",
     "last_level.size_bytes",
     {"timing.mall.hit_cycles", "last_level.latency_cycles"},
     true,
     "timing.mall.groups"},
};

// The machine file's latency of what serves a footprint, clearly within a level: not in its last quarter, and
// above the level before it.
struct Expectation {
  std::string_view name;
  std::optional<Stated> latency;
  u64 from = 0, to = 0;  // bytes
  std::string_view key;  // that a measurement writes
};

std::vector<Expectation> expectations(const Bench& bench) {
  std::vector<Expectation> list;
  u64 before = 0;
  for (const Level& level : levels) {
    const auto size = bench.stated(std::string(level.size_key));
    if (!size) continue;
    // The chain's loads are plain ones of global memory.
    if (level.name == levels[0].name && bench.figure_or("l1.global_loads", 1) == 0) continue;
    const f64 copies = level.groups_key.empty() ? 1 : bench.figure_or(std::string(level.groups_key), 1);
    auto latency = bench.stated(std::string(level.latency_keys[0]));
    if (!latency) latency = bench.stated(std::string(level.latency_keys[1]));
    const u64 bytes = static_cast<u64>(size->value / copies);
    list.push_back({level.name, std::move(latency), 2 * before, bytes / 2, level.latency_keys[1]});
    before = bytes;
  }
  return list;
}

// The chain's elements are a line of the widest cache apart.
constexpr u32 line = 128;
constexpr u64 page_bytes = u64{2} << 20;

}  // namespace

Status measure_latency(Bench& bench) {
  const Traits& traits = bench.traits();
  const bool can_be_cold = bench.backend().make_cold();
  const u64 last_cache = bench.last_cache_bytes();
  u64 largest = 4096;
  while (largest < 4 * last_cache) largest *= 2;
  largest = std::min(largest, traits.memory_bytes / 2);
  Curve curve{"latency", "footprint", "B", "cycles of a load", "cycles", {}};
  Bounds bounds;
  bounds.floor = 1;
  bounds.floor_is = "one issue";
  for (u64 bytes = 2048; bytes <= largest; bytes *= 2) {
    // Beyond the last cache a part stands for the whole where caches can be emptied.
    const bool cold = can_be_cold && bytes > last_cache;
    const u64 linked = cold ? std::min(bytes, page_bytes) : bytes;
    const u32 count = static_cast<u32>(linked / line);
    Chain chain({.count = count,
                 .page = static_cast<u32>(std::min<u64>(count, page_bytes / line)),
                 .outer_stride = line});
    const Status made = chain.make(bench);
    if (!made) return made;
    // Near caches are empty when a launch begins: as many steps as there are elements fill them.
    const u32 steps = count <= 4096 ? std::max(count, 512u) : 1024;
    const Expected<f64> cycles = cycles_of(bench, chain, steps, cold);
    bench.release(chain.memory());
    if (!cycles) return cycles.error();
    curve.points.push_back({static_cast<f64>(bytes), *cycles});
    if (cold && bytes >= 2 * last_cache) break;  // more would be the same
  }

  // By the machine file's levels where there is one, else by the curve's own steps.
  if (bench.machine()) {
    for (Expectation& level : expectations(bench)) {
      std::vector<f64> within;
      for (const Point& point : curve.points) {
        if (point.x >= static_cast<f64>(level.from) && point.x <= static_cast<f64>(level.to))
          within.push_back(point.y);
      }
      if (within.empty()) continue;
      Figure& figure = bench.add(std::string(level.name), "cycles", median(within), bounds, level.latency);
      figure.writes_key = level.key;
      figure.writes_unit = "cycles";
      figure.writes_value = figure.value;
    }
  }
  std::optional<Stated> dram = bench.stated("timing.dram.latency_cycles");
  if (!dram) dram = bench.stated("memory.latency_cycles");
  std::vector<f64> beyond;
  for (const Point& point : curve.points) {
    if (point.x >= 2 * static_cast<f64>(last_cache)) beyond.push_back(point.y);
  }
  if (!beyond.empty()) bench.add("memory", "cycles", median(beyond), bounds, std::move(dram));
  u32 number = 0;
  for (const Plateau& plateau : plateaus(curve.points, 0.04, 2)) {
    Figure& figure = bench.add(fmt::format("plateau {}", ++number), "cycles", plateau.y, bounds);
    figure.note = fmt::format("from {} to {} KiB", plateau.first_x / 1024, plateau.last_x / 1024);
  }
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

Status measure_tlb(Bench& bench) {
  // As many lines in all as the first level cannot hold, spread over more and more pages; their places in the
  // pages differ, so that they meet in no set of a cache.
  const u32 line_bytes = static_cast<u32>(bench.figure_or("l2.line_bytes", line));
  const f64 near = bench.figure_or("l1.size_bytes", 256 << 10) + bench.figure_or("mid.size_bytes", 0);
  u32 lines = 1024;
  while (lines * line_bytes < 2 * near) lines *= 2;
  Curve curve{"pages", "pages of 2 MiB touched", "pages", "cycles of a load", "cycles", {}};
  for (u32 pages = 1; pages <= std::min(lines, 2048u); pages *= 2) {
    const Shape shape{.count = lines,
                      .page = lines,
                      .inner = pages,
                      .inner_stride = static_cast<u32>(page_bytes) + lines / pages * line_bytes,
                      .outer_stride = line_bytes};
    if (shape.bytes() > bench.traits().memory_bytes / 2) break;
    Chain chain(shape);
    const Status made = chain.make(bench);
    if (!made) return made;
    const Expected<f64> cycles = cycles_of(bench, chain, lines, false);
    bench.release(chain.memory());
    if (!cycles) return cycles.error();
    curve.points.push_back({static_cast<f64>(pages), *cycles});
  }
  // The level's latency with translations at hand; each later step is a level of translation.
  const std::vector<Plateau> steps = plateaus(curve.points, 0.05, 2);
  Bounds bounds;
  bounds.floor = 1;
  bounds.floor_is = "one issue";
  std::optional<Stated> stated = bench.stated("timing.tlb.l1_miss_cycles");
  for (std::size_t i = 1; i < steps.size(); ++i) {
    Figure& figure = bench.add(fmt::format("step {}", i), "cycles", steps[i].y - steps[i - 1].y, bounds,
                               std::exchange(stated, std::nullopt));
    figure.note = fmt::format("above {} pages", steps[i - 1].last_x);
  }
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

Status measure_constant(Bench& bench) {
  Curve curve{"constants", "footprint", "B", "cycles of a load", "cycles", {}};
  const Expected<KernelId> chase = bench.backend().compile({"memory", "chase_constant", memory_defines});
  if (!chase) return chase.error();
  const Expected<BufferId> out = bench.output(4096);
  if (!out) return out.error();
  for (u32 bytes = 1024; bytes <= 65536; bytes *= 2) {
    constexpr u32 stride = 64;
    const u32 count = bytes / stride;
    Chain chain({.count = count, .page = count, .outer_stride = stride});
    const Status made = chain.make(bench);
    if (!made) return made;
    const Expected<f64> seconds = bench.seconds_per_round(
        [&](u32 rounds) {
          return Launch{*chase, 1, 1, {BufferArgument{chain.memory()}, BufferArgument{*out}, rounds}};
        },
        std::max(4u, 2 * count / steps_a_round));
    bench.release(chain.memory());
    if (!seconds) return seconds.error();
    curve.points.push_back({static_cast<f64>(bytes), *seconds / steps_a_round * bench.clock_hz()});
  }
  Bounds bounds;
  bounds.floor = 1;
  bounds.floor_is = "one issue";
  // Where constants come by way of global memory's caches, this is their latency.
  bench.add("constant, nearest level", "cycles", curve.points.front().y, bounds,
            bench.stated("timing.smem.hit_cycles"));
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

}  // namespace lockstep::dissect
