// Register banks from Volta on: what reading costs, and where values are put.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "time/program/nv/operands.h"
#include "time/program/nv/spread.h"

namespace lockstep {
namespace {

LoweredInstruction multiply_add(u32 a, u32 b, u32 c, bool keeps_first = false) {
  LoweredInstruction in;
  in.opcode = LoweredOpcode::ffma;
  for (u32 slot = 0; const u32 index : {a, b, c}) {
    in.source[slot].file = LoweredOperand::File::general;
    in.source[slot].index = index;
    ++slot;
  }
  if (keeps_first) in.source[0].modifiers = LoweredOperand::reuse;
  return in;
}

u32 cycles_of(const std::vector<LoweredInstruction>& code, u32 turns, u32 behind = 1) {
  OperandWindow window;
  OperandCaches caches;
  u32 cycles = 0;
  for (u32 turn = 0; turn < turns; ++turn) {
    for (const LoweredInstruction& in : code) cycles += behind + window.waits(in, 2, caches, behind);
  }
  return cycles;
}

TEST(OperandWindow, BanksDeliverOneACycleOverTheWindow) {
  // Three registers, two and one of either bank in turn: three reads of each bank for two instructions.
  EXPECT_NEAR(cycles_of({multiply_add(0, 2, 1), multiply_add(3, 5, 4)}, 50), 150, 2);
  // Always two of the same bank.
  EXPECT_NEAR(cycles_of({multiply_add(0, 2, 1)}, 100), 200, 2);
  // All three of one.
  EXPECT_NEAR(cycles_of({multiply_add(0, 2, 4)}, 100), 300, 3);
  // One that two in one bank would hold up, beside three that leave it free.
  EXPECT_EQ(cycles_of({multiply_add(0, 2, 1), multiply_add(255, 255, 3), multiply_add(255, 255, 5),
                       multiply_add(255, 255, 7)},
                      50),
            200u);
}

// What an H200 takes for IMAD, which its pipe takes every other cycle (operands.txt in
// experiments/h200-timing).
TEST(OperandWindow, APipeOfHalfTheWidthLeavesGaps) {
  const LoweredInstruction three = multiply_add(0, 2, 4), two = multiply_add(0, 2, 1),
                           one = multiply_add(0, 1, 3), none = multiply_add(1, 3, 5);
  EXPECT_NEAR(cycles_of({three}, 100, 2), 300, 3);
  EXPECT_NEAR(cycles_of({two}, 100, 2), 200, 2);
  EXPECT_NEAR(cycles_of({three, two}, 60, 2), 300, 3);
  EXPECT_NEAR(cycles_of({three, one}, 60, 2), 240, 3);
  EXPECT_NEAR(cycles_of({three, three, none, none}, 30, 2), 300, 3);
  EXPECT_NEAR(cycles_of({three, one, two}, 40, 2), 240, 3);
}

TEST(OperandWindow, WhatTheCacheHoldsIsNotRead) {
  EXPECT_NEAR(cycles_of({multiply_add(0, 2, 1, true)}, 100), 100, 2);
}

namespace l = lowering;

TEST(SpreadOverBanks, AValueMovesToAFreeRegisterOfTheOtherBank) {
  const l::Ranges early{{0, 10}}, late{{20, 30}};
  const l::ReadTogether together{{{1, 1}}, {{0, 1}}, {}};
  // 0 and 1 are read together, both in even registers; register 3 is free while they hold something.
  std::vector<l::PlacedValue> values{{0, 2, &early, true}, {1, 4, &early, true}, {2, 3, &late, true}};
  l::spread_over_banks(values, together, 2);
  EXPECT_NE(values[0].at % 2, values[1].at % 2);
  EXPECT_LE(std::max({values[0].at, values[1].at, values[2].at}), 4u)
      << "no register that was not used before";
}

TEST(SpreadOverBanks, TwoChangePlaces) {
  const l::Ranges all{{0, 10}};
  const l::ReadTogether together{{{1, 1}}, {{0, 1}}, {{3, 1}}, {{2, 1}}};
  std::vector<l::PlacedValue> values{
      {0, 2, &all, true}, {1, 4, &all, true}, {2, 3, &all, true}, {3, 5, &all, true}};
  l::spread_over_banks(values, together, 2);
  EXPECT_NE(values[0].at % 2, values[1].at % 2);
  EXPECT_NE(values[2].at % 2, values[3].at % 2);
  std::vector<u32> at;
  for (const l::PlacedValue& value : values) at.push_back(value.at);
  std::ranges::sort(at);
  EXPECT_EQ(at, (std::vector<u32>{2, 3, 4, 5}));
}

TEST(SpreadOverBanks, WhatMayNotMoveStays) {
  const l::Ranges all{{0, 10}};
  const l::ReadTogether together{{{1, 1}}, {{0, 1}}};
  std::vector<l::PlacedValue> values{{0, 2, &all, false}, {1, 4, &all, false}};
  l::spread_over_banks(values, together, 2);
  EXPECT_EQ(values[0].at, 2u);
  EXPECT_EQ(values[1].at, 4u);
}

TEST(SidesOfBanks, ValuesReadTogetherLieApart) {
  // A chain 0-1-2, and 3 that is read with nothing; the pair read least often, which would close a triangle
  // of 0, 1 and 2, gives way.
  const l::ReadTogether together{{{1, 8}, {2, 1}}, {{0, 8}, {2, 8}}, {{1, 8}, {0, 1}}, {}};
  const l::Sides sides = l::sides_of(together);
  EXPECT_EQ(sides.tree[0], sides.tree[1]);
  EXPECT_EQ(sides.tree[1], sides.tree[2]);
  EXPECT_NE(sides.tree[3], sides.tree[0]);
  EXPECT_NE(sides.other_side[0], sides.other_side[1]);
  EXPECT_NE(sides.other_side[1], sides.other_side[2]);
  EXPECT_EQ(sides.weight, (std::vector<u64>{9, 16, 9, 0}));
}

}  // namespace
}  // namespace lockstep
