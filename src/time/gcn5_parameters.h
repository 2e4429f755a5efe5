// Every figure of a GCN5 GPU that the timing model uses, as plain numbers. No other file of the model knows a
// figure of a GPU. Cycles are of the compute units' clock unless a name says otherwise.
#pragma once
#include <array>
#include <string_view>

#include "base/diagnostic.h"
#include "isa/cost.h"
#include "isa/program.h"
#include "time/units/dram.h"

namespace lockstep {

struct Machine;

struct CacheShape {
  u32 size_bytes = 0, line_bytes = 0, ways = 0;
  u32 sets() const { return size_bytes / line_bytes / ways; }
};

struct Gcn5Parameters {
  u64 clock_hertz = 0;
  u32 compute_units = 0, simds = 0, waves_per_simd = 0, shader_engines = 1;

  // Dispatch
  u32 launch_cycles = 0, groups_per_cycle = 0, cycles_per_wave = 0, wave_start_cycles = 0;

  // Fetch
  u32 buffer_bytes = 0, bytes_per_fetch = 0, cycles_per_fetch = 0;
  CacheShape instruction_cache;
  u32 instruction_units_sharing = 0, instruction_hit_cycles = 0, instruction_miss_cycles = 0;
  u32 instruction_misses = 0;

  // Issue and arithmetic
  u32 turn_cycles = 0, instructions_per_turn = 0;
  std::array<u16, static_cast<std::size_t>(Cost::count)> valu_cycles{};  // 0: not a VALU class
  u32 valu_latency = 0, valu_to_scalar = 0;
  u32 salu_cycles = 0, salu_latency = 0;
  u32 branch_not_taken = 0, branch_taken = 0;
  u32 barrier_cycles = 0;

  // The most operations that the wait counters of the ISA can hold.
  u32 most_vector_outstanding = 63, most_local_outstanding = 15;

  // Scalar memory
  CacheShape scalar_cache;
  u32 scalar_units_sharing = 0, scalar_bytes_per_cycle = 0;
  u32 smem_cycles = 0, smem_cycles_x8 = 0, smem_cycles_x16 = 0;
  u32 smem_hit_cycles = 0, smem_miss_cycles = 0, smem_misses = 0, memtime_cycles = 0;

  // Local memory; [0] 4 bytes a lane, [1] 8, [2] 16
  u32 local_banks = 0, local_lanes_per_pass = 0, local_simds_per_port = 0;
  u32 local_issue_cycles = 0, local_latency = 0, local_queue = 0;
  std::array<u32, 3> local_read{}, local_write{};
  std::array<u32, 2> local_atomic{};
  u32 local_atomic_conflict = 0;

  // Vector memory and first level
  u32 vmem_issue_cycles = 0, lanes_per_address_cycle = 0, store_bytes_per_cycle = 0;
  u32 gather_window_bytes = 0;  // 0: gaps cost nothing
  u32 return_bytes_per_cycle = 0, vmem_queue = 0;
  CacheShape l1;
  u32 l1_hit_cycles = 0, l1_tags_per_cycle = 0, l1_misses = 0;

  // Translation
  u32 tlb_entries = 0, tlb2_entries = 0, page_bytes = 0, tlb_miss_cycles = 0, tlb_walk_cycles = 0;

  // Second level
  CacheShape l2;
  u32 l2_slices = 0, l2_interleave_bytes = 0, l2_bytes_per_cycle = 0, l2_hit_cycles = 0;
  u32 l2_request_bytes = 0, l2_response_bytes = 0, l2_misses = 0, l2_queue = 0;
  u32 l2_atomic_cycles = 0, l2_atomic_lanes = 0;

  // Memory
  u32 fabric_cycles = 0;
  u32 dram_latency_cycles = 0;  // load to use, closed row, everything included
  u32 dram_channels = 0;
  u64 dram_clock_hertz = 0;
  DramParameters dram;
};

// How many waves and groups of one kernel a compute unit can hold, by each resource.
struct LaunchLimits {
  u32 waves_per_simd_slots = 0, waves_per_simd_vector = 0, waves_per_simd_scalar = 0;
  u32 groups_local = 0;     // by local memory
  u32 groups_barriers = 0;  // by group slots; groups of one wave take none
  u32 waves_per_simd() const;
};

// Reads the machine's figures. Errors: a target that is not GCN5, a missing key, figures that contradict each
// other (a memory latency below the sum of its parts).
Expected<Gcn5Parameters> gcn5_parameters(const Machine& machine);

// Errors: figures that the model cannot work with, named as in a machine file.
Status check_parameters(const Gcn5Parameters& parameters);

// Errors: a group that can never run on the machine.
Expected<LaunchLimits> launch_limits(const Machine& machine, const KernelNeeds& needs, u32 group_items,
                                     u32 local_bytes);

}  // namespace lockstep
