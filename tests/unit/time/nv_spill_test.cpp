// Kernels whose text leaves them fewer registers than they need.
#include <fmt/format.h>

#include <set>

#include "nv_lower_support.h"
#include "time/program/nv/text.h"

namespace lockstep {
namespace {

// Sums over a loop, more than the registers hold, each of its own load.
std::string sums_in_loop(u32 sums) {
  std::string body = fmt::format(
      ".reg .f32 %s<{0}>; .reg .f32 %v<{0}>;\nld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\n"
      "ld.param.u32 %r2, [n];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
      "add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\nmov.u32 %r3, 0;\n",
      sums);
  for (u32 s = 0; s < sums; ++s) body += fmt::format("ld.global.f32 %s{}, [%rd2+{}];\n", s, 512 * s);
  body += "top:\n";
  for (u32 s = 0; s < sums; ++s)
    body +=
        fmt::format("ld.global.f32 %v{0}, [%rd1+{1}];\nfma.rn.f32 %s{0}, %v{0}, %v{0}, %s{0};\n", s, 512 * s);
  body += "add.s64 %rd1, %rd1, 65536;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 bra top;\n";
  for (u32 s = 0; s < sums; ++s) body += fmt::format("st.global.f32 [%rd2+{}], %s{};\n", 512 * s, s);
  return body;
}

Lowered lowered_with(const std::string& directives, u32 sums, const char* target = "sm_90") {
  return lower(sums_in_loop(sums), target, {}, directives);
}

TEST(NvSpill, ThereIsNoneWhereAllFits) {
  for (const char* directives : {"", ".maxntid 128", ".maxntid 128\n.minnctapersm 4", ".maxnreg 128"}) {
    const LoweredProgram program = lowered_with(directives, 60).program;
    EXPECT_EQ(program.spilled_bytes, 0u) << directives;
    EXPECT_EQ(opcodes(program)["STL"], 0) << directives;
    EXPECT_GT(program.registers, 60u) << directives;
  }
}

TEST(NvSpill, RegistersAreNoMoreThanTheTextLeaves) {
  struct Case {
    const char* directives;
    u32 registers;
  };
  for (const Case& one :
       {Case{".maxnreg 40", 40}, Case{".maxnreg 64", 64}, Case{".maxntid 128\n.minnctapersm 12", 40},
        Case{".maxntid 128\n.minnctapersm 8", 64}}) {
    const LoweredProgram program = lowered_with(one.directives, 100).program;
    EXPECT_LE(program.registers, one.registers) << one.directives;
    EXPECT_GE(program.registers, one.registers - 8) << one.directives;
    // Each sum beyond the registers has a word of its own.
    EXPECT_GE(program.spilled_bytes, 4 * (100 - one.registers)) << one.directives;
    EXPECT_LE(program.spilled_bytes, 4u * 100) << one.directives;
  }
}

TEST(NvSpill, WhatIsLoadedHasBeenStored) {
  const LoweredProgram program = lowered_with(".maxnreg 40", 100).program;
  std::set<u32> stored, loaded;
  for (const LoweredInstruction& in : program.instructions) {
    if (in.spill_word == LoweredInstruction::no_word) continue;
    const bool stores = in.opcode == LoweredOpcode::stl;
    EXPECT_TRUE(stores || in.opcode == LoweredOpcode::ldl);
    const LoweredOperand& data = stores ? in.source[1] : in.destination[0];
    for (u32 k = 0; k < data.width; ++k) {
      (stores ? stored : loaded).insert(in.spill_word + k);
      EXPECT_LT(4 * (in.spill_word + k), program.spilled_bytes);
    }
  }
  EXPECT_GE(stored.size(), 60u);
  for (const u32 word : loaded) EXPECT_TRUE(stored.contains(word)) << word;
}

TEST(NvSpill, ItsTextReadsBack) {
  const LoweredProgram program = lowered_with(".maxnreg 40", 60).program;
  const auto read = read_lowered(print_lowered(program), "k");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(*read, program);
}

// More values at once than a work-item has registers at all.
TEST(NvSpill, SoDoesWhatNoWorkItemHolds) {
  const LoweredProgram program = lowered_with("", 300).program;
  EXPECT_LE(program.registers, 255u);
  EXPECT_GT(program.spilled_bytes, 4u * (300 - 255));
}

}  // namespace
}  // namespace lockstep
