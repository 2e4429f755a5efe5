#include "compile/nvptx.h"

#include <gtest/gtest.h>

#include "compile/clang_options.h"

namespace lockstep {
namespace {

TEST(ArgumentNotes, ComeFromMetadataOrFromTheParametersThemselves) {
  const std::string module =
      "define dso_local spir_kernel void @scale(ptr addrspace(1) %0, <4 x i32> noundef %1) #0 "
      "!kernel_arg_type !7 "
      "!kernel_arg_name !6 {\n}\n"
      "define internal float @helper(float %x) {\n}\n"
      "define dso_local void @_Z3sumPKd(ptr nocapture noundef readonly %x, ptr byval({ i32, double }) align "
      "8 %\"a b\", i32 "
      "%0, <2 x float> %v.coerce) {\n}\n"
      "!1 = !{ptr @scale, !\"kernel\", i32 1}\n"
      "!2 = !{ptr @_Z3sumPKd, !\"kernel\", i32 1}\n"
      "!6 = !{!\"x\", !\"by\"}\n"
      "!7 = !{!\"float*\", !\"unsigned int __attribute__((ext_vector_type(4)))\"}\n";
  EXPECT_EQ(argument_notes(module),
            "//@lockstep argument scale x float*\n"
            "//@lockstep argument scale by unsigned int __attribute__((ext_vector_type(4)))\n"
            "//@lockstep argument _Z3sumPKd x\n"
            "//@lockstep argument _Z3sumPKd parameter1\n"
            "//@lockstep argument _Z3sumPKd parameter2\n"
            "//@lockstep argument _Z3sumPKd v\n");
}

TEST(ClangOptions, OfHipAndCuda) {
  CompileRequest request;
  request.path = "k.hip";
  request.target = find_target("gfx900");
  request.options = {"-ffast-math"};
  const auto options = clang_options(request, SourceLanguage::hip);
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->finite_math);
  EXPECT_TRUE(options->unsafe_math);
  EXPECT_TRUE(options->correctly_rounded_divide_sqrt);
  for (const std::string& word : options->arguments) EXPECT_FALSE(word.starts_with("-cl")) << word;
  for (const char* refused : {"--offload-arch=gfx906", "-fgpu-rdc", "--cuda-gpu-arch=sm_70"}) {
    request.options = {refused};
    EXPECT_EQ(clang_options(request, SourceLanguage::hip).error().code, "bad-option") << refused;
  }
}

}  // namespace
}  // namespace lockstep
