// The figures of one machine's compute units that timing uses, as plain numbers read from its file. Cycles
// are of the compute units' clock. Costs of instructions are not here: they are in the timed program.
//
// A cluster is what shares an instruction cache and a scalar cache. It has units; a unit runs work-groups and
// owns local memory. A unit's SIMDs are divided among its vector-memory paths, each with a first-level cache.
#pragma once
#include <algorithm>
#include <array>

#include "base/diagnostic.h"
#include "base/types.h"
#include "time/program/timed_op.h"
#include "time/units/coalescer.h"
#include "time/units/set_hash.h"

namespace lockstep {

struct Machine;

struct CacheShape {
  u32 size_bytes = 0, line_bytes = 0, ways = 0;
  u32 sets() const { return size_bytes / line_bytes / ways; }
};

inline constexpr u32 most_slots_per_simd = 32;

struct CoreFigures {
  u64 clock_hz = 0;
  u32 units = 0, units_per_cluster = 1, engines = 1;
  u32 dies = 1;  // each has its share of the engines, and of the groups
  u32 simds = 4, slots_per_simd = 10, lanes_per_simd = 16;
  u32 paths = 1;  // vector-memory paths of a unit
  u32 clusters() const { return (units + units_per_cluster - 1) / units_per_cluster; }
  u32 slots_per_unit() const { return simds * slots_per_simd; }
  u32 slots_per_cluster() const { return units_per_cluster * slots_per_unit(); }

  // Dispatch
  u32 launch_cycles = 0;  // from the host's launch to the first group
  u32 flush_cycles = 0;   // at its end, for accesses of global memory by a quarter of the units or more
  u32 cycles_per_256_groups = 0;  // 0: as many a cycle as groups_per_cycle says
  u32 cycles_per_256_ends = 0;    // 0: any number at once
  bool by_engine = false;         // each unit of an engine gets a group before the next engine's
  u32 groups_per_cycle = 1, cycles_per_wave = 1, wave_start_cycles = 32, wave_end_cycles = 32;
  u32 unit_cycles_per_wave = 0;

  // Issue: each SIMD has its turn every so many cycles, one after the other; in it it issues so many
  // instructions at most, one a wave and one a pipe.
  u32 turn_cycles = 4, issues_per_turn = 5;
  u32 issues_of_wave = 1;  // of one wave in a turn, where its code says that they go together
  u32 branch_taken_cycles = 20, branch_not_taken_cycles = 4;
  u32 branch_parted_cycles = 0;  // more where lanes go different ways
  u32 barrier_cycles = 16;
  u32 barrier_arrival_cycles = 0;  // of the unit's barrier logic for each wave that arrives
  // Which of the waves that can issue does: the oldest, or the one that issued last, else one of the oldest
  // group and of those the last one.
  bool greedy = false;
  // The wave behind the one that issued last goes first, in the order of their coming.
  bool round_robin = false;
  u32 vector_pipes = 1;  // of a SIMD, 1 or 2: each takes instructions of another wave
  // Waves of a SIMD that may be in clauses of vector instructions at a time; 0: there are no clauses.
  u32 vector_clauses = 0;

  // Fetch
  u32 fetch_buffer_blocks = 2, fetch_block_bytes = 32, cycles_per_fetch = 1;
  u32 simds_per_fetch = 4;  // neighbouring SIMDs that fetch one after the other
  CacheShape instruction_cache;
  u32 instruction_hit_cycles = 16, instruction_misses = 8;
  u32 instruction_miss_cycles = 140;   // more than a hit: to the first shared level, which has it, and back
  u32 instruction_prefetch_lines = 0;  // lines fetched ahead of a miss
  // A SIMD's own instruction cache in front of that, where there is one: its hit, and the lines that a miss
  // fetches ahead, one after the other.
  CacheShape near_instruction_cache;
  u32 near_instruction_hit_cycles = 0, near_instruction_prefetch_lines = 0;
  u32 near_instruction_line_cycles = 1;  // between two lines that it gets from the cache behind it
  u32 unit_instruction_line_cycles = 0;  // between two lines for any of a unit's SIMDs
  // Of a kernel's code: what its launch brings into the cache behind; whether caches keep code from launch to
  // launch.
  u32 launch_code_bytes = 0;
  bool keeps_code = false;

  // Scalar data cache
  CacheShape scalar_cache;
  u32 scalar_bytes_per_cycle = 16, scalar_hit_cycles = 64, scalar_misses = 16;
  u32 scalar_miss_cycles = 140;  // as instruction_miss_cycles
  // Of the scalar cache for each different address of a load, and between two of one load; 0: loads have one
  // address.
  u32 scalar_address_cycles = 0, scalar_next_address_cycles = 0;
  u32 clock_read_cycles = 40;

  // Local memory of a unit: `ports` that move data (neighbouring SIMDs share one), `banks` that all share.
  u32 local_banks = 32, local_lanes_per_pass = 32, local_ports = 2, local_issue_cycles = 1;
  u32 local_latency = 64, local_queue = 16;
  std::array<u32, 3> local_read{4, 8, 16}, local_write{8, 12, 20};  // by 4, 8, 16 bytes a lane
  std::array<u32, 2> local_atomic{8, 12};
  u32 local_atomic_conflict = 1, local_same_word = 1;  // of another bank's word, of an atomic's on the same
  // Until an atomic's old value is there, more than until a load's; more for each further pass.
  u32 local_atomic_latency = 0, local_atomic_turn_latency = 0;
  u32 local_halves = 1;            // halves of local memory, each with its banks
  f64 local_crossing_cycles = 0;   // more for each pass that reaches the half of other SIMDs
  u32 local_words_of_bank = 1;     // that a bank delivers at once
  bool local_pairs_share = false;  // wide loads whose neighbouring lanes agree take half the passes
  u32 local_successive_words = 1;  // that lie in a bank before the next one's
  u32 local_conflict = 1;          // cycles of a further pass because of a conflict
  // What finds lanes of equal values: of the stage that SIMDs' queues lead to for each value, 0 as others;
  // and until its result is there, more for each further value.
  u32 match_stage_cycles = 0, match_value_cycles = 0;
  u32 crossbar_latency = 0;       // of what works without the banks; 0: as local memory's
  u32 local_port_bytes = 0;       // that a port moves in a cycle, where instructions say what they move
  bool local_holds_simd = false;  // a vector instruction that moves local data waits for its passes

  // What each SIMD's memory instructions of all kinds pass first, where there is such a way: a queue, from
  // which an address unit takes one every so many cycles, then a stage that all SIMDs share.
  u32 front_queue = 0;  // 0: there is none
  u32 front_cycles = 0, front_stage_cycles = 0;
  u32 front_latency_cycles = 0;  // from its issue to the shared stage
  u32 front_pass_cycles = 0;     // of a SIMD's way for each pass (line, row of banks) of an instruction
  // From there until the sources of a load, of a store or atomic have been read.
  u32 front_sources_cycles = 0, front_data_cycles = 0;

  // Vector memory of a path
  u32 vector_issue_cycles = 4, lanes_per_address_cycle = 16, gather_window_bytes = 0;
  LoadPasses load_passes;  // of a group of lanes that load; without lanes: each line takes its cycle
  u32 store_bytes_per_cycle = 64, return_bytes_per_cycle = 64, vector_queue = 64;
  bool returns_in_order = true;
  CacheShape l1;
  u32 l1_sector_bytes = 0;       // what is fetched at once: a line or a part of it
  bool l1_shares_local = false;  // l1.size_bytes is storage of which a launch's local memory takes its part
  // Where the first level lies in local memory's banks: lines of an access that are looked up in a cycle; an
  // access takes so many cycles, or the passes of the banks. 0: each line takes a cycle of its own.
  u32 l1_tags_per_cycle = 0;
  SetHash l1_set_hash;            // where the first level shares local memory's storage
  bool l1_joins_sectors = false;  // into one request of a line
  u32 l1_protected_ways = 0;
  bool l1_keeps_stores = false;      // of lines that it does not have, too
  std::array<u32, 2> l1_tag_hash{};  // which bits of a line's number make its tag bank's; zeros: in turn
  HalfWaves half_waves = HalfWaves::none;           // how an access to memory is divided, by halves of a wave
  u32 open_store_lines = 0, open_store_cycles = 0;  // that have not left the first level yet
  bool l1_beside_local = false;                     // it has such banks of its own
  u32 l1_hit_cycles = 120, l1_misses = 256, stores_outstanding = 256;
  u32 request_bytes = 64, response_bytes = 64;  // a cycle, to and from the next level
  u32 image_lanes_per_cycle = 16;               // texels that the filter delivers a cycle
  u32 image_bytes_per_cycle = 0;                // of texels that the sampler's cache gives; 0: any number
  u32 return_lanes_per_cycle = 64;              // lanes of a load that get their data in a cycle

  // Lanes of the widest wave.
  u32 most_lanes = 64;
  // Latencies are stated from a load to the instruction that uses what it brings. Of these, the cycles from
  // the data's arrival to that instruction: the turn of a wait between the two, or the begin of its clause.
  u32 wait_cycles = 4, local_wait_cycles = 4;
  u32 scalar_latency() const { return scalar_hit_cycles - std::min(scalar_hit_cycles, wait_cycles); }
  // Of a load's lanes, one after the other, through the address unit and back.
  u32 lane_cycles(u32 lanes) const {
    return std::max({1u, lanes / lanes_per_address_cycle, lanes / return_lanes_per_cycle});
  }
  // Cycles of a request in the compute unit on its way to the first shared level and back.
  u32 near_work() const {
    return front_queue == 0 ? lane_cycles(most_lanes) + wait_cycles
                            : front_latency_cycles + std::max(1u, most_lanes * 4 / return_bytes_per_cycle);
  }

  // Wait counters that the ISA has, and whether their operations complete in order.
  std::array<bool, wait_counter_count> has_counter{};
};

// How many waves and groups of one kernel a unit holds, by each resource.
struct LaunchLimits {
  u32 waves_per_simd_slots = 0, waves_per_simd_vector = 0, waves_per_simd_scalar = 0;
  u32 groups_local = 0, groups_barriers = 0;
  u32 simds_per_group = 0;    // a group's waves stay within so many neighbouring SIMDs; 0: all of the unit
  u32 groups_any = ~0u;       // groups of any size
  bool whole_groups = false;  // waves give their places back when their group has ended
  u32 l1_bytes = 0;           // what local memory leaves to the first level; 0: the machine's own figure
  u32 waves_per_simd() const;
};

}  // namespace lockstep
