// Registers and the order of loads where a kernel has more to hold than full occupancy leaves.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "nv_lower_support.h"
#include "time/program/nv/register_levels.h"
#include "time/program/nv/text.h"

namespace lockstep {
namespace {

using File = LoweredOperand::File;
using lowering::Residency;

bool reads(const LoweredInstruction& in, u32 index) {
  return std::any_of(in.source.begin(), in.source.end(), [&](const LoweredOperand& o) {
    return o.file == File::general && o.bank == 0 && index >= o.index && index < o.index + o.width;
  });
}

// How many instructions lie between each load of global memory and the first that takes its value.
std::vector<u32> distances(const LoweredProgram& program) {
  std::vector<u32> result;
  for (u32 i = 0; i < program.instructions.size(); ++i) {
    if (info(program.instructions[i].opcode).mnemonic != "LDG") continue;
    for (u32 k = i + 1; k < program.instructions.size(); ++k) {
      if (!reads(program.instructions[k], program.instructions[i].destination[0].index)) continue;
      result.push_back(k - i - 1);
      break;
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Sums over 8 turns of a load each, in a straight line: all could be loaded first, in no number of registers
// that leaves waves enough.
Lowered straight_sums(u32 sums) {
  constexpr u32 turns = 8;
  std::string body = fmt::format(
      ".reg .f32 %s<{}>; .reg .f32 %v<{}>;\nld.param.u64 %rd1, [a];\ncvta.to.global.u64 %rd1, %rd1;\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n",
      sums, sums * turns);
  for (u32 s = 0; s < sums; ++s) body += fmt::format("mov.f32 %s{}, 0f00000000;\n", s);
  for (u32 t = 0; t < turns; ++t) {
    for (u32 s = 0; s < sums; ++s) {
      const u32 v = t * sums + s;
      body += fmt::format("ld.global.f32 %v{}, [%rd3+{}];\nfma.rn.f32 %s{}, %v{}, %v{}, %s{};\n", v, 4096 * v,
                          s, v, v, s);
    }
  }
  for (u32 s = 0; s < sums; ++s) body += fmt::format("st.global.f32 [%rd3+{}], %s{};\n", 4 * s, s);
  return lower(body, "sm_90");
}

// 18 to 24 sums take 32 registers, 25 to 28 take 40, as ptxas of CUDA 13 has it.
TEST(NvRegisters, LoadsStandAheadOfTheirUseWhereRegistersBind) {
  for (const auto& [sums, registers] : {std::pair{18u, 32u}, {24u, 32u}, {25u, 40u}, {28u, 40u}}) {
    const Lowered lowered = straight_sums(sums);
    const std::vector<u32> apart = distances(lowered.program);
    ASSERT_EQ(apart.size(), sums * 8);
    EXPECT_LE(lowered.program.registers, registers) << sums;
    EXPECT_GT(lowered.program.registers, registers - 8) << sums;
    EXPECT_GE(apart[apart.size() / 2], 4u) << sums;
  }
  const Lowered lowered = straight_sums(25);
  EXPECT_GE(distances(lowered.program)[100], 8u);
}

// What a loop takes of the work-item's index in 48 ways, once each in a turn: not all of them are held over
// it.
TEST(NvRegisters, WhatFewInstructionsMakeIsNotHeldOverALongLoop) {
  constexpr u32 ways = 48;
  std::string body = fmt::format(
      ".reg .b32 %i<{}>; .reg .b64 %p64<{}>; .reg .f32 %v<{}>;\nld.param.u64 %rd1, [a];\n"
      "cvta.to.global.u64 %rd1, %rd1;\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n",
      ways, 2 * ways, ways);
  for (u32 w = 0; w < ways; ++w)
    body += fmt::format("add.s32 %i{}, %r1, {};\nshr.u32 %i{}, %i{}, 3;\n", w, 37 * w + 5, w, w);
  body += "L:\n";
  for (u32 w = 0; w < ways; ++w) {
    body += fmt::format(
        "mad.lo.s32 %r3, %r2, 129, %i{};\nmul.wide.u32 %p64{}, %r3, 4;\nadd.s64 %p64{}, %rd1, %p64{};\n"
        "ld.global.f32 %v{}, [%p64{}];\n",
        w, w, ways + w, w, w, ways + w);
    for (u32 k = 0; k < 12; ++k) body += fmt::format("fma.rn.f32 %v{}, %v{}, %v{}, %v{};\n", w, w, w, w);
    body += fmt::format("st.global.f32 [%p64{}], %v{};\n", ways + w, w);
  }
  body += "add.s32 %r2, %r2, 1;\nsetp.ne.s32 %p1, %r2, %r9;\n@%p1 bra L;\n";
  const Lowered lowered = lower(body, "sm_90");
  EXPECT_LE(lowered.program.registers, 40u);
  // They are made in the loop instead.
  const auto count = mnemonics(lowered.program);
  EXPECT_EQ(count.at("LDG.E"), static_cast<int>(ways));
}

// ptxas of CUDA 13 calls a routine for each division of 64-bit integers, and asks nothing before it.
TEST(NvLowering, DivisionsOf64BitsAreRoutines) {
  const std::string body =
      "ld.param.u64 %rd1, [a]; ld.global.u64 %rd2, [%rd1]; ld.global.u64 %rd3, [%rd1+8]; "
      "OPERATION %rd4, %rd2, %rd3; st.global.u64 [%rd1+16], %rd4;";
  const std::pair<const char*, int> routines[] = {
      {"div.u64", 67}, {"div.s64", 83}, {"rem.u64", 63}, {"rem.s64", 77}};
  for (const auto& [operation, instructions] : routines) {
    std::string text = body;
    text.replace(text.find("OPERATION"), 9, operation);
    const Lowered l = lower(text, "sm_90");
    int inside = 0;
    for (const LoweredInstruction& in : l.program.instructions) inside += in.routine ? 1 : 0;
    EXPECT_EQ(inside, instructions + 1) << operation << ": and the way back\n" << print_lowered(l.program);
    auto count = mnemonics(l.program);
    EXPECT_EQ(count["CALL.REL.NOINC"], 1) << operation;
    EXPECT_EQ(count["BRA"], 0) << operation;
    EXPECT_EQ(count["I2F.U64.RP"], 1) << operation;
    const auto again = read_lowered(print_lowered(l.program), "k");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(print_lowered(*again), print_lowered(l.program));
  }
}

// A loop that may have no turn: what it adds up, and what stands behind it where it had none, is one
// register.
TEST(NvRegisters, WhatALoopLeavesNeedsNoSecondRegister) {
  std::string start, sums, last;
  for (int i = 0; i < 14; ++i) {
    const std::string f = "%f" + std::to_string(i + 1), g = "%f" + std::to_string(i + 20);
    start += "mov.f32 " + f + ", 0f00000000;\n";
    sums += "fma.rn.f32 " + f + ", %f0, %f0, " + f + ";\n";
    last += "st.global.f32 [%rd6+" + std::to_string(4 * i) + "], " + f + ";\n";
  }
  const Lowered l =
      lower(std::string(indexed) + "ld.param.u32 %r5, [n];\n" + start +
                "setp.eq.s32 %p1, %r5, 0;\n@%p1 bra END;\nmov.u32 %r6, 0;\nLOOP:\n"
                "ld.global.f32 %f0, [%rd6+256];\n" +
                sums + "add.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r5;\n@%p2 bra LOOP;\nEND:\n" + last,
            "sm_90");
  EXPECT_LE(l.program.registers, 26u);  // 14 sums, and no 14 more
}

// An index that begins at a value which is needed again has a register of its own.
TEST(NvRegisters, WhatALoopChangesIsNotWhatItBeganWith) {
  const Lowered l = lower(std::string(indexed) + R"(
    ld.param.u32 %r5, [n];
    mov.u32 %r6, %r4;
LOOP:
    add.s32 %r6, %r6, %r5;
    setp.lt.u32 %p2, %r6, 1000;
    @%p2 bra LOOP;
    st.global.u32 [%rd6], %r6;
    st.global.u32 [%rd6+4], %r4;
)",
                          "sm_90");
  std::vector<u32> stored;
  for (const LoweredInstruction& in : l.program.instructions) {
    if (in.opcode != LoweredOpcode::stg) continue;
    for (const LoweredOperand& o : in.source) {
      if (o.file == LoweredOperand::File::general && (o.modifiers & LoweredOperand::address) == 0)
        stored.push_back(o.index);
    }
  }
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_NE(stored[0], stored[1]);
}

// A load's value may lie where its address lay, as ptxas has it.
TEST(NvRegisters, LoadsMayEndInTheirAddress) {
  const Lowered l = lower(R"(
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 16;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd4];
    st.global.v4.u32 [%rd5], {%r10, %r11, %r12, %r13};
)",
                          "sm_90");
  u32 loads = 0;
  for (const LoweredInstruction& in : l.program.instructions) {
    if (in.opcode != LoweredOpcode::ldg) continue;
    ++loads;
    EXPECT_TRUE(reads(in, in.destination[0].index));
  }
  EXPECT_EQ(loads, 1u);
}

// Sums of a loop, each of 32 loads added to one or more of them.
LoweredProgram loop_of_sums(u32 sums, const char* target) {
  constexpr u32 loads = 32;
  std::string body = fmt::format(
      ".reg .f32 %s<{}>; .reg .f32 %v<{}>;\nld.param.u64 %rd1, [b];\nld.param.u64 %rd2, [a];\n"
      "ld.param.u32 %r2, [n];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
      "add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\nmov.u32 %r3, 0;\n",
      sums, loads);
  for (u32 s = 0; s < sums; ++s) body += fmt::format("mov.f32 %s{}, 0f00000000;\n", s);
  body += "top:\n";
  for (u32 l = 0; l < loads; ++l) {
    body += fmt::format("ld.global.f32 %v{}, [%rd1+{}];\n", l, 512 * l);
    for (u32 s = 0; s < sums; ++s) {
      if (s == l % sums || s % loads == l)
        body += fmt::format("fma.rn.f32 %s{0}, %v{1}, %v{1}, %s{0};\n", s, l);
    }
  }
  body += "add.s64 %rd1, %rd1, 65536;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 bra top;\n";
  for (u32 s = 0; s < sums; ++s) body += fmt::format("st.global.f32 [%rd2+{}], %s{};\n", 512 * s, s);
  return lower(body, target).program;
}

// As many as four loads on their way need, and all that leave as many waves: ptxas of CUDA 13.0 has for such
// loops what stands behind the sums.
TEST(NvRegisters, FourLoadsAreOnTheirWayInTheRegistersOfAnOccupancy) {
  const auto check = [](const char* target, u32 capability, u32 sums, u32 expected) {
    const Residency residency{capability, 0, 0};
    EXPECT_EQ(residency.level(loop_of_sums(sums, target).registers), expected) << target << ' ' << sums;
  };
  for (const auto& [sums, expected] : {std::pair{16u, 32u},
                                       {24u, 40u},
                                       {28u, 40u},
                                       {29u, 48u},
                                       {36u, 48u},
                                       {37u, 56u},
                                       {44u, 56u},
                                       {45u, 64u},
                                       {56u, 72u},
                                       {60u, 72u},
                                       {64u, 80u},
                                       {68u, 80u},
                                       {72u, 96u},
                                       {84u, 96u},
                                       {90u, 128u}})
    check("sm_90", 90, sums, expected);
  for (const auto& [sums, expected] : {std::pair{20u, 40u}, {32u, 48u}, {56u, 72u}})
    check("sm_86", 86, sums, expected);
  for (const auto& [sums, expected] : {std::pair{20u, 64u}, {48u, 64u}, {56u, 72u}})
    check("sm_75", 75, sums, expected);
}

// Where nearly all registers of an occupancy hold something, loads of local memory take what is left, as an
// H200's times of such kernels have it (experiments/h200-timing/spaces4, attention).
TEST(NvRegisters, LoadsAreOnTheirWayInTheLastRegistersOfAnOccupancy) {
  constexpr u32 held = 138;
  std::string body =
      "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; "
      ".reg .f32 %q<140>; .reg .f32 %x<4>; mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; "
      "mov.f32 %f3, %f0; mov.u32 %r2, s; shl.b32 %r3, %r1, 4; add.u32 %r2, %r2, %r3; ";
  for (u32 i = 0; i < held; ++i) body += fmt::format("ld.global.f32 %q{}, [%rd1+{}]; ", i, 512 * i);
  body += "bar.sync 0; ";
  for (u32 i = 0; i < 16; ++i) {
    body += fmt::format("ld.shared.v4.f32 {{%x0, %x1, %x2, %x3}}, [%r2+{}]; ", 16 * i);
    for (u32 k = 0; k < 4; ++k) body += fmt::format("fma.rn.f32 %f{0}, %x{0}, %q{1}, %f{0}; ", k, 4 * i + k);
  }
  body += "bar.sync 0; add.f32 %f0, %f0, %f1; add.f32 %f2, %f2, %f3; add.f32 %f0, %f0, %f2; ";
  for (u32 i = 0; i < held; ++i) body += fmt::format("st.global.f32 [%rd1+{}], %q{}; ", 512 * i + 128, i);
  body += "st.global.f32 [%rd1], %f0;";
  const Lowered l = lower(body, "sm_90", {}, ".maxntid 64, 1, 1");
  u32 most = 0, now = 0;
  for (const LoweredInstruction& in : l.program.instructions) {
    if (in.opcode == LoweredOpcode::lds) most = std::max(most, ++now);
    if (in.opcode == LoweredOpcode::ffma) now = 0;
  }
  EXPECT_GE(most, 3u);
  EXPECT_LE(l.program.registers, 168u) << "twelve waves";
}

// Of groups whose size, or local memory, is known ptxas knows how many fit: its registers for loops as above.
TEST(NvRegisters, KnownGroupsHaveTheirOwnLevels) {
  const auto levels = [](Residency residency) {
    std::vector<u32> result;
    for (u32 registers = 1; registers <= 128; ++registers) {
      const u32 level = residency.level(registers);
      if (result.empty() || result.back() != level) result.push_back(level);
    }
    return result;
  };
  EXPECT_EQ(levels({90, 0, 0}), (std::vector<u32>{32, 40, 48, 56, 64, 72, 80, 96, 128}));
  EXPECT_EQ(levels({90, 8, 0}), (std::vector<u32>{32, 40, 48, 64, 80, 128}));
  EXPECT_EQ(levels({90, 32, 0}), (std::vector<u32>{32, 64, 255}));
  EXPECT_EQ(levels({90, 8, 49152}), (std::vector<u32>{64, 80, 128}));
  EXPECT_EQ(levels({90, 8, 32768}), (std::vector<u32>{40, 48, 64, 80, 128}));
  EXPECT_EQ(levels({90, 1, 0}).front(), 64u) << "32 groups at most";
  EXPECT_EQ(levels({86, 0, 0}).front(), 40u);
  EXPECT_EQ(levels({75, 0, 0}).front(), 64u);
}

}  // namespace
}  // namespace lockstep
