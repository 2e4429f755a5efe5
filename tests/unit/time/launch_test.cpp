// Whole launches: dispatch, stall accounting, counters, order, errors.
#include <algorithm>
#include <set>

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

TEST(Launch, ReasonsAddUpAndNothingIsLostInAMixedKernel) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 8;
  gpu.core.engines = 2;
  const SyntheticProgram program = mixed(3);
  const TimedRun r = run(gpu, program, {.group_items = 256, .groups = 200});  // checks the sums
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
}

// Executed one by one at issue, or in straight lines ahead of it.
TEST(Launch, HowFarAheadWavesAreExecutedChangesNothing) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 4;
  const SyntheticProgram program = mixed(2);
  RunOptions options{.group_items = 256, .groups = 100};
  const TimedRun one_by_one = run(gpu, program, options);
  options.record = false;
  expect_same(one_by_one.result, run(gpu, program, options).result);
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
  const TestGpu gpu = test_gpu();
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
      {{10, 10, 10, ~0u, 16, 0}, 256, 40, "dispatch.stall.wave_slots"},
      {{10, 10, 10, ~0u, 16, 0}, 192, 39, "dispatch.stall.wave_slots"},   // S1: 13 groups of 3 waves
      {{10, 10, 10, ~0u, 16, 0}, 128, 32, "dispatch.stall.group_slots"},  // S1: 16 groups of 2 waves
      {{10, 10, 10, ~0u, 16, 0}, 64, 40, "dispatch.stall.wave_slots"},    // S1: single waves take no barrier
      {{10, 9, 10, ~0u, 16, 0}, 256, 36, "dispatch.stall.vector_registers"},
      {{10, 10, 7, ~0u, 16, 0}, 256, 28, "dispatch.stall.scalar_registers"},
      {{10, 10, 10, 1, 16, 0}, 128, 2, "dispatch.stall.local_memory"},  // S1: V0
  };
  for (const Case& c : cases) {
    const TimedRun r = run(gpu, program, {.group_items = c.items, .groups = 60, .limits = c.limits});
    EXPECT_EQ(first_residents(r, 100), c.waves) << c.items << " " << c.limiter;
    EXPECT_GT(r.result.counter(c.limiter), 0u) << c.limiter;
  }
}

TEST(Dispatch, GroupsGoRoundTheEnginesAndUnits) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 4;
  gpu.core.engines = 2;
  SyntheticProgram program;
  program.repeat(Cost::valu_f64_mul, 20, 8);
  program.end();
  const TimedRun r = run(gpu, program, {.groups = 8});
  // Eight single-wave groups: two in each compute unit.
  std::array<u32, 4> waves{};
  for (const auto& [handle, issues] : r.issues) ++waves[handle / 40];
  EXPECT_EQ(waves, (std::array<u32, 4>{2, 2, 2, 2}));
}

TEST(Dispatch, EndsOfGroupsWaitForTheirTurn) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 8;
  gpu.core.groups_per_cycle = 8;
  gpu.core.cycles_per_wave = 0;
  SyntheticProgram program;
  program.end();
  const RunOptions many{.groups = 320};  // a place for each
  const u64 at_once = run(gpu, program, many).result.cycles;
  gpu.core.cycles_per_256_ends = 256 * 10;
  const u64 one_by_one = run(gpu, program, many).result.cycles;
  EXPECT_GE(one_by_one, 3200u);
  EXPECT_LE(one_by_one, 3200 + at_once);
  EXPECT_LE(run(gpu, program, {.groups = 1}).result.cycles, at_once + 10);
}

TEST(Dispatch, AUnitStartsOneWaveAfterTheOther) {
  TestGpu gpu = test_gpu();
  gpu.core.groups_per_cycle = 8;
  gpu.core.cycles_per_wave = 0;
  SyntheticProgram program;
  program.repeat(Cost::sleep, 100, 4);
  program.end();
  const auto starts = [&] {
    std::vector<u64> first;
    for (const auto& [wave, issues] : run(gpu, program, {.group_items = 256, .groups = 4}).issues)
      first.push_back(issues.front().second);
    std::sort(first.begin(), first.end());
    return first.back() - first.front();
  };
  const u64 together = starts();
  gpu.core.unit_cycles_per_wave = 50;
  // The first group waits for its code, the others find it.
  const u64 apart = starts();
  EXPECT_LE(apart, 3 * 4 * 50u);
  EXPECT_GE(apart, 2 * 4 * 50u);
  EXPECT_LT(together, 4 * 50u);
}

TEST(Dispatch, UnitsThatDoNotDivideEvenlyAreSpreadOverTheEngines) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 19;
  gpu.core.engines = 8;
  SyntheticProgram program;
  program.repeat(Cost::valu_f64_mul, 20, 8);
  program.end();
  const TimedRun r = run(gpu, program, {.groups = 16});
  std::map<u32, u32> waves;
  for (const auto& [handle, issues] : r.issues) ++waves[handle / 40];
  // Engines have two or three units, and two groups each.
  EXPECT_EQ(waves.size(), 16u);
}

TEST(Dispatch, GroupsGoRoundTheDies) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 8;
  gpu.core.engines = 4;
  gpu.core.dies = 2;
  SyntheticProgram program;
  program.repeat(Cost::valu_f64_mul, 20, 8);
  program.end();
  const TimedRun r = run(gpu, program, {.groups = 2});
  std::set<u32> units;
  for (const auto& [handle, issues] : r.issues) units.insert(handle / 40);
  // The first die's first unit and the second die's.
  EXPECT_EQ(units, (std::set<u32>{0, 4}));
}

TEST(Dispatch, WaveStartRateBoundsTinyKernels) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 16;
  gpu.core.cycles_per_wave = 8;
  SyntheticProgram program;
  program.end();
  const TimedRun r = run(gpu, program, {.groups = 4000, .record = false});
  EXPECT_GE(r.result.cycles, 4000u * 8);
  EXPECT_LE(r.result.cycles, 4000u * 8 + 1500);
}

TEST(Issue, OneInstructionOfEachCategoryInATurn) {
  // Two waves of one SIMD: while one's vector instructions run, the other's scalar ones issue beside them.
  TestGpu gpu = test_gpu();
  gpu.core.simds = gpu.core.local_ports = 1;
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
  const u64 same = run(gpu, vector, {.group_items = 128}).result.cycles;
  const u64 mixed_cycles = run(gpu, both, {.group_items = 128}).result.cycles;
  // Two waves of vector instructions take turns; of each other kind one can go with a vector one.
  EXPECT_GE(same, 2u * 50 * 16 * 4);
  EXPECT_LE(mixed_cycles, same - 50 * 16 * 3);
}

LaunchTrace traced(const TestGpu& gpu, const SyntheticProgram& program, const RunOptions& options) {
  const TimedProgram timed = timed_program(gpu, program);
  SyntheticFactory sources(program);
  Device device(nullptr, gpu.core, gpu.build());
  LaunchTrace trace;
  EXPECT_TRUE(
      device.run({timed, options.limits, false, &trace}, launch_of(program, options), 64, sources, {}).ok());
  return trace;
}

TEST(Issue, SimdsTakeTurnsAtVectorMemory) {
  // A wave on each of four SIMDs; each of its loads keeps the address unit for 64 cycles, a multiple of a
  // turn, so that a place in the unit's queue always comes free at the same SIMD's turn.
  TestGpu gpu = test_gpu();
  gpu.core.vector_queue = 4;
  SyntheticProgram program;
  program.add(Cost::sleep, 1000);  // until all are there
  for (u32 i = 0; i < 40; ++i) {
    program.load(4, [i](const SyntheticVisit& v, Access& a) {
      strided(a, (u64{1} << 24) + (v.wave * 40 + i) * 4096, 64);
    });
  }
  program.wait(0, 0xFF);
  program.end();
  const LaunchTrace trace = traced(gpu, program, {.group_items = 256});
  ASSERT_EQ(trace.waves.size(), 4u);
  u64 first = ~u64{0}, last = 0;
  for (const LaunchTrace::Wave& wave : trace.waves) {
    first = std::min(first, wave.end);
    last = std::max(last, wave.end);
  }
  EXPECT_GE(last, 4u * 40 * 64);
  EXPECT_LE(last - first, last / 8);  // in turns, but for the first places
}

TEST(Issue, TheOldestGroupsLastWaveGoesFirstWhereItIsGreedy) {
  // As an H200's warps end (experiments/h200-timing/turns.txt): each group's behind the one before it, and of
  // a group's the last one first.
  TestGpu gpu = test_gpu();
  gpu.core.simds = gpu.core.local_ports = 1;
  gpu.core.greedy = true;
  SyntheticProgram program;
  program.add(Cost::sleep, 1000);  // until all are there
  program.valu(16);
  program.loop(1, 20);
  program.end();
  const LaunchTrace trace = traced(gpu, program, {.group_items = 128, .groups = 3});
  std::vector<std::pair<u64, std::pair<u64, u32>>> ends;
  for (const LaunchTrace::Wave& wave : trace.waves) ends.push_back({wave.end, {wave.group, wave.wave}});
  std::sort(ends.begin(), ends.end());
  std::vector<std::pair<u64, u32>> order;
  for (const auto& [end, wave] : ends) order.push_back(wave);
  ASSERT_EQ(order.size(), 6u);
  order.resize(4);  // the last group's have the gaps of all others: which of them is ahead is chance
  EXPECT_EQ(order, (std::vector<std::pair<u64, u32>>{{0, 1}, {0, 0}, {1, 1}, {1, 0}}));
}

Expected<TimingResult> launch(const TestGpu& gpu, const TimedProgram& timed, const SyntheticProgram& program,
                              const RunOptions& options) {
  SyntheticFactory sources(program);
  Device device(nullptr, gpu.core, gpu.build());
  return device.run({timed, options.limits}, launch_of(program, options), options.wave_lanes, sources,
                    options.timing);
}

TEST(Launch, AnEndlessLoopEndsAtTheInstructionLimit) {
  SyntheticProgram program;
  program.valu(3);
  program.loop(0, ~0u);
  program.end();
  RunOptions options{.group_items = 128};
  options.timing.most_instructions = 1000;
  const auto limited = launch(test_gpu(), timed_program(test_gpu(), program), program, options);
  ASSERT_FALSE(limited.ok());
  EXPECT_EQ(limited.error().code, "instruction-limit");
}

TEST(Launch, TheInstructionLimitIsTheWholeLaunchs) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 12;  // four clusters
  SyntheticProgram program;
  program.valu(9);
  program.end();
  RunOptions options{.groups = 120};
  const TimedProgram timed = timed_program(gpu, program);
  options.timing.most_instructions = 1200;
  EXPECT_TRUE(launch(gpu, timed, program, options).ok());
  for (const u32 window : {1u, 0u}) {
    options.timing.window_cycles = window;
    options.timing.most_instructions = 1199;
    const auto limited = launch(gpu, timed, program, options);
    ASSERT_FALSE(limited.ok());
    EXPECT_EQ(limited.error().code, "instruction-limit");
  }
}

TEST(Launch, ProgressIsToldAndEndsTheRun) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 4;
  const SyntheticProgram program = mixed(100);
  RunOptions options{.group_items = 256, .groups = 400};
  const TimedProgram timed = timed_program(gpu, program);
  RunProgress last;
  u32 calls = 0;
  options.timing.progress = [&](const RunProgress& progress) {
    EXPECT_GE(progress.instructions, last.instructions);
    EXPECT_GE(progress.groups_done, last.groups_done);
    EXPECT_EQ(progress.groups, 400u);
    last = progress;
    return ++calls < 5;
  };
  const auto stopped = launch(gpu, timed, program, options);
  ASSERT_TRUE(stopped.ok()) << to_string(stopped.error());
  EXPECT_TRUE(stopped->stopped);
  EXPECT_EQ(calls, 5u);
  EXPECT_EQ(stopped->instructions, last.instructions);
  EXPECT_LT(stopped->groups, 400u);
  // What was counted until then adds up, too.
  u64 sum = stopped->issue_cycles;
  for (const u64 cycles : stopped->stalls) sum += cycles;
  EXPECT_EQ(sum, stopped->wave_cycles);
  u64 occupied = 0;
  for (const OccupancySample& sample : stopped->occupancy) occupied += sample.wave_cycles;
  EXPECT_EQ(occupied, stopped->wave_cycles);
}

// A device whose run was stopped takes the next launch as if nothing were on its way.
TEST(Launch, ALaunchAfterAStoppedOne) {
  TestGpu gpu = test_gpu();
  gpu.core.units = 4;
  const SyntheticProgram program = mixed(20);
  const TimedProgram timed = timed_program(gpu, program);
  RunOptions options{.group_items = 256, .groups = 100};
  SyntheticFactory sources(program);
  Device device(nullptr, gpu.core, gpu.build());
  const TimedLaunch what = launch_of(program, options);
  const auto whole = device.run({timed, no_limits()}, what, 64, sources, {});
  ASSERT_TRUE(whole.ok());
  TimingOptions stopping;
  stopping.progress = [](const RunProgress&) { return false; };
  const auto stopped = device.run({timed, no_limits()}, what, 64, sources, stopping);
  ASSERT_TRUE(stopped.ok());
  ASSERT_TRUE(stopped->stopped);
  device.make_cold();
  const auto again = device.run({timed, no_limits()}, what, 64, sources, {});
  ASSERT_TRUE(again.ok());
  expect_sums(*again);
  EXPECT_EQ(again->instructions, whole->instructions);
}

// Each wave does what it is told: a list of instructions that it jumps to, one after the other.
class ListSource final : public WaveSource {
 public:
  ListSource(const SyntheticProgram& program, const std::vector<std::vector<u32>>& waves)
      : program_(program), lists_(waves) {}
  void begin_group(u64, std::span<const WaveHandle> handles) override {
    for (u32 i = 0; i < handles.size(); ++i) waves_[handles[i]] = {i, 0, {}};
  }
  const Segment& next(WaveHandle handle) override {
    Wave& wave = waves_.at(handle);
    const std::vector<u32>& list = lists_[wave.number];
    const u32 pc = list[wave.at++];
    wave.segment.clear();
    wave.segment.first = pc;
    wave.segment.count = 1;
    wave.segment.next_pc = wave.at < list.size() ? list[wave.at] : pc + 1;
    wave.segment.active.push_back(~u64{0});
    const Cost cost = program_.code[pc].cost;
    wave.segment.end = cost == Cost::barrier ? Event::barrier
                       : cost == Cost::end   ? Event::end
                       : cost == Cost::salu  ? Event::fault
                                             : Event::none;
    return wave.segment;
  }
  const Segment& execute(WaveHandle wave, const IssuePlace&) override { return waves_.at(wave).segment; }
  u32 capture(WaveHandle, const IssuePlace&, const Segment*&) override { return no_index; }
  void perform(u32) override {}
  void commit(u32) override {}
  void end_group(u64) override {}
  Diagnostic fault(WaveHandle) override { return {"bad-address", {}, "a store to nowhere", ""}; }
  u64 instructions() const override { return 0; }

 private:
  struct Wave {
    u32 number = 0;
    std::size_t at = 0;
    Segment segment;
  };
  const SyntheticProgram& program_;
  const std::vector<std::vector<u32>>& lists_;
  std::map<WaveHandle, Wave> waves_;
};

struct ListFactory final : SourceFactory {
  SyntheticProgram program;
  std::vector<std::vector<u32>> waves;
  std::unique_ptr<WaveSource> open(u32, u32) override { return std::make_unique<ListSource>(program, waves); }
  Expected<TimingResult> run() {
    Device device(nullptr, test_gpu().core, test_gpu().build());
    const RunOptions options{.group_items = static_cast<u32>(64 * waves.size())};
    return device.run({timed_program(test_gpu(), program), no_limits()}, launch_of(program, options), 64,
                      *this, {});
  }
};

// As in hardware, a wave that has ended is not waited for.
TEST(Launch, EndedWavesDoNotHoldABarrier) {
  ListFactory sources;
  sources.program.barrier();
  sources.program.end();
  sources.waves = {{1}, {0, 1}, {0, 1}, {0, 1}};
  const auto result = sources.run();
  ASSERT_TRUE(result.ok()) << to_string(result.error());
  EXPECT_EQ(result->groups, 1u);
  EXPECT_EQ(result->instructions, 1u + 3 * 2);
}

TEST(Launch, AFaultEndsTheRun) {
  ListFactory sources;
  sources.program.valu();
  sources.program.add(Cost::salu);
  sources.program.end();
  sources.waves = {{0, 2}, {0, 0, 1}};
  const auto result = sources.run();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "bad-address");
}

// A wave whose next instruction needs a result that never comes, and one that waits for it at a barrier.
TEST(Launch, ALaunchThatCannotGoOnNamesItsWaves) {
  struct StuckSource final : WaveSource {
    Segment first, none, barrier;
    std::map<WaveHandle, u32> number;
    StuckSource() {
      first.first = 0;
      first.count = first.next_pc = 1;
      first.active = {~u64{0}};
      barrier = first;
      barrier.end = Event::barrier;
    }
    void begin_group(u64, std::span<const WaveHandle> handles) override {
      for (u32 i = 0; i < handles.size(); ++i) number[handles[i]] = i == 0 ? 0 : 2;
    }
    const Segment& next(WaveHandle wave) override {
      const u32 which = number[wave]++;
      return which == 0 ? first : which == 1 ? none : barrier;
    }
    const Segment& execute(WaveHandle, const IssuePlace&) override { return first; }
    u32 capture(WaveHandle, const IssuePlace&, const Segment*&) override { return no_index; }
    void perform(u32) override {}
    void commit(u32) override {}
    void end_group(u64) override {}
    Diagnostic fault(WaveHandle) override { return {}; }
    u64 instructions() const override { return 0; }
  };
  struct StuckFactory final : SourceFactory {
    std::unique_ptr<WaveSource> open(u32, u32) override { return std::make_unique<StuckSource>(); }
  } sources;
  SyntheticProgram program;
  program.barrier();
  program.end();
  Device device(nullptr, test_gpu().core, test_gpu().build());
  const auto result = device.run({timed_program(test_gpu(), program), no_limits()},
                                 launch_of(program, {.group_items = 128}), 64, sources, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "deadlock");
  EXPECT_NE(result.error().message.find("0 of 1 work-groups are done"), std::string::npos)
      << result.error().message;
  EXPECT_NE(result.error().message.find(": it waits for vector memory"), std::string::npos)
      << result.error().message;
  EXPECT_NE(result.error().message.find("waits for the other waves of its group at a barrier"),
            std::string::npos)
      << result.error().message;
}

TEST(Launch, RefusesWhatNeverFits) {
  SyntheticProgram program;
  program.end();
  RunOptions options{.group_items = 1024};
  options.limits = {3, 3, 3, 1, 1, 0};
  const TimedProgram timed = timed_program(test_gpu(), program);
  const auto large = launch(test_gpu(), timed, program, options);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, "launch-impossible");
  options = {};
  options.limits.groups_local = 0;
  EXPECT_FALSE(launch(test_gpu(), timed, program, options).ok());
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
