#include "time/attribution/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/assert.h"

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
    resources();
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
      r_.longest_wave_cycles = std::max(r_.longest_wave_cycles, c.longest_wave_cycles);
      r_.issue_cycles += c.instructions - c.paired;  // each, or pair, takes one cycle of its wave
      for (std::size_t i = 0; i < c.active_lanes.size(); ++i) r_.active_lanes[i] += c.active_lanes[i];
    }
    r_.per_instruction = FiguresTable::sum(parts_.per_instruction);
    r_.groups = parts_.dispatcher->groups_done();
    r_.cycles = std::max(r_.cycles, parts_.dispatcher->last_end());
    r_.sending_cycles = parts_.dispatcher->sending_cycles();
    r_.last_start_cycle = parts_.dispatcher->last_start();
    for (const InstructionFigures& figures : r_.per_instruction) {
      for (std::size_t i = 0; i < stall_count; ++i) r_.stalls[i] += figures.stalls[i];
    }
    for (const auto& cluster : parts_.clusters) timeline.add(cluster->counts().timeline);
    r_.occupancy = timeline.samples(r_.cycles);
    r_.cycles += write_back_cycles_ + flush_cycles();
    r_.levels.push_back("near");
    for (const CacheLevel& level : parts_.hierarchy->levels) r_.levels.push_back(level.name);
    r_.levels.push_back("memory");
  }

  // What a launch's end waits for so that others see what its units have accessed of global memory.
  u64 flush_cycles() const {
    u64 accessing = 0;
    for (const auto& cluster : parts_.clusters) accessing += cluster->counts().vector_lines != 0;
    const u64 quarter = std::max<std::size_t>(1, parts_.clusters.size() / 4);
    return parts_.figures->flush_cycles * std::min(accessing, quarter) / quarter;
  }

  // Of `clocks` cycles each; `ceiling` is what all units do in that time.
  Resource& resource(ResourceKind kind, std::string name, std::string title, std::string meaning,
                     std::vector<u64> busy, f64 clocks) {
    Resource& made = r_.resources.emplace_back();
    made.kind = kind;
    made.name = std::move(name);
    made.title = std::move(title);
    made.meaning = std::move(meaning);
    made.busy_cycles = std::move(busy);
    made.clocks = clocks;
    return made;
  }
  Resource& resource(ResourceKind kind, std::string name, std::string title, std::string meaning,
                     std::vector<u64> busy) {
    return resource(kind, std::move(name), std::move(title), std::move(meaning), std::move(busy), cycles());
  }
  f64 cycles() const { return static_cast<f64>(r_.cycles); }
  static void amount(Resource& of, std::string_view unit, u64 done, f64 ceiling) {
    of.amount_unit = unit;
    of.amount = static_cast<f64>(done);
    of.ceiling = ceiling;
  }

  void resources() {
    const CoreFigures& f = *parts_.figures;
    ClusterBusy all;
    for (const auto& cluster : parts_.clusters) cluster->add_busy(all);
    r_.unit_wave_cycles = std::move(all.wave_cycles);
    r_.launch_cycles = std::min<u64>(r_.cycles, f.launch_cycles);
    using K = ResourceKind;
    resource(K::arithmetic, "valu", "vector arithmetic", "cycles in which each SIMD's vector unit executed",
             std::move(all.vector));
    if (std::ranges::any_of(all.matrix, [](u64 busy) { return busy != 0; }))
      resource(K::matrix, "matrix", "matrix arithmetic", "cycles in which each SIMD's matrix unit executed",
               std::move(all.matrix));
    resource(K::scalar, "salu", "scalar unit", "instructions that each compute unit's scalar units started",
             std::move(all.scalar), cycles() * f.simds / f.turn_cycles);
    // Instructions of one category go to one unit: a SIMD that issues one in each of its turns is busy.
    const f64 turns = cycles() / f.turn_cycles;
    const f64 simds = static_cast<f64>(all.issued.size());
    Resource& issue = resource(K::issue, "issue", "instruction issue", "instructions that each SIMD issued",
                               std::move(all.issued), turns * f.issues_per_turn * f.issues_of_wave);
    amount(issue, "instructions", r_.instructions, simds * turns * f.issues_per_turn * f.issues_of_wave);
    resource(K::local_memory, "lds", "local memory",
             "cycles in which each compute unit's local-memory banks served lanes", std::move(all.local),
             cycles() * f.local_halves);
    resource(K::near_memory, "address", "vector memory addresses",
             "cycles in which each vector-memory path's address unit worked", std::move(all.address));
    const f64 paths = static_cast<f64>(all.back.size());
    Resource& back = resource(K::near_memory, "return", "first-level cache",
                              "cycles in which load data was written to registers, by vector-memory path",
                              std::move(all.back));
    amount(back, "bytes", total([](const ClusterCounts& c) { return c.load_bytes; }),
           paths * cycles() * f.return_bytes_per_cycle);
    resource(K::scalar, "scalar_cache", "scalar cache", "look-ups of each scalar cache",
             std::move(all.scalar_cache));
    levels_busy();
    const TranslationFigures& t = parts_.hierarchy->translation;
    const u64 walks = parts_.translation->counts().walks;
    resource(K::translation, "page_walks", "walks of page tables",
             "cycles in which the walkers of the page tables were at work", {walks * t.walk_cycles},
             cycles() * t.walkers);
    std::vector<u64> channels;
    u64 bursts = 0;
    for (const auto& channel : parts_.channels) {
      const DramCounts one = channel->counts();
      channels.push_back(one.busy_clocks);
      bursts += one.reads + one.writes;
    }
    const Hierarchy& h = *parts_.hierarchy;
    const f64 clocks = static_cast<f64>(h.dram_clock.to_other(r_.cycles));
    Resource& memory =
        resource(K::memory, "dram_channel", "memory", "memory clocks in which each channel moved data",
                 std::move(channels), clocks);
    if (h.dram.burst_clocks != 0)
      amount(memory, "bytes", bursts * h.dram.burst_bytes,
             static_cast<f64>(h.channels) * clocks / h.dram.burst_clocks * h.dram.burst_bytes);
  }

  void levels_busy() {
    std::size_t slice = 0;
    std::vector<u64> hot;
    for (const CacheLevel& level : parts_.hierarchy->levels) {
      std::vector<u64> busy;
      u64 bytes = 0;
      for (u32 i = 0; i < level.slices; ++i) {
        const SliceCounts& c = parts_.slices[slice++]->counts();
        busy.push_back(c.busy_cycles);
        bytes += c.read_bytes + c.write_bytes;
        if (level.holds_atomics) hot.push_back(c.hot_atomic_cycles);
      }
      Resource& made =
          resource(ResourceKind::shared_cache, level.name + "_slice", std::string(title_of(level.name)),
                   "cycles in which each slice of this cache took or delivered something", std::move(busy));
      amount(made, "bytes", bytes,
             static_cast<f64>(level.slices) * cycles() * std::max(level.read_bytes, level.write_bytes));
    }
    if (std::ranges::any_of(hot, [](u64 busy) { return busy != 0; }))
      resource(ResourceKind::atomics, "hot_atomics", "atomics on one address",
               "cycles in which the address with the most atomics of each slice had one at work",
               std::move(hot));
  }

  // Levels' names are a closed list.
  static std::string_view title_of(std::string_view level) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> titles = {
        {{"gl1", "shader array's cache"},
         {"l2", "second-level cache"},
         {"mall", "cache in front of memory"}}};
    const auto found =
        std::ranges::find(titles, level, &std::pair<std::string_view, std::string_view>::first);
    LOCKSTEP_ASSERT(found != titles.end(), "a level of the hierarchy has a title");
    return found->second;
  }

  void counters() {
    using C = ClusterCounts;
    add("cycles", "cycles",
        "from the launch to the last wave's end and the last store's arrival, and the dirty lines' where a "
        "cache "
        "writes them back at a launch's end",
        r_.cycles);
    add("cycles.launch", "cycles", "of these, those before the first work-group was sent out",
        r_.launch_cycles);
    add("cycles.write_back", "cycles", "of these, those at the end in which only dirty lines leave a cache",
        write_back_cycles_);
    add("cycles.flush", "cycles",
        "of these, those at the end in which accesses of global memory are seen to be done", flush_cycles());
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
    if (const u64 slots = total([](const C& c) { return c.slots; }); slots != 0)
      add("instructions.slots", "operations", "operations in the packets of vector instructions", slots);
    count("lanes.active", "lanes", "lanes that took part in VALU instructions, summed", &C::lanes);
    add("wave_cycles", "cycles", "cycles of all resident waves", r_.wave_cycles);
    add("wave_cycles.issue", "cycles", "of these, cycles in which the wave issued", r_.issue_cycles);
    for (std::size_t i = 0; i < stall_count; ++i)
      add(fmt::format("stall.{}", name(static_cast<Stall>(i))), "cycles", meaning(static_cast<Stall>(i)),
          r_.stalls[i]);
    for (const Resource& one : r_.resources) {
      if (one.kind == ResourceKind::issue || one.kind == ResourceKind::translation)
        continue;  // counted below
      add(fmt::format("busy.{}", one.name), one.kind == ResourceKind::memory ? "memory clocks" : "cycles",
          one.meaning, sum(one.busy_cycles));
    }
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
    count("lds.same_word_cycles", "cycles", "of these, those of atomics of several lanes on one word",
          &C::local_same_word_cycles);
    count("lds.bytes", "bytes", "bytes that lanes moved from and to local memory", &C::local_bytes);
    count("vector.transactions", "transactions",
          "lines that vector memory instructions touched, or sectors where lines have some",
          &C::vector_lines);
    count("vector.ideal_transactions", "transactions", "the fewest lines that could hold the same bytes",
          &C::vector_ideal_lines);
    count("vector.lines", "lines", "lines of the first level in which they lie: its look-ups",
          &C::vector_look_ups);
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
    cache("instruction", "instruction cache", "icache");
    cache("scalar", "scalar cache", "scalar");
    cache("l1", "first-level cache", "l1");
    add("tlb.walks", "requests", "of these, not in the device's TLB either",
        parts_.translation->counts().walks);
    const u64 missed = r_.counter("tlb.misses");
    r_.traffic = {{"loaded by lanes", r_.counter("vector.load_bytes")},
                  {"stored by lanes", r_.counter("vector.store_bytes")},
                  {"scalar loads", r_.counter("scalar.bytes")},
                  {"local memory", r_.counter("lds.bytes")}};
    levels();
    r_.caches.push_back(
        {"tlb", "TLB of a compute unit", false, r_.counter("tlb.lookups") - missed, 0, missed});
    memory();
  }
  // What was counted of a cache, for those who know no counter's name.
  void cache(std::string name, std::string title, const std::string& prefix) {
    const auto one = [&](const char* what) {
      const std::string counter = prefix + "." + what;
      return r_.has_counter(counter) ? r_.counter(counter) : 0;
    };
    r_.caches.push_back(
        {std::move(name), std::move(title), false, one("hits"), one("merges"), one("misses")});
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
      const std::string title(title_of(level.name));
      r_.caches.push_back({level.name, title, true, c.hits, c.merges, c.misses});
      r_.traffic.push_back({title + " read", c.read_bytes});
      r_.traffic.push_back({title + " written", c.write_bytes});
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
    r_.traffic.push_back({"memory read", d.reads * burst});
    r_.traffic.push_back({"memory written", d.writes * burst});
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
};

}  // namespace

TimingResult collect(const DeviceParts& parts, u64 write_back_cycles) {
  return Collector(parts, write_back_cycles).run();
}

}  // namespace lockstep
