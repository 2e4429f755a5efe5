// Which instructions PTX becomes where hardware has several, or none.
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "nv_lower_support.h"
#include "time/program/nv/text.h"

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

// As ptxas of CUDA 13 has them: words of the module's constants are operands, from Hopper on in uniform
// registers, two at a time; an index that is not known is loaded by.
TEST(NvSelection, WordsOfTheModulesConstantsAreOperands) {
  const std::string body = std::string(".const .align 8 .b8 w[64];\n") + indexed +
                           "ld.global.f32 %f1, [%rd6]; ld.const.f32 %f2, [w+8]; ld.const.f32 %f3, [w+12]; "
                           "fma.rn.f32 %f4, %f1, %f2, %f1; fma.rn.f32 %f5, %f4, %f3, %f1; "
                           "st.global.f32 [%rd6], %f5;";
  const Lowered ampere = lower(body, "sm_86"), hopper = lower(body, "sm_90"), fermi = lower(body, "sm_20");
  EXPECT_EQ(opcodes(ampere.program)["LDC"], 0);
  const std::string text = print_lowered(ampere.program);
  EXPECT_NE(text.find("c[0x3][0x8]"), std::string::npos) << text;
  EXPECT_NE(text.find("c[0x3][0xc]"), std::string::npos) << text;
  EXPECT_NE(print_lowered(fermi.program).find("c[0x2][0x8]"), std::string::npos);
  EXPECT_NE(print_lowered(hopper.program).find("c[0x3][0x8]:2"), std::string::npos);
  const std::string by_index = std::string(".const .align 8 .b8 w[64];\n") + indexed +
                               "mov.u64 %rd7, w; add.s64 %rd8, %rd7, %rd5; ld.const.f32 %f1, [%rd8]; "
                               "st.global.f32 [%rd6], %f1;";
  EXPECT_EQ(opcodes(lower(by_index, "sm_86").program)["LDC"], 1);
}

// Matrices of local memory come into four registers that the product waits for.
TEST(NvSelection, MatricesAreLoadedIntoTheRegistersOfTheirProduct) {
  const Lowered l = lower(R"(
    mov.u32 %r1, s;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];
    ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r14, %r15}, [%r1+64];
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%f1, %f2, %f3, %f4};
    ld.param.u64 %rd1, [a];
    st.global.f32 [%rd1], %f1;
)",
                          "sm_90");
  const std::map<std::string, int> count = mnemonics(l.program);
  EXPECT_EQ(count.at("LDSM.16.M88.4"), 1) << print_lowered(l.program);
  EXPECT_EQ(count.at("LDSM.16.MT88.2"), 1);
  EXPECT_EQ(count.count("STS"), 0u);
  u32 waited = 0;
  for (const LoweredInstruction& in : l.program.instructions)
    if (in.opcode == LoweredOpcode::hmma) waited = static_cast<u32>(std::popcount(in.control.wait_mask));
  EXPECT_EQ(waited, 2u);
}

// Sides of up to eight instructions are guarded, the first one's jump among them, and of twenty where global
// memory is read.
TEST(NvSelection, ShortSidesOfABranchAreGuarded) {
  const std::string begin = std::string(indexed) +
                            "ld.global.f32 %f1, [%rd6]; ld.global.f32 %f2, [%rd6+256];\n"
                            "ld.global.f32 %f3, [%rd6+512]; setp.gt.f32 %p1, %f1, %f2;\n";
  const std::string end = "J: st.global.f32 [%rd6], %f1;\n";
  const auto products = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "fma.rn.f32 %f1, %f1, %f2, %f3;\n";
    return text;
  };
  const auto parts = [&](const std::string& body) {
    return mnemonics(lower(begin + body + end, "sm_90").program)["BSSY"];
  };
  EXPECT_EQ(parts("@%p1 bra J;\n" + products(8)), 0);
  EXPECT_EQ(parts("@%p1 bra J;\n" + products(9)), 1);
  EXPECT_EQ(parts("@%p1 bra T;\n" + products(7) + "bra J;\nT:\n" + products(8)), 0);
  EXPECT_EQ(parts("@%p1 bra T;\n" + products(8) + "bra J;\nT:\n" + products(8)), 1);
  const std::string load = "ld.global.f32 %f4, [%rd6+1024]; add.f32 %f1, %f1, %f4;\n";
  EXPECT_EQ(parts("@%p1 bra J;\n" + load + products(18)), 0);
  EXPECT_EQ(parts("@%p1 bra J;\n" + load + products(19)), 1);
}

// clang has no rotation of 64 bits: it shifts to both sides and adds. ptxas of CUDA 13 makes two SHF of it.
TEST(NvSelection, RotationsOf64BitsAreTwoFunnelShifts) {
  for (const int left : {1, 28, 31, 33, 44, 63}) {
    for (const char* op : {"add.s64", "or.b64", "xor.b64"}) {
      auto count =
          opcodes(lower("ld.param.u64 %rd1, [a]; ld.global.u64 %rd2, [%rd1]; shl.b64 %rd3, %rd2, " +
                            std::to_string(left) + "; shr.u64 %rd4, %rd2, " + std::to_string(64 - left) +
                            "; " + op + " %rd5, %rd3, %rd4; st.global.u64 [%rd1], %rd5;",
                        "sm_90")
                      .program);
      EXPECT_EQ(count["SHF"], 2) << op << " by " << left;
      EXPECT_EQ(count["IADD3"] + count["LEA"] + count["LOP3"], 0) << op << " by " << left;
    }
  }
  auto other = opcodes(lower("ld.param.u64 %rd1, [a]; ld.global.u64 %rd2, [%rd1]; shl.b64 %rd3, %rd2, 8; "
                             "shr.u64 %rd4, %rd2, 55; or.b64 %rd5, %rd3, %rd4; st.global.u64 [%rd1], %rd5;",
                             "sm_90")
                           .program);
  EXPECT_GT(other["LOP3"], 0) << "8 and 55 are no rotation";
}

}  // namespace
}  // namespace lockstep
