// NVIDIA occupancy against the CUDA toolkit's own calculator: its header where it is installed, and a sample
// of its answers, tests/data/occupancy/nvidia.csv, everywhere. The sample is written by
//   test_machine --gtest_also_run_disabled_tests --gtest_filter='*DISABLED_WriteSample'
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "machine/occupancy.h"

#if __has_include("/usr/local/cuda/include/cuda_occupancy.h")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wtype-limits"
#include "/usr/local/cuda/include/cuda_occupancy.h"
#pragma GCC diagnostic pop
namespace {
constexpr bool have_header = true;
}
#else
namespace {
constexpr bool have_header = false;
}
#endif

namespace lockstep {
namespace {

const std::string sample_path = LOCKSTEP_SOURCE_DIR "/tests/data/occupancy/nvidia.csv";
constexpr std::string_view modern[] = {"k40c", "k80",  "m60", "p100",  "gtx1080", "gtx1050",
                                       "v100", "a100", "a10", "a6000", "h200"};

Machine load(std::string_view id) {
  Expected<Machine> machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", id);
  if (!machine.ok()) ADD_FAILURE() << to_string(machine.error());
  return machine.ok() ? *machine : Machine{};
}

// The calculator's answer; 0 groups: the launch is impossible. Limits that don't apply are 0.
struct Answer {
  u32 groups = 0, by_waves = 0, by_slots = 0, by_registers = 0, by_local = 0;
};

OccupancyInput random_input(std::mt19937& random, u32 major) {
  const auto pick = [&](u32 low, u32 high) { return std::uniform_int_distribution<u32>(low, high)(random); };
  OccupancyInput input;
  input.work_group_size = pick(0, 3) == 0 ? pick(1, 1100) : pick(1, 34) * 32;
  input.vector_registers = pick(0, 9) == 0 ? pick(0, 260) : pick(1, 128);
  // From 7.0 on the header lets 256 pass, the unit of allocation; an instruction can name 255.
  if (input.vector_registers == 256) input.vector_registers = 255;
  switch (pick(0, 3)) {
    case 0:
      break;
    case 1:
      input.local_bytes = pick(0, 16 * 1024);
      break;
    case 2:
      input.local_bytes = pick(0, 50 * 1024);
      break;
    default:
      input.local_bytes = pick(0, 240 * 1024);
      break;
  }
  if (major >= 7 && pick(0, 1) == 0) input.carveout_percent = pick(0, 100);
  input.cache_preference = static_cast<CachePreference>(pick(0, 3));
  input.local_optin = pick(0, 3) != 0;
  input.partitioned_caching = static_cast<PartitionedCaching>(pick(0, 2));
  input.barriers = pick(0, 3) == 0 ? pick(0, 20) : 1;
  return input;
}

std::string show(std::string_view id, const OccupancyInput& input) {
  std::ostringstream text;
  text << id << ',' << input.work_group_size << ',' << input.vector_registers << ',' << input.local_bytes
       << ',' << (input.carveout_percent ? static_cast<int>(*input.carveout_percent) : -1) << ','
       << static_cast<int>(input.cache_preference) << ',' << static_cast<int>(input.partitioned_caching)
       << ',' << input.local_optin << ',' << input.barriers;
  return text.str();
}

void compare(std::string_view id, const OccupancyRules& rules, const OccupancyInput& input,
             const Answer& expected) {
  const Expected<Occupancy> result = evaluate_occupancy(rules, input);
  if (!result.ok()) {
    ASSERT_EQ(expected.groups, 0u) << show(id, input) << "\n" << to_string(result.error());
    return;
  }
  ASSERT_EQ(result->groups_per_cu, expected.groups) << show(id, input);
  for (const OccupancyLimit& limit : result->limits) {
    if (limit.name == "wave slots") {
      ASSERT_EQ(limit.groups_per_cu, expected.by_waves) << show(id, input);
    }
    if (limit.name == "work-group slots") {
      ASSERT_EQ(limit.groups_per_cu, expected.by_slots) << show(id, input);
    }
    if (limit.name == "vector registers") {
      ASSERT_EQ(limit.groups_per_cu, expected.by_registers) << show(id, input);
    }
    if (limit.name == "local memory") {
      ASSERT_EQ(limit.groups_per_cu, expected.by_local) << show(id, input);
    }
  }
}

#if __has_include("/usr/local/cuda/include/cuda_occupancy.h")
Answer ask_header(const Machine& machine, const OccupancyInput& input, u32 static_local) {
  cudaOccDeviceProp device;
  device.computeMajor = static_cast<int>(machine.target->major);
  device.computeMinor = static_cast<int>(machine.target->minor);
  device.maxThreadsPerBlock = static_cast<int>(integer(machine, "occupancy.max_group_items"));
  device.maxThreadsPerMultiprocessor = static_cast<int>(integer(machine, "occupancy.waves_per_unit") * 32);
  device.regsPerBlock = static_cast<int>(integer(machine, "occupancy.registers_per_group"));
  device.regsPerMultiprocessor = static_cast<int>(integer(machine, "occupancy.registers_per_unit"));
  device.warpSize = 32;
  device.sharedMemPerBlock = integer(machine, "local.bytes_per_group_max");
  device.sharedMemPerMultiprocessor = integer(machine, "local.bytes_per_unit");
  device.numSms = static_cast<int>(integer(machine, "compute.units"));
  device.sharedMemPerBlockOptin = integer_or(machine, "local.bytes_per_group_optin", 0);
  device.reservedSharedMemPerBlock = integer(machine, "local.reserved_bytes_per_group");
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = static_cast<int>(input.vector_registers);
  function.sharedSizeBytes = static_local;
  const std::size_t dynamic_local = input.local_bytes - static_local;
  function.partitionedGCConfig = static_cast<cudaOccPartitionedGCConfig>(input.partitioned_caching);
  function.shmemLimitConfig = input.local_optin ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  function.maxDynamicSharedSizeBytes = dynamic_local;
  function.numBlockBarriers = static_cast<int>(input.barriers);
  cudaOccDeviceState state;
  constexpr cudaOccCacheConfig preferences[] = {CACHE_PREFER_NONE, CACHE_PREFER_SHARED, CACHE_PREFER_L1,
                                                CACHE_PREFER_EQUAL};
  state.cacheConfig = preferences[static_cast<int>(input.cache_preference)];
  state.carveoutConfig = input.carveout_percent ? static_cast<int>(*input.carveout_percent) : -1;
  cudaOccResult result{};
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &function, &state, static_cast<int>(input.work_group_size), dynamic_local);
  if (error != CUDA_OCC_SUCCESS) return {};
  const auto limit = [](int blocks) { return blocks == INT_MAX ? 0u : static_cast<u32>(blocks); };
  return {static_cast<u32>(result.activeBlocksPerMultiprocessor), limit(result.blockLimitWarps),
          limit(result.blockLimitBlocks), limit(result.blockLimitRegs), limit(result.blockLimitSharedMem)};
}
#else
Answer ask_header(const Machine&, const OccupancyInput&, u32) {
  return {};
}
#endif

TEST(NvidiaOccupancy, EqualsTheToolkitsCalculator) {
  if (!have_header) GTEST_SKIP() << "no CUDA toolkit here; the sample is compared instead";
  std::mt19937 random(2024);
  u64 compared = 0, possible = 0;
  for (const std::string_view id : modern) {
    const Machine machine = load(id);
    const OccupancyRules rules = occupancy_rules(machine);
    for (int i = 0; i < 20'000; ++i) {
      const OccupancyInput input = random_input(random, machine.target->major);
      const u32 static_local =
          static_cast<u32>(std::uniform_int_distribution<u64>(0, input.local_bytes)(random));
      const Answer answer = ask_header(machine, input, static_local);
      ASSERT_NO_FATAL_FAILURE(compare(id, rules, input, answer));
      ++compared;
      if (answer.groups > 0) ++possible;
    }
  }
  EXPECT_GE(compared, 200'000u);
  EXPECT_GE(possible, 100'000u);  // most of the comparisons are of launches that run
}

TEST(NvidiaOccupancy, EqualsTheSample) {
  std::ifstream stream(sample_path);
  ASSERT_TRUE(stream) << sample_path;
  std::map<std::string, OccupancyRules> rules;
  std::string line;
  std::getline(stream, line);  // the header
  u64 rows = 0;
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    std::string id;
    std::getline(cells, id, ',');
    std::vector<i64> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::stoll(cell));
    ASSERT_EQ(values.size(), 13u) << line;
    if (!rules.contains(id)) rules[id] = occupancy_rules(load(id));
    OccupancyInput input;
    input.work_group_size = static_cast<u32>(values[0]);
    input.vector_registers = static_cast<u32>(values[1]);
    input.local_bytes = static_cast<u64>(values[2]);
    if (values[3] >= 0) input.carveout_percent = static_cast<u32>(values[3]);
    input.cache_preference = static_cast<CachePreference>(values[4]);
    input.partitioned_caching = static_cast<PartitionedCaching>(values[5]);
    input.local_optin = values[6] != 0;
    input.barriers = static_cast<u32>(values[7]);
    const Answer answer{static_cast<u32>(values[8]), static_cast<u32>(values[9]),
                        static_cast<u32>(values[10]), static_cast<u32>(values[11]),
                        static_cast<u32>(values[12])};
    ASSERT_NO_FATAL_FAILURE(compare(id, rules[id], input, answer));
    ++rows;
  }
  EXPECT_GE(rows, 3000u);
}

TEST(NvidiaOccupancy, DISABLED_WriteSample) {
  ASSERT_TRUE(have_header);
  std::ofstream out(sample_path);
  out << "gpu,group,registers,local,carveout,cache,partitioned,optin,barriers,groups,by_waves,by_slots,by_"
         "registers,"
         "by_local\n";
  std::mt19937 random(7);
  for (const std::string_view id : modern) {
    const Machine machine = load(id);
    for (int i = 0; i < 330; ++i) {
      const OccupancyInput input = random_input(random, machine.target->major);
      const Answer answer = ask_header(machine, input, static_cast<u32>(input.local_bytes / 2));
      out << show(id, input) << ',' << answer.groups << ',' << answer.by_waves << ',' << answer.by_slots
          << ',' << answer.by_registers << ',' << answer.by_local << '\n';
    }
  }
}

// Before 3.0: NVIDIA's spreadsheet. 16 registers for 256 work-items on G80: 8 waves * 32 * 16 = 4096 of 8192
// registers, so two groups; 10 registers: 2560, three groups, and 24 waves of 24.
TEST(NvidiaOccupancy, TeslaAllocatesRegistersToGroups) {
  const OccupancyRules g80 = occupancy_rules(load("8800"));
  OccupancyInput input;
  input.work_group_size = 256;
  input.vector_registers = 16;
  EXPECT_EQ(evaluate_occupancy(g80, input)->groups_per_cu, 2u);
  EXPECT_EQ(evaluate_occupancy(g80, input)->limiter, "vector registers");
  input.vector_registers = 10;
  EXPECT_EQ(evaluate_occupancy(g80, input)->groups_per_cu, 3u);
  EXPECT_DOUBLE_EQ(evaluate_occupancy(g80, input)->occupancy, 1.0);
  input.work_group_size = 64;  // 12 groups of two waves would fill 24 slots: eight group slots
  EXPECT_EQ(evaluate_occupancy(g80, input)->groups_per_cu, 8u);
  EXPECT_EQ(evaluate_occupancy(g80, input)->limiter, "work-group slots");
  input.work_group_size = 96;  // three waves round up to four for registers: 4 * 32 * 10 = 1280, six groups
  EXPECT_EQ(evaluate_occupancy(g80, input)->limits[2].groups_per_cu, 6u);
  input.work_group_size = 513;
  EXPECT_EQ(evaluate_occupancy(g80, input).error().code, "group-too-large");
}

// 2.x: 20 registers a wave are 640, a multiple of 64; 21 are 672, rounded to 768 by the coarse granule of
// 128. Each of the two register files has 16384: 25 and 21 waves, so 50 and 42 of 48 slots.
TEST(NvidiaOccupancy, FermiHasCoarseRegisterCounts) {
  const OccupancyRules gf110 = occupancy_rules(load("gtx580"));
  OccupancyInput input;
  input.work_group_size = 192;
  input.vector_registers = 20;
  EXPECT_EQ(evaluate_occupancy(gf110, input)->waves_per_cu, 48u);
  input.vector_registers = 21;
  EXPECT_EQ(evaluate_occupancy(gf110, input)->vector_registers_allocated, 24u);
  EXPECT_EQ(evaluate_occupancy(gf110, input)->waves_per_cu, 42u);
  EXPECT_EQ(evaluate_occupancy(gf110, input)->limiter, "vector registers");
  input.vector_registers = 20;
  input.local_bytes = 20 * 1024;
  EXPECT_EQ(evaluate_occupancy(gf110, input)->groups_per_cu, 2u);
  input.local_bytes = 8 * 1024;
  input.cache_preference = CachePreference::l1;  // 16 KB of local memory
  EXPECT_EQ(evaluate_occupancy(gf110, input)->groups_per_cu, 2u);
}

}  // namespace
}  // namespace lockstep
