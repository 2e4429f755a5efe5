// The length of windows and the number of host threads change nothing: neither a cycle nor a counter.
#include "support.h"

namespace lockstep {
namespace {

using namespace timing_test;

constexpr u64 mebi = 1 << 20;

// Loads that miss everywhere, of pages far apart; stores that overlap among groups; what waves of a group
// wait for from each other.
SyntheticProgram loads_and_stores() {
  SyntheticProgram program;
  const u32 top = program.valu(2);
  program.load(16, [](const SyntheticVisit& v, Access& a) {
    strided(a, (u64{1} << 32) + (v.group * 7919 + v.wave * 131 + v.count * 17) % 8192 * mebi / 16, 16);
  });
  program.load(4, [](const SyntheticVisit& v, Access& a) {
    for (u32 lane = 0; lane < 64; ++lane)
      a.address[lane] = 64 * mebi + (v.group * 640 + v.count * 77 + lane * 1237) % 4096 * 132;
    a.lanes = v.wave % 2 == 0 ? ~u64{0} : 0x00FF'0F0F'1248'8001;
  });
  program.wait(1, 0xFF);
  program.repeat(Cost::valu_f64_add, 2, 8);
  program.store(8, [](const SyntheticVisit& v, Access& a) {
    strided(a, (u64{2} << 32) + (v.group % 16 * 4 + v.wave) * 2048 + v.count * 512, 8);
  });
  program.store(4, [](const SyntheticVisit& v, Access& a) { strided(a, 32 * mebi + v.group * 4, 260); });
  program.wait(0, 0xFF);
  program.barrier();
  program.add(Cost::salu);
  program.loop(top, 3);
  program.end();
  return program;
}

// Atomics with and without an answer on few words, and loads of the lines that they work on.
SyntheticProgram atomics() {
  SyntheticProgram program;
  const u32 top = program.add(Cost::salu);
  program.memory(Cost::vmem_atomic, Space::global, AccessKind::atomic_return, 4,
                 [](const SyntheticVisit& v, Access& a) { strided(a, 16 * mebi + v.group % 3 * 64, 0); });
  program.load(4, lanes_at(16 * mebi, 4));
  program.wait(0, 0xFF);
  program.memory(Cost::vmem_atomic, Space::global, AccessKind::atomic, 4,
                 [](const SyntheticVisit& v, Access& a) {
                   for (u32 lane = 0; lane < 64; ++lane)
                     a.address[lane] = 17 * mebi + (lane * 37 + v.group * 11 + v.count * 5) % 96 * 4;
                 });
  program.add(Cost::cache_control, 8);
  program.valu(3);
  program.loop(top, 5);
  program.end();
  return program;
}

// Local memory with conflicts, barriers, scalar loads, clock reads, sleeps, and code of many lines.
SyntheticProgram local_memory() {
  SyntheticProgram program;
  program.memory(Cost::smem_load, Space::constant, AccessKind::load, 64,
                 [](const SyntheticVisit& v, Access& a) {
                   a.lanes = 1;
                   a.address[0] = mebi + v.group % 7 * 4096 + 32;
                 });
  program.wait(0xFF, 0);
  const u32 top = program.memory(Cost::lds_store, Space::local, AccessKind::store, 8, lanes_at(0, 24));
  program.memory(Cost::lds_atomic, Space::local, AccessKind::atomic_return, 4, lanes_at(1024, 0));
  program.wait(0xFF, 1);
  program.add(Cost::smem_time, 8);
  program.wait(0xFF, 0);
  program.barrier();
  program.memory(Cost::lds_load, Space::local, AccessKind::load, 16, lanes_at(0, 128));
  program.repeat(Cost::valu_transcendental, 40, 8);
  const u32 sleep = program.add(Cost::sleep);
  program.code[sleep].offset = 1;
  program.wait(0xFF, 0);
  program.store(
      4, [](const SyntheticVisit& v, Access& a) { strided(a, 8 * mebi + (v.group * 4 + v.wave) * 256, 4); });
  program.repeat(Cost::valu_full, 300, 8);
  program.barrier();
  program.loop(top, 2);
  program.end();
  return program;
}

struct Shape {
  const char* name;
  TestGpu gpu;
};

std::vector<Shape> shapes() {
  TestGpu flat = test_gpu();
  flat.core.units = 16;
  flat.core.engines = 4;
  // Few misses, short queues, small caches: what blocks and is tried again.
  TestGpu tight = flat;
  tight.core.units = 11;
  tight.core.l1_misses = 6;
  tight.core.stores_outstanding = 3;
  tight.core.vector_queue = 5;
  tight.core.instruction_misses = 2;
  tight.core.scalar_misses = 2;
  tight.core.instruction_cache = {1024, 64, 2};
  tight.core.l1 = {1024, 64, 2};
  tight.hierarchy.levels[0].misses = 3;
  tight.hierarchy.levels[0].size_bytes = 4096;
  tight.hierarchy.dram.queue = 4;
  tight.hierarchy.dram_clock = ClockRatio(1'500'000'000, 852'000'000);
  tight.hierarchy.dram.refresh_interval = 1000;
  tight.hierarchy.dram.refresh = 100;
  tight.hierarchy.translation.near_entries = 2;
  tight.hierarchy.translation.shared_entries = 16;
  tight.hierarchy.translation.walkers = 2;
  // Waves issue in every cycle; answers in any order; two paths a unit and lines of 128 bytes.
  TestGpu wide = flat;
  wide.core.turn_cycles = 1;
  wide.core.paths = 2;
  wide.core.returns_in_order = false;
  wide.core.l1 = {16384, 128, 4};
  wide.core.lanes_per_address_cycle = 32;
  wide.core.gather_window_bytes = 16;
  wide.core.load_passes = {.lanes = 32, .row_bytes = 128};
  wide.hierarchy.levels[0].line_bytes = wide.hierarchy.levels[0].sector_bytes = 128;
  wide.hierarchy.dram.block_bytes = 128;
  // Caches behind caches, each a few cycles from the next.
  TestGpu deep = flat;
  CacheLevel first = deep.hierarchy.levels[0], last = first;
  first.name = "gl1";
  first.slices = first.groups = 2;
  first.write_back = first.allocates_stores = first.holds_atomics = false;
  last.name = "mall";
  last.holds_atomics = false;
  last.in_front_of_memory = true;
  deep.hierarchy.levels = {first, deep.hierarchy.levels[0], last};
  deep.hierarchy.code_level = 1;
  return {{"flat", flat}, {"tight", tight}, {"wide", wide}, {"deep", deep}};
}

TimingResult run_with(const TestGpu& gpu, const SyntheticProgram& program, u32 window, u32 threads) {
  RunOptions options{.group_items = 256, .groups = 40, .record = false};
  options.timing.window_cycles = window;
  options.timing.threads = threads;
  return run(gpu, program, options).result;
}

// Two kinds that write to each other: windows of the way there and back, those of the one that is asked later
// by the way there.
TEST(WindowPlan, TheWayThereAndBackIsTheLongest) {
  const WindowPlan::Kind kinds[] = {{0, 0, false}, {1, 0, true}, {2, 0, false}};
  const MailWay ways[] = {{0, 1, 30}, {1, 0, 50}, {1, 2, 60}, {2, 1, 60}};
  const WindowPlan longest = longest_windows(kinds, ways, 1000);
  EXPECT_EQ(longest.length, 80u);
  EXPECT_EQ(longest.kinds[1].late - longest.kinds[0].late, 30u);
  EXPECT_EQ(longest.phases(), 3u);
  EXPECT_TRUE(plan_windows(kinds, ways, 81).kinds.empty());
  EXPECT_EQ(longest_windows(kinds, ways, 64).length, 64u);
  // As long as no way is shorter than they are, all begin together.
  EXPECT_EQ(plan_windows(kinds, ways, 30).latest(), 0u);
  // In one phase nobody is ahead of another one.
  const WindowPlan::Kind together[] = {{0, 0, false}, {0, 0, true}, {0, 0, false}};
  EXPECT_EQ(longest_windows(together, ways, 1000).length, 40u);
}

// What runs between phases hears of a round in the next one; the first kind hears of it another one later.
TEST(WindowPlan, KindsBetweenPhasesAreARoundAway) {
  const WindowPlan::Kind kinds[] = {{0, 0, false}, {1, 0, true}, {0, 0, false, true}};
  const MailWay far_enough[] = {{0, 1, 30}, {1, 0, 50}, {1, 2, 80}, {2, 1, 80}};
  const WindowPlan plan = longest_windows(kinds, far_enough, 1000);
  EXPECT_EQ(plan.length, 80u);
  EXPECT_EQ(plan.phases(), 2u);
  // Two windows have room in the way there and back.
  const MailWay nearer[] = {{0, 1, 30}, {1, 0, 50}, {1, 2, 80}, {2, 1, 60}};
  EXPECT_EQ(longest_windows(kinds, nearer, 1000).length, 70u);
  const MailWay to_the_first[] = {{0, 1, 30}, {1, 0, 50}, {1, 2, 80}, {2, 1, 80}, {2, 0, 120}};
  EXPECT_LT(longest_windows(kinds, to_the_first, 1000).length, 80u);
}

TEST(Windows, AnyLengthAndAnyThreadsGiveTheSame) {
  const std::pair<const char*, SyntheticProgram> programs[] = {
      {"loads and stores", loads_and_stores()}, {"atomics", atomics()}, {"local memory", local_memory()}};
  for (const Shape& shape : shapes()) {
    const u32 longest = Device(nullptr, shape.gpu.core, shape.gpu.build()).longest_window();
    EXPECT_GE(longest, 16u);
    for (const auto& [name, program] : programs) {
      SCOPED_TRACE(std::string(shape.name) + ", " + name);
      const TimingResult one = run_with(shape.gpu, program, 1, 1);
      EXPECT_EQ(one.groups, 40u);
      for (const auto& [window, threads] : std::vector<std::pair<u32, u32>>{
               {longest, 1}, {longest / 2 | 1, 1}, {0, 2}, {longest / 2 | 1, 8}}) {
        if (threads > 2 && std::string_view(shape.name) != "tight") continue;
        SCOPED_TRACE("windows of " + std::to_string(window) + " cycles, " + std::to_string(threads) +
                     " threads");
        expect_same(one, run_with(shape.gpu, program, window, threads));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// The order in which ordered accesses are performed shows in what programs compute.
TEST(Windows, OrderedAccessesArePerformedInOneOrder) {
  const SyntheticProgram program = atomics();
  for (const Shape& shape : shapes()) {
    const auto order = [&](u32 window) {
      std::vector<std::pair<u32, u32>> performed;
      SyntheticFactory sources(program);
      sources.on_perform = [&](u32 cluster, u32 instruction) {
        performed.emplace_back(cluster, instruction);
      };
      Device device(nullptr, shape.gpu.core, shape.gpu.build());
      const RunOptions options{.group_items = 256, .groups = 40};
      TimingOptions timing;
      timing.window_cycles = window;
      const auto result = device.run({timed_program(shape.gpu, program), no_limits()},
                                     launch_of(program, options), 64, sources, timing);
      EXPECT_TRUE(result.ok());
      return performed;
    };
    const auto one = order(1);
    EXPECT_EQ(one.size(), 40u * 4 * 5 * 2);
    for (const u32 window : {0u, 3u, 13u}) EXPECT_TRUE(order(window) == one) << shape.name << window;
  }
}

// What a launch leaves in the caches is the same, too.
TEST(Windows, LaunchesOnOneDeviceFollowEachOther) {
  const SyntheticProgram first = loads_and_stores(), second = atomics();
  for (const Shape& shape : shapes()) {
    const auto runs = [&](u32 window, u32 threads) {
      Device device(nullptr, shape.gpu.core, shape.gpu.build());
      TimingOptions timing;
      timing.window_cycles = window;
      timing.threads = threads;
      std::vector<TimingResult> results;
      for (const SyntheticProgram* program : {&first, &second, &first, &first}) {
        SyntheticFactory sources(*program);
        const auto result =
            device.run({timed_program(shape.gpu, *program), no_limits()},
                       launch_of(*program, {.group_items = 256, .groups = 30}), 64, sources, timing);
        EXPECT_TRUE(result.ok());
        expect_sums(*result);
        results.push_back(*result);
      }
      return results;
    };
    const std::vector<TimingResult> one = runs(1, 1);
    // The caches are warm, where they hold anything of an earlier launch.
    if (std::string_view(shape.name) != "tight") {
      EXPECT_GT(one[3].counter("l2.hits"), one[0].counter("l2.hits")) << shape.name;
    }
    for (const auto& [window, threads] : std::vector<std::pair<u32, u32>>{{0, 1}, {7, 2}}) {
      const std::vector<TimingResult> others = runs(window, threads);
      for (std::size_t i = 0; i < one.size(); ++i) {
        SCOPED_TRACE(std::string(shape.name) + " " + std::to_string(i));
        expect_same(one[i], others[i]);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
