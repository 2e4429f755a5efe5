#include "time/memory/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "machine/driver.h"
#include "machine/machine.h"
#include "time/memory/granules.h"

namespace lockstep {
namespace {

// The levels that a machine file can have, and the section that states their shape.
struct LevelName {
  std::string_view name, section;
};
constexpr std::array<LevelName, 3> level_names{{{"gl1", "mid"}, {"l2", "l2"}, {"mall", "last_level"}}};
constexpr std::string_view memory = "memory";

u32 run_lines(const Hierarchy& h) {
  const u32 line = h.levels.back().line_bytes;
  if (line != 64 && line != 128) return 1;
  u32 together = std::min(most_run_bytes, h.channel_interleave_bytes);
  if (h.dram.bank_bytes != 0) together = std::min(together, h.dram.bank_bytes);
  for (const CacheLevel& level : h.levels) {
    const bool by_line = level.far_cycles != 0 || level.dirty_ways != 0;
    if (level.line_bytes != line || level.sector_bytes != line || level.stores_by_sectors || by_line)
      return 1;
    const u32 block = level.interleave_bytes;
    together = std::min(together, level.mixing == Mixing::pairs ? block / 2 : block);
  }
  return std::max(1u, together / line);
}

// Reads keys one after the other and keeps the first complaint.
struct Reader {
  const Machine& machine;
  Status status = Success{};

  void fail(Diagnostic diagnostic) {
    if (status.ok()) status = std::move(diagnostic);
  }
  bool stated(const std::string& key) {
    if (has(machine, key)) return true;
    fail({"missing-figure",
          {machine.path, 0, 0},
          fmt::format("the machine {} lacks {}, which its timing needs", machine.id, key),
          "state it in the machine's file or in one that it is based on"});
    return false;
  }
  u64 wide(const std::string& key) { return stated(key) ? integer(machine, key) : 1; }
  u32 operator()(const std::string& key) {
    const u64 value = wide(key);
    if (value > ~u32{0}) {
      fail({"machine-figures", find_quantity(machine, key)->place, fmt::format("{} is too large", key), ""});
      return 1;
    }
    return static_cast<u32>(value);
  }
  u32 optional(const std::string& key, u32 otherwise) { return has(machine, key) ? (*this)(key) : otherwise; }
  // Which of these the text is; the first where the key is not stated.
  std::size_t one_of(const std::string& key, std::initializer_list<std::string_view> texts) {
    if (!stated(key)) return 0;
    const std::string_view value = text(machine, key);
    const auto found = std::ranges::find(texts, value);
    if (found != texts.end()) return static_cast<std::size_t>(found - texts.begin());
    fail({"machine-figures", find_quantity(machine, key)->place,
          fmt::format("{} cannot be \"{}\"", key, value),
          fmt::format("it is \"{}\"", fmt::join(texts, "\" or \""))});
    return 0;
  }
  bool either(const std::string& key, std::string_view first, std::string_view second) {
    return one_of(key, {first, second}) == 0;
  }
  Mixing mixing(const std::string& key) {
    constexpr Mixing ways[] = {Mixing::rows, Mixing::pairs, Mixing::none};
    return ways[one_of(key, {"mix", "pairs", "none"})];
  }
};

Diagnostic contradiction(const Machine& machine, std::string message, std::string keys) {
  return {"machine-figures", {machine.path, 0, 0}, std::move(message), std::move(keys)};
}

CacheLevel read_level(Reader& get, const LevelName& name) {
  const auto shape = [&name](std::string_view key) { return fmt::format("{}.{}", name.section, key); };
  const auto timing = [&name](std::string_view key) { return fmt::format("timing.{}.{}", name.name, key); };
  CacheLevel level;
  level.name = name.name;
  level.line_bytes = get(shape("line_bytes"));
  level.ways = get(shape("ways"));
  level.sector_bytes = get.optional(shape("sector_bytes"), level.line_bytes);
  level.slices = get(shape("slices"));
  level.groups = get.optional(timing("groups"), 1);
  level.interleave_bytes = get(shape("interleave_bytes"));
  // Of a cache that each shader array has, the file states one copy's size.
  const u64 copies = name.name == "gl1" ? level.groups : 1;
  level.size_bytes = static_cast<u32>(get.wide(shape("size_bytes")) * copies / std::max(1u, level.slices));
  level.mixing = get.mixing(timing("hash"));
  level.read_bytes = get(shape("bytes_per_cycle_per_slice"));
  level.write_bytes = get(timing("write_bytes_per_cycle"));
  level.look_ups = get.optional(timing("look_ups_per_cycle"), 1);
  level.misses = get(timing("misses"));
  level.write_back = get.either(timing("store"), "back", "through");
  level.allocates_stores = level.write_back;
  level.holds_atomics = has(get.machine, timing("atomic_cycles"));
  if (level.holds_atomics) {
    level.atomic_cycles = get(timing("atomic_cycles"));
    level.atomic_lanes = get(timing("atomic_lanes_per_cycle"));
    level.atomic_line_cycles = get.optional(timing("atomic_line_cycles"), 0);
    level.atomic_conflict_cycles = get.optional(timing("atomic_conflict_cycles"), 0);
    level.atomic_conflict_lanes = get.optional(timing("atomic_conflict_lanes"), 31);
    level.atomic_bytes = get.optional(timing("atomic_bytes_per_cycle"), 0);
    level.atomic_return_bytes = get.optional(timing("atomic_return_bytes_per_cycle"), 0);
    level.far_atomic_cycles = get.optional(timing("far_atomic_cycles"), 0);
  }
  level.far_cycles = get.optional(timing("far_cycles"), 0);
  level.fetch_bytes = get.optional(timing("fetch_bytes"), 0);
  level.dirty_ways = get.optional(timing("dirty_ways"), 0);
  level.hashed_sets = get.optional(timing("hashed_sets"), 0) != 0;
  level.word_cycles = get.optional(timing("word_store_cycles"), 0);
  level.stores_by_sectors = has(get.machine, timing("partial_store_cycles"));
  level.partial_store_cycles = get.optional(timing("partial_store_cycles"), 0);
  level.cleaned_between_launches = get.optional(timing("cleaned_after_launch"), 0) != 0;
  level.in_front_of_memory = name.name == "mall";
  level.latency_cycles = get(timing("hit_cycles"));
  level.spread_cycles = get.optional(timing("spread_cycles"), 0);
  return level;
}

// The levels in the order in which a miss meets them.
std::vector<CacheLevel> read_levels(Reader& get) {
  std::vector<CacheLevel> levels;
  std::string key = "timing.l1.next";
  while (get.stated(key)) {
    const std::string_view next = text(get.machine, key);
    if (next == memory) break;
    const auto found = std::ranges::find(level_names, next, &LevelName::name);
    if (found == level_names.end()) {
      get.fail({"machine-figures", find_quantity(get.machine, key)->place,
                fmt::format("{} names the unknown level \"{}\"", key, next),
                "levels are \"gl1\", \"l2\", \"mall\" and \"memory\""});
      return levels;
    }
    if (std::ranges::find(levels, next, &CacheLevel::name) != levels.end()) {
      get.fail({"machine-figures", find_quantity(get.machine, key)->place,
                fmt::format("{} leads back to \"{}\"", key, next), "the levels end at \"memory\""});
      return levels;
    }
    levels.push_back(read_level(get, *found));
    key = fmt::format("timing.{}.next", next);
  }
  for (const LevelName& name : level_names) {
    const std::string hit = fmt::format("timing.{}.hit_cycles", name.name);
    if (has(get.machine, hit) && std::ranges::find(levels, name.name, &CacheLevel::name) == levels.end()) {
      get.fail({"machine-figures", find_quantity(get.machine, hit)->place,
                fmt::format("no level leads to \"{}\"", name.name), "timing.l1.next begins the chain"});
    }
  }
  if (levels.empty()) {
    get.fail({"machine-figures",
              {get.machine.path, 0, 0},
              "the compute units need a shared cache beyond them",
              "timing.l1.next"});
  }
  return levels;
}

DramParameters read_dram(Reader& get) {
  DramParameters p;
  p.banks = get("timing.dram.banks");
  p.bank_groups = std::max(1u, get("timing.dram.bank_groups"));
  p.row_bytes = get("timing.dram.row_bytes");
  p.bank_bytes = get.optional("timing.dram.bank_bytes", 0);
  p.hashed_banks = get.optional("timing.dram.hashed_banks", 0) != 0;
  p.block_bytes = get.optional("timing.dram.block_bytes", 0);
  p.burst_bytes = get("timing.dram.burst_bytes");
  p.burst_clocks = get("timing.dram.burst_clocks");
  p.bus_percent = get.optional("timing.dram.bus_percent", 100);
  p.tcl = get("timing.dram.tcl_clocks");
  p.tcwl = get("timing.dram.tcwl_clocks");
  p.trcd = get("timing.dram.trcd_clocks");
  p.trp = get("timing.dram.trp_clocks");
  p.tras = get("timing.dram.tras_clocks");
  p.trrd = get("timing.dram.trrd_clocks");
  p.tfaw = get("timing.dram.tfaw_clocks");
  p.tccd = get("timing.dram.tccd_clocks");
  p.tccd_long = get("timing.dram.tccd_long_clocks");
  p.trtp = get("timing.dram.trtp_clocks");
  p.twr = get("timing.dram.twr_clocks");
  p.twtr = get("timing.dram.twtr_clocks");
  p.turnaround = get("timing.dram.turnaround_clocks");
  p.refresh_interval = get("timing.dram.refresh_interval_clocks");
  p.refresh = get("timing.dram.refresh_clocks");
  p.queue = get("timing.dram.queue");
  return p;
}

// Halves what is left of a latency; false when nothing is.
bool split(u64 latency, u64 used, u32& way, u32& extra) {
  if (latency < used + 2) return false;
  way = static_cast<u32>((latency - used) / 2);
  extra = static_cast<u32>((latency - used) % 2);
  return true;
}

}  // namespace

Expected<Hierarchy> make_hierarchy(const Machine& machine, u64 clock_hz, u32 nearest_latency,
                                   u32 nearest_work) {
  Reader get{machine};
  Hierarchy h;
  h.levels = read_levels(get);
  h.dram = read_dram(get);
  h.channels = get("timing.dram.channels");
  h.memory_latency_cycles = get("timing.dram.latency_cycles");
  h.dram_clock =
      ClockRatio(clock_hz, std::max<u64>(1, get.stated("memory.clock_hz") ? memory_clock_hz(machine) : 1));
  TranslationFigures& t = h.translation;
  const u32 page_bytes = get("timing.tlb.page_bytes");
  t.page_shift = static_cast<u32>(std::countr_zero(page_bytes));
  t.near_entries = get("timing.tlb.l1_entries");
  t.shared_entries = get("timing.tlb.l2_entries");
  t.walk_cycles = get("timing.tlb.walk_cycles");
  t.walkers = get("timing.tlb.walkers");
  const u32 translation_latency = get("timing.tlb.l1_miss_cycles");
  u32 request_bytes = get("l1.line_bytes");
  if (!get.status.ok()) return get.status.error();

  // Ways: what the unloaded latencies leave beside the work on them.
  u64 before = nearest_work;  // of the latency, up to the request's leaving the level before
  std::string before_key = "timing.l1.hit_cycles";
  if (h.levels[0].latency_cycles < nearest_latency) {
    return contradiction(machine,
                         fmt::format("a hit in {} takes {} cycles, fewer than the {} of one in the compute "
                                     "unit's own cache",
                                     h.levels[0].name, h.levels[0].latency_cycles, nearest_latency),
                         fmt::format("{}, timing.{}.hit_cycles", before_key, h.levels[0].name));
  }
  for (std::size_t i = 0; i < h.levels.size(); ++i) {
    CacheLevel& level = h.levels[i];
    const std::string key = fmt::format("timing.{}.hit_cycles", level.name);
    const u32 work = level.read_cycles(std::min(request_bytes, level.line_bytes));
    const u64 nearer = level.spread_cycles / 2;  // `latency_cycles` is the mean
    if (!split(level.latency_cycles, before + work + nearer, level.way_cycles, level.extra_cycles)) {
      return contradiction(machine,
                           fmt::format("the way to {} would be shorter than a cycle: {} cycles in all, {} up "
                                       "to the level before, {} of work",
                                       level.name, level.latency_cycles, before, work),
                           fmt::format("{}, {}", key, before_key));
    }
    before = level.latency_cycles + 1;  // the look-up that misses
    before_key = key;
    request_bytes = level.sector_bytes;
    if (level.name == "l2") h.code_level = static_cast<u32>(i);
  }
  const CacheLevel& last = h.levels.back();
  h.channel_interleave_bytes = last.interleave_bytes;
  h.channels_mixed = last.mixing != Mixing::none;
  if (h.dram.block_bytes == 0) h.dram.block_bytes = last.line_bytes;
  h.run_lines = run_lines(h);
  const Status status = check_hierarchy(h);
  if (!status.ok())
    return Diagnostic{status.error().code, {machine.path, 0, 0}, status.error().message, status.error().hint};
  const u64 dram = h.dram_clock.to_core(h.dram.closed_row_clocks(last.sector_bytes));
  // Stated is the mean of what lies in the nearer half of the last level's memory and in the farther one.
  const u32 farther = last.far_cycles / 2;
  const u32 nearest = h.memory_latency_cycles - std::min(h.memory_latency_cycles, farther);
  if (!split(nearest, before + dram, h.memory_way_cycles, h.memory_extra_cycles)) {
    return contradiction(machine,
                         fmt::format("the memory latency of {} cycles is below the sum of its parts: {} to "
                                     "the level before and back, {} of DRAM",
                                     nearest, before, dram),
                         fmt::format("timing.dram.latency_cycles, {}", before_key));
  }
  if (!std::has_single_bit(page_bytes))
    return contradiction(machine, "a page is a power of two", "timing.tlb.page_bytes");
  if (!split(translation_latency, 0, t.way_cycles, t.extra_cycles))
    return contradiction(machine, "a miss in a unit's own TLB takes at least 2 cycles",
                         "timing.tlb.l1_miss_cycles");
  return h;
}

Status check_hierarchy(const Hierarchy& h) {
  const auto fail = [](std::string message, std::string hint) -> Status {
    return Diagnostic{"machine-figures", {}, std::move(message), std::move(hint)};
  };
  const auto power = [](u32 value) { return std::has_single_bit(value); };
  for (std::size_t i = 0; i < h.levels.size(); ++i) {
    const CacheLevel& level = h.levels[i];
    const std::string key = fmt::format("timing.{}", level.name);
    if (level.look_ups == 0 || level.read_bytes < level.look_ups)
      return fail(fmt::format("every look-up of {} has a byte at least", level.name),
                  key + ".look_ups_per_cycle");
    if (level.slices == 0 || level.groups == 0 || level.ways == 0 || level.misses == 0 ||
        level.read_bytes == 0 || level.write_bytes == 0 || level.atomic_lanes == 0)
      return fail(fmt::format("slices, groups, ways, misses and rates of {} cannot be zero", level.name),
                  key + ".misses");
    if (level.misses > 65535) return fail("a slice has at most 65535 misses", key + ".misses");
    if (level.slices % level.groups != 0)
      return fail(fmt::format("{} slices of {} do not divide evenly among {} groups", level.slices,
                              level.name, level.groups),
                  key + ".groups");
    if (!power(level.line_bytes) || level.line_bytes < 32 || level.line_bytes > 256 ||
        !power(level.sector_bytes) || level.sector_bytes < 32 || level.sector_bytes > level.line_bytes)
      return fail("a line is 32 to 256 bytes, a sector 32 bytes to a line, both a power of two",
                  fmt::format("line and sector of {}", level.name));
    if (level.fetch_bytes != 0 && (!power(level.fetch_bytes) || level.fetch_bytes < level.sector_bytes ||
                                   level.fetch_bytes > level.line_bytes))
      return fail("a miss fetches a sector to a line at once, a power of two", key + ".fetch_bytes");
    if (!power(level.interleave_bytes) || level.interleave_bytes < level.line_bytes)
      return fail("what a slice holds of consecutive bytes is a power of two, at least a line",
                  fmt::format("interleave of {}", level.name));
    if (level.mixing == Mixing::pairs &&
        (level.slices / level.groups % 2 != 0 || level.interleave_bytes / 2 < level.line_bytes))
      return fail("pairs of slices need an even number of them, each with at least a line in turn",
                  key + ".hash");
    const u32 sets = level.size_bytes / level.line_bytes / level.ways;
    if (sets > 65536)
      return fail(fmt::format("a slice of {} has at most 65536 sets", level.name), key + ".slices");
    if (sets == 0)
      return fail(fmt::format("a slice of {} has no set", level.name), "size, slices, line and ways");
    if (level.far_cycles != 0 && sets % 2 != 0)
      return fail(fmt::format("a slice of {} has a set more in one half than in the other", level.name),
                  key + ".far_cycles");
    if (i + 1 < h.levels.size()) {
      const CacheLevel& next = h.levels[i + 1];
      if (level.sector_bytes > next.line_bytes)
        return fail(fmt::format("{} fetches {} bytes at once, more than a line of {}", level.name,
                                level.sector_bytes, next.name),
                    "sectors and lines");
      if (level.groups % next.groups != 0)
        return fail(fmt::format("{} groups of {} do not divide evenly among {} of {}", level.groups,
                                level.name, next.groups, next.name),
                    key + ".groups");
    }
  }
  bool atomics = false;
  for (const CacheLevel& level : h.levels) atomics |= level.holds_atomics;
  if (!atomics) return fail("no level performs atomics", "timing.l2.atomic_cycles");
  const DramParameters& d = h.dram;
  if (h.channels == 0 || d.banks == 0 || d.banks > 64 || !power(d.banks) || !power(d.bank_groups) ||
      d.bank_groups > d.banks)
    return fail("a channel has up to 64 banks, a power of two, divided evenly among its bank groups",
                "timing.dram.channels, timing.dram.banks, timing.dram.bank_groups");
  if (!power(d.row_bytes) || d.row_bytes < d.block_bytes || d.burst_bytes == 0 || d.burst_clocks == 0 ||
      d.queue == 0 || d.queue > 16384)
    return fail(
        "a row is a power of two of bytes and holds a line; bursts are not empty, a queue has 1 to 16384 "
        "requests",
        "timing.dram.row_bytes, timing.dram.burst_bytes, timing.dram.burst_clocks, timing.dram.queue");
  if (!power(d.block_bytes) || d.block_bytes < h.levels.back().line_bytes)
    return fail("a block of a bank is a power of two of bytes and holds a line", "timing.dram.block_bytes");
  if (d.bank_bytes != 0 &&
      (!power(d.bank_bytes) || d.bank_bytes < d.block_bytes || d.bank_bytes > d.row_bytes))
    return fail("what a bank holds of consecutive bytes is a power of two, a line to a row",
                "timing.dram.bank_bytes");
  if (d.hashed_banks && (d.bank_bytes == 0 || d.banks < 2))
    return fail(
        "what turns a bank's bits asks for several banks and for what lies in one of consecutive bytes",
        "timing.dram.hashed_banks, timing.dram.bank_bytes, timing.dram.banks");
  if (d.bus_percent == 0 || d.bus_percent > 100)
    return fail("data fill a share of the bus's clocks", "timing.dram.bus_percent");
  if (d.refresh_interval != 0 && d.refresh_interval <= d.refresh + d.trp)
    return fail("a channel that is always being refreshed serves nobody",
                "timing.dram.refresh_interval_clocks, timing.dram.refresh_clocks");
  if (d.tras + d.trp < d.trcd)
    return fail("a row is open before the next one of its bank is opened",
                "timing.dram.trcd_clocks, timing.dram.tras_clocks, timing.dram.trp_clocks");
  if (d.longest_wait() >= DramParameters::most_wait)
    return fail(fmt::format("a bank would wait for up to {} clocks; at most {} can be modelled",
                            d.longest_wait(), DramParameters::most_wait - 1),
                "timing.dram.refresh_clocks, timing.dram.tras_clocks, timing.dram.trp_clocks, "
                "timing.dram.trcd_clocks, timing.dram.twr_clocks, timing.dram.tccd_long_clocks");
  const TranslationFigures& t = h.translation;
  if (t.near_entries == 0 || t.shared_entries < 16 || t.shared_entries % 16 != 0 || t.walkers == 0)
    return fail("translations and walkers cannot be none; the shared ones are a multiple of 16",
                "timing.tlb.l1_entries, timing.tlb.l2_entries, timing.tlb.walkers");
  return Success{};
}

Interleave::Interleave(u32 count, u32 block_bytes, Mixing mixing)
    : by_count_(count),
      by_pairs_(std::max(1u, count / 2)),
      shift_(static_cast<u32>(std::countr_zero(block_bytes))),
      mixing_(mixing),
      power_of_two_(std::has_single_bit(count)) {}

u64 Interleave::address(u32 slice, u64 inner) const {
  if (mixing_ == Mixing::pairs) {
    const u32 half = shift_ - 1;
    const u64 turn = (slice ^ scattered(inner >> half << shift_).place >> 4) & 1;
    return inner >> half << shift_ | turn << half | (inner & (together() - 1));
  }
  const u64 row = inner >> shift_, count = by_count_.divisor();
  u64 block = row * count;
  if (mixing_ == Mixing::none) {
    block += slice;
  } else if (power_of_two_) {
    // Each bit depends on ones five and more above it.
    u64 low = 0;
    for (u32 known = 0; count >> known > 1; known += 5) {
      const u64 guess = block | low;
      low = (slice ^ guess >> 5 ^ guess >> 10 ^ guess >> 15 ^ guess >> 20) & (count - 1);
    }
    block |= low;
  } else {
    const u64 turn = (row ^ row >> 5 ^ row >> 10 ^ row >> 15) & 0xFFFF;
    block += (slice + count - turn % count) % count;
  }
  return block << shift_ | (inner & ((u64{1} << shift_) - 1));
}

AddressMap::AddressMap(const Hierarchy& hierarchy, u32 clusters, u32 first) {
  for (std::size_t i = 0; i < hierarchy.levels.size(); ++i) {
    const CacheLevel& level = hierarchy.levels[i];
    Level l;
    l.first = first;
    l.slices_per_group = level.slices / level.groups;
    l.clusters_per_group = std::max(1u, (clusters + level.groups - 1) / level.groups);
    l.groups_per_next =
        i + 1 < hierarchy.levels.size() ? level.groups / hierarchy.levels[i + 1].groups : level.groups;
    l.line_shift = static_cast<u32>(std::countr_zero(level.line_bytes));
    l.interleave = Interleave(l.slices_per_group, level.interleave_bytes, level.mixing);
    levels_.push_back(l);
    first += level.slices;
  }
  channels_ = Interleave(hierarchy.channels, hierarchy.channel_interleave_bytes,
                         hierarchy.channels_mixed ? Mixing::rows : Mixing::none);
  first_channel_ = first;
  translation_ = first + hierarchy.channels;
}

}  // namespace lockstep
