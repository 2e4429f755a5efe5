#include "time/attribution/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

u64 sum(const std::vector<u64>& values) {
  return std::accumulate(values.begin(), values.end(), u64{0});
}

class Collector {
 public:
  Collector(const DeviceParts& parts, u64 write_back_cycles)
      : parts_(parts), write_back_cycles_(write_back_cycles) {}

  TimingResult run() {
    instructions();
    units();
    counters();
    return std::move(r_);
  }

 private:
  void add(std::string name, std::string_view unit, std::string_view meaning, u64 value) {
    r_.counters.push_back({std::move(name), unit, meaning, value});
  }
  template <class Get>
  u64 total(Get get) const {
    u64 value = 0;
    for (const auto& cluster : parts_.clusters) value += get(cluster->counts());
    return value;
  }

  void instructions() {
    OccupancyTimeline timeline;
    for (const auto& cluster : parts_.clusters) {
      const ClusterCounts& c = cluster->counts();
      r_.cycles = std::max(r_.cycles, c.last_end);
      r_.waves += c.waves;
      r_.instructions += c.instructions;
      r_.wave_cycles += c.wave_cycles;
      r_.issue_cycles += c.instructions;  // each takes one cycle of its wave
      for (std::size_t i = 0; i < c.active_lanes.size(); ++i) r_.active_lanes[i] += c.active_lanes[i];
      cluster->add_figures(r_.per_instruction);
    }
    r_.groups = parts_.dispatcher->groups_done();
    for (const InstructionFigures& figures : r_.per_instruction) {
      for (std::size_t i = 0; i < stall_count; ++i) r_.stalls[i] += figures.stalls[i];
    }
    for (const auto& cluster : parts_.clusters) timeline.add(cluster->counts().timeline);
    r_.occupancy = timeline.samples(r_.cycles);
    r_.cycles += write_back_cycles_;
    r_.levels.push_back("near");
    for (const CacheLevel& level : parts_.hierarchy->levels) r_.levels.push_back(level.name);
    r_.levels.push_back("memory");
  }

  void busy(std::string_view unit, std::string_view meaning, std::vector<u64> cycles) {
    r_.units.push_back({unit, meaning, std::move(cycles)});
  }

  void units() {
    ClusterBusy all;
    for (const auto& cluster : parts_.clusters) cluster->add_busy(all);
    busy("valu", "cycles in which each SIMD's vector unit executed", std::move(all.vector));
    if (std::ranges::any_of(all.matrix, [](u64 cycles) { return cycles != 0; }))
      busy("matrix", "cycles in which each SIMD's matrix unit executed", std::move(all.matrix));
    busy("salu", "cycles in which each compute unit's scalar unit started an instruction",
         std::move(all.scalar));
    busy("lds", "cycles in which each compute unit's local-memory banks served lanes", std::move(all.local));
    busy("address", "cycles in which each vector-memory path's address unit worked", std::move(all.address));
    busy("return", "cycles in which load data was written to registers, by vector-memory path",
         std::move(all.back));
    busy("scalar_cache", "look-ups of each scalar cache", std::move(all.scalar_cache));
    std::size_t slice = 0;
    for (const CacheLevel& level : parts_.hierarchy->levels) {
      std::vector<u64> cycles;
      for (u32 i = 0; i < level.slices; ++i) cycles.push_back(parts_.slices[slice++]->counts().busy_cycles);
      level_busy_.push_back(std::move(cycles));
    }
    for (std::size_t i = 0; i < level_busy_.size(); ++i)
      busy(slice_name(parts_.hierarchy->levels[i].name),
           "cycles in which each slice of this cache took or delivered something", std::move(level_busy_[i]));
    std::vector<u64> channels;
    for (const auto& channel : parts_.channels) channels.push_back(channel->counts().busy_clocks);
    busy("dram_channel", "memory clocks in which each channel moved data", std::move(channels));
  }

  // Levels' names are a closed list.
  static std::string_view slice_name(std::string_view level) {
    return level == "gl1" ? "gl1_slice" : level == "mall" ? "mall_slice" : "l2_slice";
  }

  void counters() {
    using C = ClusterCounts;
    add("cycles", "cycles",
        "from the launch to the last wave's end and the last store's arrival, and the dirty lines' where a "
        "cache "
        "writes them back at a launch's end",
        r_.cycles);
    add("cycles.write_back", "cycles", "of these, those at the end in which only dirty lines leave a cache",
        write_back_cycles_);
    add("groups", "groups", "work-groups executed", r_.groups);
    add("waves", "waves", "waves executed", r_.waves);
    add("instructions", "instructions", "wave-instructions issued", r_.instructions);
    constexpr std::array<std::string_view, pipe_count> pipes = {"valu", "salu",   "smem",    "vmem",
                                                                "lds",  "branch", "internal"};
    for (std::size_t i = 0; i < pipe_count; ++i)
      add(fmt::format("instructions.{}", pipes[i]), "instructions",
          "wave-instructions of this category of issue", total([i](const C& c) { return c.by_pipe[i]; }));
    for (std::size_t i = 0; i < static_cast<std::size_t>(Cost::count); ++i)
      add(fmt::format("instructions.class.{}", name(static_cast<Cost>(i))), "instructions",
          "wave-instructions of this cost class", total([i](const C& c) { return c.by_cost[i]; }));
    const auto count = [&](std::string name, std::string_view unit, std::string_view meaning,
                           u64 C::* member) {
      add(std::move(name), unit, meaning, total([member](const C& c) { return c.*member; }));
    };
    count("lanes.active", "lanes", "lanes that took part in VALU instructions, summed", &C::lanes);
    add("wave_cycles", "cycles", "cycles of all resident waves", r_.wave_cycles);
    add("wave_cycles.issue", "cycles", "of these, cycles in which the wave issued", r_.issue_cycles);
    for (std::size_t i = 0; i < stall_count; ++i)
      add(fmt::format("stall.{}", name(static_cast<Stall>(i))), "cycles", meaning(static_cast<Stall>(i)),
          r_.stalls[i]);
    for (const UnitBusy& unit : r_.units)
      add(fmt::format("busy.{}", unit.unit), unit.unit == "dram_channel" ? "memory clocks" : "cycles",
          unit.meaning, sum(unit.busy_cycles));
    for (std::size_t i = 0; i < dispatch_limit_count; ++i)
      add(fmt::format("dispatch.stall.{}", name(static_cast<DispatchLimit>(i))), "cycles",
          "cycles in which the next work-group waited for this", parts_.dispatcher->stalls()[i]);
    count("fetch.requests", "fetches", "instruction fetches", &C::fetches);
    count("icache.hits", "fetches", "fetches whose line was there or on its way", &C::fetch_hits);
    count("icache.misses", "lines", "lines asked of the next level", &C::fetch_misses);
    count("branches", "instructions", "branches", &C::branches);
    count("branches.taken", "instructions", "branches that were taken", &C::branches_taken);
    count("barriers", "waves", "arrivals of waves at barriers", &C::barriers);
    count("scalar.requests", "lines", "look-ups of the scalar cache", &C::scalar_requests);
    count("scalar.hits", "lines", "of these, hits", &C::scalar_hits);
    count("scalar.merges", "lines", "of these, lines that were on their way", &C::scalar_merges);
    count("scalar.misses", "lines", "of these, lines asked of the next level", &C::scalar_misses);
    count("scalar.bytes", "bytes", "bytes that scalar loads asked for", &C::scalar_bytes);
    count("lds.conflict_cycles", "cycles", "further passes of the banks because of conflicts",
          &C::local_conflict_cycles);
    count("lds.bytes", "bytes", "bytes that lanes moved from and to local memory", &C::local_bytes);
    count("vector.transactions", "transactions", "cache lines that vector memory instructions touched",
          &C::vector_lines);
    count("vector.ideal_transactions", "transactions", "the fewest lines that could hold the same bytes",
          &C::vector_ideal_lines);
    count("vector.load_bytes", "bytes", "bytes that lanes loaded", &C::load_bytes);
    count("vector.store_bytes", "bytes", "bytes that lanes stored or gave to atomics", &C::write_bytes);
    u64 most = 0;
    for (const auto& cluster : parts_.clusters) most = std::max(most, cluster->counts().most_vector_queue);
    add("vector.most_queued", "instructions", "longest queue of vector memory instructions in a compute unit",
        most);
    count("l1.hits", "transactions", "loads' lines that were in the first-level cache", &C::l1_hits);
    count("l1.merges", "transactions", "loads' lines that were on their way", &C::l1_merges);
    count("l1.misses", "transactions", "loads' lines asked of the next level", &C::l1_misses);
    count("l1.writes", "transactions", "stores' lines sent to the next level", &C::write_requests);
    count("l1.atomics", "transactions", "atomics' lines sent to the next level", &C::atomic_requests);
    count("tlb.lookups", "requests", "translations of what left the first-level caches", &C::tlb_lookups);
    count("tlb.misses", "requests", "of these, not in the compute unit's TLB", &C::tlb_misses);
    add("tlb.walks", "requests", "of these, not in the device's TLB either",
        parts_.translation->counts().walks);
    levels();
    memory();
  }

  void levels() {
    std::size_t slice = 0;
    for (const CacheLevel& level : parts_.hierarchy->levels) {
      SliceCounts c;
      for (u32 i = 0; i < level.slices; ++i) c += parts_.slices[slice++]->counts();
      const auto one = [&](std::string_view what, std::string_view unit, std::string_view meaning,
                           u64 value) { add(fmt::format("{}.{}", level.name, what), unit, meaning, value); };
      one("reads", "transactions", "lines read from this cache", c.reads);
      one("writes", "transactions", "stores taken in by this cache", c.writes);
      one("atomics", "transactions", "lines with atomics at this cache", c.atomics);
      one("hits", "transactions", "requests whose line was there", c.hits);
      one("merges", "transactions", "reads whose line was on its way", c.merges);
      one("misses", "transactions", "requests whose line was not there", c.misses);
      one("read_bytes", "bytes", "bytes that this cache delivered", c.read_bytes);
      one("write_bytes", "bytes", "bytes that stores brought to this cache", c.write_bytes);
      one("write_backs", "transactions", "dirty lines sent on", c.write_backs);
      one("blocked", "requests", "requests that found a slice out of lines or misses", c.blocked);
      one("atomic_wait_cycles", "cycles", "waits of atomics for others on the same address",
          c.atomic_wait_cycles);
      one("most_queued", "requests", "longest queue of a slice", c.most_waiting);
    }
  }

  void memory() {
    DramCounts d;
    for (const auto& channel : parts_.channels) {
      const DramCounts one = channel->counts();
      d.reads += one.reads;
      d.writes += one.writes;
      d.row_hits += one.row_hits;
      d.row_misses += one.row_misses;
      d.row_conflicts += one.row_conflicts;
      d.turnarounds += one.turnarounds;
      d.refreshes += one.refreshes;
      d.most_queued = std::max(d.most_queued, one.most_queued);
    }
    const u64 burst = parts_.hierarchy->dram.burst_bytes;
    add("dram.read_bytes", "bytes", "bytes read from memory", d.reads * burst);
    add("dram.write_bytes", "bytes", "bytes written to memory", d.writes * burst);
    add("dram.row_hits", "requests", "requests to an open row", d.row_hits);
    add("dram.row_misses", "requests", "requests to a bank without an open row", d.row_misses);
    add("dram.row_conflicts", "requests", "requests that had to close another row", d.row_conflicts);
    add("dram.turnarounds", "times", "changes of the bus between reads and writes", d.turnarounds);
    add("dram.refreshes", "times", "refreshes", d.refreshes);
    add("dram.most_queued", "requests", "longest queue of a channel", d.most_queued);
  }

  const DeviceParts& parts_;
  const u64 write_back_cycles_;
  TimingResult r_;
  std::vector<std::vector<u64>> level_busy_;
};

}  // namespace

TimingResult collect(const DeviceParts& parts, u64 write_back_cycles) {
  return Collector(parts, write_back_cycles).run();
}

}  // namespace lockstep
