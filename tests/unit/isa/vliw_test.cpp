// The text of LLVM's r600 back end: operands, functions, data, what is refused; and that every mnemonic that
// the back end can write for compute is known.
#include <gtest/gtest.h>

#include <string>

#include "isa/vliw/control.h"
#include "isa/vliw/flow_text.h"
#include "isa/vliw/module.h"
#include "isa/vliw/operations.h"
#include "isa/vliw/syntax.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

Slot slot_of(std::string_view text) {
  auto slot = parse_slot(text);
  EXPECT_TRUE(slot.ok()) << text;
  return slot ? *slot : Slot{};
}

TEST(VliwText, OperandsOfASlot) {
  const Slot slot =
      slot_of("  MULADD_IEEE_SAT * T10.W, -T1.X, |KC1[3].Z|, -|PV.Y|, Pred_sel_oneBS:VEC_120/SCL_212");
  EXPECT_EQ(slot.mnemonic, "MULADD_IEEE");
  EXPECT_TRUE(slot.clamp && slot.last);
  EXPECT_EQ(slot.select, PredicateSelect::one);
  ASSERT_EQ(slot.operands.size(), 4u);
  EXPECT_EQ(slot.operands[0].bank, Bank::general);
  EXPECT_EQ(slot.operands[0].index, 10u);
  EXPECT_EQ(slot.operands[0].channel, 3);
  EXPECT_TRUE(slot.operands[1].negate && !slot.operands[1].absolute);
  EXPECT_EQ(slot.operands[2].bank, Bank::constant);
  EXPECT_EQ(slot.operands[2].window, 1);
  EXPECT_TRUE(slot.operands[2].absolute && !slot.operands[2].negate);
  EXPECT_EQ(slot.operands[3].bank, Bank::previous_vector);
  EXPECT_TRUE(slot.operands[3].absolute && slot.operands[3].negate);
}

TEST(VliwText, ResultsOfASlot) {
  const Slot predicate = slot_of("PRED_SETE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,");
  EXPECT_TRUE(predicate.updates_mask && !predicate.updates_predicate);
  EXPECT_EQ(predicate.operands[0].bank, Bank::predicate);
  const Slot relative = slot_of("MOV   T(4 + AR.x).X+, T2.W,");
  EXPECT_FALSE(relative.last);
  EXPECT_EQ(relative.operands[0].bank, Bank::relative);
  EXPECT_EQ(relative.operands[0].index, 4u);
  EXPECT_EQ(slot_of("MUL_IEEE * T2.X / 2.0, T3.X, 0.5,").output_scale, 3);
  EXPECT_EQ(slot_of("LDS_CMPST* T0.W, T3.W, T2.W,").operands.size(), 3u);
  for (const char* wrong :
       {"MOV * T128.X, 0", "MOV * T1.Q, 0", "MOV * T2.X, R3.X", "MOV * T2.X, |T3.X", "MOV * T2.X, KC2[1].X"})
    EXPECT_FALSE(parse_slot(wrong).ok()) << wrong;
}

// A kernel of four registers around its control flow and clauses.
std::string kernel(const std::string& body) {
  return "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t4\n\t.text\n\t.type\tk,@function\nk:\n" +
         body;
}

std::string message_of(const std::string& body) {
  const auto module = load_module(kernel(body), *find_target("cypress"), "k.s");
  return module ? "" : to_string(module.error());
}

TEST(VliwText, DataHaveTheirValues) {
  const auto text = parse_text(
      "\t.text\n\t.type\ttable,@object\ntable:\n\t.long\t258\n\t.zero\t3,7\n\t.byte\t-1\n\t.short\t1, "
      "2\n\t.asciz\t\"a\\n\\101\"\n",
      "k.s");
  ASSERT_TRUE(text.ok()) << (text ? "" : to_string(text.error()));
  EXPECT_EQ(text->image, (std::vector<u8>{2, 1, 0, 0, 7, 7, 7, 255, 1, 0, 2, 0, 'a', '\n', 'A', 0}));
  ASSERT_EQ(text->symbols.size(), 1u);
  EXPECT_FALSE(parse_text("\t.text\n\t.fill\t3\n", "k.s").ok());
  EXPECT_FALSE(parse_text("\t.text\n\t.long\tother\n", "k.s").ok());
}

TEST(VliwText, SymbolsAreOffsetsInTheImage) {
  const auto module =
      load_module(kernel("\tALU 1, @2, KC0[], KC1[]\n\tCF_END\n\tALU clause starting at 2:\n"
                         "\t  MOV * T1.X, literal.x,\n\t@table+4, 0(0.0)\n\t.type\ttable,@object\n"
                         "\t.p2align\t6\ntable:\n\t.long\t1\n\t.long\t2\n"),
                  *find_target("cypress"), "k.s");
  ASSERT_TRUE(module.ok()) << to_string(module.error());
  // Two control-flow instructions and two words of the clause, then the table at the next multiple of 64.
  EXPECT_EQ((*module)->code.instructions[2].operand[1].value, 68u);
  EXPECT_EQ((*module)->image.bytes.size(), 72u);
}

TEST(VliwText, TooMuchLocalMemoryIsReportedWhereTheSourceBegins) {
  const auto module = load_module(
      "\t.file\t1 \"a.cl\"\n\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t8\n\t.long\t166120\n"
      "\t.long\t9000\n\t.text\n\t.type\tk,@function\nk:\n\t.loc\t1 3 7\n\tCF_END\n//@lockstep kernel k\n",
      *find_target("cypress"), "a.cl");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, "local-memory-too-large");
  EXPECT_EQ(module.error().place.line, 3u);
}

TEST(VliwText, WhatIsWrongIsRefusedWithItsLine) {
  const std::string end = "\tCF_END\n";
  EXPECT_NE(
      message_of("\tALU 2, @2, KC0[], KC1[]\n" + end + "\tALU clause starting at 2:\n\t  MOV * T1.X, 1,\n")
          .find("is not of 3 words"),
      std::string::npos);
  EXPECT_NE(message_of("\tALU 0, @9, KC0[], KC1[]\n" + end).find("k.s:7"), std::string::npos);
  EXPECT_NE(message_of("\tJUMP @7 POP:1\n" + end).find("bad-jump"), std::string::npos);
  EXPECT_NE(message_of("\tFROB @7\n" + end).find("unknown-instruction"), std::string::npos);
  EXPECT_NE(
      message_of("\tTEX 0 @2\n" + end + "\tFetch clause starting at 2:\n\t  VTX_READ_32 T1.X, T1.X, 0, #7\n")
          .find("a resource that is neither"),
      std::string::npos);
  EXPECT_NE(
      message_of("\tTEX 1 @2\n" + end + "\tFetch clause starting at 2:\n\t  VTX_READ_32 T1.X, T1.X, 0, #1\n")
          .find("is not of 2 fetches"),
      std::string::npos);
  const auto texture = [&](const std::string& fetch) {
    return message_of("\tTEX 0 @2\n" + end + "\tFetch clause starting at 2:\n\t  " + fetch + "\n");
  };
  EXPECT_EQ(texture("TEX_SAMPLE T1.XYZ_, T0.XY01 RID:4 SID:0 CT:NNUU"), "");
  EXPECT_NE(texture("TEX_SAMPLE T1.XYZW, T0.XY RID:4 SID:0 CT:NNUU").find("is no register of four channels"),
            std::string::npos);
  EXPECT_NE(texture("TEX_LD T1.XYZW, T0.XYZW SID:0 CT:NNUU").find("no RID:"), std::string::npos);
  EXPECT_NE(message_of("\tMEM_RAT STORE_TYPED T0, T1, 1\n" + end).find("no target of the store"),
            std::string::npos);
  EXPECT_NE(message_of(end + "//@lockstep sampler k 0 color 3\n").find("wants its number"),
            std::string::npos);
  EXPECT_NE(message_of(end + "//@lockstep image k 4 3\n").find("has no parameter 3"), std::string::npos);
  EXPECT_NE(message_of("\tMEM_RAT_CACHELESS STORE_RAW T1.YZ, T2.X, 0\n" + end).find("bad-operand"),
            std::string::npos);
  EXPECT_NE(message_of("\tALU 0, @2, KC0[CB1:0-32], KC1[]\n" + end +
                       "\tALU clause starting at 2:\n\t  MOV * T1.X, 1,\n")
                .find("a constant buffer other than"),
            std::string::npos);
  EXPECT_EQ(
      message_of("\tALU 0, @2, KC0[], KC1[]\n" + end + "\tALU clause starting at 2:\n\t  MOV * T1.X, 1,\n"),
      "");
}

// A work-item has 128 registers at most: the encoding names no more, and the compiler can say no more.
TEST(VliwText, RegistersThatNoWorkItemHasAreRefused) {
  const std::string end = "\tCF_END\n";
  const auto clause = [&](const std::string& slot) {
    return "\tALU 0, @2, KC0[], KC1[]\n" + end + "\tALU clause starting at 2:\n\t  " + slot + "\n";
  };
  for (const auto& [slot, operand] :
       {std::pair("MOV * T128.X, 1,", "T128.X"), std::pair("MOV * T1.X, -T128.Y,", "-T128.Y"),
        std::pair("MOV * T(128 + AR.x).X, 1,", "T(128 + AR.x).X"),
        std::pair("MOV * T1.X, T(200 + AR.x).W,", "T(200 + AR.x).W")})
    EXPECT_EQ(message_of(clause(slot)), std::string("k.s:10: error: the operand '") + operand +
                                            "' names a register beyond T127 [bad-assembly]");
  const auto takes = [](const std::string& registers) {
    return "k.s:6: error: kernel 'k' takes " + registers +
           " registers of the 128 that a work-item can have [bad-operand]";
  };
  const auto fetch = [&](const std::string& line) {
    return "\tTEX 0 @2\n" + end + "\tFetch clause starting at 2:\n\t  " + line + "\n";
  };
  EXPECT_EQ(message_of(fetch("VTX_READ_32 T128.X, T1.X, 0, #1")), takes("129"));
  EXPECT_EQ(message_of(fetch("VTX_READ_32 T1.X, T200.X, 0, #1")), takes("201"));
  EXPECT_EQ(message_of(fetch("TEX_SAMPLE T1.XYZ_, T128.XY01 RID:4 SID:0 CT:NNUU")), takes("129"));
  EXPECT_EQ(message_of("\tMEM_RAT_CACHELESS STORE_RAW T128.X, T2.X, 1\n" + end), takes("129"));
  EXPECT_EQ(message_of("\tMEM_RAT_CACHELESS STORE_RAW T1.X, T128.X, 1\n" + end), takes("129"));
  EXPECT_EQ(message_of("\tMEM_RAT STORE_TYPED RAT(1) T128, T1, 1\n" + end), takes("129"));
  std::string compiled = kernel(end);
  const std::string four = "\t.long\t4\n";
  compiled.replace(compiled.find(four), four.size(), "\t.long\t200\n");
  const auto module = load_module(compiled, *find_target("cypress"), "k.s");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(to_string(module.error()), takes("200"));
}

// Hand-written code need not say how many registers it takes: they are as many as it names.
TEST(VliwText, NamedRegistersAreTheKernels) {
  const std::string end = "\tCF_END\n";
  const auto registers = [&](const std::string& body) {
    const auto module = load_module(kernel(body), *find_target("cypress"), "k.s");
    EXPECT_TRUE(module.ok()) << to_string(module.error());
    return module.ok() ? (*module)->programs.at(0).needs.vector_registers : 0u;
  };
  EXPECT_EQ(registers(end), 4u);
  EXPECT_EQ(registers("\tALU 0, @2, KC0[], KC1[]\n" + end +
                      "\tALU clause starting at 2:\n\t  MOV * T127.X, T9.X,\n"),
            128u);
  EXPECT_EQ(registers("\tMEM_RAT_CACHELESS STORE_RAW T1.X, T9.X, 1\n" + end), 10u);
}

// What builds instructions asks again: nothing may name a row that a wave does not have.
TEST(VliwText, RegistersBeyondTheKernelsAreRefused) {
  const std::string end = "\tCF_END\n";
  const auto built = [](const std::string& body) {
    const std::string text = kernel(body);
    const auto parsed = parse_text(text, "k.s");
    EXPECT_TRUE(parsed.ok()) << body;
    if (!parsed.ok()) return std::string();
    RowLayout layout;
    layout.general = 4;
    const auto function =
        build_function(parsed->functions.at(0), layout, *find_target("cypress"), "k.s", parsed->files);
    return function.ok() ? std::string() : to_string(function.error());
  };
  const auto refused = [](u32 line, const std::string& instruction) {
    return "k.s:" + std::to_string(line) + ": error: a register beyond those of the kernel in '" +
           instruction + "' [bad-operand]";
  };
  for (const char* slot : {"MOV * T4.X, 1,", "MOV * T1.X, T4.X,", "ADD_INT * T1.X, T3.X, -T127.W,"}) {
    const std::string clause = "\tALU 0, @2, KC0[], KC1[]\n" + end + "\tALU clause starting at 2:\n\t  ";
    EXPECT_EQ(built(clause + slot + "\n"), refused(10, slot));
  }
  for (const char* fetch : {"VTX_READ_32 T4.X, T1.X, 0, #1", "VTX_READ_32 T1.X, T4.X, 0, #1",
                            "TEX_SAMPLE T1.XYZ_, T4.XY01 RID:4 SID:0 CT:NNUU"}) {
    const std::string clause = "\tTEX 0 @2\n" + end + "\tFetch clause starting at 2:\n\t  ";
    EXPECT_EQ(built(clause + fetch + "\n"), refused(10, fetch));
  }
  for (const char* store :
       {"MEM_RAT_CACHELESS STORE_RAW T4.X, T1.X, 1", "MEM_RAT_CACHELESS STORE_RAW T1.X, T4.X, 1",
        "MEM_RAT STORE_TYPED RAT(1) T4, T1, 1"})
    EXPECT_EQ(built("\t" + std::string(store) + "\n" + end), refused(7, store));
  EXPECT_EQ(built("\tMEM_RAT_CACHELESS STORE_RAW T3.X, T1.X, 1\n" + end), "");
}

TEST(VliwText, APacketIsOneInstructionWithItsPartsBehindIt) {
  const auto module =
      load_module(kernel("\tALU_PUSH_BEFORE 3, @4, KC0[], KC1[]\n\tJUMP @3 POP:1\n\tPOP @3 POP:1\n\tCF_END\n"
                         "\tALU clause starting at 4:\n\t  MOV   T1.X, T1.Y,\n\t  MOV * T1.Y, T1.X,\n"
                         "\t  MULLO_INT * T1.Z, PV.X, literal.x,\n\t3(0.0), 0(0.0)\n"),
                  *find_target("cypress"), "k.s");
  ASSERT_TRUE(module.ok()) << to_string(module.error());
  const std::vector<Instruction>& code = (*module)->code.instructions;
  const Instruction& swap = code[1];
  EXPECT_EQ(swap.meaning, &packet());
  EXPECT_EQ(swap.address, 32u);
  EXPECT_EQ(swap.size, 16);
  // Two moves, of which the first goes through the write buffer, and its way out of it.
  EXPECT_EQ(swap.slots, 4);
  EXPECT_EQ(packet_detail::operations(swap.detail), 2u);
  EXPECT_EQ(packet_detail::slots(swap.detail), 3u);
  const Instruction& product = code[1 + swap.slots];
  EXPECT_EQ(packet_detail::slots(product.detail), 16u);
  EXPECT_EQ(packet_detail::literals(product.detail), 2u);
  EXPECT_EQ(product.cost, Cost::valu_quarter);
  const Instruction& jump = code[1 + swap.slots + product.slots];
  EXPECT_EQ(code[jump.target].cost, Cost::end);
}

// What R600InstPrinter of LLVM 19 has for ALU clauses; left out is what shaders alone need: CUBE, DOT4,
// INTERP_*, KILLGT, MUL_LIT.
TEST(VliwText, EveryOperationOfTheBackEndIsKnown) {
  for (const char* mnemonic : {"ADD",
                               "ADDC_UINT",
                               "ADD_INT",
                               "AND_INT",
                               "ASHR",
                               "BCNT_INT",
                               "BFE_INT",
                               "BFE_UINT",
                               "BFI_INT",
                               "BFM_INT",
                               "BIT_ALIGN_INT",
                               "CEIL",
                               "CNDE",
                               "CNDE_INT",
                               "CNDGE",
                               "CNDGE_INT",
                               "CNDGT",
                               "CNDGT_INT",
                               "COS",
                               "EXP_IEEE",
                               "FFBH_UINT",
                               "FFBL_INT",
                               "FLOOR",
                               "FLT16_TO_FLT32",
                               "FLT32_TO_FLT16",
                               "FLT_TO_INT",
                               "FLT_TO_UINT",
                               "FMA",
                               "FRACT",
                               "GROUP_BARRIER",
                               "INT_TO_FLT",
                               "LDS_ADD",
                               "LDS_ADD_RET",
                               "LDS_AND",
                               "LDS_AND_RET",
                               "LDS_BYTE_READ_RET",
                               "LDS_BYTE_WRITE",
                               "LDS_CMPST",
                               "LDS_CMPST_RET",
                               "LDS_MAX_INT",
                               "LDS_MAX_INT_RET",
                               "LDS_MAX_UINT",
                               "LDS_MAX_UINT_RET",
                               "LDS_MIN_INT",
                               "LDS_MIN_INT_RET",
                               "LDS_MIN_UINT",
                               "LDS_MIN_UINT_RET",
                               "LDS_OR",
                               "LDS_OR_RET",
                               "LDS_READ_RET",
                               "LDS_SHORT_READ_RET",
                               "LDS_SHORT_WRITE",
                               "LDS_SUB",
                               "LDS_SUB_RET",
                               "LDS_UBYTE_READ_RET",
                               "LDS_USHORT_READ_RET",
                               "LDS_WRITE",
                               "LDS_WRXCHG",
                               "LDS_WRXCHG_RET",
                               "LDS_XOR",
                               "LDS_XOR_RET",
                               "LOG_CLAMPED",
                               "LOG_IEEE",
                               "LSHL",
                               "LSHR",
                               "MAX",
                               "MAX_DX10",
                               "MAX_INT",
                               "MAX_UINT",
                               "MIN",
                               "MIN_DX10",
                               "MIN_INT",
                               "MIN_UINT",
                               "MOV",
                               "MOVA_INT",
                               "MUL",
                               "MULADD",
                               "MULADD_IEEE",
                               "MULADD_INT24",
                               "MULADD_UINT24",
                               "MULHI",
                               "MULHI_INT",
                               "MULHI_INT24",
                               "MULHI_UINT24",
                               "MULLO_INT",
                               "MULLO_UINT",
                               "MUL_IEEE",
                               "MUL_INT24",
                               "MUL_UINT24",
                               "NOT_INT",
                               "OR_INT",
                               "PRED_SETE",
                               "PRED_SETE_INT",
                               "PRED_SETGE",
                               "PRED_SETGE_INT",
                               "PRED_SETGT",
                               "PRED_SETGT_INT",
                               "PRED_SETNE",
                               "PRED_SETNE_INT",
                               "RECIPSQRT_CLAMPED",
                               "RECIPSQRT_IEEE",
                               "RECIP_CLAMPED",
                               "RECIP_IEEE",
                               "RECIP_UINT",
                               "RNDNE",
                               "SETE",
                               "SETE_DX10",
                               "SETE_INT",
                               "SETGE",
                               "SETGE_DX10",
                               "SETGE_INT",
                               "SETGE_UINT",
                               "SETGT",
                               "SETGT_DX10",
                               "SETGT_INT",
                               "SETGT_UINT",
                               "SETNE",
                               "SETNE_DX10",
                               "SETNE_INT",
                               "SIN",
                               "SUBB_UINT",
                               "SUB_INT",
                               "TRUNC",
                               "UINT_TO_FLT",
                               "XOR_INT"})
    EXPECT_NE(find_operation(mnemonic), nullptr) << mnemonic;
}

}  // namespace
}  // namespace lockstep::vliw
