// The figures of one machine's compute units that timing uses, as plain numbers read from its file. Cycles
// are of the compute units' clock. Costs of instructions are not here: they are in the timed program.
//
// A cluster is what shares an instruction cache and a scalar cache. It has units; a unit runs work-groups and
// owns local memory. A unit's SIMDs are divided among its vector-memory paths, each with a first-level cache.
#pragma once
#include <array>

#include "base/diagnostic.h"
#include "base/types.h"
#include "time/program/timed_op.h"

namespace lockstep {

struct Machine;

struct CacheShape {
  u32 size_bytes = 0, line_bytes = 0, ways = 0;
  u32 sets() const { return size_bytes / line_bytes / ways; }
};

struct CoreFigures {
  u64 clock_hz = 0;
  u32 units = 0, units_per_cluster = 1, engines = 1;
  u32 simds = 4, slots_per_simd = 10, lanes_per_simd = 16;
  u32 paths = 1;  // vector-memory paths of a unit
  u32 clusters() const { return (units + units_per_cluster - 1) / units_per_cluster; }
  u32 slots_per_unit() const { return simds * slots_per_simd; }
  u32 slots_per_cluster() const { return units_per_cluster * slots_per_unit(); }

  // Dispatch
  u32 launch_cycles = 0;  // from the host's launch to the first group
  u32 groups_per_cycle = 1, cycles_per_wave = 1, wave_start_cycles = 32, wave_end_cycles = 32;

  // Issue: each SIMD has its turn every so many cycles, one after the other; in it it issues so many
  // instructions at most, one a wave and one a pipe.
  u32 turn_cycles = 4, issues_per_turn = 5;
  u32 branch_taken_cycles = 20, branch_not_taken_cycles = 4;
  u32 barrier_cycles = 16;

  // Fetch
  u32 fetch_buffer_blocks = 2, fetch_block_bytes = 32, cycles_per_fetch = 1;
  u32 simds_per_fetch = 4;  // neighbouring SIMDs that fetch one after the other
  CacheShape instruction_cache;
  u32 instruction_hit_cycles = 16, instruction_misses = 8;
  u32 instruction_miss_cycles = 140;   // more than a hit: to the first shared level, which has it, and back
  u32 instruction_prefetch_lines = 0;  // lines fetched ahead of a miss

  // Scalar data cache
  CacheShape scalar_cache;
  u32 scalar_bytes_per_cycle = 16, scalar_hit_cycles = 64, scalar_misses = 16;
  u32 scalar_miss_cycles = 140;  // as instruction_miss_cycles
  u32 clock_read_cycles = 40;

  // Local memory of a unit: `ports` that move data (neighbouring SIMDs share one), `banks` that all share.
  u32 local_banks = 32, local_lanes_per_pass = 32, local_ports = 2, local_issue_cycles = 1;
  u32 local_latency = 64, local_queue = 16;
  std::array<u32, 3> local_read{4, 8, 16}, local_write{8, 12, 20};  // by 4, 8, 16 bytes a lane
  std::array<u32, 2> local_atomic{8, 12};
  u32 local_atomic_conflict = 1;
  u32 local_halves = 1;           // halves of local memory, each with its banks
  u32 local_crossing_cycles = 0;  // more for each pass that reaches the half of other SIMDs

  // Vector memory of a path
  u32 vector_issue_cycles = 4, lanes_per_address_cycle = 16, gather_window_bytes = 0;
  u32 store_bytes_per_cycle = 64, return_bytes_per_cycle = 64, vector_queue = 64;
  bool returns_in_order = true;
  CacheShape l1;
  u32 l1_hit_cycles = 120, l1_misses = 256, stores_outstanding = 256;
  u32 request_bytes = 64, response_bytes = 64;  // a cycle, to and from the next level
  u32 image_lanes_per_cycle = 16;               // texels that the filter delivers a cycle

  // Wait counters that the ISA has, and whether their operations complete in order.
  std::array<bool, wait_counter_count> has_counter{};
};

// How many waves and groups of one kernel a unit holds, by each resource.
struct LaunchLimits {
  u32 waves_per_simd_slots = 0, waves_per_simd_vector = 0, waves_per_simd_scalar = 0;
  u32 groups_local = 0, groups_barriers = 0;
  u32 simds_per_group = 0;  // a group's waves stay within so many neighbouring SIMDs; 0: all of the unit
  u32 waves_per_simd() const;
};

}  // namespace lockstep
