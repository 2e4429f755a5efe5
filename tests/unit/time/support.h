// A made-up GPU for tests of the timing model, and a probe that tells when instructions issued.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "time/synthetic_source.h"
#include "time/timing.h"

namespace lockstep::timing_test {

// Round figures; memory at the core's clock, so that its clocks are cycles. One compute unit unless a test
// wants more.
inline Gcn5Parameters test_gpu() {
  Gcn5Parameters p;
  p.clock_hertz = p.dram_clock_hertz = 1'000'000'000;
  p.compute_units = 1;
  p.simds = 4;
  p.waves_per_simd = 10;
  p.shader_engines = 1;
  p.launch_cycles = 100;
  p.groups_per_cycle = 1;
  p.cycles_per_wave = 1;
  p.wave_start_cycles = 20;
  p.buffer_bytes = 64;
  p.bytes_per_fetch = 32;
  p.cycles_per_fetch = 1;
  p.instruction_cache = {32768, 64, 4};
  p.instruction_units_sharing = 3;
  p.instruction_hit_cycles = 16;
  p.instruction_miss_cycles = 140;
  p.instruction_misses = 8;
  p.turn_cycles = 4;
  p.instructions_per_turn = 5;
  const auto valu = [&p](Cost cost, u16 cycles) { p.valu_cycles[static_cast<std::size_t>(cost)] = cycles; };
  valu(Cost::valu_full, 4);
  valu(Cost::valu_half, 8);
  valu(Cost::valu_quarter, 16);
  valu(Cost::valu_transcendental, 16);
  valu(Cost::valu_f64_add, 32);
  valu(Cost::valu_f64_mul, 64);
  valu(Cost::valu_f64_transcendental, 64);
  valu(Cost::valu_f16, 4);
  valu(Cost::valu_dot, 4);
  valu(Cost::valu_cross_lane, 4);
  p.valu_to_scalar = 16;
  p.salu_cycles = 4;
  p.branch_not_taken = 4;
  p.branch_taken = 20;
  p.barrier_cycles = 16;
  p.scalar_cache = {16384, 64, 4};
  p.scalar_units_sharing = 3;
  p.scalar_bytes_per_cycle = 16;
  p.smem_cycles = 4;
  p.smem_cycles_x8 = 8;
  p.smem_cycles_x16 = 16;
  p.smem_hit_cycles = 64;
  p.smem_miss_cycles = 140;
  p.smem_misses = 16;
  p.memtime_cycles = 40;
  p.local_banks = 32;
  p.local_lanes_per_pass = 32;
  p.local_simds_per_port = 2;
  p.local_issue_cycles = 1;
  p.local_latency = 64;
  p.local_queue = 16;
  p.local_read = {4, 8, 16};
  p.local_write = {8, 12, 20};
  p.local_atomic = {8, 12};
  p.local_atomic_conflict = 1;
  p.vmem_issue_cycles = 4;
  p.lanes_per_address_cycle = 16;
  p.store_bytes_per_cycle = 64;
  p.return_bytes_per_cycle = 64;
  p.vmem_queue = 64;
  p.l1 = {16384, 64, 4};
  p.l1_hit_cycles = 120;
  p.l1_tags_per_cycle = 1;
  p.l1_misses = 256;
  p.tlb_entries = 32;
  p.tlb2_entries = 4096;
  p.page_bytes = 1u << 21;
  p.tlb_miss_cycles = 0;  // tests of translation set them
  p.tlb_walk_cycles = 0;
  p.l2 = {4u << 20, 64, 16};
  p.l2_slices = 16;
  p.l2_interleave_bytes = 256;
  p.l2_bytes_per_cycle = 64;
  p.l2_hit_cycles = 240;
  p.l2_request_bytes = 64;
  p.l2_response_bytes = 64;
  p.l2_misses = 256;
  p.l2_queue = 64;
  p.l2_atomic_cycles = 2;
  p.l2_atomic_lanes = 16;
  p.fabric_cycles = 300;
  p.dram_latency_cycles = 600;
  p.dram_channels = 16;
  p.dram.banks = 16;
  p.dram.row_bytes = 2048;
  p.dram.burst_bytes = 32;
  p.dram.burst_clocks = 1;
  p.dram.bursts_per_request = 2;
  p.dram.tcl = p.dram.trcd = p.dram.trp = 12;
  p.dram.tras = 28;
  p.dram.turnaround = 8;
  p.dram.refresh_interval = 0;  // tests of refresh set it
  p.dram.refresh = 0;
  p.dram.queue = 64;
  return p;
}

inline LaunchLimits no_limits() {
  return {10, 10, 10, ~0u, 16};
}

struct TimedRun {
  TimingResult result;
  // By wave handle: instruction index and cycle of each issue.
  std::map<u32, std::vector<std::pair<u32, u64>>> issues;

  // The cycle in which a wave issued instruction `index`, for the how-manieth time.
  u64 at(u32 index, u32 visit = 0, u32 wave = 0) const {
    for (const auto& [pc, cycle] : issues.at(wave)) {
      if (pc == index && visit-- == 0) return cycle;
    }
    ADD_FAILURE() << "instruction " << index << " of wave " << wave << " was not issued";
    return 0;
  }
};

// Each stall reason's cycles and the issues must make up all resident wave-cycles.
inline void expect_sums(const TimingResult& result) {
  u64 sum = result.issue_cycles;
  for (u64 cycles : result.stalls) sum += cycles;
  EXPECT_EQ(sum, result.wave_cycles);
  EXPECT_EQ(result.issue_cycles, result.instructions);
  u64 occupied = 0;
  for (const OccupancySample& sample : result.occupancy) occupied += sample.wave_cycles;
  EXPECT_EQ(occupied, result.wave_cycles);
}

inline TimedRun run(const Gcn5Parameters& gpu, const SyntheticProgram& program, u32 group_items = 64,
                    u64 groups = 1, const LaunchLimits& limits = no_limits(), bool record = true,
                    const TimingOptions& options = {}) {
  SyntheticSource source(program);
  TimedRun out;
  if (record)
    source.on_issue = [&out](WaveHandle wave, u32 index, u64 now) {
      out.issues[wave].emplace_back(index, now);
    };
  TimedLaunch launch;
  launch.code = program.code;
  launch.range.global = {groups * group_items, 1, 1};
  launch.range.local = {group_items, 1, 1};
  const Expected<TimingResult> result = time_gcn5(gpu, limits, launch, source, options);
  if (!result.ok()) {
    ADD_FAILURE() << to_string(result.error());
    return out;
  }
  out.result = *result;
  expect_sums(out.result);
  return out;
}

inline AddressFunction lanes_at(u64 base, u64 stride) {
  return [base, stride](const SyntheticVisit&, Access& access) { strided(access, base, stride); };
}

}  // namespace lockstep::timing_test
