// A made-up GPU for tests of the timing model, and a probe that tells when instructions issued.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "isa/amd/format.h"
#include "memory_support.h"
#include "support/synthetic.h"
#include "time/device.h"

namespace lockstep::timing_test {

// The figures of a GPU, before ways are made of its latencies.
struct TestGpu {
  CoreFigures core;
  Hierarchy hierarchy;  // ways: set by build()
  std::array<u16, static_cast<std::size_t>(Cost::count)> valu_cycles{};
  // Load to use; a level behind the first shared one takes 100 more.
  u32 second_level_cycles = 240, memory_cycles = 600, translation_cycles = 80;

  // The hierarchy with the ways that the latencies leave.
  Hierarchy build() const {
    Hierarchy h = hierarchy;
    u32 before = core.near_work();
    const auto split = [&before](u32 latency, u32 work, u32& way, u32& extra) {
      way = (latency - before - work) / 2;
      extra = (latency - before - work) % 2;
      before = latency + 1;
    };
    const CacheLevel& l2 = h.levels.back();
    u32 latency = second_level_cycles;
    for (CacheLevel& level : h.levels) {
      split(latency, level.read_cycles(core.l1.line_bytes), level.way_cycles, level.extra_cycles);
      latency += 100;
    }
    const u64 dram = h.dram_clock.to_core(h.dram.closed_row_clocks(l2.sector_bytes));
    split(memory_cycles, static_cast<u32>(dram), h.memory_way_cycles, h.memory_extra_cycles);
    h.translation.way_cycles = translation_cycles / 2;
    h.translation.extra_cycles = translation_cycles % 2;
    return h;
  }
};

// Round figures; memory at the core's clock, so that its clocks are cycles. One compute unit unless a test
// wants more.
inline TestGpu test_gpu() {
  TestGpu gpu;
  CoreFigures& f = gpu.core;
  f.clock_hz = 1'000'000'000;
  f.units = f.engines = 1;
  f.units_per_cluster = 3;
  f.launch_cycles = 100;
  f.wave_start_cycles = f.wave_end_cycles = 20;
  f.instruction_cache = {32768, 64, 4};
  f.scalar_cache = {16384, 64, 4};
  f.l1 = {16384, 64, 4};
  f.has_counter[static_cast<std::size_t>(WaitCounter::load)] = true;
  f.has_counter[static_cast<std::size_t>(WaitCounter::local)] = true;

  const auto valu = [&gpu](Cost cost, u16 cycles) {
    gpu.valu_cycles[static_cast<std::size_t>(cost)] = cycles;
  };
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

  Hierarchy& h = gpu.hierarchy;
  CacheLevel l2;
  l2.name = "l2";
  l2.size_bytes = (4u << 20) / 16;
  l2.slices = 16;
  l2.holds_atomics = true;
  h.levels.push_back(l2);
  h.channels = 16;
  h.dram = memory_test::test_dram();
  h.translation.walk_cycles = 400;
  return gpu;
}

inline Pipe pipe_of(Cost cost) {
  switch (cost) {
    case Cost::salu:
      return Pipe::scalar;
    case Cost::smem_load:
    case Cost::smem_time:
      return Pipe::scalar_memory;
    case Cost::vmem_load:
    case Cost::vmem_store:
    case Cost::vmem_atomic:
    case Cost::cache_control:
      return Pipe::vector_memory;
    case Cost::lds_load:
    case Cost::lds_store:
    case Cost::lds_atomic:
      return Pipe::local_memory;
    case Cost::branch:
      return Pipe::branch;
    case Cost::barrier:
    case Cost::wait:
    case Cost::nop:
    case Cost::sleep:
    case Cost::end:
      return Pipe::internal;
    default:
      return Pipe::vector;
  }
}

// What the program costs on the made-up GPU. Instructions depend on nothing but counters: tests add the rest.
inline TimedProgram timed_program(const TestGpu& gpu, const SyntheticProgram& program) {
  constexpr u32 load = static_cast<u32>(WaitCounter::load), local = static_cast<u32>(WaitCounter::local);
  TimedProgram timed;
  for (const Instruction& in : program.code) {
    TimedOp op;
    op.address = in.address;
    op.size = in.size;
    op.cost = in.cost;
    op.pipe = pipe_of(in.cost);
    op.cycles = op.pipe == Pipe::vector ? gpu.valu_cycles[static_cast<std::size_t>(in.cost)] : 4;
    if (op.pipe == Pipe::vector_memory || op.pipe == Pipe::local_memory) op.cycles = 1;
    if (in.cost == Cost::vmem_store || in.cost == Cost::lds_store) op.flags |= TimedOp::memory_store;
    if (in.cost == Cost::vmem_atomic || in.cost == Cost::lds_atomic) op.flags |= TimedOp::memory_atomic;
    if (in.cost == Cost::smem_time) op.flags |= TimedOp::clock_read;
    if (in.cost == Cost::cache_control) op.flags |= TimedOp::cache_control;
    if ((in.flags & Instruction::returns) != 0) op.flags |= TimedOp::memory_returns;
    if (in.cost == Cost::nop) op.argument = static_cast<u16>(in.offset + 1);
    if (in.cost == Cost::sleep) op.argument = static_cast<u16>(64 * in.offset);
    if (op.pipe == Pipe::vector_memory) {
      op.counters = 1 << load;
      op.most_outstanding[load] = 62;
    } else if (op.pipe == Pipe::scalar_memory || op.pipe == Pipe::local_memory) {
      op.counters = 1 << local;
      op.most_outstanding[local] = 14;
    }
    if (in.cost == Cost::wait) {
      const amd::WaitCounts counts = amd::WaitCounts::unpack(in);
      op.most_outstanding[load] = counts.vector;
      op.most_outstanding[local] = counts.local;
    }
    timed.ops.push_back(op);
  }
  return timed;
}

inline LaunchLimits no_limits() {
  return {10, 10, 10, ~0u, 16, 0};
}

struct TimedRun {
  TimingResult result;
  // By wave slot of the device: instruction index and cycle of each issue.
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

// Each stall reason's cycles and the issues must make up all resident wave-cycles; what instructions were
// charged must make up the counters.
inline void expect_sums(const TimingResult& result) {
  u64 sum = result.issue_cycles;
  for (const u64 cycles : result.stalls) sum += cycles;
  EXPECT_EQ(sum, result.wave_cycles);
  u64 occupied = 0;
  for (const OccupancySample& sample : result.occupancy) occupied += sample.wave_cycles;
  EXPECT_EQ(occupied, result.wave_cycles);

  InstructionFigures all;
  for (const InstructionFigures& figures : result.per_instruction) all += figures;
  EXPECT_EQ(all.issued, result.instructions);
  EXPECT_EQ(result.issue_cycles, result.instructions - all.paired);
  EXPECT_EQ(all.stalls, result.stalls);
  EXPECT_EQ(all.transactions, result.counter("vector.transactions"));
  EXPECT_EQ(all.ideal_transactions, result.counter("vector.ideal_transactions"));
  EXPECT_EQ(all.bank_conflict_cycles, result.counter("lds.conflict_cycles"));
  // Each line that was looked up has been served by some level, once.
  ASSERT_LE(result.levels.size(), InstructionFigures::most_levels);
  u64 served = 0;
  for (const u64 lines : all.served) served += lines;
  EXPECT_EQ(served, result.counter("vector.lines") + result.counter("scalar.requests"));
  EXPECT_EQ(all.served[0], result.counter("l1.hits") + result.counter("scalar.hits"));
  EXPECT_EQ(result.counter("l1.hits") + result.counter("l1.merges") + result.counter("l1.misses") +
                result.counter("l1.writes") + result.counter("l1.atomics"),
            result.counter("vector.lines"));
  u64 lanes = 0;
  for (std::size_t i = 0; i < result.active_lanes.size(); ++i) lanes += result.active_lanes[i];
  // What only controls caches, by either memory pipe, has no lanes.
  const u64 vector = result.counter("instructions.valu") + result.counter("instructions.vmem") +
                     result.counter("instructions.lds");
  EXPECT_LE(lanes, vector);
  EXPECT_GE(lanes + result.counter("instructions.class.cache_control"), vector);
}

// Everything that a run hands out.
inline void expect_same(const TimingResult& a, const TimingResult& b) {
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.waves, b.waves);
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.wave_cycles, b.wave_cycles);
  EXPECT_EQ(a.issue_cycles, b.issue_cycles);
  EXPECT_EQ(a.stalls, b.stalls);
  EXPECT_EQ(a.levels, b.levels);
  EXPECT_EQ(a.active_lanes, b.active_lanes);
  ASSERT_EQ(a.counters.size(), b.counters.size());
  for (std::size_t i = 0; i < a.counters.size(); ++i) {
    EXPECT_EQ(a.counters[i].name, b.counters[i].name);
    EXPECT_EQ(a.counters[i].value, b.counters[i].value) << a.counters[i].name;
  }
  ASSERT_EQ(a.resources.size(), b.resources.size());
  for (std::size_t i = 0; i < a.resources.size(); ++i)
    EXPECT_EQ(a.resources[i].busy_cycles, b.resources[i].busy_cycles) << a.resources[i].name;
  ASSERT_EQ(a.per_instruction.size(), b.per_instruction.size());
  for (std::size_t i = 0; i < a.per_instruction.size(); ++i) {
    const InstructionFigures &x = a.per_instruction[i], &y = b.per_instruction[i];
    EXPECT_EQ(x.issued, y.issued) << i;
    EXPECT_EQ(x.lanes_active, y.lanes_active) << i;
    EXPECT_EQ(x.issue_cycles, y.issue_cycles) << i;
    EXPECT_EQ(x.transactions, y.transactions) << i;
    EXPECT_EQ(x.ideal_transactions, y.ideal_transactions) << i;
    EXPECT_EQ(x.bank_conflict_cycles, y.bank_conflict_cycles) << i;
    EXPECT_EQ(x.repeated_accesses, y.repeated_accesses) << i;
    EXPECT_EQ(x.served, y.served) << i;
    EXPECT_EQ(x.stalls, y.stalls) << i;
  }
  ASSERT_EQ(a.occupancy.size(), b.occupancy.size());
  for (std::size_t i = 0; i < a.occupancy.size(); ++i) {
    EXPECT_EQ(a.occupancy[i].begin_cycle, b.occupancy[i].begin_cycle) << i;
    EXPECT_EQ(a.occupancy[i].cycles, b.occupancy[i].cycles) << i;
    EXPECT_EQ(a.occupancy[i].wave_cycles, b.occupancy[i].wave_cycles) << i;
  }
}

struct RunOptions {
  u32 group_items = 64;
  u64 groups = 1;
  LaunchLimits limits = no_limits();
  bool record = true;  // TimedRun::issues
  TimingOptions timing = {};
  u32 wave_lanes = 64;
};

inline TimedLaunch launch_of(const SyntheticProgram& program, const RunOptions& options) {
  TimedLaunch launch;
  launch.code = program.code;
  launch.range.global = {options.groups * options.group_items, 1, 1};
  launch.range.local = {options.group_items, 1, 1};
  return launch;
}

inline TimedRun run(const CoreFigures& core, const Hierarchy& hierarchy, const TimedProgram& timed,
                    const SyntheticProgram& program, const RunOptions& options) {
  TimedRun out;
  const Status status = check_hierarchy(hierarchy);
  if (!status.ok()) {
    ADD_FAILURE() << to_string(status.error());
    return out;
  }
  SyntheticFactory sources(program);
  if (options.record)
    sources.on_issue = [&](u32 cluster, WaveHandle wave, u32 index, u64 now) {
      out.issues[cluster * core.slots_per_cluster() + wave].emplace_back(index, now);
    };
  Device device(nullptr, core, hierarchy);
  const Expected<TimingResult> result = device.run({timed, options.limits}, launch_of(program, options),
                                                   options.wave_lanes, sources, options.timing);
  if (!result.ok()) {
    ADD_FAILURE() << to_string(result.error());
    return out;
  }
  out.result = *result;
  expect_sums(out.result);
  return out;
}

inline TimedRun run(const TestGpu& gpu, const TimedProgram& timed, const SyntheticProgram& program,
                    const RunOptions& options = {}) {
  return run(gpu.core, gpu.build(), timed, program, options);
}

inline TimedRun run(const TestGpu& gpu, const SyntheticProgram& program, const RunOptions& options = {}) {
  return run(gpu, timed_program(gpu, program), program, options);
}

inline AddressFunction lanes_at(u64 base, u64 stride) {
  return [base, stride](const SyntheticVisit&, Access& access) { strided(access, base, stride); };
}

}  // namespace lockstep::timing_test
