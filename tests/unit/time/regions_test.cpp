// Programs whose ops stand for regions of instructions, with stall counts and dependence barriers.
#include "support.h"

namespace lockstep {
namespace {

using namespace timing_test;

TestGpu partitioned_gpu() {
  TestGpu gpu = test_gpu();
  gpu.core.turn_cycles = gpu.core.issues_per_turn = 1;
  gpu.core.greedy = true;
  return gpu;
}

// Four instructions and the end, in one region, each an op that holds its SIMD for a cycle.
struct Made {
  SyntheticProgram program;
  TimedProgram timed;
};
Made four_ops(const TestGpu& gpu) {
  Made made;
  made.program.valu(4);
  made.program.end();
  made.timed = timed_program(gpu, made.program);
  for (u32 i = 0; i < made.timed.ops.size(); ++i) {
    TimedOp& op = made.timed.ops[i];
    op.instruction = i;
    op.cycles = 1;
    op.stall = 1;
    op.flags |= TimedOp::performs;
    if (op.cost == Cost::end) op.pipe = Pipe::branch;
  }
  made.timed.instructions = 5;
  made.timed.regions = {{0, 5, 0, 5, TimedRegion::no_op}};
  made.timed.region_of.assign(6, 0);
  made.timed.bypass_of.assign(6, TimedProgram::none);
  return made;
}

TEST(Regions, TheNextInstructionComesAfterTheStallCount) {
  const TestGpu gpu = partitioned_gpu();
  Made made = four_ops(gpu);
  made.timed.ops[0].stall = 5;
  made.timed.ops[1].stall = 13;
  const TimedRun r = run(gpu, made.timed, made.program);
  EXPECT_EQ(r.at(1) - r.at(0), 5u);
  EXPECT_EQ(r.at(2) - r.at(1), 13u);
  EXPECT_EQ(r.at(3) - r.at(2), 1u);
}

TEST(Regions, BarriersHoldUntilTheResultIsThere) {
  const TestGpu gpu = partitioned_gpu();
  Made made = four_ops(gpu);
  made.timed.ops[0].write_barrier = 2;
  made.timed.ops[0].result_cycles = 17;
  made.timed.ops[1].write_barrier = 3;
  made.timed.ops[1].result_cycles = 40;
  made.timed.ops[2].wait_mask = 1 << 2;
  made.timed.ops[3].wait_mask = 1 << 3;
  const TimedRun r = run(gpu, made.timed, made.program);
  EXPECT_EQ(r.at(1) - r.at(0), 1u);
  EXPECT_EQ(r.at(2) - r.at(0), 17u);
  EXPECT_EQ(r.at(3) - r.at(1), 40u);
}

TEST(Regions, UnitsAreHeldByOneInstructionAtATime) {
  const TestGpu gpu = partitioned_gpu();
  Made made = four_ops(gpu);
  for (u32 i = 0; i < 4; ++i) {
    made.timed.ops[i].unit = 3;
    made.timed.ops[i].unit_cycles = 8;
  }
  made.timed.ops[2].unit = 4;
  const TimedRun r = run(gpu, made.timed, made.program);
  EXPECT_EQ(r.at(1) - r.at(0), 8u);
  EXPECT_EQ(r.at(2) - r.at(1), 1u);
  EXPECT_EQ(r.at(3) - r.at(1), 8u);
}

// A value that only the machine's code keeps in memory: 64 lanes' words, side by side.
TEST(Regions, WhatIsSpilledIsStoredAndLoadedByAllLanes) {
  const TestGpu gpu = partitioned_gpu();
  Made made = four_ops(gpu);
  made.timed.spilled_words = 3;
  for (const u32 i : {0u, 2u}) {
    TimedOp& op = made.timed.ops[i];
    op.pipe = Pipe::vector_memory;
    op.access = TimedOp::spilled;
    op.access_bytes = 4;
    op.argument = 1;
    op.flags |= i == 0 ? TimedOp::memory_store : TimedOp::memory_returns;
  }
  made.timed.ops[2].write_barrier = 1;
  made.timed.ops[3].wait_mask = 1 << 1;
  const TimedRun r = run(gpu, made.timed, made.program);
  const InstructionFigures &store = r.result.per_instruction[0], &load = r.result.per_instruction[2];
  EXPECT_EQ(store.private_transactions, store.transactions);
  EXPECT_EQ(load.private_transactions, load.transactions);
  EXPECT_EQ(store.transactions, 64u * 4 / gpu.core.l1.line_bytes);
  EXPECT_EQ(load.transactions, store.transactions);
  EXPECT_EQ(store.store_bytes, 64u * 4);
  EXPECT_EQ(load.load_bytes, 64u * 4);
  EXPECT_GT(r.at(3) - r.at(2), 1u);
  expect_sums(r.result);
}

TEST(Regions, WhatAnUnrolledLoopLeavesOfItsCountingIssuesAtEveryNthTurn) {
  const TestGpu gpu = partitioned_gpu();
  Made made;
  made.program.valu(2);
  made.program.loop(0, 12);
  made.program.end();
  made.timed = timed_program(gpu, made.program);
  for (u32 i = 0; i < made.timed.ops.size(); ++i) {
    made.timed.ops[i].instruction = i;
    made.timed.ops[i].stall = 1;
    made.timed.ops[i].flags |= TimedOp::performs;
  }
  made.timed.ops[1].every = 4;
  made.timed.ops[2].every = 4;
  made.timed.ops[3].pipe = Pipe::branch;
  made.timed.instructions = 4;
  made.timed.counters = 1;
  made.timed.regions = {{0, 3, 0, 3, 0}, {3, 1, 3, 4, TimedRegion::no_op}};
  made.timed.region_of = {0, 0, 0, 1, TimedProgram::none};
  made.timed.bypass_of.assign(5, TimedProgram::none);
  RunOptions options;
  options.record = false;
  const TimedRun r = run(gpu, made.timed, made.program, options);
  EXPECT_EQ(r.result.per_instruction[0].issued, 12u);
  // The first three turns one by one, then the seventh and the eleventh.
  EXPECT_EQ(r.result.per_instruction[1].issued, 5u);
  EXPECT_EQ(r.result.per_instruction[2].issued, 5u);
  EXPECT_EQ(r.result.per_instruction[3].issued, 1u);
}

}  // namespace
}  // namespace lockstep
