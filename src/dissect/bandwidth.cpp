// Bandwidth: over footprint, of memory, over the number of groups.
#include <fmt/format.h>

#include <algorithm>

#include "dissect/suite.h"

namespace lockstep::dissect {
namespace {

constexpr u32 loads_a_round = 8;
constexpr u32 element = 16;  // bytes

// Work-items of a group.
u32 group_of(const Traits& traits) {
  return std::min(512u, traits.max_group_items);
}
std::vector<std::string> defines_of(const Traits& traits) {
  return {fmt::format("GROUP={}", group_of(traits))};
}

u32 whole_device(const Traits& traits) {
  return std::max(1u, 2 * traits.units / traits.units_per_group);
}

// Goes through a large buffer from place to place, so that no launch finds in a cache what it reads.
class FreshMemory {
 public:
  static Expected<FreshMemory> make(Bench& bench) {
    const Traits& traits = bench.traits();
    // The modelled memory costs what is touched, a device's is at hand.
    const u64 wanted = std::max<u64>(8 * bench.last_cache_bytes(), u64{16} << 30);
    const u64 bytes = std::min(traits.exact ? u64{8} << 30 : wanted, traits.memory_bytes / 2);
    const Expected<BufferId> buffer = bench.buffer(bytes);
    if (!buffer) return buffer.error();
    // Its addresses may be those of an earlier benchmark's buffer, whose lines are still in a cache.
    bench.backend().make_cold();
    FreshMemory made;
    made.buffer_ = *buffer;
    made.bytes_ = bytes;
    return made;
  }
  BufferId buffer() const { return buffer_; }
  // The first element of so many bytes that no recent launch touched; nothing where the buffer is smaller.
  std::optional<u32> take(u64 bytes) {
    if (bytes > bytes_) return std::nullopt;
    if (at_ + bytes > bytes_) at_ = 0;
    const u64 begin = at_;
    at_ += bytes;
    return static_cast<u32>(begin / element);
  }

 private:
  BufferId buffer_ = 0;
  u64 bytes_ = 0, at_ = 0;
};

// Bytes a second.
Expected<f64> stream(Bench& bench, FreshMemory& memory, const std::string& kernel, u32 groups,
                     u32 least_rounds) {
  const u32 group = group_of(bench.traits());
  const Expected<KernelId> compiled = bench.backend().compile({"memory", kernel, defines_of(bench.traits())});
  if (!compiled) return compiled.error();
  const Expected<BufferId> out = bench.output(u64{whole_device(bench.traits())} * 4 * group * 4);
  if (!out) return out.error();
  const u64 round_bytes = u64{groups} * group * loads_a_round * element;
  bool too_small = false;
  const Expected<f64> seconds = bench.seconds_per_round(
      [&](u32 rounds) {
        const std::optional<u32> first = memory.take(rounds * round_bytes);
        if (!first) too_small = true;
        return Launch{
            *compiled,
            groups,
            group,
            {BufferArgument{memory.buffer()}, BufferArgument{*out}, first.value_or(0), first ? rounds : 1u}};
      },
      least_rounds);
  if (!seconds) return seconds;
  if (too_small)
    return Diagnostic{"not-applicable", {}, "the device's memory is too small for its speed", ""};
  return static_cast<f64>(round_bytes) / *seconds;
}

Bounds memory_bounds(const Bench& bench) {
  Bounds bounds;
  if (const auto stated = bench.stated("memory.bytes_per_second", 1e-9)) {
    bounds.ceiling = stated->value;
    bounds.ceiling_is = "the memory's bus";
  }
  return bounds;
}

}  // namespace

Status measure_bandwidth(Bench& bench) {
  const Traits& traits = bench.traits();
  const u32 groups = whole_device(traits), group = group_of(traits);
  const Expected<BufferId> out = bench.output(u64{groups} * group * 4);
  if (!out) return out.error();
  Curve curve{"bandwidth", "footprint, each group its own part", "B", "of the whole device", "B/cycle", {}};
  // Bytes a cycle of the whole device, each group reading so many bytes of its own.
  const auto measure = [&](u64 bytes, bool shared) -> Expected<f64> {
    const bool power = !shared && (bytes & (bytes - 1)) == 0;
    const Expected<KernelId> read =
        bench.backend().compile({"memory", power ? "read_own" : "read_part", defines_of(traits)});
    if (!read) return read.error();
    const Expected<BufferId> memory = bench.buffer(shared ? bytes : bytes * groups);
    if (!memory) return memory.error();
    const u32 elements = static_cast<u32>(bytes / element);
    // Each launch goes through the whole of it, so that its slope is of the second time.
    const u32 rounds = static_cast<u32>(std::max<u64>(2, bytes / (group * loads_a_round * element) + 1));
    const Expected<f64> seconds = bench.seconds_per_round(
        [&](u32 n) {
          Launch launch{*read, groups, group, {BufferArgument{*memory}, BufferArgument{*out}}};
          launch.arguments.emplace_back(power ? elements - 1 : elements);
          if (!power) {
            launch.arguments.emplace_back(shared ? 0u : elements);
            launch.arguments.emplace_back(shared ? (elements - group) / groups : 0u);
          }
          launch.arguments.emplace_back(n);
          return launch;
        },
        rounds);
    bench.release(*memory);
    if (!seconds) return seconds;
    const f64 rate = 1.0 * groups * group * loads_a_round * element / (*seconds * bench.clock_hz());
    if (!shared) curve.points.push_back({static_cast<f64>(bytes * groups), rate});
    return rate;
  };
  const auto ceiling_of = [](const std::optional<Stated>& stated, std::string is) {
    Bounds bounds;
    if (stated) bounds.ceiling = stated->value;
    bounds.ceiling_is = std::move(is);
    return bounds;
  };

  const std::optional<Stated> first_level = bench.stated("l1.bytes_per_cycle", traits.units);
  const Expected<f64> near = measure(4096, false);
  if (!near) return near.error();
  Figure& first = bench.add("first level", "B/cycle", *near,
                            ceiling_of(first_level, "what all first-level caches deliver"), first_level);
  first.writes_key = "l1.bytes_per_cycle";
  first.writes_unit = "B/cycle";
  first.writes_value = *near / traits.units;

  // Parts of a level that the levels in front of it, all copies together, cannot hold: three quarters of it,
  // or four times those.
  f64 before = bench.figure_or("l1.size_bytes", 0) * traits.units +
               bench.figure_or("mid.size_bytes", 0) * bench.figure_or("timing.gl1.groups", 1);
  for (const auto& [room, name] : {std::pair("l2", "second level"), std::pair("last_level", "last level")}) {
    const std::string key = room;
    const f64 size = bench.figure_or(key + ".size_bytes", 0);
    if (size == 0) continue;
    // A level hardly larger than those in front of it: a quarter of it, the same for all groups, which are
    // far apart in it.
    const bool shared = size < 3 * before;
    const f64 part = shared ? size / 4 : std::min(0.75 * size, 4 * before) / groups;
    const u64 bytes = static_cast<u64>(part / 1024) * 1024;
    before += size;
    if (bytes < group * element) continue;
    const Expected<f64> rate = measure(bytes, shared);
    if (!rate) return rate.error();
    auto stated = bench.stated(key + ".bytes_per_cycle_per_slice", bench.figure_or(key + ".slices", 0));
    if (stated && stated->value == 0) stated.reset();
    const Bounds bounds = ceiling_of(stated, "what all slices deliver");
    if (!stated) stated = bench.stated(key + ".bytes_per_second", 1 / bench.clock_hz());
    Figure& figure = bench.add(name, "B/cycle", *rate, bounds, std::move(stated));
    figure.writes_key = key + ".bytes_per_second";
    figure.writes_unit = "GB/s";
    figure.writes_value = *rate * bench.clock_hz() * 1e-9;
  }
  // A real device is asked every power of two.
  for (u64 bytes = 8192; !traits.exact && bytes * groups <= 4 * bench.last_cache_bytes(); bytes *= 2) {
    if (bytes * groups > traits.memory_bytes) break;
    const Expected<f64> rate = measure(bytes, false);
    if (!rate) return rate.error();
  }
  std::sort(curve.points.begin(), curve.points.end(),
            [](const Point& a, const Point& b) { return a.x < b.x; });
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

Status measure_memory(Bench& bench) {
  Expected<FreshMemory> memory = FreshMemory::make(bench);
  if (!memory) return memory.error();
  std::optional<Stated> stated = bench.stated("memory.sustained_bytes_per_second", 1e-9);
  if (!stated) stated = bench.stated("memory.bytes_per_second", 1e-9);
  const u32 groups = whole_device(bench.traits()), group = group_of(bench.traits());
  // Enough that what a launch costs beside is little of it.
  const u64 wanted = bench.traits().exact ? u64{8} << 20 : u64{64} << 20;
  const u32 rounds =
      static_cast<u32>(std::max<u64>(1, wanted / (u64{groups} * group * loads_a_round * element)));
  for (const auto& [kernel, name] : {std::pair("stream_read", "loads"), std::pair("stream_write", "stores"),
                                     std::pair("stream_copy", "copies, both ways together")}) {
    const Expected<f64> rate = stream(bench, *memory, kernel, groups, rounds);
    if (!rate) return rate.error();
    Figure& figure = bench.add(name, "GB/s", *rate * 1e-9, memory_bounds(bench), stated);
    if (kernel == std::string_view("stream_read")) {
      figure.writes_key = "memory.sustained_bytes_per_second";
      figure.writes_unit = "GB/s";
      figure.writes_value = figure.value;
    }
  }
  return Success{};
}

Status measure_groups(Bench& bench) {
  Expected<FreshMemory> memory = FreshMemory::make(bench);
  if (!memory) return memory.error();
  Curve curve{"groups", fmt::format("work-groups of {}", group_of(bench.traits())), "groups", "loads", "GB/s",
              {}};
  const u32 most = whole_device(bench.traits());
  for (u32 groups = 1;; groups = std::min(groups * (bench.traits().exact ? 4 : 2), most)) {
    const Expected<f64> rate = stream(bench, *memory, "stream_read", groups, std::max(4u, 64 / groups));
    if (!rate) return rate.error();
    curve.points.push_back({static_cast<f64>(groups), *rate * 1e-9});
    if (groups == most) break;
  }
  const f64 best =
      std::max_element(curve.points.begin(), curve.points.end(), [](const Point& a, const Point& b) {
        return a.y < b.y;
      })->y;
  bench.add("one group", "GB/s", curve.points.front().y, memory_bounds(bench));
  for (const Point& point : curve.points) {
    if (point.y < 0.9 * best) continue;
    bench.add("groups for nine tenths of the most", "groups", point.x);
    break;
  }
  bench.outcome().curves.push_back(std::move(curve));
  return Success{};
}

}  // namespace lockstep::dissect
