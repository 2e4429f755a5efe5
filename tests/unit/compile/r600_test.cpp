// What is read from and changed in LLVM's IR on the way to AMD's VLIW GPUs.
#include "compile/r600.h"

#include <gtest/gtest.h>

#include <sstream>

#include "compile/compile.h"

namespace lockstep {
namespace {

TEST(R600Notes, ParametersLieAsTheBackEndLaysThem) {
  const auto notes = parameter_notes(
      "%struct.S = type { i8, <4 x float>, i16, [14 x i8] }\n"
      "define i32 @helper(i32 %x) {\n"
      "define dso_local amdgpu_kernel void @k(i8 noundef signext %c, %struct.S %s, ptr addrspace(1) "
      "nocapture noundef align 4 %o, "
      "ptr addrspace(3) noundef align 16 %l, i64 noundef %n, <3 x i8> noundef %u) #0 !reqd_work_group_size "
      "!7 {\n"
      "!7 = !{i32 8, i32 4, i32 1}\n");
  ASSERT_TRUE(notes.ok());
  EXPECT_EQ(*notes,
            "//@lockstep kernel k\n"
            "//@lockstep parameter k value 0 1 1\n"
            "//@lockstep parameter k value 16 48 16\n"
            "//@lockstep parameter k global 64 4 4\n"
            "//@lockstep parameter k local 68 4 16\n"
            "//@lockstep parameter k value 72 8 8\n"
            "//@lockstep parameter k value 80 4 4\n"
            "//@lockstep required_group_size k 8 4 1\n");
  EXPECT_FALSE(parameter_notes("define amdgpu_kernel void @k(target(\"x\") %c) {\n").ok());
}

TEST(R600Module, FunctionsAreToBeInlined) {
  const std::string kernel = "define amdgpu_kernel void @k(i32 %x) #0 {\n";
  EXPECT_EQ(with_inlined_functions(kernel), kernel);
  EXPECT_EQ(with_inlined_functions("define internal i32 @f(i32 %x) local_unnamed_addr #1 {\n" + kernel +
                                   "attributes #1 = { noinline optnone nounwind }\n"),
            "define internal i32 @f(i32 %x) local_unnamed_addr alwaysinline #1 {\n" + kernel +
                "attributes #1 = { nounwind }\n");
}

TEST(R600Module, SignedLongsBecomeFloatsByTheirMagnitude) {
  const std::string narrow = "  %f = sitofp i32 %x to float\n";
  EXPECT_EQ(with_repaired_conversions(narrow), narrow);
  EXPECT_EQ(with_repaired_conversions("  %f = sitofp i64 %x to float, !dbg !3\n"),
            "  %lockstep.0.sign = ashr i64 %x, 63\n"
            "  %lockstep.0.sum = add i64 %x, %lockstep.0.sign\n"
            "  %lockstep.0.size = xor i64 %lockstep.0.sum, %lockstep.0.sign\n"
            "  %lockstep.0.plus = uitofp i64 %lockstep.0.size to float\n"
            "  %lockstep.0.minus = fneg float %lockstep.0.plus\n"
            "  %lockstep.0.below = icmp slt i64 %x, 0\n"
            "  %f = select i1 %lockstep.0.below, float %lockstep.0.minus, float %lockstep.0.plus, !dbg !3\n");
  EXPECT_NE(with_repaired_conversions("  %f = sitofp <2 x i64> %x to <2 x float>\n")
                .find("ashr <2 x i64> %x, <i64 63, i64 63>"),
            std::string::npos);
}

// Notes of variables among the instructions would end clauses and packets.
TEST(R600Compile, LinesChangeNoInstruction) {
  const auto operations = [](bool lines) {
    CompileRequest request;
    request.path = "k.cl";
    request.source =
        "__kernel void k(__global float4* x, float a) {\n  const int i = get_global_id(0);\n"
        "  float4 v = x[i];\n  for (int n = 0; n < 5; ++n) v = v * a + x[i + n];\n  x[i] = v;\n}\n";
    request.target = find_target("cypress");
    request.line_table = lines;
    request.use_cache = false;
    const auto compiled = compile(request);
    std::vector<std::string> found;
    if (!compiled.ok() || !compiled->ptx) {
      ADD_FAILURE() << (compiled.ok() ? "no text" : to_string(compiled.error()));
      return found;
    }
    std::istringstream text(compiled->ptx->ptx);
    for (std::string line; std::getline(text, line);) {
      line = line.substr(0, line.find(';'));
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string::npos || line[begin] == '.' || line.starts_with("//")) continue;
      found.push_back(line.substr(begin, line.find_last_not_of(" \t") + 1 - begin));
    }
    return found;
  };
  const auto with = operations(true);
  EXPECT_GT(with.size(), 10u);
  // All but labels in front of lines.
  EXPECT_EQ(with, operations(false));
}

}  // namespace
}  // namespace lockstep
