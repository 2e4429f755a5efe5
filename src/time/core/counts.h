// What a cluster counts.
#pragma once
#include <array>
#include <vector>

#include "isa/cost.h"
#include "time/counters.h"
#include "time/program/timed_op.h"
#include "time/units/occupancy_timeline.h"

namespace lockstep {

struct ClusterCounts {
  u64 instructions = 0, paired = 0, slots = 0, lanes = 0, waves = 0, wave_cycles = 0, last_end = 0;
  u64 longest_wave_cycles = 0;
  std::array<u64, static_cast<std::size_t>(Cost::count)> by_cost{};
  std::array<u64, pipe_count> by_pipe{};
  std::array<u64, 65> active_lanes{};
  u64 fetches = 0, fetch_hits = 0, fetch_misses = 0, branches = 0, branches_taken = 0, barriers = 0;
  u64 scalar_requests = 0, scalar_hits = 0, scalar_merges = 0, scalar_misses = 0, scalar_bytes = 0;
  u64 local_conflict_cycles = 0, local_same_word_cycles = 0, local_bytes = 0;
  u64 vector_look_ups = 0, vector_lines = 0, vector_ideal_lines = 0, l1_hits = 0, l1_merges = 0,
      l1_misses = 0, load_bytes = 0;
  u64 write_requests = 0, atomic_requests = 0, write_bytes = 0;
  u64 tlb_lookups = 0, tlb_misses = 0;
  u64 most_vector_queue = 0;
  OccupancyTimeline timeline;
};

}  // namespace lockstep
