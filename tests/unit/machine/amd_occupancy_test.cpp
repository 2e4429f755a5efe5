// AMD occupancy against the worked examples of the documents that the machine files cite: the GCN occupancy
// deck (S1), the OpenCL optimisation slides (S2), and LLVM's table of scalar registers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "machine/occupancy.h"

namespace lockstep {
namespace {

Machine load(std::string_view id) {
  Expected<Machine> machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", id);
  if (!machine.ok()) ADD_FAILURE() << to_string(machine.error());
  return machine.ok() ? *machine : Machine{};
}

Occupancy evaluate(const OccupancyRules& rules, const OccupancyInput& input) {
  Expected<Occupancy> result = evaluate_occupancy(rules, input);
  if (!result.ok()) ADD_FAILURE() << to_string(result.error());
  return result.ok() ? *result : Occupancy{};
}

std::string error_code(const OccupancyRules& rules, const OccupancyInput& input) {
  const Expected<Occupancy> result = evaluate_occupancy(rules, input);
  return result.ok() ? "" : result.error().code;
}

const OccupancyLimit* limit_named(const Occupancy& result, std::string_view name) {
  for (const OccupancyLimit& limit : result.limits) {
    if (limit.name == name) return &limit;
  }
  return nullptr;
}

const OccupancyRules& gfx9() {
  static const OccupancyRules rules = occupancy_rules(load("mi25"));
  return rules;
}

TEST(Deck, V0IsLimitedByLocalMemory) {
  OccupancyInput input;
  input.work_group_size = 128;
  input.local_bytes = 128 * 32 * 4 * 4;
  const Occupancy result = evaluate(gfx9(), input);
  EXPECT_EQ(result.groups_per_cu, 1u);
  EXPECT_EQ(result.waves_per_cu, 2u);
  EXPECT_DOUBLE_EQ(result.occupancy, 0.05);
  EXPECT_EQ(result.limiter, "local memory");
  EXPECT_EQ(result.unit, "CU");
}

TEST(Deck, V1IsLimitedByWorkGroupSlots) {
  OccupancyInput input;
  input.work_group_size = 128;
  input.local_bytes = 128 * 1 * 4 * 4;
  const Occupancy result = evaluate(gfx9(), input);
  const OccupancyLimit* local = limit_named(result, "local memory");
  ASSERT_NE(local, nullptr);
  EXPECT_EQ(local->groups_per_cu, 32u);
  EXPECT_DOUBLE_EQ(local->uncapped, 1.6);
  EXPECT_EQ(local->waves_per_cu, 40u);
  EXPECT_DOUBLE_EQ(result.occupancy, 0.8);
  EXPECT_EQ(result.waves_per_cu, 32u);
  EXPECT_EQ(result.limiter, "work-group slots");
}

TEST(Deck, V2FillsTheComputeUnit) {
  OccupancyInput input;
  input.work_group_size = 256;
  input.local_bytes = 256 * 1 * 4 * 4;
  const Occupancy result = evaluate(gfx9(), input);
  EXPECT_DOUBLE_EQ(result.occupancy, 1.0);
  EXPECT_EQ(result.limiter, "wave slots");
  EXPECT_EQ(limit_named(result, "local memory")->groups_per_cu, 16u);
  EXPECT_DOUBLE_EQ(limit_named(result, "local memory")->uncapped, 1.6);
  EXPECT_DOUBLE_EQ(limit_named(result, "work-group slots")->uncapped, 1.6);
}

TEST(Deck, V3IsLimitedByVectorRegisters) {
  OccupancyInput input;
  input.work_group_size = 256;
  input.local_bytes = 256 * 1 * 4 * 4;
  input.vector_registers = 27;
  const Occupancy result = evaluate(gfx9(), input);
  EXPECT_EQ(result.groups_per_cu, 9u);
  EXPECT_EQ(result.waves_per_cu, 36u);
  EXPECT_DOUBLE_EQ(result.occupancy, 0.9);
  EXPECT_EQ(result.limiter, "vector registers");
  EXPECT_EQ(result.vector_registers_allocated, 28u);
}

TEST(Deck, GroupsOfOneWaveTakeNoGroupSlot) {
  OccupancyInput input;
  input.work_group_size = 64;
  EXPECT_EQ(evaluate(gfx9(), input).groups_per_cu, 40u);
  input.work_group_size = 65;
  EXPECT_EQ(evaluate(gfx9(), input).groups_per_cu, 16u);
}

TEST(Deck, WavesPerGroupSweep) {
  // 40 wave slots, 16 groups of more than one wave: floor(40 / n) groups, at most 16.
  constexpr std::array<u32, 16> waves{40, 32, 39, 40, 40, 36, 35, 40, 36, 40, 33, 36, 39, 28, 30, 32};
  for (u32 n = 1; n <= 16; ++n) {
    OccupancyInput input;
    input.work_group_size = n * 64;
    EXPECT_EQ(evaluate(gfx9(), input).waves_per_cu, waves[n - 1]) << n << " waves in a group";
  }
  OccupancyInput input;
  input.work_group_size = 16 * 64 + 1;
  EXPECT_EQ(error_code(gfx9(), input), "group-too-large");
}

TEST(Deck, WholeDevice) {
  OccupancyInput input;
  input.work_group_size = 256;
  const Machine hawaii = load("r9-290x");
  EXPECT_EQ(evaluate(occupancy_rules(hawaii), input).wave_slots * integer(hawaii, "compute.units"), 1760u);
  EXPECT_EQ(evaluate(occupancy_rules(hawaii), input).wave_slots * 64, 2560u);
}

// LLVM, getOccupancyWithNumSGPRs: the last count of each step, and the first of the next.
TEST(ScalarRegisters, FollowLlvmsTable) {
  struct Step {
    u32 registers, waves;
  };
  const auto check = [](std::string_view id, std::initializer_list<Step> steps) {
    const OccupancyRules rules = occupancy_rules(load(id));
    for (const Step& step : steps) {
      OccupancyInput input;
      input.work_group_size = 64;
      input.scalar_registers = step.registers;
      EXPECT_EQ(evaluate(rules, input).waves_per_cu, 4 * step.waves) << id << " " << step.registers;
    }
  };
  for (const std::string_view id : {"mi25", "vega64", "mi60", "r9-285"})
    check(id, {{1, 10}, {80, 10}, {81, 9}, {88, 9}, {89, 8}, {100, 8}, {101, 7}, {112, 7}});
  for (const std::string_view id : {"hd7970", "w7000", "r9-290x", "r9-390"})
    check(id, {{1, 10},
               {48, 10},
               {49, 9},
               {56, 9},
               {57, 8},
               {64, 8},
               {65, 7},
               {72, 7},
               {73, 6},
               {80, 6},
               {81, 5},
               {104, 5}});
  // CDNA: the same steps under eight wave slots.
  check("mi250x", {{80, 8}, {100, 8}, {101, 7}});
}

TEST(ScalarRegisters, TrapHandlerTakesSixteenMore) {
  OccupancyInput input;
  input.work_group_size = 64;
  input.scalar_registers = 64;
  input.trap_handler = true;  // 64 + 16 = 80: 800 / 80
  EXPECT_EQ(evaluate(gfx9(), input).waves_per_cu, 40u);
  EXPECT_EQ(evaluate(gfx9(), input).scalar_registers_allocated, 80u);
  input.scalar_registers = 65;  // 80 + 16 = 96: 8 waves
  EXPECT_EQ(evaluate(gfx9(), input).waves_per_cu, 32u);
  input.scalar_registers = 102;  // 112 + 16 = 128: 6 waves
  EXPECT_EQ(evaluate(gfx9(), input).waves_per_cu, 24u);
  EXPECT_EQ(evaluate(gfx9(), input).limiter, "scalar registers");
  input.scalar_registers = 113;
  EXPECT_EQ(error_code(gfx9(), input), "too-many-registers");
}

TEST(VectorRegisters, GranuleOfFourOnGcn) {
  OccupancyInput input;
  input.work_group_size = 64;
  // GCN: 256 registers a lane and SIMD. The thresholds are those of AMD's documents: 24, 28, 32, 36, 40, 48,
  // 64, 84, 128.
  constexpr std::array<std::pair<u32, u32>, 11> thresholds{{{24, 10},
                                                            {28, 9},
                                                            {32, 8},
                                                            {36, 7},
                                                            {40, 6},
                                                            {48, 5},
                                                            {64, 4},
                                                            {84, 3},
                                                            {128, 2},
                                                            {129, 1},
                                                            {256, 1}}};
  for (const auto& [registers, waves] : thresholds) {
    input.vector_registers = registers;
    EXPECT_EQ(evaluate(gfx9(), input).waves_per_cu, 4 * waves) << registers;
  }
  input.vector_registers = 257;
  EXPECT_EQ(error_code(gfx9(), input), "too-many-registers");
}

// S2's generic AMD GPU: 16384 registers in a compute unit, which is a VLIW machine without reserved
// registers.
class Slides : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("lockstep-slides-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "generic.toml")
        << "id = \"generic\"\nname = \"Generic\"\ntarget = \"cypress\"\nbase = \"hd5870\"\n[occupancy]\n"
           "max_group_items = {value = 1024, unit = \"items\", source = \"S2\", confidence = "
           "\"documented\"}\n"
           "vgprs_reserved = {value = 0, unit = \"registers\", source = \"S2\", confidence = "
           "\"documented\"}\n";
    const auto machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", (folder_ / "generic.toml").string());
    ASSERT_TRUE(machine.ok()) << to_string(machine.error());
    rules_ = occupancy_rules(*machine);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  u32 groups(u32 registers, u32 items) {
    OccupancyInput input;
    input.vector_registers = registers;
    input.work_group_size = items;
    const Expected<Occupancy> result = evaluate_occupancy(rules_, input);
    return result.ok() ? limit_named(*result, "vector registers")->groups_per_cu : 0;
  }

  std::filesystem::path folder_;
  OccupancyRules rules_;
};

TEST_F(Slides, ThirtyFiveRegisters) {
  OccupancyInput input;
  input.vector_registers = 35;
  EXPECT_EQ(items_by_vector_registers(rules_, input), 468u);
  EXPECT_EQ(groups(35, 512), 0u);  // impossible
  EXPECT_EQ(groups(35, 256), 1u);
  EXPECT_EQ(items_by_vector_registers(rules_, input) - groups(35, 256) * 256, 212u);
  EXPECT_EQ(groups(35, 128), 3u);
}

TEST_F(Slides, OneRegisterFewerFreesAGroup) {
  EXPECT_EQ(groups(17, 256), 3u);
  EXPECT_EQ(groups(16, 256), 4u);
}

TEST(Slides2, LocalMemoryOfAmdGpusIs64Kilobytes) {
  OccupancyInput input;
  input.work_group_size = 256;
  input.local_bytes = 65536;
  EXPECT_EQ(evaluate(gfx9(), input).groups_per_cu, 1u);
  input.local_bytes = 65537;
  EXPECT_EQ(error_code(gfx9(), input), "local-memory-too-large");
  // GCN 1 gives a group 32 KB of its 64 (Mesa).
  input.local_bytes = 32769;
  EXPECT_EQ(error_code(occupancy_rules(load("hd7970")), input), "local-memory-too-large");
}

// Chips and Cheese on RDNA 2: 96 registers give 10 waves a SIMD, 1600 on the chip's 40 WGPs; RDNA 3 12 of 16.
TEST(Rdna, PublishedWorkedExample) {
  OccupancyInput input;
  input.work_group_size = 32;
  input.vector_registers = 96;
  const Machine navi21 = load("rx6900xt");
  const Occupancy result = evaluate(occupancy_rules(navi21), input);
  EXPECT_EQ(result.unit, "WGP");
  EXPECT_EQ(result.waves_per_cu, 40u);
  EXPECT_EQ(result.waves_per_cu * integer(navi21, "compute.units") / 2, 1600u);
  // 1536 / 96 = 16: the game's 12 of 16 needs between 121 and 128 registers (12 blocks of 120 or less leave
  // more).
  const OccupancyRules navi31 = occupancy_rules(load("rx7900xtx"));
  EXPECT_EQ(evaluate(navi31, input).waves_per_cu, 64u);
  input.vector_registers = 120;
  EXPECT_EQ(evaluate(navi31, input).waves_per_cu, 4u * 12);
}

// LLVM: twenty waves a SIMD and granules of eight on gfx10.1, sixteen waves and granules of 24 on gfx12.
TEST(Rdna, TheFirstAndTheFourthGeneration) {
  OccupancyInput input;
  input.work_group_size = 32;
  input.vector_registers = 49;
  const OccupancyRules navi10 = occupancy_rules(load("rx5700xt"));
  EXPECT_EQ(evaluate(navi10, input).wave_slots, 80u);
  EXPECT_EQ(evaluate(navi10, input).vector_registers_allocated, 56u);
  EXPECT_EQ(evaluate(navi10, input).waves_per_cu, 4u * 18);
  const OccupancyRules navi48 = occupancy_rules(load("rx9070xt"));
  EXPECT_EQ(evaluate(navi48, input).wave_slots, 64u);
  EXPECT_EQ(evaluate(navi48, input).vector_registers_allocated, 72u);
  input.vector_registers = 121;
  EXPECT_EQ(evaluate(navi48, input).waves_per_cu, 4u * 10);
}

TEST(Rdna, CuModeHalvesTheUnit) {
  const OccupancyRules rules = occupancy_rules(load("rx6900xt"));
  OccupancyInput input;
  input.work_group_size = 256;
  input.local_bytes = 32 * 1024;
  EXPECT_EQ(evaluate(rules, input).groups_per_cu, 4u);
  EXPECT_EQ(evaluate(rules, input).wave_slots, 64u);
  input.cu_mode = true;
  EXPECT_EQ(evaluate(rules, input).groups_per_cu, 2u);
  EXPECT_EQ(evaluate(rules, input).wave_slots, 32u);
  EXPECT_EQ(evaluate(rules, input).unit, "CU");
  EXPECT_EQ(error_code(gfx9(), input), "no-cu-mode");
}

TEST(Rdna, Wave64HasHalfTheRegisters) {
  const OccupancyRules rules = occupancy_rules(load("rx6900xt"));
  OccupancyInput input;
  input.work_group_size = 64;
  input.wave_width = 64;
  input.vector_registers = 65;  // 512 registers in blocks of 8: 72, seven waves a SIMD
  EXPECT_EQ(evaluate(rules, input).vector_registers_allocated, 72u);
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 28u);
  input.wave_width = 32;  // 1024 in blocks of 16: 80, twelve waves a SIMD
  EXPECT_EQ(evaluate(rules, input).vector_registers_allocated, 80u);
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 48u);
  input.wave_width = 16;
  EXPECT_EQ(error_code(rules, input), "wave-width");
}

TEST(Cdna, AccumulatorsShareTheRegisterFile) {
  const OccupancyRules rules = occupancy_rules(load("mi250x"));
  OccupancyInput input;
  input.work_group_size = 64;
  input.vector_registers = 61;
  input.accumulator_registers = 64;  // behind a multiple of four: 64 + 64 = 128, four waves a SIMD
  EXPECT_EQ(evaluate(rules, input).vector_registers_allocated, 128u);
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 16u);
  input.accumulator_registers = 65;
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 12u);
  input.vector_registers = 256;
  input.accumulator_registers = 256;
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 4u);
  input.vector_registers = 257;
  EXPECT_EQ(error_code(rules, input), "too-many-registers");
  input.vector_registers = 8;
  input.accumulator_registers = 8;
  EXPECT_EQ(error_code(gfx9(), input), "no-accumulators");
}

// CDNA 1 has a file of its own for them (LLVM, getTotalNumVGPRs): the larger of the two counts decides.
TEST(Cdna, TheFirstHasASecondFileForAccumulators) {
  const OccupancyRules rules = occupancy_rules(load("mi100"));
  OccupancyInput input;
  input.work_group_size = 64;
  input.vector_registers = 61;
  input.accumulator_registers = 64;
  EXPECT_EQ(evaluate(rules, input).vector_registers_allocated, 64u);
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 16u);
  input.vector_registers = input.accumulator_registers = 256;
  EXPECT_EQ(evaluate(rules, input).waves_per_cu, 4u);
  input.accumulator_registers = 257;
  EXPECT_EQ(error_code(rules, input), "too-many-registers");
}

TEST(Vliw, AmdsGuideDivides248ByTheRegisterCount) {
  const OccupancyRules rules = occupancy_rules(load("hd5870"));
  OccupancyInput input;
  input.work_group_size = 64;
  for (const u32 registers : {16u, 31u, 62u, 124u}) {
    input.vector_registers = registers;
    EXPECT_EQ(limit_named(evaluate(rules, input), "vector registers")->waves_per_cu,
              std::min(24u, 248 / registers));
  }
  input.work_group_size = 257;
  EXPECT_EQ(error_code(rules, input), "group-too-large");
}

TEST(Intel, ThreadsAndBarriers) {
  const OccupancyRules rules = occupancy_rules(load("hd530"));
  OccupancyInput input;
  input.work_group_size = 256;
  EXPECT_EQ(evaluate(rules, input).waves_per_group, 16u);
  EXPECT_EQ(evaluate(rules, input).groups_per_cu, 3u);  // 56 threads
  input.wave_width = 32;
  EXPECT_EQ(evaluate(rules, input).groups_per_cu, 7u);
  input.local_bytes = 9 * 1024;  // rounded to 16 KB
  EXPECT_EQ(evaluate(rules, input).groups_per_cu, 4u);
  EXPECT_EQ(evaluate(rules, input).local_bytes_allocated, 16384u);
  input.local_bytes = 0;
  input.work_group_size = 64;
  EXPECT_EQ(evaluate(rules, input).groups_per_cu, 16u);
}

TEST(Advice, SaysWhatOneRegisterChanges) {
  const Machine machine = load("mi25");
  OccupancyInput input;
  input.work_group_size = 256;
  input.vector_registers = 28;
  const Expected<Occupancy> result = occupancy(machine, input);
  ASSERT_TRUE(result.ok());
  ASSERT_GE(result->advice.size(), 2u);
  EXPECT_EQ(result->advice[0].value, 29u);
  EXPECT_EQ(result->advice[0].waves_per_cu, 32u);
  EXPECT_EQ(result->advice[0].text,
            "one more vector register (29): 32 instead of 36 waves, occupancy 0.8 instead of 0.9, limited by "
            "vector "
            "registers");
  EXPECT_EQ(result->advice[1].value, 24u);
  EXPECT_EQ(result->advice[1].change, "4 vector registers fewer (24)");
  EXPECT_DOUBLE_EQ(result->advice[1].occupancy, 1.0);
}

TEST(Advice, SaysWhichLocalSizeAndGroupSizeFitBetter) {
  const Machine machine = load("mi25");
  OccupancyInput input;
  input.work_group_size = 192;
  input.local_bytes = 6000;  // 6144 allocated: ten groups, 30 waves
  const Expected<Occupancy> result = occupancy(machine, input);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->waves_per_cu, 30u);
  // Eleven groups need at most 65536 / 11 = 5957 bytes: 5632 in granules of 512.
  EXPECT_EQ(result->advice[0].change, "368 bytes of local memory fewer (5632)");
  EXPECT_EQ(result->advice[0].waves_per_cu, 33u);
  EXPECT_EQ(result->advice[1].value, 191u);
  EXPECT_EQ(result->advice[2].value, 128u);
  EXPECT_EQ(result->advice[2].waves_per_cu, 20u);
  EXPECT_EQ(result->advice[3].value, 256u);
  EXPECT_EQ(result->advice[3].waves_per_cu, 40u);
}

TEST(EveryMachine, AnswersOccupancy) {
  const auto machines = list_machines(LOCKSTEP_SOURCE_DIR "/machines");
  ASSERT_TRUE(machines.ok());
  for (const MachineSummary& summary : *machines) {
    const Machine machine = load(summary.id);
    const OccupancyRules rules = occupancy_rules(machine);
    u32 previous = UINT32_MAX;
    for (u32 registers = 1; registers <= 64; ++registers) {
      OccupancyInput input;
      input.work_group_size = 64;
      input.vector_registers = registers;
      input.local_bytes = 1024;
      const Expected<Occupancy> result = evaluate_occupancy(rules, input);
      if (!result.ok()) {  // 2.x has 63 registers at most
        EXPECT_GT(registers, 63u) << summary.id;
        continue;
      }
      EXPECT_GT(result->occupancy, 0) << summary.id;
      EXPECT_LE(result->occupancy, 1) << summary.id;
      EXPECT_LE(result->waves_per_cu, previous) << summary.id << ": more registers, more waves";
      previous = result->waves_per_cu;
    }
    OccupancyInput input;
    EXPECT_EQ(error_code(rules, input), "no-group-size");
    input.work_group_size = 64;
    EXPECT_TRUE(occupancy(machine, input).ok());
    input.work_group_size = 4096;
    EXPECT_EQ(error_code(rules, input), "group-too-large");
    input.work_group_size = 64;
    input.local_bytes = 1 << 20;
    EXPECT_EQ(error_code(rules, input), "local-memory-too-large") << summary.id;
  }
}

}  // namespace
}  // namespace lockstep
