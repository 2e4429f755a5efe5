// Functions of HIP's and CUDA's headers, whose results follow from their definitions: bytes, lanes that
// match, bfloat16.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "functional_launch.h"

namespace lockstep {
namespace {

CompileRequest program(SourceLanguage language, const std::string& source, const std::string& target) {
  CompileRequest request;
  request.path = language == SourceLanguage::hip ? "kernel.hip" : "kernel.cu";
  request.source = source;
  request.language = language;
  request.target = find_target(target);
  return request;
}

// Of each nibble of the selector three bits count: prmt's fourth, which asks for a sign, does not.
TEST(BytePermutation, TakesThreeBitsOfEachNibble) {
  const char* source = R"(
__global__ void k(unsigned* out, unsigned x, unsigned y, unsigned select) {
  out[0] = __byte_perm(x, y, select);
  out[1] = __byte_perm(x, y, 0xBA98);
  out[2] = __byte_perm(x, y, 0x7F02);
}
)";
  for (const char* target : {"gfx803", "gfx1100", "sm_20", "sm_70"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(program(SourceLanguage::cuda, source, target));
    ASSERT_TRUE(launch.loaded());
    const u64 out = launch.buffer(std::vector<u32>(3));
    launch.pass(out), launch.pass_value(u32{0x83C2F1A0}), launch.pass_value(u32{0x97D6B5E4});
    launch.pass_value(u32{0xFFFF'DC0F});
    ASSERT_TRUE(launch.run("k", 1, 1));
    EXPECT_EQ(launch.read<u32>(out, 3), (std::vector<u32>{0xB5E4A097, 0x83C2F1A0, 0x9797A0C2}));
  }
}

}  // namespace
}  // namespace lockstep
