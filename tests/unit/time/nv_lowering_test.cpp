// What PTX becomes on NVIDIA's hardware: which instructions, in which regions, under which control words.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "isa/nv/module.h"
#include "machine/machine.h"
#include "nv_lower_support.h"
#include "time/program/nv/lower.h"
#include "time/program/nv/text.h"
#include "time/program/nv/timed_program.h"

namespace lockstep {
namespace {

TEST(NvLowering, AddressesAreOneMultiplyAdd) {
  const Lowered l =
      lower(std::string(indexed) +
            "ld.global.f32 %f1, [%rd6+8]; add.rn.f32 %f2, %f1, 0f3F800000; st.global.f32 [%rd6], %f2;");
  auto count = mnemonics(l.program);
  EXPECT_EQ(count["IMAD.WIDE"], 1);
  EXPECT_EQ(count["IMAD"], 1) << "only 32 bits of the index matter";
  EXPECT_EQ(count["IADD3"] + count["IADD3.X"], 0);
  EXPECT_EQ(count["LDG.E"], 1);
  const std::string text = print_lowered(l.program);
  EXPECT_NE(text.find("c[0x0][0x160]"), std::string::npos) << text;
  EXPECT_NE(text.find("+0x8]"), std::string::npos) << text;
}

TEST(NvLowering, HopperTakesConstantsThroughUniformRegisters) {
  const Lowered l =
      lower(std::string(indexed) + "ld.param.u32 %r5, [n]; add.s32 %r6, %r4, %r5; st.global.u32 [%rd6], %r6;",
            "sm_90");
  auto count = mnemonics(l.program);
  EXPECT_GE(count["ULDC"], 1);
  for (const LoweredInstruction& in : l.program.instructions) {
    if (info(in.opcode).pipe == LoweredPipe::uniform || in.opcode == LoweredOpcode::ldc) continue;
    for (const LoweredOperand& o : in.source)
      EXPECT_NE(o.file, LoweredOperand::File::constant) << print_lowered(in);
  }
}

TEST(NvLowering, OneOperandAtMostIsNoRegister) {
  const Lowered l = lower(std::string(indexed) +
                          "ld.param.u32 %r5, [n]; mad.lo.s32 %r6, %r5, 77, %r5; st.global.u32 [%rd6], %r6; "
                          "fma.rn.f32 %f1, %f2, 0f40490FDB, 0f3F9D70A4;"
                          "st.global.f32 [%rd6+4], %f1;");
  for (const LoweredInstruction& in : l.program.instructions) {
    if (info(in.opcode).pipe == LoweredPipe::uniform) continue;
    u32 others = 0;
    for (const LoweredOperand& o : in.source)
      others += o.file == LoweredOperand::File::constant || o.file == LoweredOperand::File::immediate ||
                o.file == LoweredOperand::File::uniform;
    EXPECT_LE(others, in.opcode == LoweredOpcode::lea ? 2u : 1u) << print_lowered(in);
  }
}

TEST(NvLowering, LogicOfThreeInputsIsOneInstruction) {
  const Lowered l = lower(std::string(indexed) +
                          "ld.global.u32 %r5, [%rd6]; ld.global.u32 %r6, [%rd6+4]; and.b32 %r7, %r4, %r5; "
                          "not.b32 %r8, %r6; xor.b32 %r9, %r7, %r8;"
                          "st.global.u32 [%rd6], %r9;");
  EXPECT_EQ(mnemonics(l.program)["LOP3.LUT"], 1);
}

// Images: one instruction with the coordinates in registers behind one another, whose results are waited for.
TEST(NvLowering, ImagesAreReadAndWritten) {
  const std::string body = std::string(indexed) +
                           "ld.param.u64 %rd8, [b]; tex.1d.v4.u32.s32 {%r5,%r6,%r7,%r8}, [%rd8, {%r4}]; "
                           "xor.b32 %r9, %r5, %r8; "
                           "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd8, {%f5,%f6}]; suld.b.2d.v2.b32.trap "
                           "{%r10,%r11}, [%rd8, {%r4,%r9}]; sust.b.1d.v2.b32.trap [%rd8, {%r4}], "
                           "{%r10,%r11}; add.rn.f32 %f1, %f1, %f4; st.global.f32 [%rd6], %f1;";
  for (const char* target : {"sm_13", "sm_20", "sm_35", "sm_61", "sm_70", "sm_90"}) {
    const Lowered l = lower(body, target);
    u32 reads = 0, loads = 0, stores = 0;
    for (const LoweredInstruction& in : l.program.instructions) {
      reads += in.opcode == LoweredOpcode::tex;
      loads += in.opcode == LoweredOpcode::suld;
      stores += in.opcode == LoweredOpcode::sust;
      if (in.opcode == LoweredOpcode::tex) {
        EXPECT_EQ(in.destination[0].width, 4) << target << ": " << print_lowered(in);
        EXPECT_NE(in.control.write_barrier, LoweredControl::no_barrier) << target;
        EXPECT_TRUE(in.carries_access);
      }
      if (in.opcode == LoweredOpcode::suld) {
        EXPECT_EQ(in.destination[0].width, 2) << print_lowered(in);
        EXPECT_EQ(in.source[0].width, 2) << "two coordinates: " << print_lowered(in);
      }
      if (in.opcode == LoweredOpcode::sust) {
        EXPECT_EQ(in.source[1].width, 2) << "what is stored: " << print_lowered(in);
      }
    }
    EXPECT_EQ(reads, 2u) << target << print_lowered(l.program);
    EXPECT_EQ(loads, 1u) << target;
    EXPECT_EQ(stores, 1u) << target;
    EXPECT_EQ(mnemonics(l.program)["STG.E"] + mnemonics(l.program)["ST.E"], 1) << target;
  }
}

TEST(NvLowering, LanesThatPartMeetAgain) {
  const std::string loop =
      "mov.u32 %r9, 0; L: ld.global.u32 %r5, [%rd6]; st.global.u32 [%rd6], %r9; add.s32 %r9, %r9, 1; "
      "setp.lt.s32 %p1, %r9, %r5; @%p1 bra L;"
      "st.global.u32 [%rd6+4], %r9;";
  auto count = mnemonics(lower(indexed + loop).program);
  EXPECT_EQ(count["BSSY"], 1) << "once, in front of the loop";
  EXPECT_EQ(count["BSYNC"], 1);
  // Every lane goes as often round.
  const std::string uniform =
      "mov.u32 %r9, 0; ld.param.u32 %r5, [n]; L: st.global.u32 [%rd6], %r9; add.s32 %r9, %r9, 1; setp.lt.s32 "
      "%p1, %r9, %r5; @%p1 bra L;";
  EXPECT_EQ(mnemonics(lower(indexed + uniform).program)["BSSY"], 0);
}

TEST(NvLowering, DivisionIsItsFastWay) {
  const Lowered l = lower(std::string(indexed) +
                          "ld.global.f32 %f1, [%rd6]; ld.global.f32 %f2, [%rd6+4]; div.rn.f32 %f3, %f1, %f2; "
                          "st.global.f32 [%rd6], %f3;");
  auto count = mnemonics(l.program);
  EXPECT_EQ(count["MUFU.RCP"], 1);
  EXPECT_EQ(count["FCHK"], 1);
  EXPECT_EQ(count["FFMA"], 5);
  EXPECT_EQ(count["CALL"], 0);
  EXPECT_GT(l.program.code_bytes, l.program.instructions.size() * LoweredProgram::word_bytes)
      << "its slow way is code, too";
}

// As ptxas of CUDA 13 has them for sm_90.
TEST(NvLowering, SmallFloatsAndConstantDivisors) {
  const auto of = [](const std::string& what) {
    return mnemonics(lower(std::string(indexed) + "ld.global.f32 %f1, [%rd6]; ld.global.u32 %r5, [%rd6];" +
                               what + "st.global.f32 [%rd6], %f2; st.global.u32 [%rd6+4], %r6;",
                           "sm_90")
                         .program);
  };
  EXPECT_EQ(of("div.rn.f32 %f2, %f1, 0f40100000;")["MUFU.RCP"], 0);
  EXPECT_EQ(of("cvt.rna.tf32.f32 %r6, %f1;")["LOP3.LUT"], 1);
  EXPECT_EQ(of("tanh.approx.f16x2 %r6, %r5;")["MUFU"], 2);
}

TEST(NvLowering, RegionsEndWhereSegmentsDo) {
  const std::string body =
      std::string(indexed) +
      "st.shared.u32 [s], %r4; bar.sync 0; ld.shared.u32 %r5, [s]; st.global.u32 [%rd6], %r5;";
  const Lowered l = lower(body);
  const Code& code = l.module->code;
  u32 barriers = 0;
  for (const LoweredRegion& region : l.program.regions) {
    for (u32 i = 0; i < region.count; ++i) {
      const bool barrier = code.text[region.first + i].starts_with("bar.sync");
      if (barrier) {
        EXPECT_EQ(i + 1, region.count);
      }
      barriers += barrier;
    }
    for (u32 i = region.begin; i < region.end; ++i)
      EXPECT_LT(l.program.instructions[i].from - region.first, region.count);
  }
  EXPECT_EQ(barriers, 1u);
  // An instruction that is a segment of its own is a region of its own.
  std::vector<u8> cuts(code.instructions.size(), 0);
  u32 alone = 0;
  for (u32 i = 0; i < cuts.size(); ++i) {
    if (code.text[i].starts_with("ld.shared")) cuts[alone = i] = lowering_cut::alone;
  }
  const Lowered cut = lower(body, "sm_80", cuts);
  const u32 region = region_of(cut.program, alone);
  ASSERT_NE(region, no_region);
  EXPECT_EQ(cut.program.regions[region].count, 1u);
  EXPECT_EQ(region_of(cut.program, static_cast<u32>(code.instructions.size())), no_region);
}

// Within straight lines: whoever takes what comes when it comes waits for its barrier, and nobody issues
// before what he takes can be taken.
TEST(NvLowering, ControlWordsKeepDependences) {
  for (const char* target : {"sm_70", "sm_75", "sm_80", "sm_90"}) {
    const Lowered l = lower(std::string(indexed) +
                                "ld.global.f32 %f1, [%rd6]; ld.global.f32 %f2, [%rd6+4]; fma.rn.f32 %f3, "
                                "%f1, %f2, %f1; sqrt.approx.ftz.f32 %f4, %f3;"
                                "st.global.f32 [%rd6], %f4; ld.global.f32 %f5, [%rd6+64]; add.rn.f32 %f6, "
                                "%f5, %f4; st.global.f32 [%rd6+128], %f6;",
                            target);
    for (const LoweredRegion& region : l.program.regions) {
      std::map<u32, u8> pending;
      std::map<u32, u32> made;
      u32 now = 0;
      for (u32 i = region.begin; i < region.end; ++i) {
        const LoweredInstruction& in = l.program.instructions[i];
        for (const LoweredOperand& o : in.source) {
          if (o.file != LoweredOperand::File::general) continue;
          for (u32 k = 0; k < o.width; ++k) {
            const auto waits = pending.find(o.index + k);
            if (waits != pending.end()) {
              EXPECT_TRUE((in.control.wait_mask >> waits->second & 1) != 0)
                  << target << ": " << print_lowered(in);
            }
            const auto at = made.find(o.index + k);
            if (at != made.end()) {
              EXPECT_GE(now - at->second, 2u) << target << ": " << print_lowered(in);
            }
          }
        }
        for (auto entry = pending.begin(); entry != pending.end();)
          entry = (in.control.wait_mask >> entry->second & 1) != 0 ? pending.erase(entry) : std::next(entry);
        for (const LoweredOperand& o : in.destination) {
          if (o.file != LoweredOperand::File::general) continue;
          for (u32 k = 0; k < o.width; ++k) {
            pending.erase(o.index + k);
            made.erase(o.index + k);
            if (in.control.write_barrier < 6) {
              pending[o.index + k] = in.control.write_barrier;
            } else {
              made[o.index + k] = now;
            }
          }
        }
        now += in.control.stall;
      }
    }
  }
}

TEST(NvLowering, RegistersAreThoseThatLive) {
  std::string body = indexed;
  for (int i = 1; i < 16; ++i)
    body += "ld.global.f32 %f" + std::to_string(i) + ", [%rd6+" + std::to_string(4 * i) + "];\n";
  body += "bar.sync 0;\n";
  for (int i = 2; i < 16; ++i)
    body += "fma.rn.f32 %f1, %f1, %f" + std::to_string(i) + ", %f" + std::to_string(i) + ";\n";
  body += "st.global.f32 [%rd6], %f1;";
  const Lowered l = lower(body);
  EXPECT_GE(l.program.registers, 17u);
  EXPECT_LE(l.program.registers, 28u);
  for (const LoweredInstruction& in : l.program.instructions) {
    for (const LoweredOperand& o : in.destination) {
      if (o.file == LoweredOperand::File::general && o.index != LoweredOperand::zero_register) {
        EXPECT_LT(o.index + o.width - 1, l.program.registers);
      }
      if (o.file == LoweredOperand::File::general && o.width == 2) {
        EXPECT_EQ(o.index % 2, 0u) << print_lowered(in);
      }
    }
  }
}

TEST(NvLowering, OperandsOfDoublesStayInTheCacheOfTheirSlot) {
  const Lowered l =
      lower(std::string(indexed) +
                "ld.global.f64 %d1, [%rd6]; ld.global.f64 %d2, [%rd6+8]; ld.global.f64 %d3, [%rd6+16]; "
                "fma.rn.f64 %d4, %d1, %d2, %d2; fma.rn.f64 %d5, %d1, %d3, %d3; "
                "st.global.f64 [%rd6], %d4; st.global.f64 [%rd6+8], %d5;",
            "sm_90");
  u32 kept = 0;
  for (const LoweredInstruction& in : l.program.instructions) {
    if (in.opcode != LoweredOpcode::dfma) continue;
    for (const LoweredOperand& o : in.source) kept += (o.modifiers & LoweredOperand::reuse) != 0 ? 1 : 0;
  }
  EXPECT_EQ(kept, 1u);
}

// As rates.txt has it of an H200: a partition takes a reduction every eight cycles.
TEST(NvLowering, ReductionsOfWarpsHaveAUnit) {
  const Lowered l =
      lower(std::string(indexed) +
                "ld.global.u32 %r5, [%rd6]; redux.sync.add.u32 %r6, %r5, -1; st.global.u32 [%rd6], %r6;",
            "sm_90");
  const auto machine = load_machine(machine_directory(), "h200");
  ASSERT_TRUE(machine) << to_string(machine.error());
  const auto timed = timed_program_nv(*machine, l.module->code.instructions, l.program, 0);
  ASSERT_TRUE(timed);
  u32 found = 0;
  for (std::size_t i = 0; i < timed->ops.size(); ++i) {
    if (l.program.instructions[i].opcode != LoweredOpcode::redux) continue;
    ++found;
    EXPECT_NE(timed->ops[i].unit, 0);
    EXPECT_EQ(timed->ops[i].unit_cycles, 8);
  }
  EXPECT_EQ(found, 1u);
}

// Sums over a window of 7 x 7 for eight points under each other, in the order of the window: in that order
// some sixty loaded values are held at once; row by row few are.
TEST(NvLowering, ManyValuesPassThroughFewRegisters) {
  std::string body = std::string(indexed) + ".reg .f32 %x<100>; .reg .f32 %s<8>; shl.b32 %r5, %r3, 2;\n";
  const auto at = [](int row, int column) { return std::to_string(7 * row + column); };
  for (int i = 0; i < 49; ++i) {
    for (int k = 0; k < 8; ++k) {
      const std::string x = "%x" + at(k + i / 7, i % 7), sum = "%s" + std::to_string(k);
      if (k == 7 || i < 7)
        body += "ld.shared.f32 " + x + ", [%r5+" + std::to_string(512 * (k + i / 7) + 4 * (i % 7)) + "];\n";
      if (i == 0) body += "mov.f32 " + sum + ", 0f00000000;\n";
      body += "fma.rn.f32 " + sum + ", " + x + ", 0f3F000000, " + sum + ";\n";
    }
  }
  for (int k = 0; k < 8; ++k)
    body += "st.global.f32 [%rd6+" + std::to_string(4096 * k) + "], %s" + std::to_string(k) + ";\n";
  const Lowered l = lower(body, "sm_90");
  EXPECT_LE(l.program.registers, 32u);
  // What is left of the registers has loads on their way while others are computed with.
  std::map<u32, u32> loaded;  // register, place
  u32 loads = 0, distance = 0;
  for (u32 i = 0; i < l.program.instructions.size(); ++i) {
    const LoweredInstruction& in = l.program.instructions[i];
    for (const LoweredOperand& o : in.source) {
      const auto from = o.file == LoweredOperand::File::general ? loaded.find(o.index) : loaded.end();
      if (from == loaded.end()) continue;
      distance += i - from->second;
      ++loads;
      loaded.erase(from);
    }
    if (in.opcode == LoweredOpcode::lds) loaded[in.destination[0].index] = i;
  }
  EXPECT_EQ(loads, 98u);
  EXPECT_GE(distance, 5 * loads);
}

// Local memory's neighbouring words in one access, where the address is known to be a multiple of it.
TEST(NvLowering, NeighbouringAccessesOfLocalMemoryAreJoined) {
  const auto made = [](const std::string& address, const std::string& body) {
    return mnemonics(
        lower("ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; " + address +
              " add.s32 %r4, %r2, %r3; ld.global.u32 %r5, [%rd1]; ld.global.u32 %r6, [%rd1+4]; " + body +
              " add.s32 %r7, %r10, %r11; add.s32 %r8, %r12, %r13; " +
              "add.s32 %r9, %r7, %r8; st.global.u32 [%rd1], %r9;")
            .program);
  };
  const std::string loads =
      "ld.shared.u32 %r10, [%r4+8]; ld.shared.v2.u32 {%r11, %r12}, [%r4]; ld.shared.u32 %r13, [%r4+12]; ";
  auto count = made("shl.b32 %r3, %r1, 4;", loads);
  EXPECT_EQ(count["LDS.128"], 1);
  EXPECT_EQ(count["LDS"] + count["LDS.64"], 0);
  count = made("mul.lo.u32 %r3, %r1, 24;", loads);
  EXPECT_EQ(count["LDS.64"], 2) << "a multiple of 8 alone";
  count = made("shl.b32 %r3, %r1, 2;", "ld.shared.u32 %r10, [%r4]; ld.shared.u32 %r11, [%r4+4];");
  EXPECT_EQ(count["LDS"], 2) << "nothing is known";
  count = made("and.b32 %r3, %r1, -8;", "ld.shared.u32 %r10, [%r4]; ld.shared.u32 %r11, [%r4+4];");
  EXPECT_EQ(count["LDS.64"], 1) << "a mask makes it a multiple";
  count = made("shl.b32 %r3, %r1, 4;",
               "ld.shared.u32 %r10, [%r4]; st.shared.u32 [%r1], %r5; ld.shared.u32 %r11, [%r4+4];");
  EXPECT_EQ(count["LDS"], 2) << "the store may reach the second word";
  count = made("shl.b32 %r3, %r1, 4;",
               "ld.shared.u32 %r10, [%r4]; st.shared.u32 [%r4+8], %r5; ld.shared.u32 %r11, [%r4+4];");
  EXPECT_EQ(count["LDS.64"], 1) << "the store reaches another word";
  count = made("shl.b32 %r3, %r1, 4;", "st.shared.u32 [%r4+4], %r6; st.shared.u32 [%r4], %r5;");
  EXPECT_EQ(count["STS.64"], 1);
  count = made("shl.b32 %r3, %r1, 4;", "st.shared.u32 [%r4], %r5; bar.sync 0; st.shared.u32 [%r4+4], %r6;");
  EXPECT_EQ(count["STS"], 2) << "others may look between";
}

// What it moves is known to timing: a wide access holds the banks for as long as its bytes take.
TEST(NvLowering, AJoinedAccessSaysWhatItMoves) {
  const Lowered l = lower(
      "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 3; add.s32 %r4, %r2, "
      "%r3; ld.shared.u32 %r5, [%r4+4]; ld.shared.u32 %r6, [%r4]; add.s32 %r7, %r5, %r6; st.global.u32 "
      "[%rd1], %r7;");
  const auto joined = std::find_if(l.program.instructions.begin(), l.program.instructions.end(),
                                   [](const LoweredInstruction& in) { return in.access_bytes != 0; });
  ASSERT_NE(joined, l.program.instructions.end());
  EXPECT_EQ(joined->access_bytes, 8);
  EXPECT_EQ(joined->from, 6u) << "the instruction with the lowest address";
  const auto back = read_lowered(print_lowered(l.program), "k");
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(*back, l.program);
}

// A divisor's reciprocal is made once, in front of a loop that does not change it.
TEST(NvLowering, DivisionsShareTheirReciprocal) {
  const std::string two =
      std::string(indexed) +
      "ld.param.u32 %r5, [n]; div.u32 %r6, %r4, %r5; div.u32 %r7, %r3, %r5; add.s32 %r8, %r6, "
      "%r7; st.global.u32 [%rd6], %r8;";
  auto count = mnemonics(lower(two).program);
  EXPECT_EQ(count["MUFU.RCP"], 1);
  EXPECT_EQ(count["IMAD.HI.U32"], 3) << "one for the reciprocal, one for each quotient";
  const Lowered l =
      lower(std::string(indexed) +
            "ld.param.u32 %r5, [n]; mov.u32 %r6, 0; mov.u32 %r7, %r4; L: div.s32 %r7, %r7, %r5; "
            "add.s32 %r6, %r6, 1; setp.ne.s32 %p1, %r7, 0; @%p1 bra L; st.global.u32 [%rd6], %r6;");
  const auto reciprocal =
      std::find_if(l.program.instructions.begin(), l.program.instructions.end(),
                   [](const LoweredInstruction& in) { return in.opcode == LoweredOpcode::mufu; });
  ASSERT_NE(reciprocal, l.program.instructions.end());
  EXPECT_EQ(region_of(l.program, reciprocal->from), 0u) << print_lowered(l.program);
}

// What the launch's constants alone make is made once for the warp.
TEST(NvLowering, TheUniformDatapathMakesWhatTheLaunchGives) {
  const std::string body =
      std::string(indexed) +
      "ld.param.u32 %r5, [n]; add.s32 %r6, %r5, %r2; xor.b32 %r7, %r6, 85; add.s32 %r8, %r7, %r4; "
      "mul.lo.s32 %r9, %r6, %r3; add.s32 %r8, %r8, %r9; st.global.u32 [%rd6], %r8;";
  for (const char* target : {"sm_75", "sm_80", "sm_90"}) {
    auto count = mnemonics(lower(body, target).program);
    EXPECT_EQ(count["UIADD3"], 1) << target;
    EXPECT_EQ(count["ULOP3.LUT"], 1) << target;
  }
  auto count = mnemonics(lower(body, "sm_70").program);
  EXPECT_EQ(count["UIADD3"] + count["ULOP3.LUT"], 0) << "Volta has none";
}

// Turing's addresses have a uniform part, so that arrays of one index share the rest.
TEST(NvLowering, TuringAddsUniformBases) {
  const std::string body = R"(
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x; cvt.u64.u32 %rd3, %r1; shl.b64 %rd4, %rd3, 2;
    add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; ld.global.u32 %r2, [%rd5]; st.global.u32 [%rd6+4], %r2;)";
  const Lowered turing = lower(body, "sm_75");
  auto count = mnemonics(turing.program);
  EXPECT_EQ(count["IADD3"] + count["IADD3.X"], 0) << print_lowered(turing.program);
  EXPECT_EQ(count["ULDC.64"], 2);
  const auto back = read_lowered(print_lowered(turing.program), "k");
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(*back, turing.program);
  EXPECT_EQ(mnemonics(lower(body, "sm_80").program)["IADD3.X"], 2) << "descriptors have that place";
}

// A word that PTX extends to 64 bits is loaded as a word.
TEST(NvLowering, WordsInLongRegistersAreWords) {
  const Lowered l =
      lower(std::string(indexed) +
            "ld.global.u32 %rd7, [%rd6]; ld.global.u32 %rd8, [%rd6+4]; mul.lo.s64 %rd9, %rd7, %rd8; "
            "st.global.u64 [%rd6+8], %rd9;");
  auto count = mnemonics(l.program);
  EXPECT_EQ(count["LDG.E"], 2) << print_lowered(l.program);
  EXPECT_EQ(count["IMAD.WIDE.U32"], 1) << "of their product nothing else is left";
  EXPECT_EQ(count["IMAD"], 1) << "the index";
}

// Atomics of a whole warp at one address are put together first: by one instruction from Ampere on, by
// shuffles before.
TEST(NvLowering, AtomicsAtOneAddressArePutTogether) {
  const auto made = [](const char* target, const char* space) {
    const std::string memory(space);
    return lower(std::string(indexed) + "ld.global.u32 %r5, [%rd6]; mov.u64 %rd7, s; " +
                     (memory == "shared" ? "atom.shared.add.u32 %r6, [%rd7], %r5;"
                                         : "atom.global.add.u32 %r6, [%rd1], %r5;"),
                 target);
  };
  for (const char* space : {"shared", "global"}) {
    const Lowered ampere = made("sm_80", space), turing = made("sm_75", space);
    auto count = mnemonics(ampere.program);
    EXPECT_EQ(count["REDUX.SUM"], 1) << space;
    EXPECT_EQ(count["SHFL.BFLY"], 0);
    count = mnemonics(turing.program);
    EXPECT_EQ(count["SHFL.BFLY"], 5) << space;
    for (const LoweredProgram* program : {&ampere.program, &turing.program}) {
      u32 accesses = 0;
      for (const LoweredInstruction& in : program->instructions) {
        if (in.opcode != LoweredOpcode::atoms && in.opcode != LoweredOpcode::red) continue;
        accesses += in.carries_access;
        EXPECT_EQ(in.one_lane, in.carries_access) << print_lowered(in);
      }
      EXPECT_EQ(accesses, 1u) << space;
    }
  }
}

// Loops that lanes leave one by one and that have atomics yield in each turn.
TEST(NvLowering, LoopsOfAtomicsYield) {
  const std::string body = std::string(indexed) +
                           "mov.u32 %r6, %r3; L: atom.global.add.u32 %r5, [%rd6], 1; add.s32 %r6, %r6, -1; "
                           "setp.gt.s32 %p1, %r6, 0; @%p1 bra L;";
  EXPECT_EQ(mnemonics(lower(body, "sm_80").program)["YIELD"], 1);
  auto count = mnemonics(lower(body, "sm_75").program);
  EXPECT_EQ(count["YIELD"], 1);
  EXPECT_EQ(count["VOTE.ANY"], 1) << "who is left";
}

// Vectors of 8 and 16 bits lie in words; what belongs together needs no instruction to be so.
TEST(NvLowering, NarrowVectorsLieInWords) {
  const auto made = [](const std::string& body, const char* target = "sm_80") {
    return mnemonics(lower(".reg .b16 %h<8>; " + std::string(indexed) + body, target).program);
  };
  auto count = made(
      "ld.global.v4.b16 {%h1,%h2,%h3,%h4}, [%rd6]; mov.b32 %r5, {%h1,%h2}; mov.b32 %r6, {%h3,%h4}; "
      "add.rn.f16x2 %r7, %r5, %r6; mov.b32 {%h5,%h6}, %r7; st.global.v2.b16 [%rd6], {%h5,%h6};");
  EXPECT_EQ(count["LDG.E.64"], 1);
  EXPECT_EQ(count["STG.E"], 1);
  EXPECT_EQ(count["PRMT"] + count["SHF.R.U32.HI"], 0) << "halves stay where they are";
  count = made(
      "ld.global.v4.u8 {%h1,%h2,%h3,%h4}, [%rd6]; cvt.u32.u16 %r5, %h1; cvt.u32.u16 %r6, %h4; "
      "add.s32 %r7, %r5, %r6; st.global.u32 [%rd6], %r7;");
  EXPECT_EQ(count["LDG.E"], 1);
  EXPECT_EQ(count["PRMT"] + count["SHF.R.U32.HI"] + count["LOP3.LUT"], 2) << "a byte each";
  const std::string halves =
      "ld.global.v2.f32 {%f1,%f2}, [%rd6]; cvt.rn.f16.f32 %h1, %f1; cvt.rn.f16.f32 %h2, %f2; "
      "st.global.v2.b16 [%rd6], {%h1,%h2};";
  EXPECT_EQ(made(halves)["F2FP.PACK_AB"], 1) << "both at once";
  EXPECT_EQ(made(halves, "sm_75")["F2F"], 2);
}

TEST(NvLowering, StoresHoldBackLoadsOfTheirMemoryAlone) {
  const auto unrolled = [](const std::string& access) {
    const Lowered l = lower(
        std::string(indexed) +
            "ld.param.u64 %rd7, [b]; ld.param.u32 %r5, [n]; mov.u32 %r9, 0; shl.b32 %r6, %r3, 2;\n"
            "L: " +
            access +
            "add.s64 %rd6, %rd6, 512; add.s64 %rd7, %rd7, 512; add.s32 %r6, %r6, 4; add.s32 %r9, %r9, 1; "
            "setp.lt.s32 %p1, %r9, %r5; @%p1 bra L;",
        "sm_90");
    u32 most = 0;
    for (const LoweredRegion& region : l.program.regions) most = std::max<u32>(most, region.unrolled);
    return most;
  };
  EXPECT_EQ(unrolled("ld.global.f32 %f1, [%rd6]; st.shared.f32 [%r6], %f1;"), 4u);
  EXPECT_EQ(unrolled("ld.shared.f32 %f1, [%r6]; st.global.f32 [%rd6], %f1;"), 4u);
  EXPECT_EQ(unrolled("ld.global.nc.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1;"), 4u);
  EXPECT_EQ(unrolled("ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1;"), 1u);
  EXPECT_EQ(unrolled("ld.f32 %f1, [%rd6]; st.shared.f32 [%r6], %f1;"), 1u);
  EXPECT_EQ(unrolled(".pragma \"nounroll\"; ld.global.f32 %f1, [%rd6]; st.shared.f32 [%r6], %f1;"), 1u);
  EXPECT_EQ(unrolled(".pragma \"used_bytes_mask 1\"; ld.global.f32 %f1, [%rd6]; st.shared.f32 [%r6], %f1;"),
            4u);
}

// What ptxas of CUDA 13 makes of such loops for sm_90: the same table, seen in its output.
TEST(NvLowering, LoopsAreUnrolledAsTheAssemblerDoesIt) {
  struct Case {
    const char *what, *begin, *step, *test;
    bool unrolled;
  };
  const std::string load = "ld.global.f32 %f1, [%rd6]; add.f32 %f2, %f2, %f1; add.s64 %rd6, %rd6, 512; ";
  const std::string copy = "ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1; add.s64 %rd6, %rd6, 512; ";
  const std::string barriers = load + "st.shared.f32 [%r6], %f1; bar.sync 0; ";
  const std::string count = "atom.shared.add.u32 %r10, [%r6], %r5; ";
  std::string nineteen = "ex2.approx.ftz.f32 %f2, %f2; ", sixteen;
  for (int i = 0; i < 20; ++i) {
    nineteen += "fma.rn.f32 %f2, %f2, %f3, %f4; ";
    if (i == 14) sixteen = nineteen;
  }
  std::string with_load = load, too_long = load;
  for (int i = 0; i < 48; ++i) (i < 30 ? with_load : too_long) += "fma.rn.f32 %f2, %f2, %f3, %f4; ";
  too_long += with_load;
  const std::vector<std::pair<Case, std::string>> cases = {
      {{"a counter that all lanes share", "0", "3", "lt.u32", true}, load},
      {{"lanes' own counters", "%r3", "3", "lt.u32", true}, load},
      {{"a step that is not constant", "%r3", "%r4", "lt.u32", false}, load},
      {{"until they are equal", "0", "1", "ne.s32", true}, load},
      {{"while they are equal", "0", "1", "eq.s32", false}, load},
      {{"or equal: may never end", "0", "3", "le.u32", false}, load},
      {{"memory that is read and written", "0", "3", "lt.u32", true}, copy},
      {{"the same by lanes' own counters", "%r3", "3", "lt.u32", false}, copy},
      {{"barriers", "0", "3", "lt.u32", true}, barriers},
      {{"barriers by lanes' own counters", "%r3", "3", "lt.u32", false}, barriers},
      {{"atomics", "0", "3", "lt.u32", true}, count},
      {{"atomics by lanes' own counters", "%r3", "3", "lt.u32", false}, count},
      {{"sixteen instructions", "0", "3", "lt.u32", true}, sixteen},
      {{"more than eighteen", "0", "3", "lt.u32", false}, nineteen},
      {{"as many with a load", "0", "3", "lt.u32", true}, with_load},
      {{"far more with a load", "0", "3", "lt.u32", false}, too_long},
  };
  for (const auto& [one, body] : cases) {
    const Lowered l = lower(std::string(indexed) +
                                "ld.param.u64 %rd7, [b]; ld.param.u32 %r5, [n]; mov.u32 %r4, %ntid.x; "
                                "shl.b32 %r6, %r3, 2; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f3F000000; "
                                "mov.f32 %f4, 0f3F800000; mov.u32 %r9, " +
                                one.begin + ";\nL: " + body + "add.s32 %r9, %r9, " + one.step + "; setp." +
                                one.test + " %p1, %r9, %r5; @%p1 bra L; st.global.f32 [%rd7], %f2;",
                            "sm_90");
    const bool unrolled = std::any_of(l.program.instructions.begin(), l.program.instructions.end(),
                                      [](const LoweredInstruction& in) { return in.every == 4; });
    EXPECT_EQ(unrolled, one.unrolled) << one.what;
  }
}

// A chase goes on with what the turn before has loaded, however many turns follow each other in the code.
TEST(NvLowering, AChaseWaitsInEveryTurn) {
  const Lowered l =
      lower(std::string(indexed) +
                "ld.param.u32 %r5, [n]; mov.u32 %r9, 0;\n"
                "L: ld.global.u64 %rd6, [%rd6]; add.s32 %r9, %r9, 3; setp.lt.u32 %p1, %r9, %r5; "
                "@%p1 bra L; st.global.u64 [%rd1], %rd6;",
            "sm_90");
  u32 every = 0;
  for (const LoweredInstruction& in : l.program.instructions) every = std::max<u32>(every, in.every);
  EXPECT_EQ(every, 4u);
  for (const LoweredRegion& region : l.program.regions) EXPECT_EQ(region.unrolled, 1u);
}

}  // namespace
}  // namespace lockstep
