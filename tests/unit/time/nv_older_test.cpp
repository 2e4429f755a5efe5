// What PTX becomes on GPUs before Volta.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "machine/machine.h"
#include "nv_lower_support.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/older.h"
#include "time/program/nv/text.h"
#include "time/program/nv/timed_program.h"

namespace lockstep {
namespace {

// Element `%r4` of two arrays.
const char* const indexed = R"(
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];
  mov.u32 %r4, %tid.x;
  mul.wide.s32 %rd5, %r4, 4; add.s64 %rd6, %rd1, %rd5; add.s64 %rd7, %rd2, %rd5;
)";
const char* const copied = "ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1;";

TEST(NvOlder, AddressesAreScaledOnceWhereProductsAreLong) {
  auto count = mnemonics(lower(std::string(indexed) + copied, "sm_61").program);
  EXPECT_EQ(count["SHL"], 1) << "shared by both arrays";
  EXPECT_EQ(count["SHR"], 1);
  EXPECT_EQ(count["IADD.CC"], 2);
  EXPECT_EQ(count["IADD.X"], 2);
  EXPECT_EQ(count["LDG.E"], 1);
  EXPECT_EQ(count["STG.E"], 1);
  EXPECT_EQ(count["XMAD"], 0);
}

TEST(NvOlder, KeplerAndFermiMultiplyAddresses) {
  for (const char* target : {"sm_35", "sm_30", "sm_20"}) {
    auto count = mnemonics(lower(std::string(indexed) + copied, target).program);
    const std::string low = std::string_view(target) == "sm_20" ? "IMAD.U32.U32.CC" : "ISCADD.CC";
    EXPECT_EQ(count[low], 2) << target << ": for each array";
    EXPECT_EQ(count["IMAD.HI.X"], 2) << target;
    EXPECT_EQ(count["IMUL"], 0) << target;
    EXPECT_EQ(count["LD.E"], 1) << target;
    EXPECT_EQ(count["ST.E"], 1) << target;
    EXPECT_EQ(count["LDG.E"], 0) << target;
  }
}

TEST(NvOlder, TeslaHasAddressesOf32Bits) {
  const Lowered l = lower(std::string(indexed) + copied, "sm_13");
  for (const LoweredInstruction& in : l.program.instructions) {
    for (const LoweredOperand& o : in.source) EXPECT_EQ(o.width, 1) << print_lowered(in);
  }
  auto count = mnemonics(l.program);
  EXPECT_EQ(count["SHL"], 1);
  EXPECT_EQ(count["IADD"], 2);
  EXPECT_EQ(count["IADD.X"] + count["IMAD.HI.X"], 0);
}

TEST(NvOlder, ProductsAreMadeOfWhatThereIs) {
  const std::string body = std::string(indexed) +
                           "ld.global.u32 %r5, [%rd6]; ld.global.u32 %r6, [%rd7]; mul.lo.s32 %r7, %r5, %r6; "
                           "st.global.u32 [%rd6], %r7;";
  auto pascal = mnemonics(lower(body, "sm_60").program);
  EXPECT_EQ(pascal["XMAD"], 1);
  EXPECT_EQ(pascal["XMAD.MRG"], 1);
  EXPECT_EQ(pascal["XMAD.PSL.CBCC"], 1);
  EXPECT_EQ(mnemonics(lower(body, "sm_37").program)["IMUL"], 1);
  auto tesla = mnemonics(lower(body, "sm_13").program);
  EXPECT_EQ(tesla["IMUL.U16.U16"] + tesla["IMAD.U16.U16"], 3);
  const std::string of_24 =
      std::string(indexed) +
      "ld.global.u32 %r5, [%rd6]; ld.global.u32 %r6, [%rd7]; mad24.lo.s32 %r7, %r5, %r6, "
      "%r5; st.global.u32 [%rd6], %r7;";
  EXPECT_EQ(mnemonics(lower(of_24, "sm_13").program)["IMAD.U24.U24"], 1);
  EXPECT_EQ(mnemonics(lower(of_24, "sm_20").program)["IMAD"], 1);
  EXPECT_EQ(mnemonics(lower(of_24, "sm_61").program)["XMAD.PSL.CBCC"], 1);
}

// One instruction each: char and short on 6.1 reach 0.87 of f32's rate (clpeak on a GTX 1060 and a Tesla
// P40).
TEST(NvOlder, ProductsOf16BitsAreOneInstruction) {
  const std::string body =
      ".reg .b16 %rs<8>; ld.param.u64 %rd1, [a]; ld.global.u16 %rs1, [%rd1]; ld.global.u16 %rs2, [%rd1+2]; "
      "mad.lo.s16 %rs3, %rs1, %rs2, %rs1; st.global.u16 [%rd1], %rs3;";
  auto pascal = mnemonics(lower(body, "sm_61").program);
  EXPECT_EQ(pascal["XMAD"], 1);
  EXPECT_EQ(pascal["XMAD.MRG"] + pascal["XMAD.PSL.CBCC"], 0);
  EXPECT_EQ(mnemonics(lower(body, "sm_13").program)["IMAD.U16.U16"], 1);
  EXPECT_EQ(mnemonics(lower(body, "sm_35").program)["IMAD"], 1);
}

// What clang makes of short arithmetic: 32 bits wide, with masks between.
TEST(NvOlder, ProductsOfWhich16BitsMatterAreOneInstruction) {
  const std::string body =
      ".reg .b16 %rs<8>; ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; "
      "mad.lo.s32 %r3, %r1, %r2, %r2; and.b32 %r4, %r3, 65535; mad.lo.s32 %r5, %r4, %r2, %r1; "
      "cvt.u16.u32 %rs1, %r5; cvt.rn.f32.s16 %f1, %rs1; st.global.f32 [%rd1], %f1;";
  auto count = mnemonics(lower(body, "sm_61").program);
  EXPECT_EQ(count["XMAD"], 2);
  EXPECT_EQ(count["XMAD.MRG"] + count["LOP"], 0);
  // All 32 bits of the first product are stored as well.
  auto both = mnemonics(lower(body + "st.global.u32 [%rd1+4], %r3;", "sm_61").program);
  EXPECT_EQ(both["XMAD.MRG"], 1);
}

TEST(NvOlder, LogicAndSumsOfThreeAreMaxwells) {
  const std::string body =
      std::string(indexed) +
      "ld.global.u32 %r5, [%rd6]; ld.global.u32 %r6, [%rd7]; and.b32 %r7, %r5, %r6; xor.b32 %r8, %r7, %r4; "
      "add.s32 %r9, %r5, %r6; add.s32 %r10, %r9, %r4; st.global.u32 [%rd6], %r8; st.global.u32 [%rd7], %r10;";
  auto maxwell = mnemonics(lower(body, "sm_52").program);
  EXPECT_EQ(maxwell["LOP3.LUT"], 1);
  EXPECT_EQ(maxwell["IADD3"], 1);
  auto kepler = mnemonics(lower(body, "sm_35").program);
  EXPECT_EQ(kepler["LOP"], 2);
  EXPECT_EQ(kepler["LOP3.LUT"] + kepler["IADD3"], 0);
  EXPECT_EQ(kepler["IADD"], 2);
}

TEST(NvOlder, LanesMeetByAnInstructionFromMaxwellOn) {
  const std::string loop =
      std::string(indexed) +
      "mov.u32 %r9, 0; L: ld.global.u32 %r5, [%rd6]; st.global.u32 [%rd6], %r9; add.s32 %r9, %r9, 1; "
      "setp.lt.s32 %p1, %r9, %r5; @%p1 bra L; st.global.u32 [%rd6+4], %r9;";
  auto maxwell = mnemonics(lower(loop, "sm_61").program);
  EXPECT_EQ(maxwell["SSY"], 1);
  EXPECT_EQ(maxwell["SYNC"], 1);
  auto kepler = mnemonics(lower(loop, "sm_37").program);
  EXPECT_EQ(kepler["SSY"], 1);
  EXPECT_EQ(kepler["SYNC"] + kepler["BSYNC"], 0) << "a flag of another instruction";
}

TEST(NvOlder, MemoryInstructionsIssueBesideArithmetic) {
  const std::string body = std::string(indexed) +
                           "ld.global.f32 %f1, [%rd6]; add.s32 %r5, %r4, 77; ld.global.f32 %f2, [%rd7]; "
                           "st.shared.u32 [s], %r5; add.rn.f32 "
                           "%f3, %f1, %f2; st.global.f32 [%rd6], %f3;";
  const auto pairs = [&](const char* target) {
    u32 count = 0;
    const Lowered l = lower(body, target);
    const auto& code = l.program.instructions;
    for (u32 i = 0; i < code.size(); ++i) {
      if (code[i].control.stall != 0) continue;
      ++count;
      EXPECT_LT(i + 1, code.size());
      EXPECT_TRUE(lowering::may_pair(code[i], code[i + 1], lowering::capability_of(target)))
          << print_lowered(code[i]);
      // 2.1's schedulers choose which two; later ones are told.
      if (std::string_view(target) != "sm_21") {
        EXPECT_NE(code[i + 1].control.stall, 0) << "two at most";
      }
    }
    return count;
  };
  EXPECT_GT(pairs("sm_52"), 0u);
  EXPECT_GT(pairs("sm_21"), 0u);
  EXPECT_EQ(pairs("sm_20"), 0u);
  EXPECT_EQ(pairs("sm_13"), 0u);
}

// Products and sums of three registers each, of which two are the same in all: few have two of one bank. What
// was loaded four registers at a time lies in all banks.
TEST(NvOlder, RegistersReadTogetherLieInDifferentBanks) {
  std::string body = indexed;
  for (u32 i = 0; i < 8; ++i) body += fmt::format("ld.global.f32 %f{}, [%rd6+{}]; ", i, 4 * i);
  body += "ld.global.f32 %f8, [%rd7]; ld.global.f32 %f9, [%rd7+4]; ";
  for (u32 turn = 0; turn < 4; ++turn) {
    for (u32 i = 0; i < 8; ++i) body += fmt::format("fma.rn.f32 %f{0}, %f{0}, %f8, %f9; ", i);
  }
  for (u32 i = 0; i < 8; ++i) body += fmt::format("st.global.f32 [%rd6+{}], %f{}; ", 4 * i, i);
  for (const char* target : {"sm_35", "sm_52", "sm_61"}) {
    const Lowered l = lower(body, target);
    u32 products = 0, conflicts = 0;
    for (const LoweredInstruction& in : l.program.instructions) {
      if (in.opcode != LoweredOpcode::ffma) continue;
      ++products;
      std::array<u32, 4> banks{};
      for (u32 k = 0; k < 3; ++k) ++banks[in.source[k].index % 4];
      conflicts += *std::ranges::max_element(banks) > 1;
    }
    EXPECT_EQ(products, 32u);
    EXPECT_LE(conflicts, 10u) << target;
  }
}

// What is taken waits by stalls and barriers, or by the scoreboard.
TEST(NvOlder, ResultsAreWaitedFor) {
  const std::string chain = std::string(indexed) +
                            "ld.global.f32 %f1, [%rd6]; add.rn.f32 %f2, %f1, %f1; add.rn.f32 %f3, %f2, %f2; "
                            "st.global.f32 [%rd6], %f3;";
  for (const auto& [target, cycles] :
       {std::pair("sm_61", 6u), std::pair("sm_35", 9u), std::pair("sm_20", 22u), std::pair("sm_13", 24u)}) {
    const Lowered l = lower(chain, target);
    const auto& code = l.program.instructions;
    const auto is_add = [](const LoweredInstruction& in) { return in.opcode == LoweredOpcode::fadd; };
    const auto first = std::find_if(code.begin(), code.end(), is_add);
    ASSERT_NE(first, code.end());
    EXPECT_NE(first->control.wait_mask, 0) << target << ": of the load";
    const auto second = std::find_if(first + 1, code.end(), is_add);
    ASSERT_NE(second, code.end());
    const u32 capability = lowering::capability_of(target);
    if (!lowering::has_scoreboard(capability)) {
      u32 stalls = 0;
      for (auto at = first; at != second; ++at) stalls += at->control.stall;
      EXPECT_EQ(stalls, cycles) << target;
      continue;
    }
    const LoweredRegion& region = l.program.regions[region_of(l.program, first->from)];
    const auto waits = lowering::dependences_of(
        std::span(code).subspan(region.begin, region.end - region.begin), capability);
    const auto& of_second = waits[static_cast<std::size_t>(second - code.begin()) - region.begin];
    ASSERT_EQ(of_second.size(), 1u) << target;
    EXPECT_EQ(of_second[0].distance, second - first) << target;
    EXPECT_EQ(of_second[0].cycles, cycles) << target;
  }
}

TEST(NvOlder, RegistersAreThoseOfTheGeneration) {
  std::string body = indexed;
  for (int round = 0; round < 8; ++round) {
    for (int i = 1; i < 16; ++i) {
      const std::string f = "%f" + std::to_string(i);
      body += "ld.global.f32 " + f + ", [%rd6+" + std::to_string(4 * (16 * round + i)) +
              "]; st.global.f32 [%rd7+" + std::to_string(4 * (16 * round + i)) + "], " + f + ";\n";
    }
  }
  for (const auto& [target, most] :
       {std::pair("sm_13", 124u), std::pair("sm_20", 63u), std::pair("sm_61", 255u)}) {
    const Lowered l = lower(body, target);
    EXPECT_LE(l.program.registers, most) << target;
    for (const LoweredInstruction& in : l.program.instructions) {
      for (const LoweredOperand& o : in.destination) {
        if (o.file == LoweredOperand::File::general && o.index != LoweredOperand::zero_register) {
          EXPECT_LT(o.index + o.width - 1, most) << target << ": " << print_lowered(in);
        }
      }
    }
  }
}

TEST(NvOlder, TextReadsBack) {
  const std::string body = std::string(indexed) +
                           "ld.global.u32 %r5, [%rd6]; atom.shared.add.u32 %r6, [s], %r5; div.u32 %r7, %r5, "
                           "%r6; cos.approx.f32 %f1, %f2; "
                           "st.global.u32 [%rd7], %r7; st.global.f32 [%rd7+4], %f1;";
  for (const char* target : {"sm_13", "sm_20", "sm_21", "sm_35", "sm_37", "sm_52", "sm_60", "sm_61"}) {
    const Lowered l = lower(body, target);
    const auto again = read_lowered(print_lowered(l.program), "k");
    ASSERT_TRUE(again) << target << ": " << to_string(again.error());
    EXPECT_EQ(*again, l.program) << target;
  }
}

// The end of a kernel whose PTX and whose code by NVIDIA's assembler (CUDA 11.1, sm_50) are published
// (CuAssembler, RegBank): a warp's first lane of the first group stores one word. There: S2R, BAR.SYNC, LOP3
// that makes the predicate, guarded EXIT, SHR, ISCADD.CC, IADD.X, STG.E, EXIT.
TEST(NvOlder, APublishedListing) {
  const Lowered l = lower(
      "mov.u32 %r1, %tid.x; shr.s32 %r5, %r1, 5; bar.sync 0; and.b32 %r6, %r1, 31; mov.u32 %r7, %ctaid.x; "
      "or.b32 %r8, %r7, %r6; setp.ne.s32 %p1, %r8, 0; @%p1 bra DONE; ld.param.u64 %rd1, [a]; "
      "cvta.to.global.u64 %rd2, %rd1; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd2, %rd3; "
      "st.global.f32 [%rd4], %f1; DONE:",
      "sm_52");
  auto count = mnemonics(l.program);
  EXPECT_EQ(count["S2R"], 2) << "the item's number, too";
  EXPECT_EQ(count["LOP3.LUT"], 1) << "both operations and the comparison";
  EXPECT_EQ(count["ISETP.NE.AND"], 0);
  EXPECT_EQ(count["EXIT"], 2) << "guarded, and the end";
  EXPECT_EQ(count["BRA"], 0);
  EXPECT_EQ(count["IADD.X"], 1);
  EXPECT_EQ(count["STG.E"], 1);
  // Known difference: SHL and IADD.CC stand for ISCADD.CC.
  EXPECT_EQ(count["ISCADD.CC"] + count["IADD.CC"], 1);
  EXPECT_LE(count["SHL"], 1);
}

// y[i] = x[i] * y[i] + y[i] of doubles, each loaded, as the assembler of CUDA 10 (sm_35: kernels that move
// particles, published with their code) and of CUDA 7 (sm_30: the scalar copy of NVIDIA's page on vectorised
// accesses) make it: S2R twice, IMAD, ISETP, guarded EXIT, one MOV32I with the size of an element, for each
// array ISCADD.CC and IMAD.HI.X, LD.E, DFMA, ST.E.
TEST(NvOlder, PublishedListingsOfKepler) {
  // As nvcc writes the index, and as clang does.
  const char* const indices[] = {"mul.wide.s32 %rd4, %r4, 8;",
                                 "cvt.s64.s32 %rd5, %r4; shl.b64 %rd4, %rd5, 3;"};
  for (const char* index : indices) {
    const Lowered l = lower(
        std::string(
            "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; "
            "mad.lo.s32 %r4, %r1, %r2, %r3; ld.param.u32 %r5, [n]; setp.ge.s32 %p1, %r4, %r5; @%p1 bra DONE; "
            "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.b64 %rd3, %rd2; ") +
            index +
            "add.s64 %rd6, %rd1, %rd4; add.s64 %rd7, %rd2, %rd4; add.s64 %rd8, %rd3, %rd4; "
            "ld.global.f64 %d1, [%rd6]; ld.global.f64 %d2, [%rd7]; ld.global.f64 %d3, [%rd8]; "
            "fma.rn.f64 %d4, %d1, %d2, %d3; st.global.f64 [%rd8], %d4; DONE:",
        "sm_35");
    auto count = mnemonics(l.program);
    EXPECT_EQ(count["S2R"], 2) << index;
    EXPECT_EQ(count["IMAD"], 1) << index;
    EXPECT_EQ(count["ISETP.GE.AND"], 1) << index;
    EXPECT_EQ(count["MOV"] + count["MOV32I"], 2) << index << ": the stack's begin and the size";
    EXPECT_EQ(count["ISCADD.CC"], 2) << index << ": for each array";
    EXPECT_EQ(count["IMAD.HI.X"], 2) << index;
    EXPECT_EQ(count["LD.E.64"], 3) << index;
    EXPECT_EQ(count["DFMA"], 1) << index;
    EXPECT_EQ(count["ST.E.64"], 1) << index;
    EXPECT_EQ(count["EXIT"], 2) << index;
    EXPECT_EQ(count["SHL"] + count["SHR"] + count["IADD.X"], 0) << index;
  }
}

// The guide's table of results a cycle and multiprocessor: conversions 16 on 2.x and 8 on 1.x, where
// transcendentals have 4, 8 and 2; those from and to types of 64 bits 4 on GeForce boards of 2.x, 5.2
// and 6.1, 32 on 3.5.
TEST(NvOlder, ConversionsHaveTheGuidesRates) {
  struct Case {
    const char *gpu, *target;
    u32 plain, wide;  // cycles of a unit for one warp's instruction
  };
  for (const Case& c : {Case{"8800", "sm_10", 4, 0},
                        {"gtx580", "sm_20", 4, 8},
                        {"k40c", "sm_35", 4, 4},
                        {"gtx660", "sm_30", 4, 16},
                        {"gtx980", "sm_52", 4, 8},
                        {"p100", "sm_60", 4, 4}}) {
    const auto machine = load_machine(machine_directory(), c.gpu);
    ASSERT_TRUE(machine) << to_string(machine.error());
    const auto cycles = [&](const std::string& body, LoweredOpcode opcode) {
      const Lowered l = lower(body, c.target);
      const auto timed = timed_program_nv(*machine, l.module->code.instructions, l.program, 0);
      EXPECT_TRUE(timed);
      for (std::size_t i = 0; timed && i < timed->ops.size(); ++i) {
        if (l.program.instructions[i].opcode == opcode) return u32{timed->ops[i].unit_cycles};
      }
      return 0u;
    };
    const std::string begin = "ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; ";
    EXPECT_EQ(cycles(begin + "cvt.rn.f32.s32 %f1, %r1; st.global.f32 [%rd1], %f1;", LoweredOpcode::i2f),
              c.plain)
        << c.gpu;
    if (c.wide == 0) continue;
    EXPECT_EQ(cycles(begin + "cvt.rn.f64.s32 %d1, %r1; st.global.f64 [%rd1], %d1;", LoweredOpcode::i2f),
              c.wide)
        << c.gpu;
  }
}

TEST(NvOlder, CodeLiesBehindItsControlWords) {
  EXPECT_EQ(lowering::code_offset(0, 61), 8u);
  EXPECT_EQ(lowering::code_offset(3, 61), 40u);
  EXPECT_EQ(lowering::code_offset(6, 37), 56u);
  EXPECT_EQ(lowering::code_offset(7, 37), 72u);
  EXPECT_EQ(lowering::code_offset(10, 20), 80u);
  EXPECT_EQ(lowering::code_offset(10, 75), 160u);
}

}  // namespace
}  // namespace lockstep
