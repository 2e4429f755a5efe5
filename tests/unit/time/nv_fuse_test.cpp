// What several instructions of PTX become together.
#include <gtest/gtest.h>

#include "nv_lower_support.h"

namespace lockstep {
namespace {

TEST(NvFuse, BothWordsOfAProductAreOneInstruction) {
  const std::string both =
      "ld.param.u64 %rd6, [a]; mov.u32 %r4, %tid.x; mov.u32 %r2, %ctaid.x;"
      "mul.hi.u32 %r5, %r4, 77777; mul.lo.s32 %r6, %r4, 77777; st.global.u32 [%rd6], %r5;";
  auto count = mnemonics(lower(both + "st.global.u32 [%rd6+4], %r6;").program);
  EXPECT_EQ(count["IMAD.HI.U32"], 0);
  EXPECT_EQ(count["IMAD.WIDE.U32"], 1);
  // One that something is added to takes that along.
  count = mnemonics(lower(both + "add.s32 %r7, %r6, %r2; st.global.u32 [%rd6+4], %r7;").program);
  EXPECT_EQ(count["IMAD.HI.U32"], 1);
}

// As ptxas of CUDA 13 has them: signs go along with what FSEL selects; for 9.0 the lesser or greater of a sum
// and something is one instruction.
TEST(NvFuse, SelectionsTakeSigns) {
  const auto count = opcodes(lower("ld.param.u64 %rd6, [a]; mov.u32 %r4, %tid.x; setp.eq.u32 %p1, %r4, 3;"
                                   "ld.global.f32 %f1, [%rd6]; neg.f32 %f2, %f1; selp.f32 %f3, %f2, %f1, %p1;"
                                   "st.global.f32 [%rd6], %f3;")
                                 .program);
  EXPECT_EQ(count.at("FSEL"), 1);
  EXPECT_EQ(count.count("FADD"), 0u);
}

TEST(NvFuse, TheLesserOfASumIsOneInstructionOnHopper) {
  const std::string text =
      "ld.param.u64 %rd6, [a]; mov.u32 %r4, %tid.x; ld.global.u32 %r1, [%rd6]; ld.global.u32 %r2, [%rd6+4];"
      "add.s32 %r3, %r1, %r4; min.u32 %r5, %r3, %r2; st.global.u32 [%rd6], %r5;";
  auto count = opcodes(lower(text, "sm_90").program);
  EXPECT_EQ(count["VIADDMNMX"], 1);
  EXPECT_EQ(count["IMNMX"], 0);
  count = opcodes(lower(text, "sm_80").program);
  EXPECT_EQ(count["VIADDMNMX"], 0);
  EXPECT_EQ(count["IMNMX"], 1);
  // A sum that others take too stays.
  count = opcodes(lower(text + "st.global.u32 [%rd6+8], %r3;", "sm_90").program);
  EXPECT_EQ(count["VIADDMNMX"], 0);
}
}  // namespace
}  // namespace lockstep
