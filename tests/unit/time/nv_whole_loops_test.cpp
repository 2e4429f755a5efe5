// Loops of a constant number of turns: which of them the assembler writes out, all turns one behind the
// other.
#include <gtest/gtest.h>

#include <algorithm>

#include "nv_lower_support.h"
#include "time/program/nv/lower.h"

namespace lockstep {
namespace {

// A loop of multiply-adds whose counter goes from 0 by `by` to where `test` says.
Lowered loop(u32 multiply_adds, u32 by, const std::string& test, const std::string& end) {
  std::string body;
  for (u32 i = 0; i < multiply_adds; ++i) body += "fma.rn.f32 %f2, %f2, %f3, %f4; ";
  return lower(
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r5, [n]; cvt.rn.f32.u32 %f2, %r5; mov.f32 %f3, 0f3F000000; "
      "mov.f32 %f4, 0f3F800000; mov.u32 %r9, 0;\nL: " +
          body + "add.s32 %r9, %r9, " + std::to_string(by) + "; setp." + test + " %p1, %r9, " + end +
          "; @%p1 bra L; st.global.f32 [%rd1], %f2;",
      "sm_90");
}

int tests_of(const Lowered& l) {
  int tests = 0;
  for (const auto& [name, count] : mnemonics(l.program))
    tests += name.find("ISETP") != std::string::npos ? count : 0;
  return tests;
}

// Each seen of ptxas of CUDA 13 for sm_90 with the test for less.
TEST(NvWholeLoops, NothingIsLeftOfCountingWhereAllTurnsAreShort) {
  struct Case {
    u32 multiply_adds, turns;
    bool whole;
  };
  const std::vector<Case> cases = {{8, 256, true},  {16, 70, true},   {32, 18, true},  {40, 13, true},
                                   {48, 10, true},  {56, 8, true},    {64, 5, true},   {150, 2, true},
                                   {8, 400, false}, {16, 100, false}, {32, 32, false}, {40, 16, false},
                                   {48, 11, false}, {128, 5, false}};
  for (const Case& one : cases) {
    for (const bool by_equality : {false, true}) {
      const Lowered l =
          loop(one.multiply_adds, 3, by_equality ? "ne.s32" : "lt.u32", std::to_string(3 * one.turns));
      auto count = mnemonics(l.program);
      const std::string what = std::to_string(one.turns) + " x " + std::to_string(one.multiply_adds) +
                               (by_equality ? ", equal" : "");
      EXPECT_EQ(tests_of(l) == 0, one.whole) << what;
      EXPECT_EQ(count["FFMA"], static_cast<int>(one.multiply_adds)) << what << ": each turn executes them";
      u32 turns = 0;
      for (const LoweredInstruction& in : l.program.instructions) turns = std::max<u32>(turns, in.every);
      EXPECT_TRUE(!one.whole || turns <= 1) << what;
    }
  }
}

TEST(NvWholeLoops, AnEndThatIsNotKnownOrNeverMetKeepsItsTest) {
  EXPECT_GT(tests_of(loop(8, 3, "lt.u32", "%r5")), 0);
  EXPECT_GT(tests_of(loop(8, 3, "ne.s32", "16")), 0) << "it passes the end by";
}

}  // namespace
}  // namespace lockstep
