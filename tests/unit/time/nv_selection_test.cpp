// Which instructions PTX becomes where hardware has several, or none.
#include <gtest/gtest.h>

#include <string>

#include "nv_lower_support.h"

namespace lockstep {
namespace {

TEST(NvSelection, LocalMemoryAddsNoFloats) {
  const std::string body = "mov.u32 %r1, s; mov.f32 %f1, 0f3F800000; red.shared.add.f32 [%r1+4], %f1;";
  auto count = mnemonics(lower(body, "sm_90").program);
  EXPECT_EQ(count["LDS"], 1);
  EXPECT_EQ(count["FADD"], 1);
  EXPECT_EQ(count["ATOMS.CAST.SPIN"], 1);
  EXPECT_EQ(count["BRA.DIV"], 1) << "back to the load, until nobody came between";
  auto whole = mnemonics(lower("mov.u32 %r1, s; red.shared.add.u32 [%r1+4], %r1;", "sm_90").program);
  EXPECT_EQ(whole["ATOMS.CAST.SPIN"] + whole["BRA.DIV"], 0);
}

TEST(NvSelection, LoadsExtendWhatBecomesAFloat) {
  const std::string loaded =
      std::string(indexed) + "ld.global.u8 %h1, [%rd6]; cvt.rn.f32.u16 %f1, %h1; st.global.f32 [%rd6], %f1;";
  const std::string halved = std::string(indexed) +
                             "ld.global.u32 %r5, [%rd6]; cvt.u16.u32 %h1, %r5; cvt.rn.f32.u16 %f1, %h1; "
                             "st.global.f32 [%rd6], %f1;";
  const auto with = [](const std::string& body) {
    return mnemonics(lower(".reg .u16 %h<4>;" + body, "sm_90").program);
  };
  auto whole = with(loaded), part = with(halved);
  EXPECT_EQ(whole["I2FP.F32.U32"] + whole["I2FP"], 1);
  EXPECT_EQ(part["I2FP.F32.U32"] + part["I2FP"], 0);
}

}  // namespace
}  // namespace lockstep
