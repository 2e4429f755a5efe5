// Whole launches: dispatch, stall accounting, counters, order, errors.
#include <algorithm>

#include "machine/machine.h"
#include "support.h"

namespace lockstep {
namespace {

using namespace timing_test;

SyntheticProgram mixed(u32 trips) {
  SyntheticProgram program;
  program.memory(Cost::smem_load, Space::constant, AccessKind::load, 16,
                 [](const SyntheticVisit&, Access& a) {
                   a.lanes = 1;
                   a.address[0] = 1 << 20;
                 });
  program.wait(0xFF, 0);
  const u32 top = program.valu(3);
  program.load(4, [](const SyntheticVisit& v, Access& a) {
    strided(a, (u64{1} << 32) + (v.group * 7919 + v.wave * 131 + v.count * 17) % 4096 * 256, 4);
  });
  program.memory(Cost::lds_store, Space::local, AccessKind::store, 4, lanes_at(0, 8));
  program.wait(0, 0);
  program.barrier();
  program.memory(Cost::lds_load, Space::local, AccessKind::load, 8, lanes_at(0, 8));
  program.wait(0xFF, 0);
  program.repeat(Cost::valu_transcendental, 2, 4);
  program.memory(Cost::vmem_atomic, Space::global, AccessKind::atomic, 4, lanes_at(1 << 24, 4));
  program.store(8, [](const SyntheticVisit& v, Access& a) {
    strided(a, (u64{2} << 32) + (v.group * 4 + v.wave) * 2048 + v.count * 512, 8);
  });
  program.add(Cost::salu);
  program.loop(top, trips);
  program.end();
  return program;
}

void expect_same(const TimingResult& a, const TimingResult& b) {
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.stalls, b.stalls);
  ASSERT_EQ(a.counters.size(), b.counters.size());
  for (std::size_t i = 0; i < a.counters.size(); ++i) {
    EXPECT_EQ(a.counters[i].name, b.counters[i].name);
    EXPECT_EQ(a.counters[i].value, b.counters[i].value) << a.counters[i].name;
  }
}

TEST(Launch, ReasonsAddUpAndNothingIsLostInAMixedKernel) {
  Gcn5Parameters gpu = test_gpu();
  gpu.compute_units = 8;
  gpu.shader_engines = 2;
  gpu.tlb_miss_cycles = 50;
  gpu.tlb_walk_cycles = 300;
  const SyntheticProgram program = mixed(3);
  const TimedRun r = run(gpu, program, 256, 200);  // checks the sums
  EXPECT_EQ(r.result.groups, 200u);
  EXPECT_EQ(r.result.waves, 800u);
  EXPECT_EQ(r.result.instructions, 800u * (2 + 2 + 3 * 13 + 1));
  EXPECT_EQ(r.result.counter("barriers"), 800u * 3);
  EXPECT_EQ(r.result.counter("vector.transactions"), 800u * 3 * (4 + 4 + 8));
  EXPECT_EQ(r.result.counter("vector.ideal_transactions"), 800u * 3 * (4 + 4 + 8));
  EXPECT_EQ(r.result.counter("l1.hits") + r.result.counter("l1.merges") + r.result.counter("l1.misses"),
            800u * 3 * 4);
  EXPECT_EQ(r.result.counter("l1.writes"), 800u * 3 * 8);
  EXPECT_EQ(r.result.counter("l2.atomics"), 800u * 3 * 4);
  // 4-byte stores 8 bytes apart: two lanes of each bank, in two passes; 8-byte loads 8 apart: none.
  EXPECT_EQ(r.result.counter("lds.conflict_cycles"), 800u * 3 * 2);
  EXPECT_EQ(r.result.counter("l2.reads"), r.result.counter("l1.misses") + r.result.counter("icache.misses") +
                                              r.result.counter("scalar.misses"));
  u64 issued = 0;
  for (const InstructionFigures& figures : r.result.per_instruction) issued += figures.issued;
  EXPECT_EQ(issued, r.result.instructions);
}

TEST(Launch, TwoRunsAreEqual) {
  Gcn5Parameters gpu = test_gpu();
  gpu.compute_units = 4;
  const SyntheticProgram program = mixed(2);
  expect_same(run(gpu, program, 256, 100).result, run(gpu, program, 256, 100, no_limits(), false).result);
}

// Waves that began before the first one ended.
u64 first_residents(const TimedRun& r, u32 end) {
  u64 first_end = ~u64{0}, began = 0;
  for (const auto& [wave, issues] : r.issues) first_end = std::min(first_end, r.at(end, 0, wave));
  for (const auto& [wave, issues] : r.issues) {
    for (const auto& [index, cycle] : issues) began += index == 0 && cycle < first_end;
  }
  return began;
}

TEST(Dispatch, ResidencyFollowsTheLimits) {
  const Gcn5Parameters gpu = test_gpu();
  SyntheticProgram program;  // nothing that waves take from each other
  program.repeat(Cost::sleep, 100, 4);
  for (Instruction& instruction : program.code) instruction.offset = 1;
  program.end();
  struct Case {
    LaunchLimits limits;
    u32 items;
    u64 waves;
    const char* limiter;
  };
  const Case cases[] = {
      {{10, 10, 10, ~0u, 16}, 256, 40, "dispatch.stall.wave_slots"},
      {{10, 10, 10, ~0u, 16}, 192, 39, "dispatch.stall.wave_slots"},   // S1: 13 groups of 3 waves
      {{10, 10, 10, ~0u, 16}, 128, 32, "dispatch.stall.group_slots"},  // S1: 16 groups of 2 waves
      {{10, 10, 10, ~0u, 16}, 64, 40, "dispatch.stall.wave_slots"},    // S1: single waves take no barrier
      {{10, 9, 10, ~0u, 16}, 256, 36, "dispatch.stall.vector_registers"},
      {{10, 10, 7, ~0u, 16}, 256, 28, "dispatch.stall.scalar_registers"},
      {{10, 10, 10, 1, 16}, 128, 2, "dispatch.stall.local_memory"},  // S1: V0
  };
  for (const Case& c : cases) {
    const TimedRun r = run(gpu, program, c.items, 60, c.limits);
    EXPECT_EQ(first_residents(r, 100), c.waves) << c.items << " " << c.limiter;
    EXPECT_GT(r.result.counter(c.limiter), 0u) << c.limiter;
  }
}

TEST(Dispatch, GroupsGoRoundTheEnginesAndUnits) {
  Gcn5Parameters gpu = test_gpu();
  gpu.compute_units = 4;
  gpu.shader_engines = 2;
  SyntheticProgram program;
  program.repeat(Cost::valu_f64_mul, 20, 8);
  program.end();
  const TimedRun r = run(gpu, program, 64, 8);
  // Eight single-wave groups: two in each compute unit.
  std::array<u32, 4> waves{};
  for (const auto& [handle, issues] : r.issues) ++waves[handle / 40];
  EXPECT_EQ(waves, (std::array<u32, 4>{2, 2, 2, 2}));
}

TEST(Dispatch, WaveStartRateBoundsTinyKernels) {
  Gcn5Parameters gpu = test_gpu();
  gpu.compute_units = 16;
  gpu.cycles_per_wave = 8;
  SyntheticProgram program;
  program.end();
  const TimedRun r = run(gpu, program, 64, 4000, no_limits(), false);
  EXPECT_GE(r.result.cycles, 4000u * 8);
  EXPECT_LE(r.result.cycles, 4000u * 8 + 1500);
}

TEST(Issue, OneInstructionOfEachCategoryInATurn) {
  // Two waves of one SIMD: while one's vector instructions run, the other's scalar ones issue beside them.
  Gcn5Parameters gpu = test_gpu();
  gpu.simds = 1;
  gpu.waves_per_simd = 10;
  gpu.local_simds_per_port = 1;
  SyntheticProgram vector, both;
  vector.valu(16);
  vector.loop(0, 50);
  vector.end();
  for (u32 i = 0; i < 8; ++i) {
    both.valu();
    both.add(Cost::salu);
  }
  both.loop(0, 50);
  both.end();
  const u64 same = run(gpu, vector, 128, 1).result.cycles;
  const u64 mixed_cycles = run(gpu, both, 128, 1).result.cycles;
  // Two waves of vector instructions take turns; of each other kind one can go with a vector one.
  EXPECT_GE(same, 2u * 50 * 16 * 4);
  EXPECT_LE(mixed_cycles, same - 50 * 16 * 3);
}

TEST(Launch, AnEndlessWaitEndsAtTheInstructionLimit) {
  struct Uneven final : WaveSource {
    SyntheticProgram program;
    std::map<u32, std::pair<u32, u32>> waves;  // handle to (index in group, pc)
    Outcome outcome;
    Uneven() {
      program.barrier();
      program.valu();
      program.end();
    }
    void begin_group(u64, u32, std::span<const WaveHandle> handles) override {
      for (u32 i = 0; i < handles.size(); ++i) waves[handles[i]] = {i, i == 0 ? 1u : 0u};
    }
    const Instruction* peek(WaveHandle wave) override { return &program.code[waves[wave].second]; }
    const Outcome& next(WaveHandle wave, u64, u32, u32) override {
      auto& [index, pc] = waves[wave];
      outcome.pc = pc;
      outcome.instruction = &program.code[pc];
      outcome.event = pc == 0 ? Event::barrier : Event::none;
      if (pc == 0) ++pc;
      outcome.next_pc = pc;
      return outcome;
    }
    void end_group(u64, u32) override {}
  } source;
  TimedLaunch launch;
  launch.code = source.program.code;
  launch.range.global = {128, 1, 1};
  launch.range.local = {128, 1, 1};
  TimingOptions options;
  options.most_instructions = 1000;
  const auto limited = time_gcn5(test_gpu(), no_limits(), launch, source, options);
  ASSERT_FALSE(limited.ok());
  EXPECT_EQ(limited.error().code, "instruction-limit");
}

// As in hardware, a wave that has ended is not waited for.
TEST(Launch, EndedWavesDoNotHoldABarrier) {
  struct Leaver final : WaveSource {
    SyntheticProgram program;
    std::map<u32, u32> pc;
    Outcome outcome;
    Leaver() {
      program.barrier();
      program.end();
    }
    void begin_group(u64, u32, std::span<const WaveHandle> handles) override {
      for (u32 i = 0; i < handles.size(); ++i) pc[handles[i]] = i == 0 ? 1 : 0;
    }
    const Instruction* peek(WaveHandle wave) override { return &program.code[pc[wave]]; }
    const Outcome& next(WaveHandle wave, u64, u32, u32) override {
      outcome.pc = pc[wave];
      outcome.instruction = &program.code[pc[wave]];
      outcome.event = pc[wave] == 0 ? Event::barrier : Event::end;
      outcome.next_pc = ++pc[wave];
      return outcome;
    }
    void end_group(u64, u32) override {}
  } source;
  TimedLaunch launch;
  launch.code = source.program.code;
  launch.range.global = {256, 1, 1};
  launch.range.local = {256, 1, 1};
  const auto result = time_gcn5(test_gpu(), no_limits(), launch, source);
  ASSERT_TRUE(result.ok()) << to_string(result.error());
  EXPECT_EQ(result->groups, 1u);
  EXPECT_EQ(result->instructions, 1u + 3 * 2);
}

TEST(Launch, RefusesWhatItCannotTime) {
  SyntheticProgram program;
  program.add(Cost::gds, 8);
  program.end();
  SyntheticSource source(program);
  TimedLaunch launch;
  launch.code = program.code;
  launch.range.global = {64, 1, 1};
  launch.range.local = {64, 1, 1};
  const auto gds = time_gcn5(test_gpu(), no_limits(), launch, source);
  ASSERT_FALSE(gds.ok());
  EXPECT_EQ(gds.error().code, "not-timed");
  launch.range.local = {1024, 1, 1};
  const auto large = time_gcn5(test_gpu(), {3, 3, 3, 1, 1}, launch, source);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, "launch-impossible");
  Gcn5Parameters gpu = test_gpu();
  gpu.dram_latency_cycles = 250;
  const auto contradiction = time_gcn5(gpu, no_limits(), launch, source);
  ASSERT_FALSE(contradiction.ok());
  EXPECT_EQ(contradiction.error().code, "machine-figures");
}

TEST(Machines, EveryGcn5MachineHasItsFiguresAndOthersSayNo) {
  for (const char* name : {"mi25", "vega64", "mi60"}) {
    const auto machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", name);
    ASSERT_TRUE(machine.ok()) << name;
    const auto parameters = gcn5_parameters(*machine);
    EXPECT_TRUE(parameters.ok()) << name;
    // S1: VGPRs, 27 of them leave 9 waves a SIMD; 128 items with 64 KiB of local memory leave one group.
    KernelNeeds needs;
    needs.vector_registers = 27;
    needs.scalar_registers = 32;
    const auto limits = launch_limits(*machine, needs, 128, 65536);
    ASSERT_TRUE(limits.ok());
    EXPECT_EQ(limits->waves_per_simd_vector, 9u);
    EXPECT_EQ(limits->waves_per_simd_scalar, 10u);
    EXPECT_EQ(limits->groups_local, 1u);
    EXPECT_EQ(limits->groups_barriers, 16u);
  }
  const auto other = load_machine(LOCKSTEP_SOURCE_DIR "/machines", "mi210");
  ASSERT_TRUE(other.ok());
  const auto refused = gcn5_parameters(*other);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "not-timed");
}

TEST(Launch, GroupsAtTheRangesEndsAreSmaller) {
  NdRange range;
  range.dimensions = 2;
  range.global = {100, 10, 1};
  range.local = {64, 4, 1};
  EXPECT_EQ(range.total_groups(), 6u);
  // 64x4, 36x4, ..., 64x2, 36x2 work-items.
  const u32 expected[] = {4, 3, 4, 3, 2, 2};
  for (u64 g = 0; g < 6; ++g) EXPECT_EQ(waves_of_group(range, g, 64), expected[g]) << g;
}

}  // namespace
}  // namespace lockstep
