// From the model's counts to named counters.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "time/gcn5_device.h"

namespace lockstep::gcn5 {
namespace {

constexpr std::array<std::string_view, category_count> category_names = {"valu", "salu",   "smem",    "vmem",
                                                                         "lds",  "branch", "internal"};
constexpr std::array<std::string_view, 6> limit_names = {
    "port", "wave_slots", "vector_registers", "scalar_registers", "local_memory", "group_slots"};

u64 sum(const std::vector<u64>& values) {
  return std::accumulate(values.begin(), values.end(), u64{0});
}

}  // namespace

TimingResult Device::result() {
  TimingResult r;
  r.cycles = last_end_;
  r.groups = groups_done_;
  r.waves = waves_started_;
  r.instructions = counts_.instructions;
  r.wave_cycles = wave_cycles_;
  r.issue_cycles = issue_cycles_;
  r.active_lanes = active_lanes_;
  r.per_instruction = figures_;
  for (const InstructionFigures& figures : figures_) {
    for (std::size_t i = 0; i < stall_count; ++i) r.stalls[i] += figures.stalls[i];
  }
  r.occupancy = timeline_.samples(r.cycles);

  const auto units = [&r](std::string_view unit, std::string_view meaning, std::vector<u64> busy) {
    r.units.push_back({unit, meaning, std::move(busy)});
  };
  const auto of = [](const auto& parts, auto&& get) {
    std::vector<u64> values;
    for (const auto& part : parts) values.push_back(get(part));
    return values;
  };
  units("valu", "cycles in which each SIMD's vector unit executed",
        of(simds_, [](const Simd& s) { return s.valu_busy; }));
  units("salu", "cycles in which each compute unit's scalar unit started an instruction",
        of(units_, [](const ComputeUnit& u) { return u.salu_busy; }));
  units("lds", "cycles in which each compute unit's local-memory banks served lanes",
        of(units_, [](const ComputeUnit& u) { return u.local_busy; }));
  units("address", "cycles in which each compute unit's address unit worked",
        of(units_, [](const ComputeUnit& u) { return u.address_busy; }));
  units("return", "cycles in which load data was written to each compute unit's registers",
        of(units_, [](const ComputeUnit& u) { return u.return_busy; }));
  units("scalar_cache", "look-ups of each scalar cache",
        of(scalar_caches_, [](const SharedCache& c) { return c.busy; }));
  units("l2_slice", "cycles in which each slice of the second level took or delivered something",
        of(slices_, [](const Slice& s) { return s.busy; }));
  units("dram_channel", "memory clocks in which each channel moved data",
        of(channels_, [](const DramChannel& c) { return c.counts().busy_clocks; }));

  const auto add = [&r](std::string name, std::string_view unit, std::string_view meaning, u64 value) {
    r.counters.push_back({std::move(name), unit, meaning, value});
  };
  const Counts& c = counts_;
  add("cycles", "cycles", "from the launch to the last wave's end and the last store's arrival", r.cycles);
  add("groups", "groups", "work-groups executed", r.groups);
  add("waves", "waves", "waves executed", r.waves);
  add("instructions", "instructions", "wave-instructions issued", r.instructions);
  for (std::size_t i = 0; i < c.by_category.size(); ++i)
    add(fmt::format("instructions.{}", category_names[i]), "instructions",
        "wave-instructions of this category of issue", c.by_category[i]);
  for (std::size_t i = 0; i < c.by_cost.size(); ++i)
    add(fmt::format("instructions.class.{}", name(static_cast<Cost>(i))), "instructions",
        "wave-instructions of this cost class", c.by_cost[i]);
  add("lanes.active", "lanes", "lanes that took part in VALU instructions, summed", c.lanes);
  add("wave_cycles", "cycles", "cycles of all resident waves", r.wave_cycles);
  add("wave_cycles.issue", "cycles", "of these, cycles in which the wave issued", r.issue_cycles);
  for (std::size_t i = 0; i < stall_count; ++i)
    add(fmt::format("stall.{}", name(static_cast<Stall>(i))), "cycles", meaning(static_cast<Stall>(i)),
        r.stalls[i]);
  for (const UnitBusy& unit : r.units)
    add(fmt::format("busy.{}", unit.unit), unit.unit == "dram_channel" ? "memory clocks" : "cycles",
        unit.meaning, sum(unit.busy_cycles));
  for (std::size_t i = 0; i < c.dispatch_stalls.size(); ++i)
    add(fmt::format("dispatch.stall.{}", limit_names[i]), "cycles",
        "cycles in which the next work-group waited for this", c.dispatch_stalls[i]);
  add("fetch.requests", "fetches", "instruction fetches", c.fetches);
  add("icache.hits", "fetches", "fetches whose line was there or on its way", c.fetch_hits);
  add("icache.misses", "lines", "lines that came from the second level", c.fetch_misses);
  add("branches", "instructions", "branches", c.branches);
  add("branches.taken", "instructions", "branches that were taken", c.branches_taken);
  add("barriers", "waves", "arrivals of waves at barriers", c.barriers);
  add("scalar.requests", "lines", "look-ups of the scalar cache", c.scalar_requests);
  add("scalar.hits", "lines", "of these, hits", c.scalar_hits);
  add("scalar.merges", "lines", "of these, lines that were on their way", c.scalar_merges);
  add("scalar.misses", "lines", "of these, lines asked of the second level", c.scalar_misses);
  add("scalar.bytes", "bytes", "bytes that scalar loads asked for", c.scalar_bytes);
  add("lds.conflict_cycles", "cycles", "further passes of the banks because of conflicts",
      c.local_conflict_cycles);
  add("lds.bytes", "bytes", "bytes that lanes moved from and to local memory", c.local_bytes);
  add("vector.transactions", "transactions", "cache lines that vector memory instructions touched",
      c.vector_lines);
  add("vector.ideal_transactions", "transactions", "the fewest lines that could hold the same bytes",
      c.vector_ideal_lines);
  add("vector.load_bytes", "bytes", "bytes that lanes loaded", c.l1_bytes);
  add("vector.store_bytes", "bytes", "bytes that lanes stored or gave to atomics", c.write_bytes);
  add("vector.most_queued", "instructions", "longest queue of vector memory instructions in a compute unit",
      c.most_vector_queue);
  add("l1.hits", "transactions", "loads' lines that were in the first-level cache", c.l1_hits);
  add("l1.merges", "transactions", "loads' lines that were on their way", c.l1_merges);
  add("l1.misses", "transactions", "loads' lines asked of the second level", c.l1_misses);
  add("l1.writes", "transactions", "stores' lines sent to the second level", c.write_requests);
  add("l1.atomics", "transactions", "atomics' lines sent to the second level", c.atomic_requests);
  add("tlb.lookups", "requests", "translations of what left the first-level caches", c.tlb_lookups);
  add("tlb.misses", "requests", "of these, not in the compute unit's TLB", c.tlb_misses);
  add("tlb.walks", "requests", "of these, not in the device's TLB either", c.tlb2_misses);
  add("l2.reads", "transactions", "lines read from the second level", c.l2_reads);
  add("l2.writes", "transactions", "stores taken in by the second level", c.l2_writes);
  add("l2.atomics", "transactions", "lines with atomics at the second level", c.l2_atomics);
  add("l2.hits", "transactions", "requests whose line was there", c.l2_hits);
  add("l2.merges", "transactions", "reads whose line was on its way", c.l2_merges);
  add("l2.misses", "transactions", "requests whose line was not there", c.l2_misses);
  add("l2.read_bytes", "bytes", "bytes that the second level delivered", c.l2_read_bytes);
  add("l2.write_bytes", "bytes", "bytes that stores brought to the second level", c.l2_write_bytes);
  add("l2.write_backs", "transactions", "dirty lines written to memory", c.l2_write_backs);
  add("l2.blocked", "requests", "requests that found a slice out of lines or misses", c.l2_blocked);
  add("l2.atomic_wait_cycles", "cycles", "waits of atomics for others on the same address",
      c.atomic_wait_cycles);
  u64 most_waiting = 0;
  for (const Slice& slice : slices_) most_waiting = std::max(most_waiting, slice.most_waiting);
  add("l2.most_queued", "requests", "longest queue of a slice", most_waiting);
  DramCounts d;
  for (const DramChannel& channel : channels_) {
    const DramCounts& one = channel.counts();
    d.reads += one.reads;
    d.writes += one.writes;
    d.row_hits += one.row_hits;
    d.row_misses += one.row_misses;
    d.row_conflicts += one.row_conflicts;
    d.turnarounds += one.turnarounds;
    d.refreshes += one.refreshes;
    d.most_queued = std::max(d.most_queued, one.most_queued);
  }
  add("dram.read_bytes", "bytes", "bytes read from memory", d.reads * p_.dram.burst_bytes);
  add("dram.write_bytes", "bytes", "bytes written to memory", d.writes * p_.dram.burst_bytes);
  add("dram.row_hits", "requests", "requests to an open row", d.row_hits);
  add("dram.row_misses", "requests", "requests to a bank without an open row", d.row_misses);
  add("dram.row_conflicts", "requests", "requests that had to close another row", d.row_conflicts);
  add("dram.turnarounds", "times", "changes of the bus between reads and writes", d.turnarounds);
  add("dram.refreshes", "times", "refreshes", d.refreshes);
  add("dram.most_queued", "requests", "longest queue of a channel", d.most_queued);
  return r;
}

}  // namespace lockstep::gcn5
