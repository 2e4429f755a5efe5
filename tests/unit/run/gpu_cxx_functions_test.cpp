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

// Lane i's value is i % 5, and as a double a number of its own for each pair of lanes; then lanes 3, 5, 6, 7
// alone.
TEST(Matching, OfLanes) {
  const char* source = R"(
__global__ void k(unsigned long long* out, unsigned long long members) {
  const unsigned i = threadIdx.x;
  int same = -1;
  out[8 * i] = __match_any_sync(members, i % 5);
  out[8 * i + 1] = __match_any_sync(members, (i / 2) * 1e100);
  out[8 * i + 2] = __match_all_sync(members, i % 5, &same);
  out[8 * i + 3] = same;
  out[8 * i + 4] = __match_all_sync(members, 7ll << 40, &same);
  out[8 * i + 5] = same;
  if (i == 3 || i == 5 || i == 6 || i == 7) {
    out[8 * i + 6] = __match_any_sync(0xE8, i % 2);
    out[8 * i + 7] = __match_all_sync(0xE8, i / 8, &same);
  }
}
)";
  for (const char* target : {"gfx701", "gfx900", "gfx942", "gfx1030", "gfx1201", "sm_70", "sm_90"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(program(SourceLanguage::cuda, source, target));
    ASSERT_TRUE(launch.loaded());
    const u32 lanes = launch.module().programs[0].needs.wave_lanes;
    const u64 all = lanes == 64 ? ~u64{0} : (u64{1} << lanes) - 1;
    const u64 out = launch.buffer(std::vector<u64>(8 * lanes));
    launch.pass(out), launch.pass_value(all);
    ASSERT_TRUE(launch.run("k", lanes, lanes));
    const std::vector<u64> got = launch.read<u64>(out, 8 * lanes);
    for (u32 i = 0; i < lanes; ++i) {
      u64 fifths = 0;
      for (u32 other = i % 5; other < lanes; other += 5) fifths |= u64{1} << other;
      const bool alone = i == 3 || (i >= 5 && i < 8);
      const u64 expected[8] = {fifths,
                               u64{3} << (i & ~1u),
                               0,
                               0,
                               all,
                               1,
                               alone ? (i == 6 ? 0x40u : 0xA8u) : 0u,
                               alone ? 0xE8u : 0u};
      for (u32 n = 0; n < 8; ++n) EXPECT_EQ(got[8 * i + n], expected[n]) << "lane " << i << ", " << n;
    }
  }
}

TEST(WordsOfParts, AreRefusedWithTheirLine) {
  const std::string call = "__global__ void k(unsigned* x) {\n  x[0] = __vadd4(x[1], x[2]);\n}\n";
  const std::string own =
      "static __device__ inline unsigned int __vadd4(unsigned int a, unsigned int b) { return a + b; }\n";
  for (const char* target : {"gfx900", "sm_70"}) {
    const auto refused = load_program(program(SourceLanguage::cuda, call, target));
    ASSERT_FALSE(refused.ok()) << target;
    EXPECT_NE(to_string(refused.error()).find("kernel.cu:2:10: error: '__vadd4"), std::string::npos)
        << to_string(refused.error());
    EXPECT_NE(to_string(refused.error()).find("write it with the bytes"), std::string::npos);
  }
  EXPECT_TRUE(load_program(program(SourceLanguage::hip, own + call, "gfx900")).ok());
}

}  // namespace
}  // namespace lockstep
