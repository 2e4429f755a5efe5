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

// What a turn computes from its counter alone is a constant of it, and a branch that asks nothing else leads
// the same way in all lanes: as ptxas has HPCG's Gauss-Seidel step, 26 of 27 turns and no arithmetic on the
// counter.
TEST(NvWholeLoops, WhatCountersAloneDecideIsNotExecuted) {
  const std::string turns =
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r5, [n]; mov.u32 %r9, 0;\n"
      "L: setp.eq.s32 %p2, %r9, 3; @%p2 bra NEXT;\n"
      "and.b32 %r10, %r9, 1; mul.lo.s32 %r11, %r10, 77; shr.u32 %r12, %r9, 1; "
      "xor.b32 %r13, %r12, %r11; mad.lo.s32 %r14, %r13, %r5, %r5; ";
  std::string loads;
  for (int i = 0; i < 22; ++i)
    loads += "mul.wide.u32 %rd2, %r14, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r14, [%rd3]; ";
  const std::string end =
      "add.s32 %r5, %r5, %r14;\nNEXT: add.s32 %r9, %r9, 1; setp.ne.s32 %p1, %r9, 8; "
      "@%p1 bra L; st.global.u32 [%rd1], %r5;";
  auto count = opcodes(lower(turns + loads + end, "sm_90").program);
  EXPECT_EQ(count["LDG"], 22);
  EXPECT_EQ(count["BRA"] + count["ISETP"] + count["BSSY"], 0);
  EXPECT_EQ(count["SHF"] + count["LOP3"], 0) << "shifted, masked and combined counters are constants";
  EXPECT_EQ(count["IMAD"], 1) << "the constant times n";
  // A branch that asks what is loaded stays, and so does the loop.
  const std::string asks =
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r5, [n]; mov.u32 %r9, 0;\n"
      "L: ld.global.u32 %r10, [%rd1]; setp.eq.s32 %p2, %r10, 3; @%p2 bra NEXT;\n" +
      loads + end;
  EXPECT_GT(opcodes(lower(asks, "sm_90").program)["BRA"], 1);
}

// "if p goto out; goto header": ptxas of CUDA 13 for sm_90 unrolls such a loop where another innermost one of
// the function jumps back, and only there.
TEST(NvWholeLoops, LoopsThatLeaveByTheirBranchAreUnrolledBesideAJumpBack) {
  const auto unrolled = [](const std::string& before, const std::string& test, const std::string& guard) {
    const Lowered l =
        lower("ld.param.u64 %rd1, [a]; ld.param.u32 %r5, [n]; mov.u32 %r3, %tid.x; " + before +
                  "mov.u32 %r9, 0;\nL: mul.wide.u32 %rd2, %r9, 4; add.s64 %rd3, %rd1, %rd2; "
                  "ld.global.nc.f32 %f1, [%rd3]; add.f32 %f2, %f2, %f1; add.s32 %r9, %r9, 1; "
                  "setp." +
                  test + " %p1, %r9, %r5; @" + guard + "%p1 bra X; bra.uni L;\nX: st.global.f32 [%rd1], %f2;",
              "sm_90");
    u32 most = 1;
    for (const LoweredRegion& region : l.program.regions) most = std::max<u32>(most, region.unrolled);
    return most == 4;
  };
  const std::string jumps_back =
      "mov.u32 %r11, %r3;\nW: setp.ge.s32 %p5, %r11, %r5; @%p5 bra V; st.shared.u32 [%r11], %r3; "
      "add.s32 %r11, %r11, 128; bra.uni W;\nV: ";
  const std::string tests_at_the_end =
      "mov.u32 %r11, %r3;\nW: .pragma \"nounroll\"; st.shared.u32 [%r11], %r3; add.s32 %r11, %r11, 128; "
      "setp.lt.s32 %p5, %r11, %r5; @%p5 bra W;\nV: ";
  EXPECT_TRUE(unrolled(jumps_back, "eq.s32", ""));
  EXPECT_TRUE(unrolled(jumps_back, "ge.s32", ""));
  EXPECT_FALSE(unrolled(jumps_back, "lt.s32", "")) << "it goes on at greater or equal: it may never end";
  EXPECT_FALSE(unrolled(tests_at_the_end, "eq.s32", ""));
  EXPECT_FALSE(unrolled("", "eq.s32", ""));
}

// As clang has it for a stride and a constant end: ptxas of CUDA 13 leaves all of them as they are, for sm_75
// to sm_90.
TEST(NvWholeLoops, WhatTestsTheCounterBeforeItsStepStaysALoop) {
  const auto copies = [](const std::string& begin, const std::string& test, bool before) {
    const std::string step = "add.s32 %r9, %r9, 64; ", compare = "setp." + test + " %p1, %r9, 448; ";
    const Lowered l =
        lower("ld.param.u64 %rd1, [a]; mov.u32 %r3, %tid.x; shl.b32 %r6, %r3, 2; mov.u32 %r9, " + begin +
                  ";\nL: ld.global.f32 %f1, [%rd1]; st.shared.f32 [%r6], %f1; add.s64 %rd1, %rd1, 512; "
                  "add.s32 %r6, %r6, 256; " +
                  (before ? compare + step : step + compare) + "@%p1 bra L; bar.sync 0;",
              "sm_90");
    u32 most = 0;
    for (const LoweredRegion& region : l.program.regions) most = std::max<u32>(most, region.unrolled);
    return std::pair(most, tests_of(l));
  };
  for (const char* test : {"lt.u32", "lt.s32"}) {
    EXPECT_EQ(copies("%r3", test, false).first, 4u) << test;
    EXPECT_EQ(copies("%r3", test, true).first, 1u) << test;
    EXPECT_EQ(copies("0", test, false).second, 0) << test;
    EXPECT_EQ(copies("0", test, true).second, 1) << test;
  }
}

}  // namespace
}  // namespace lockstep
