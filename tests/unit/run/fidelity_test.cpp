// What is exact, approximated and unknown in compiled programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "machine/target.h"
#include "run/loader.h"

namespace lockstep {
namespace {

Expected<InspectedProgram> inspect_text(const std::string& path, const std::string& text,
                                        const char* target) {
  CompileRequest request;
  request.path = path;
  request.source = text;
  request.target = find_target(target);
  return inspect_program(request);
}

// The source lines with an instruction of a bound.
std::vector<u32> approximated_lines(const InspectedProgram& program) {
  std::vector<u32> lines;
  for (const InspectedFunction& function : program.inspection.functions)
    for (const InspectedInstruction& instruction : function.instructions)
      for (const Semantic* meaning : instruction.meanings)
        if (!meaning->bound.empty()) lines.push_back(instruction.line);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

// Additions are exact by IEEE 754 everywhere; native_exp2 is one instruction, with a bound on AMD and known
// to the bit on NVIDIA.
TEST(InspectProgram, FindsTheApproximationsLine) {
  const std::string text =
      "__kernel void k(__global float* x) {\n"
      "  const int i = get_global_id(0);\n"
      "  float y = x[i] + 1.0f;\n"
      "  y = native_exp2(y);\n"
      "  x[i] = y * 3.0f;\n"
      "}\n";
  for (const char* target : {"gfx600", "gfx701", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100",
                             "gfx1201", "sm_20", "sm_52", "sm_70", "sm_90"}) {
    const Expected<InspectedProgram> program = inspect_text("k.cl", text, target);
    ASSERT_TRUE(program.ok()) << target << ": " << to_string(program.error());
    const bool known = std::string_view(target).starts_with("sm_");
    EXPECT_EQ(approximated_lines(*program), known ? std::vector<u32>{} : std::vector<u32>{4}) << target;
    for (const InspectedFunction& function : program->inspection.functions)
      for (const InspectedInstruction& instruction : function.instructions)
        EXPECT_EQ(instruction.problem, "") << target << ": " << instruction.text;
  }
}

TEST(InspectProgram, GoesOnBehindAnUnknownInstruction) {
  const std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k() {\n"
      "  .reg .b32 %r<3>;\n"
      "  add.s32 %r1, %r1, 1;\n"
      "  wgmma.fence.sync.aligned;\n"
      "  add.s32 %r2, %r1, 1;\n"
      "  ret;\n}\n";
  const Expected<InspectedProgram> program = inspect_text("k.ptx", text, "sm_90");
  ASSERT_TRUE(program.ok()) << to_string(program.error());
  ASSERT_EQ(program->inspection.functions.size(), 1u);
  const auto& instructions = program->inspection.functions[0].instructions;
  ASSERT_EQ(instructions.size(), 4u);
  EXPECT_FALSE(instructions[0].meanings.empty());
  EXPECT_TRUE(instructions[1].meanings.empty());
  EXPECT_NE(instructions[1].problem.find("wgmma"), std::string::npos);
  EXPECT_EQ(instructions[1].line, 7u);
  EXPECT_FALSE(instructions[2].meanings.empty());
  EXPECT_FALSE(instructions[3].meanings.empty());
}

}  // namespace
}  // namespace lockstep
