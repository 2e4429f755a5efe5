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
}  // namespace
}  // namespace lockstep
