// Loops' branches as the hardware has them: turned round where PTX leaves in the middle, and with their test
// in time.
#include "machine/machine.h"
#include "nv_lower_support.h"
#include "time/program/nv/timed_program.h"

namespace lockstep {
namespace {

// Eight independent multiply-adds a turn, then the counter; `leave` and `again` are the loop's end.
std::string loop(const std::string& end) {
  std::string text = std::string(indexed) + "ld.param.u32 %r5, [n];\n";
  for (int i = 0; i < 8; ++i) text += "mov.f32 %f" + std::to_string(i) + ", 0f3F800000;\n";
  text += "BEGIN:\n.pragma \"nounroll\";\n";
  for (int i = 0; i < 8; ++i) {
    const std::string f = "%f" + std::to_string(i);
    text += "fma.rn.f32 " + f + ", " + f + ", " + f + ", " + f + ";\n";
  }
  text += "add.s32 %r5, %r5, -1;\n" + end + "OUT:\n";
  for (int i = 1; i < 8; ++i) text += "add.f32 %f0, %f0, %f" + std::to_string(i) + ";\n";
  return text + "st.global.f32 [%rd6], %f0;";
}

// The index of the branch that ends the region of the loop's multiply-adds.
u32 loop_branch(const LoweredProgram& program) {
  for (u32 i = 1; i < program.instructions.size(); ++i) {
    if (program.instructions[i].opcode == LoweredOpcode::bra &&
        program.instructions[i - 1].opcode == LoweredOpcode::ffma)
      return i;
  }
  ADD_FAILURE() << "no loop's branch behind a multiply-add";
  return 0;
}

TEST(NvBranches, ALoopThatIsLeftInTheMiddleBranchesToItsBegin) {
  const Lowered middle = lower(loop("setp.eq.s32 %p1, %r5, 0;\n@%p1 bra OUT;\nbra BEGIN;\n"), "sm_90");
  const Lowered end = lower(loop("setp.ne.s32 %p1, %r5, 0;\n@%p1 bra BEGIN;\n"), "sm_90");
  const u32 at = loop_branch(middle.program), same = loop_branch(end.program);
  const LoweredInstruction& branch = middle.program.instructions[at];
  // The loop's own region, under the opposite guard.
  const LoweredRegion& region = middle.program.regions[branch.source[0].index];
  EXPECT_LE(region.begin, at);
  EXPECT_GT(region.end, at);
  EXPECT_EQ(branch.guard.modifiers & LoweredOperand::complement, LoweredOperand::complement);
  EXPECT_EQ(end.program.instructions[same].guard.modifiers & LoweredOperand::complement, 0);
  EXPECT_EQ(middle.program.instructions.size(), end.program.instructions.size());
  // It is taken where PTX's is not.
  const auto machine = load_machine(machine_directory(), "h200");
  ASSERT_TRUE(machine.ok());
  const auto argument = [&](const Lowered& of, u32 i) {
    const auto timed = timed_program_nv(*machine, of.module->code.instructions, of.program, 0);
    EXPECT_TRUE(timed.ok());
    return timed.ok() ? timed->ops[i].argument : 99;
  };
  EXPECT_EQ(argument(middle, at), 1);
  EXPECT_EQ(argument(end, same), 0);
}

// As ptxas of CUDA 13 has them: the counter first, the test behind some of the multiply-adds, the others up
// to the branch, 13 cycles behind the test.
TEST(NvBranches, ATestStandsInTimeForItsBranch) {
  for (const char* target : {"sm_75", "sm_80", "sm_90"}) {
    const LoweredProgram program = lower(loop("setp.ne.s32 %p1, %r5, 0;\n@%p1 bra BEGIN;\n"), target).program;
    const u32 at = loop_branch(program);
    u32 test = at, cycles = 0, between = 0;
    while (test > 0 && program.instructions[test].opcode != LoweredOpcode::isetp) {
      --test;
      cycles += program.instructions[test].control.stall;
      ++between;
    }
    EXPECT_GE(between, 4u) << target;
    EXPECT_GE(cycles, 12u) << target;
    EXPECT_LE(cycles, 14u) << target;
  }
}

}  // namespace
}  // namespace lockstep
