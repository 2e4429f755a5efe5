#include "machine/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

Machine load(std::string_view id) {
  Expected<Machine> machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", id);
  if (!machine.ok()) ADD_FAILURE() << to_string(machine.error());
  return machine.ok() ? *machine : Machine{};
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Sweep, GroupSizesOfGcn) {
  const auto result = sweep(load("mi25"), {}, SweepAxis::group_size);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->rows.size(), 16u);
  EXPECT_EQ(result->rows[0].value, 64u);
  EXPECT_EQ(result->rows[0].waves_per_cu, 40u);
  EXPECT_EQ(result->rows[1].waves_per_cu, 32u);
  EXPECT_EQ(result->rows[1].limiter, "work-group slots");
  EXPECT_EQ(result->rows[15].value, 1024u);
  EXPECT_EQ(result->rows[15].waves_per_cu, 32u);
}

TEST(Sweep, RegistersAndLocalMemory) {
  OccupancyInput input;
  input.work_group_size = 256;
  const auto registers = sweep(load("mi25"), input, SweepAxis::vector_registers);
  ASSERT_TRUE(registers.ok());
  ASSERT_EQ(registers->rows.size(), 256u);
  EXPECT_EQ(registers->rows[23].waves_per_cu, 40u);
  EXPECT_EQ(registers->rows[24].waves_per_cu, 36u);
  const auto local = sweep(load("h200"), input, SweepAxis::local_bytes);
  ASSERT_TRUE(local.ok());
  EXPECT_GE(local->rows.size(), 60u);
  EXPECT_TRUE(local->rows.back().ok);
  EXPECT_EQ(local->rows.back().groups_per_cu, 1u);
}

TEST(Sweep, SaysWhatCannotBeSwept) {
  OccupancyInput input;
  input.work_group_size = 256;
  EXPECT_EQ(sweep(load("h200"), input, SweepAxis::scalar_registers).error().code, "nothing-to-sweep");
  EXPECT_EQ(sweep(load("hd530"), input, SweepAxis::vector_registers).error().code, "nothing-to-sweep");
  EXPECT_EQ(sweep(load("mi25"), {}, SweepAxis::local_bytes).error().code, "no-group-size");
  EXPECT_EQ(*find_sweep_axis("vgprs"), SweepAxis::vector_registers);
  EXPECT_EQ(*find_sweep_axis("local_bytes"), SweepAxis::local_bytes);
  EXPECT_EQ(find_sweep_axis("vgrps").error().hint, "did you mean 'vgprs'?");
}

TEST(Sweep, TableJoinsEqualRows) {
  OccupancyInput input;
  input.work_group_size = 256;
  const auto result = sweep(load("mi25"), input, SweepAxis::vector_registers);
  const std::string table = sweep_table(*result);
  EXPECT_NE(table.find("           1 - 24        10       40     1.000  wave slots\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("          25 - 28         9       36     0.900  vector registers\n"),
            std::string::npos);
  EXPECT_EQ(count(table, "\n"), 2u + 10u);  // two lines of heading, ten levels
}

TEST(Sweep, PictureHasAxesStepsLegendAndMark) {
  OccupancyInput input;
  input.work_group_size = 256;
  input.vector_registers = 27;
  input.local_bytes = 4096;
  const auto result = sweep(load("mi25"), input, SweepAxis::vector_registers);
  const std::string svg = sweep_svg(*result);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "fill-opacity"), 10u);  // 40, 36, 32, 28, 24, 20, 16, 12, 8, 4 waves
  EXPECT_NE(svg.find(">AMD Radeon Instinct MI25: occupancy by vector registers of a work-item<"),
            std::string::npos);
  EXPECT_NE(svg.find(">waves / CU<"), std::string::npos);
  EXPECT_NE(svg.find(">256<"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(svg.find(">27<"), std::string::npos);
  EXPECT_NE(svg.find(">wave slots<"), std::string::npos);
  EXPECT_NE(svg.find(">vector registers<"), std::string::npos);
  EXPECT_EQ(svg.find(">local memory<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg, sweep_svg(*result));
}

TEST(Sweep, EveryMachineHasAPicture) {
  const auto machines = list_machines(LOCKSTEP_SOURCE_DIR "/machines");
  ASSERT_TRUE(machines.ok());
  for (const MachineSummary& summary : *machines) {
    OccupancyInput input;
    input.work_group_size = 128;
    for (const SweepAxis axis : {SweepAxis::group_size, SweepAxis::local_bytes}) {
      const auto result = sweep(load(summary.id), input, axis);
      ASSERT_TRUE(result.ok()) << summary.id;
      EXPECT_TRUE(std::ranges::any_of(result->rows, &SweepRow::ok)) << summary.id;
      EXPECT_GT(count(sweep_svg(*result), "fill-opacity"), 0u) << summary.id;
    }
  }
}

}  // namespace
}  // namespace lockstep
