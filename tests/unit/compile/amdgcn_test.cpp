#include "compile/amdgcn.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Amdgcn, CompilesOpenClToListingAndElf) {
  CompileRequest request;
  request.path = "memory.cl";
  request.source = "__kernel void f(__global float* p) { int i = get_global_id(0);\n p[i] = sin(p[i]); }";
  request.target = find_target("gfx900");
  for (const u32 level : {0u, 1u, 2u, 3u}) {
    request.optimisation = level;
    auto made = compile_amdgcn(request, SourceLanguage::opencl_c, *request.source);
    ASSERT_TRUE(made.ok()) << to_string(made.error());
    EXPECT_GT(made->listing.lines.size(), 30u);
    ASSERT_FALSE(made->listing.functions.empty());
    EXPECT_EQ(made->listing.files.at(made->listing.lines[5].file), "memory.cl");
  }
}

}  // namespace
}  // namespace lockstep
