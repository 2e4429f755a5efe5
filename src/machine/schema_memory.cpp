// The keys of the timing models of what lies beyond the compute units.
#include "machine/schema_timing.h"

namespace lockstep {
namespace {

using enum ValueKind;
using enum Step;

constexpr auto shared = timing_of_all;
constexpr auto partitioned = timing_of_partitioned;

// Levels beyond the compute units, the same keys for each: timing.gl1, timing.l2, timing.mall. Every GCN5
// machine has a second level.
constexpr KeyInfo level(std::string_view key, std::string_view unit, ValueKind kind, Step step,
                        TargetGroups required, std::string_view meaning) {
  return {key, unit, kind, step, timed_groups, required, meaning};
}

// DRAM's constraints, which a memory standard's file states for any target.
constexpr KeyInfo dram(std::string_view key, std::string_view unit, Step step, std::string_view meaning) {
  return {key, unit, integer, step, group_all, group_gcn5, meaning};
}

constexpr KeyInfo memory_key_table[] = {
    level("timing.l1.next", "name", text, fixed, group_gcn5,
          "where the compute unit's misses go: the name of a level"),
    level("timing.gl1.hit_cycles", "cycles", integer, scale, group_none,
          "load-to-use latency of global_load_dword, hit in the cache of a shader array, unloaded"),
    level("timing.gl1.next", "name", text, fixed, group_none,
          "where its misses go: the name of a level, or \"memory\""),
    level("timing.gl1.groups", "copies", integer, fixed, group_none,
          "copies of it, each for its share of the compute units (shader arrays, dies); 1 where not stated"),
    level(
        "timing.gl1.hash", "name", text, fixed, group_none,
        "how blocks are dealt out to slices: by their low address bits (\"none\"), with higher ones mixed in "
        "(\"mix\"), or two at a time, half a block in turn, to any two neighbours (\"pairs\")"),
    level("timing.gl1.store", "name", text, fixed, group_none,
          "a store stays in the cache (\"back\") or goes on at once (\"through\")"),
    level("timing.gl1.write_bytes_per_cycle", "B/cycle", integer, scale, group_none,
          "store data that a slice takes in a cycle"),
    level("timing.gl1.misses", "lines", integer, power_of_two, group_none,
          "lines outstanding from a slice, and dirty ones on their way"),
    level("timing.gl1.cleaned_after_launch", "flag", integer, fixed, group_none,
          "1 when its dirty lines leave at the end of a launch; 0 where not stated"),
    level("timing.gl1.atomic_cycles", "cycles", integer, scale, group_none,
          "between two atomics on the same address; stated where atomics are performed"),
    level("timing.gl1.atomic_lanes_per_cycle", "lanes", integer, scale, group_none,
          "atomics on different words of one line that a slice does in a cycle"),
    level("timing.l2.hit_cycles", "cycles", integer, scale, group_gcn5,
          "load-to-use latency of global_load_dword, hit in the second level, unloaded"),
    level("timing.l2.next", "name", text, fixed, group_gcn5,
          "where its misses go: the name of a level, or \"memory\""),
    level("timing.l2.groups", "copies", integer, fixed, group_none,
          "copies of it, each for its share of the compute units (shader arrays, dies); 1 where not stated"),
    level(
        "timing.l2.hash", "name", text, fixed, group_gcn5,
        "how blocks are dealt out to slices: by their low address bits (\"none\"), with higher ones mixed in "
        "(\"mix\"), or two at a time, half a block in turn, to any two neighbours (\"pairs\")"),
    level("timing.l2.store", "name", text, fixed, group_gcn5,
          "a store stays in the cache (\"back\") or goes on at once (\"through\")"),
    level("timing.l2.write_bytes_per_cycle", "B/cycle", integer, scale, group_gcn5,
          "store data that a slice takes in a cycle"),
    level("timing.l2.look_ups_per_cycle", "look-ups", integer, fixed, group_none,
          "requests that a slice looks up in a cycle, which share its bytes; 1 where not stated"),
    level("timing.l2.misses", "lines", integer, power_of_two, group_gcn5,
          "lines outstanding from a slice, and dirty ones on their way"),
    level("timing.l2.cleaned_after_launch", "flag", integer, fixed, group_none,
          "1 when its dirty lines leave at the end of a launch; 0 where not stated"),
    level("timing.l2.atomic_cycles", "cycles", integer, scale, group_gcn5,
          "between two atomics on the same address; stated where atomics are performed"),
    level("timing.l2.atomic_lanes_per_cycle", "lanes", integer, scale, group_gcn5,
          "atomics on different words of one line that a slice does in a cycle"),
    {"timing.l2.word_store_cycles", "cycles", integer, scale, group_vliw, group_none,
     "of a slice for each word of the stores of kernels that also have atomics or stores of less than "
     "a word (CompletePath)"},
    partitioned("timing.l2.spread_cycles", "cycles", scale,
                "between the answers of the nearest and of the furthest slice, of which `hit_cycles` is the "
                "mean; 0 where not stated"),
    partitioned("timing.l2.atomic_line_cycles", "cycles", scale,
                "of a slice for a wave's atomics on one line; 0 where not stated"),
    partitioned("timing.l2.atomic_conflict_cycles", "cycles", scale,
                "more for each lane on one address beyond the first; 0 where not stated"),
    partitioned("timing.l2.atomic_conflict_lanes", "lanes", fixed,
                "the most lanes beyond the first that count so; 31 where not stated"),
    partitioned(
        "timing.l2.far_atomic_cycles", "cycles", scale,
        "more for an atomic in the half of the cache that is not the compute unit's; 0 where not stated"),
    level(
        "timing.l2.atomic_bytes_per_cycle", "B/cycle", integer, scale, group_none,
        "instead, where sectors decide: bytes of the sectors of 32 that atomics of different words work on"),
    level("timing.l2.atomic_return_bytes_per_cycle", "B/cycle", integer, scale, group_none,
          "the same of atomics whose old values go back, but behind one on the same line; as the others' "
          "where not stated"),
    level("timing.l2.hashed_sets", "flag", integer, fixed, group_none,
          "1 where lines 2, 4 or 8 apart fill all sets; 0, and where not stated, sets go by line number"),
    level("timing.l2.far_cycles", "cycles", integer, scale, group_none,
          "more for a read of a line of which the unit's half of the cache has no copy; 0: it has no halves"),
    level("timing.l2.fetch_bytes", "B", integer, power_of_two, group_none,
          "what a miss fetches at once of the line; a sector where not stated"),
    level("timing.l2.dirty_ways", "ways", integer, fixed, group_none,
          "lines of a set that may be dirty before the oldest one is written back; all where not stated"),
    level("timing.l2.partial_store_cycles", "cycles", integer, scale, group_none,
          "stores count by whole sectors of 32 bytes, and one that leaves some of their bytes out takes so "
          "many cycles more, at a port of their own; where not stated, by their bytes, at the loads' port"),
    shared("timing.l2.request_bytes_per_cycle", "B/cycle", scale,
           "what a compute unit sends to the second level in a cycle"),
    shared("timing.l2.response_bytes_per_cycle", "B/cycle", scale,
           "what a compute unit receives from the second level in a cycle"),
    level("timing.mall.hit_cycles", "cycles", integer, scale, group_none,
          "load-to-use latency of global_load_dword, hit in the cache in front of memory, unloaded"),
    level("timing.mall.next", "name", text, fixed, group_none,
          "where its misses go: the name of a level, or \"memory\""),
    level("timing.mall.groups", "copies", integer, fixed, group_none,
          "copies of it, each for its share of the compute units (shader arrays, dies); 1 where not stated"),
    level(
        "timing.mall.hash", "name", text, fixed, group_none,
        "how blocks are dealt out to slices: by their low address bits (\"none\"), with higher ones mixed in "
        "(\"mix\"), or two at a time, half a block in turn, to any two neighbours (\"pairs\")"),
    level("timing.mall.store", "name", text, fixed, group_none,
          "a store stays in the cache (\"back\") or goes on at once (\"through\")"),
    level("timing.mall.write_bytes_per_cycle", "B/cycle", integer, scale, group_none,
          "store data that a slice takes in a cycle"),
    level("timing.mall.misses", "lines", integer, power_of_two, group_none,
          "lines outstanding from a slice, and dirty ones on their way"),
    level("timing.mall.cleaned_after_launch", "flag", integer, fixed, group_none,
          "1 when its dirty lines leave at the end of a launch; 0 where not stated"),
    level("timing.mall.atomic_cycles", "cycles", integer, scale, group_none,
          "between two atomics on the same address; stated where atomics are performed"),
    level("timing.mall.atomic_lanes_per_cycle", "lanes", integer, scale, group_none,
          "atomics on different words of one line that a slice does in a cycle"),
    shared("timing.dram.latency_cycles", "cycles", scale,
           "load-to-use latency of global_load_dword, closed row, unloaded; the mean of both halves"),
    shared("timing.dram.channels", "channels", power_of_two, "independent channels"),
    dram("timing.dram.banks", "banks", power_of_two, "banks of a channel"),
    dram("timing.dram.bank_groups", "groups", power_of_two, "bank groups of a channel; 1: none"),
    dram("timing.dram.row_bytes", "B", power_of_two, "bytes of a bank's open row"),
    dram("timing.dram.burst_bytes", "B", power_of_two, "bytes of one burst"),
    dram("timing.dram.burst_clocks", "memory clocks", fixed,
         "memory clocks for which a burst holds a channel's data bus"),
    dram("timing.dram.tcl_clocks", "memory clocks", scale, "read command to its first data (tCL)"),
    dram("timing.dram.tcwl_clocks", "memory clocks", scale, "write command to its first data (tCWL)"),
    dram("timing.dram.trcd_clocks", "memory clocks", scale, "row open to column access (tRCD)"),
    dram("timing.dram.trp_clocks", "memory clocks", scale, "row close (tRP)"),
    dram("timing.dram.tras_clocks", "memory clocks", scale, "row open at least (tRAS)"),
    dram("timing.dram.trrd_clocks", "memory clocks", scale, "between two activations in a channel (tRRD)"),
    dram("timing.dram.tfaw_clocks", "memory clocks", scale,
         "time in which a channel has at most four activations (tFAW)"),
    dram("timing.dram.tccd_clocks", "memory clocks", scale,
         "between two column commands of different bank groups (tCCD_S)"),
    dram("timing.dram.tccd_long_clocks", "memory clocks", scale,
         "between two column commands of one bank group (tCCD_L)"),
    dram("timing.dram.trtp_clocks", "memory clocks", scale, "read command to the closing of its row (tRTP)"),
    dram("timing.dram.twr_clocks", "memory clocks", scale,
         "last data of a write to the closing of its row (tWR)"),
    dram("timing.dram.twtr_clocks", "memory clocks", scale,
         "last data of a write to the next read command (tWTR)"),
    dram("timing.dram.turnaround_clocks", "memory clocks", scale,
         "data bus idle between a read and a write that follows"),
    dram("timing.dram.refresh_interval_clocks", "memory clocks", scale,
         "between two refreshes of a channel (tREFI)"),
    dram("timing.dram.refresh_clocks", "memory clocks", scale, "a refresh (tRFC)"),
    {"timing.dram.bus_percent", "percent", integer, scale, timed_groups, group_none,
     "of the data bus's clocks that carry data at best; 100 where not stated"},
    {"timing.dram.bank_bytes", "B", integer, power_of_two, timed_groups, group_none,
     "consecutive bytes of a channel in one bank, before those of the next; a row's, with higher bits mixed "
     "in, where not stated"},
    {"timing.dram.hashed_banks", "flag", integer, fixed, timed_groups, group_none,
     "1: where bank_bytes is stated, each bit of the bank is turned by bits of the row; 0 where not stated"},
    {"timing.dram.block_bytes", "B", integer, power_of_two, timed_groups, group_none,
     "consecutive bytes of a channel in one bank, before those of another bank group; a line of the last "
     "cache "
     "where not stated"},
    dram("timing.dram.queue", "requests", power_of_two, "reads, and writes, among which a channel chooses"),
};

}  // namespace

std::span<const KeyInfo> memory_keys() {
  return memory_key_table;
}

}  // namespace lockstep
