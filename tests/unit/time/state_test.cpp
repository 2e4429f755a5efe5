// What a device keeps between launches, what the host's accesses and a cold start do to it, and what leaves
// it at a launch's end.
#include "support.h"

namespace lockstep {
namespace {

using namespace timing_test;

constexpr u64 groups = 64, group_bytes = 64 * 4;

// Each wave loads 256 bytes of its own and stores them elsewhere.
SyntheticProgram copy_program(u64 from, u64 to) {
  SyntheticProgram program;
  program.load(4,
               [from](const SyntheticVisit& v, Access& a) { strided(a, from + v.group * group_bytes, 4); });
  program.wait(0, 0xFF);
  program.store(4, [to](const SyntheticVisit& v, Access& a) { strided(a, to + v.group * group_bytes, 4); });
  program.end();
  return program;
}

struct Repeated {
  TestGpu gpu;
  SyntheticProgram program = copy_program(1 << 24, 1 << 25);
  TimedProgram timed;
  Device device;

  explicit Repeated(const TestGpu& made)
      : gpu(made), timed(timed_program(made, program)), device(nullptr, made.core, made.build()) {}
  TimingResult launch(u32 window = 0) {
    SyntheticFactory sources(program);
    TimingOptions options;
    options.window_cycles = window;
    const auto result =
        device.run({timed, no_limits()}, launch_of(program, {.groups = groups}), 64, sources, options);
    EXPECT_TRUE(result.ok());
    if (!result.ok()) return {};
    expect_sums(*result);
    return *result;
  }
};

TestGpu four_units() {
  TestGpu gpu = test_gpu();
  gpu.core.units = 4;
  return gpu;
}

constexpr u64 lines = groups * group_bytes / 64;

TEST(State, ASecondLaunchFindsItsDataInTheSecondLevel) {
  Repeated run(four_units());
  const TimingResult first = run.launch(), second = run.launch();
  EXPECT_GE(first.counter("dram.read_bytes"), groups * group_bytes);
  EXPECT_EQ(second.counter("dram.read_bytes"), 0u);
  EXPECT_EQ(second.counter("l2.misses"), 0u);
  EXPECT_GT(second.counter("l2.hits"), 0u);
  EXPECT_LT(second.cycles, first.cycles);
  EXPECT_EQ(second.counter("tlb.walks"), 0u);
}

TEST(State, AColdLaunchIsAsTheFirst) {
  Repeated run(four_units());
  const TimingResult first = run.launch();
  run.launch();
  run.device.make_cold();
  expect_same(run.launch(), first);
}

TEST(State, WhatTheHostWroteIsReadFromMemory) {
  Repeated run(four_units());
  run.launch();
  // Of the first half of the input, a byte of each line.
  for (u64 line = 0; line < lines / 2; ++line) run.device.host_wrote((1 << 24) + line * 64 + 5, 1);
  const TimingResult half = run.launch();
  EXPECT_EQ(half.counter("l2.misses"), lines / 2);
  EXPECT_EQ(half.counter("dram.read_bytes"), groups * group_bytes / 2);
  // A range that is larger than the cache.
  run.device.host_wrote(0, u64{1} << 32);
  const TimingResult all = run.launch();
  EXPECT_EQ(all.counter("dram.read_bytes"), groups * group_bytes + 64);  // and the code
  // And nothing where there was nothing.
  run.device.host_wrote(u64{1} << 33, 1 << 20);
  run.device.host_wrote(1 << 24, 0);
  EXPECT_EQ(run.launch().counter("l2.misses"), 0u);
}

// The launch dirties its output; the next one, of another program, throws it out.
u64 written_after(const std::function<void(Device&)>& between) {
  TestGpu gpu = four_units();
  gpu.hierarchy.levels[0].size_bytes = 2048;  // 32 KiB in all: as much as a launch touches
  Repeated run(gpu);
  run.launch();
  between(run.device);
  const SyntheticProgram other = copy_program(1 << 26, 1 << 27);
  SyntheticFactory sources(other);
  const auto result = run.device.run({timed_program(gpu, other), no_limits()},
                                     launch_of(other, {.groups = groups}), 64, sources, {});
  EXPECT_TRUE(result.ok());
  return result.ok() ? result->counter("l2.write_backs") : 0;
}

TEST(State, WhatTheHostReadIsWrittenBackAlready) {
  const u64 alone = written_after([](Device&) {});
  const u64 read = written_after([](Device& device) { device.host_read(1 << 25, groups * group_bytes); });
  const u64 all_read = written_after([](Device& device) { device.host_read(0, u64{1} << 32); });
  EXPECT_GT(alone, 0u);
  EXPECT_LT(read, alone);
  EXPECT_EQ(read, all_read);
  EXPECT_EQ(written_after([](Device& device) { device.host_wrote(1 << 25, groups * group_bytes); }), read);
}

TEST(State, HostReadsLeaveLinesWhereTheyAre) {
  Repeated run(four_units());
  run.launch();
  run.device.host_read(1 << 24, groups * group_bytes);
  EXPECT_EQ(run.launch().counter("l2.misses"), 0u);
}

// A cache in front of memory sees the host's copies: what it holds stays, and is right.
TEST(State, ACacheInFrontOfMemoryKeepsWhatTheHostWrites) {
  TestGpu gpu = four_units();
  gpu.hierarchy.levels[0].in_front_of_memory = true;
  Repeated run(gpu);
  run.launch();
  run.device.host_wrote(1 << 24, groups * group_bytes);
  EXPECT_EQ(run.launch().counter("l2.misses"), 0u);
}

TEST(State, DirtyLinesThatLeaveAtTheEndTakeTheirTime) {
  TestGpu gpu = four_units();
  Repeated kept(gpu);
  gpu.hierarchy.levels[0].cleaned_between_launches = true;
  Repeated cleaned(gpu);
  const TimingResult without = kept.launch(), with = cleaned.launch();
  const u64 write_back = with.counter("cycles.write_back");
  EXPECT_EQ(without.counter("cycles.write_back"), 0u);
  EXPECT_EQ(without.counter("l2.write_backs"), 0u);
  EXPECT_EQ(with.counter("l2.write_backs"), lines);
  EXPECT_EQ(with.counter("dram.write_bytes"), groups * group_bytes);
  EXPECT_EQ(with.cycles, without.cycles + write_back);
  // At least the way to memory, and a burst for each line of the fullest channel.
  const Hierarchy h = gpu.build();
  EXPECT_GE(write_back,
            2 * h.memory_way_cycles + lines / h.channels * (64 / h.dram.burst_bytes) * h.dram.burst_clocks);
  // Nothing of it is left: the next launch reads everything again.
  EXPECT_EQ(cleaned.launch().counter("dram.read_bytes"), groups * group_bytes + 64);  // and the code
}

TEST(State, WindowsChangeNothingOverSeveralLaunches) {
  TestGpu gpu = four_units();
  gpu.hierarchy.levels[0].cleaned_between_launches = true;
  gpu.hierarchy.levels[0].size_bytes = 2048;
  Repeated longest(gpu), one(gpu), seven(gpu);
  for (u32 i = 0; i < 3; ++i) {
    const TimingResult wanted = longest.launch();
    expect_same(one.launch(1), wanted);
    expect_same(seven.launch(7), wanted);
  }
}

// Straight code of so many lines, on a unit whose SIMDs have instruction caches of 4 KB that get a line in
// 100 cycles.
struct Straight {
  static constexpr u64 line_cycles = 100;
  SyntheticProgram program;
  TimedProgram timed;

  Straight(const TestGpu& gpu, u32 code_lines) {
    program.repeat(Cost::valu_full, 8 * code_lines, 8);
    program.end();
    timed = timed_program(gpu, program);
  }
  TimingResult launch(Device& device) const {
    SyntheticFactory sources(program);
    const auto result = device.run({timed, no_limits()}, launch_of(program, {.groups = 1}), 64, sources, {});
    EXPECT_TRUE(result.ok());
    return result.ok() ? *result : TimingResult{};
  }
  static TestGpu gpu(bool keeps, u32 launch_bytes) {
    TestGpu made = test_gpu();
    made.core.near_instruction_cache = {4096, 64, 4};
    made.core.near_instruction_hit_cycles = 2;
    made.core.near_instruction_line_cycles = line_cycles;
    made.core.keeps_code = keeps;
    made.core.launch_code_bytes = launch_bytes;
    return made;
  }
};

TEST(State, CodeThatCachesKeepIsFetchedOnce) {
  for (const bool keeps : {false, true}) {
    const TestGpu gpu = Straight::gpu(keeps, 0);
    Device device(nullptr, gpu.core, gpu.build());
    const Straight code(gpu, 16), other(gpu, 128);
    const TimingResult first = code.launch(device), second = code.launch(device);
    EXPECT_GE(first.cycles, 15 * Straight::line_cycles);
    if (keeps) {
      EXPECT_LT(second.cycles + 10 * Straight::line_cycles, first.cycles);
      EXPECT_EQ(second.counter("icache.misses"), 0u);
    } else {
      EXPECT_EQ(second.cycles, first.cycles);
    }
    // 8 KB of other code at the same addresses: it is not taken for this one's, and drives this one's from
    // the nearest caches.
    other.launch(device);
    const TimingResult after = code.launch(device);
    EXPECT_GE(after.cycles, 15 * Straight::line_cycles);
    EXPECT_EQ(after.counter("icache.misses") == 0, keeps);
    device.make_cold();
    EXPECT_GT(code.launch(device).counter("icache.misses"), 0u);
  }
}

// SIMDs at one place of the code get its lines together, others one after the other.
TEST(State, SimdsShareTheWayOfTheirCode) {
  const auto cycles = [](u32 unit_line_cycles, u32 waves, u32 groups, u32 apart) {
    TestGpu gpu = Straight::gpu(false, 64 * 64);
    gpu.core.unit_instruction_line_cycles = unit_line_cycles;
    gpu.core.unit_cycles_per_wave = apart;
    gpu.core.units = gpu.core.engines = 1;
    const Straight code(gpu, 32);
    Device device(nullptr, gpu.core, gpu.build());
    SyntheticFactory sources(code.program);
    const RunOptions options{.group_items = 64 * waves, .groups = groups};
    const auto result =
        device.run({code.timed, no_limits()}, launch_of(code.program, options), 64, sources, {});
    EXPECT_TRUE(result.ok());
    return result.ok() ? result->cycles : 0;
  };
  constexpr u64 line = Straight::line_cycles;
  const u64 alone = cycles(line, 1, 1, 1);
  EXPECT_LT(cycles(line, 4, 1, 1), alone + 2 * line);
  const u32 apart = 5 * line;
  EXPECT_LT(cycles(0, 1, 2, apart), alone + 7 * line);
  EXPECT_GT(cycles(line, 1, 2, apart), alone + 25 * line);
  EXPECT_LT(cycles(line, 1, 2, apart), 2 * alone + 7 * line);
}

TEST(State, ALaunchBringsTheBeginningOfItsCode) {
  const TestGpu without = Straight::gpu(false, 0), with = Straight::gpu(false, 16 * 64);
  const auto misses = [](const TestGpu& gpu, u32 code_lines) {
    Device device(nullptr, gpu.core, gpu.build());
    return Straight(gpu, code_lines).launch(device).counter("icache.misses");
  };
  EXPECT_GT(misses(without, 15), 0u);
  EXPECT_EQ(misses(with, 15), 0u);
  EXPECT_GT(misses(with, 40), 0u);
  EXPECT_LT(misses(with, 40), misses(without, 40));
}

}  // namespace
}  // namespace lockstep
