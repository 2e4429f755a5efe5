// Timing at the edge: what depends on a result is issued in the first cycle in which it may be, and not one
// earlier. The figures are those of support.h.
#include "support.h"

namespace lockstep {
namespace {

using namespace timing_test;

// The first cycle in the SIMD's turn that is not before `cycle`. Handle 0 is a wave of SIMD 0.
u64 turn(u64 cycle) {
  return (cycle + 3) / 4 * 4;
}

TEST(Latency, VectorInstructionsFollowEachOtherWithoutABubble) {
  const std::pair<Cost, u64> classes[] = {{Cost::valu_full, 4},     {Cost::valu_half, 8},
                                          {Cost::valu_quarter, 16}, {Cost::valu_transcendental, 16},
                                          {Cost::valu_f64_add, 32}, {Cost::valu_f64_mul, 64},
                                          {Cost::valu_f16, 4},      {Cost::valu_cross_lane, 4}};
  for (const auto& [cost, cycles] : classes) {
    SyntheticProgram program;
    program.repeat(cost, 4, 4);
    program.end();
    const TimedRun r = run(test_gpu(), program);
    EXPECT_EQ(r.at(1) - r.at(0), cycles) << name(cost);
    EXPECT_EQ(r.at(2) - r.at(1), cycles) << name(cost);
  }
}

TEST(Latency, DependencesHoldUntilTheResultIsThere) {
  const TestGpu gpu = test_gpu();
  SyntheticProgram program;
  program.valu(3);
  program.end();
  TimedProgram timed = timed_program(gpu, program);
  timed.ops[2].dependences = 2;
  timed.ops[2].dependence[0] = {1, 7};
  timed.ops[2].dependence[1] = {2, 17};
  TimedRun r = run(gpu, timed, program);
  EXPECT_EQ(r.at(1) - r.at(0), 4u);
  EXPECT_EQ(r.at(2) - r.at(0), turn(17));
  timed.ops[2].dependence[1].cycles = 3;
  r = run(gpu, timed, program);
  EXPECT_EQ(r.at(2) - r.at(1), turn(7));
}

TEST(Latency, FirstInstructionComesAfterLaunchStartAndFetch) {
  SyntheticProgram program;
  program.valu();
  program.end();
  // Launch, the port's cycle, the wave's start, then a fetch that misses: the way to the second level and
  // back, and, when the code is not there, from there to memory and back.
  const u64 fetch = 100 + 1 + 20;
  EXPECT_EQ(run(test_gpu(), program).at(0), turn(fetch + 140 + 16));
  RunOptions cold;
  cold.timing.code_in_second_level = false;
  EXPECT_EQ(run(test_gpu(), program, cold).at(0), turn(fetch + 140 + 600 - 240 + 16));
}

// From the load to the instruction behind the wait.
u64 load_to_use(const TestGpu& gpu, SyntheticProgram& program, u32 load, u32 wait, u32 visit = 0) {
  const TimedRun r = run(gpu, program);
  return r.at(wait + 1, visit) - r.at(load, visit);
}

TEST(Latency, LocalMemory) {
  for (const u32 latency : {64u, 65u, 68u}) {
    TestGpu gpu = test_gpu();
    gpu.core.local_latency = latency;
    SyntheticProgram program;
    const u32 load = program.memory(Cost::lds_load, Space::local, AccessKind::load, 4, lanes_at(0, 4));
    const u32 wait = program.wait(0xFF, 0);
    program.valu();
    program.end();
    EXPECT_EQ(load_to_use(gpu, program, load, wait), turn(latency));
  }
}

// A loop's second turn: instructions, tags and translation are there.
struct Loop {
  SyntheticProgram program;
  u32 load = 0, wait = 0;
};
Loop load_loop(AddressFunction addresses, u32 bytes = 4) {
  Loop loop;
  loop.load = loop.program.load(bytes, std::move(addresses));
  loop.wait = loop.program.wait(0, 0xFF);
  loop.program.loop(loop.load, 3);
  loop.program.end();
  return loop;
}

TEST(Latency, FirstLevelHit) {
  for (const u32 latency : {120u, 121u, 124u, 125u}) {
    TestGpu gpu = test_gpu();
    gpu.core.l1_hit_cycles = latency;
    Loop loop = load_loop(lanes_at(1 << 20, 4));
    EXPECT_EQ(load_to_use(gpu, loop.program, loop.load, loop.wait, 1), turn(latency));
  }
}

TEST(Latency, WideLoadsTakeTheTimeOfTheirData) {
  // 16 bytes a lane are 16 lines, looked up and returned one a cycle: 12 cycles more than 4 bytes a lane.
  Loop loop = load_loop(lanes_at(1 << 20, 16), 16);
  EXPECT_EQ(load_to_use(test_gpu(), loop.program, loop.load, loop.wait, 1), turn(120 + 12));
}

TEST(Latency, SecondLevelHit) {
  for (const u32 latency : {240u, 241u, 244u}) {
    TestGpu gpu = test_gpu();
    gpu.second_level_cycles = latency;
    gpu.memory_cycles = 700;
    // The cache control in front empties the first level.
    SyntheticProgram program;
    const u32 top = program.add(Cost::cache_control, 8);
    const u32 load = program.load(4, lanes_at(1 << 20, 4));
    const u32 wait = program.wait(0, 0xFF);
    program.loop(top, 3);
    program.end();
    EXPECT_EQ(load_to_use(gpu, program, load, wait, 1), turn(latency));
  }
}

TEST(Latency, Memory) {
  for (const u32 latency : {600u, 601u, 604u, 640u}) {
    TestGpu gpu = test_gpu();
    gpu.memory_cycles = latency;
    // One lane's line: nothing queues. Each is in a row of its own, in a bank of its own; the first one
    // brings the page's translation.
    Loop loop = load_loop([](const SyntheticVisit& v, Access& a) {
      a.lanes = 1;
      a.address[0] = (u64{1} << 30) + v.count * 2048 * 16;
    });
    EXPECT_EQ(load_to_use(gpu, loop.program, loop.load, loop.wait, 1), turn(latency));
  }
}

TEST(Latency, TranslationMisses) {
  TestGpu gpu = test_gpu();
  gpu.hierarchy.translation.near_entries = 1;
  Loop loop = load_loop([](const SyntheticVisit& v, Access& a) {
    a.lanes = 1;
    a.address[0] = (u64{1} << 30) + (v.count % 2) * (u64{1} << 21) + v.count / 2 * 64;
  });
  const TimedRun r = run(gpu, loop.program);
  EXPECT_EQ(r.at(loop.wait + 1, 0) - r.at(loop.load, 0), turn(600 + 80 + 400));
  EXPECT_EQ(r.at(loop.wait + 1, 1) - r.at(loop.load, 1), turn(600 + 80 + 400));
  EXPECT_EQ(r.result.counter("tlb.walks"), 2u);
  EXPECT_EQ(r.result.counter("tlb.misses"), 3u);
}

SyntheticProgram scalar_loop(u64 line) {
  SyntheticProgram program;
  program.memory(Cost::smem_load, Space::constant, AccessKind::load, 4,
                 [line](const SyntheticVisit& v, Access& a) {
                   a.lanes = 1;
                   a.address[0] = (u64{1} << 28) + v.count * line;
                 });
  program.wait(0xFF, 0);
  program.loop(0, 3);
  program.end();
  return program;
}

TEST(Latency, ScalarLoads) {
  for (const u32 latency : {64u, 65u, 68u}) {
    TestGpu gpu = test_gpu();
    gpu.core.scalar_hit_cycles = latency;
    SyntheticProgram hit = scalar_loop(0);
    EXPECT_EQ(load_to_use(gpu, hit, 0, 1, 1), turn(latency));
    // From memory: the miss, the memory beyond the second level.
    SyntheticProgram miss = scalar_loop(64 * 4);
    EXPECT_EQ(load_to_use(gpu, miss, 0, 1, 0), turn(latency + 140 + 600 - 240));
  }
}

TEST(Latency, WaitCountsAllowWhatTheySay) {
  SyntheticProgram program;
  for (u32 i = 0; i < 3; ++i) program.load(4, lanes_at((1 << 20) + i * 256, 4));
  const u32 two = program.wait(2, 0xFF);
  const u32 one = program.wait(1, 0xFF);
  const u32 none = program.wait(0, 0xFF);
  program.loop(0, 2);
  program.end();
  const TimedRun r = run(test_gpu(), program);
  // Second turn, all hits: loads issue every four cycles and their data come back so too.
  EXPECT_EQ(r.at(two + 1, 1) - r.at(0, 1), 120u);
  EXPECT_EQ(r.at(one + 1, 1) - r.at(1, 1), 120u);
  EXPECT_EQ(r.at(none + 1, 1) - r.at(2, 1), 120u);
}

TEST(Latency, Barrier) {
  for (const u32 cycles : {16u, 17u, 40u}) {
    TestGpu gpu = test_gpu();
    gpu.core.barrier_cycles = cycles;
    SyntheticProgram program;
    program.valu();
    const u32 barrier = program.barrier();
    const u32 after = program.valu();
    program.end();
    const TimedRun r = run(gpu, program, {.group_items = 256});
    u64 last = 0;
    for (const auto& [wave, issues] : r.issues) last = std::max(last, r.at(barrier, 0, wave));
    ASSERT_EQ(r.issues.size(), 4u);
    for (const auto& [wave, issues] : r.issues) {
      // The wave's SIMD considers it every fourth cycle, by the SIMD's number.
      const u64 simd = wave / 10;
      const u64 ready = last + cycles;
      EXPECT_EQ(r.at(after, 0, wave), ready + (simd + 4 - ready % 4) % 4);
    }
  }
}

TEST(Latency, BranchesAndScalarReadsOfVectorResults) {
  SyntheticProgram program;
  const u32 compare = program.valu();
  const u32 add = program.valu();
  const u32 branch = program.loop(compare, 2);
  program.end();
  TimedProgram timed = timed_program(test_gpu(), program);
  timed.ops[branch].dependences = 1;
  timed.ops[branch].dependence[0] = {2, 4 + 16};
  const TimedRun r = run(test_gpu(), timed, program);
  EXPECT_EQ(r.at(add) - r.at(compare), 4u);           // a vector instruction does not wait
  EXPECT_EQ(r.at(branch) - r.at(compare), 4u + 16u);  // the scalar side does
  EXPECT_EQ(r.at(compare, 1) - r.at(branch), 20u);
}

TEST(Latency, NopAndSleep) {
  SyntheticProgram program;
  const u32 nop = program.add(Cost::nop);
  program.code[nop].offset = 7;
  const u32 sleep = program.add(Cost::sleep);
  program.code[sleep].offset = 3;
  const u32 last = program.valu();
  program.end();
  const TimedRun r = run(test_gpu(), program);
  EXPECT_EQ(r.at(sleep) - r.at(nop), 8u);
  EXPECT_EQ(r.at(last) - r.at(sleep), 192u);
  EXPECT_EQ(r.result.stalls[static_cast<std::size_t>(Stall::sleep)], 7u + 191u);
}

TEST(Latency, AtomicsOnOneAddressTakeTurns) {
  // 64 lanes on one word, in quarters of 16: each quarter is a request and keeps the word 16 * 2 cycles.
  SyntheticProgram program;
  const u32 load =
      program.memory(Cost::vmem_atomic, Space::global, AccessKind::atomic_return, 4, lanes_at(1 << 20, 0));
  const u32 wait = program.wait(0, 0xFF);
  program.loop(0, 2);
  program.end();
  const TimedRun r = run(test_gpu(), program);
  // The first request reaches the slice in the first cycle; the last answer is three turns of 32 behind the
  // first one's own 32, less the cycle that a hit takes anyway.
  EXPECT_EQ(r.at(wait + 1, 1) - r.at(load, 1), turn(240 - 3 + 4 * 32 - 1));
}

}  // namespace
}  // namespace lockstep
