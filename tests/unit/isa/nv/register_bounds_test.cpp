#include "isa/nv/register_bounds.h"

#include <gtest/gtest.h>

namespace lockstep::nv {
namespace {

// As ptxas of CUDA 13 answers for a kernel that would take 123 registers.
TEST(RegisterBounds, AreThoseOfTheGroupsThatAreToBeResident) {
  struct Case {
    u32 capability, items, groups, said;
  };
  constexpr Case cases[] = {
      {90, 64, 12, 80},  {90, 64, 16, 64},  {90, 64, 20, 48}, {90, 64, 24, 40}, {90, 64, 28, 32},
      {90, 64, 32, 32},  {90, 32, 16, 128}, {90, 32, 17, 96}, {90, 64, 9, 96},  {90, 96, 6, 96},
      {90, 160, 3, 128}, {90, 160, 4, 96},  {86, 160, 4, 96}, {75, 64, 9, 96},  {90, 1024, 2, 32},
      {75, 1024, 2, 0},  {86, 1024, 2, 0},  {90, 1024, 3, 0}, {90, 64, 33, 0},  {75, 32, 17, 0},
      {86, 32, 17, 0},   {90, 0, 4, 0},     {90, 64, 0, 0},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(registers_said(one.capability, {one.items, one.groups, 0}), one.said)
        << one.capability << ' ' << one.items << ' ' << one.groups;
  }
}

TEST(RegisterBounds, TheLesserOfBothCounts) {
  EXPECT_EQ(registers_said(90, {0, 0, 48}), 48u);
  EXPECT_EQ(registers_said(90, {0, 0, ~u32{0}}), 255u);
  EXPECT_EQ(registers_said(90, {512, 0, 200}), 128u) << "a group has to fit";
  EXPECT_EQ(registers_said(90, {64, 24, 64}), 40u);
  EXPECT_EQ(registers_said(90, {64, 24, 32}), 32u);
  EXPECT_EQ(registers_said(90, {64, 33, 64}), 64u) << "groups that cannot be resident say nothing";
}

TEST(RegisterBounds, AGroupFits) {
  EXPECT_EQ(most_registers(90, 0), 255u);
  EXPECT_EQ(most_registers(90, 512), 128u);
  EXPECT_EQ(most_registers(90, 1024), 64u);
  EXPECT_EQ(most_registers(20, 1024), 32u);
}

}  // namespace
}  // namespace lockstep::nv
