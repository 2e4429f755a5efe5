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
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, source, target));
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
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, source, target));
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
    const auto refused = load_program(gpu_cxx_source(SourceLanguage::cuda, call, target));
    ASSERT_FALSE(refused.ok()) << target;
    EXPECT_NE(to_string(refused.error()).find("kernel.cu:2:10: error: '__vadd4"), std::string::npos)
        << to_string(refused.error());
    EXPECT_NE(to_string(refused.error()).find("write it with the bytes"), std::string::npos);
  }
  EXPECT_TRUE(load_program(gpu_cxx_source(SourceLanguage::hip, own + call, "gfx900")).ok());
}

// The bfloat16 that lies nearest, of two the even one: what is left of a number that is a multiple of its
// last bit.
u16 nearest_bfloat(double x) {
  if (std::isnan(x)) return 0x7FFF;
  if (x == 0 || std::isinf(x)) return static_cast<u16>(std::bit_cast<u32>(static_cast<float>(x)) >> 16);
  const int last = std::max(std::ilogb(x), -126) - 7;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
  return static_cast<u16>(std::bit_cast<u32>(static_cast<float>(rounded)) >> 16);
}

double value_of(u16 bits) {
  return std::bit_cast<float>(u32{bits} << 16);
}

// The exact sum and product as a double whose last bit says whether something is left.
double fused(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - product, rest = (product - (sum - part)) + (c - part);
  if (rest == 0 || (std::bit_cast<u64>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, rest > 0 ? INFINITY : -INFINITY);
}

constexpr const char* bfloats = R"(
static __device__ unsigned short bits(BF x) { return __builtin_bit_cast(unsigned short, x); }
__global__ void k(const BF* as, const BF* bs, const float* floats, const double* doubles, const int* ints,
                  unsigned short* out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const BF a = as[i], b = bs[i], c = as[(i * 7 + 3) % (int)(gridDim.x * blockDim.x)];
  unsigned short* mine = out + 16 * i;
  mine[0] = bits(a + b);
  mine[1] = bits(__hsub(a, b));
  mine[2] = bits(a * b);
  mine[3] = bits(__hdiv(a, b));
  mine[4] = bits(__hfma(a, b, c));
  mine[5] = bits(__hmax(a, b));
  mine[6] = bits(__hmin(a, b));
  mine[7] = bits(__hneg(a));
  mine[8] = bits(__habs(a));
  mine[9] = __heq(a, b) | __hlt(a, b) << 1 | __hgt(a, b) << 2 | __hle(a, b) << 3 | __hge(a, b) << 4 |
            __hisnan(a) << 5 | (a < b) << 6;
  mine[10] = bits(__float2bfloat16(floats[i]));
  mine[11] = bits(BF(doubles[i]));
  mine[12] = bits(BF(ints[i]));
  mine[13] = __builtin_bit_cast(unsigned, __bfloat162float(a)) >> 16;
  mine[14] = bits(__high2bfloat16(__hadd2(__halves2bfloat162(b, a), __floats2bfloat162_rn(1.0f, floats[i]))));
  BF sum = b;
  sum += a;
  mine[15] = bits(sum);
}
)";

void check_bfloats(SourceLanguage language, const std::string& prefix, const char* target, bool fused_once) {
  SCOPED_TRACE(target);
  // Zeros, subnormal and the least normal numbers, ones, what rounds up to even, the largest, infinities,
  // NaN.
  std::vector<u16> special;
  for (const u32 bits : {0x0000u, 0x0001u, 0x007Fu, 0x0080u, 0x3B80u, 0x3F7Fu, 0x3F80u, 0x3F81u, 0x4000u,
                         0x4049u, 0x4380u, 0x7E00u, 0x7F7Fu, 0x7F80u, 0x7FC0u, 0x7FFFu})
    special.insert(special.end(), {static_cast<u16>(bits), static_cast<u16>(bits | 0x8000)});
  constexpr u32 items = 2048, local = 64;
  std::mt19937_64 random(8);
  std::vector<u16> a(items), b(items);
  std::vector<float> floats(items);
  std::vector<double> doubles(items);
  std::vector<i32> ints(items);
  for (u32 i = 0; i < items; ++i) {
    const bool both = i < special.size() * special.size();
    a[i] = both ? special[i / 32] : static_cast<u16>(random());
    // Of the same magnitude, so that sums have bits to round.
    b[i] = both ? special[i % 32] : static_cast<u16>(a[i] ^ (random() & 0x83FF));
    // Ties and their neighbours.
    const u32 beside = u32{a[i]} << 16 | 0x8000;
    floats[i] = std::bit_cast<float>(beside + static_cast<u32>(random() % 3) - 1);
    doubles[i] = value_of(a[i]) * (1 + 0x1p-8 + (static_cast<double>(random() % 3) - 1) * 0x1p-40);
    ints[i] = static_cast<i32>(random()) >> (random() % 31);
    if (i % 4 == 0) ints[i] = static_cast<i32>((0x101u << 22) + random() % 3 - 1);
  }
  FunctionalLaunch launch(gpu_cxx_source(language, prefix + bfloats, target));
  ASSERT_TRUE(launch.loaded());
  const u64 out = launch.buffer(std::vector<u16>(16 * items));
  for (const u64 buffer : {launch.buffer(a), launch.buffer(b), launch.buffer(floats), launch.buffer(doubles),
                           launch.buffer(ints), out})
    launch.pass(buffer);
  ASSERT_TRUE(launch.run("k", items, local));
  const std::vector<u16> got = launch.read<u16>(out, 16 * items);
  for (u32 i = 0; i < items; ++i) {
    const double x = value_of(a[i]), y = value_of(b[i]), z = value_of(a[(i * 7 + 3) % items]);
    const double fused_twice = std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    // Zeros are ordered, and a number wins against NaN.
    const double most = std::isnan(x) ? y : std::isnan(y) || x > y || (x == y && !std::signbit(x)) ? x : y;
    const double least = std::isnan(x) ? y : std::isnan(y) || x < y || (x == y && std::signbit(x)) ? x : y;
    const u32 flags = (x == y ? 1 : 0) | (x < y ? 66 : 0) | (x > y ? 4 : 0) | (x <= y ? 8 : 0) |
                      (x >= y ? 16 : 0) | (std::isnan(x) ? 32 : 0);
    const u16 other = nearest_bfloat(floats[i]);
    const u16 expected[16] = {nearest_bfloat(x + y),
                              nearest_bfloat(x - y),
                              nearest_bfloat(x * y),
                              nearest_bfloat(x / y),
                              nearest_bfloat(fused_once ? fused(x, y, z) : static_cast<float>(fused_twice)),
                              nearest_bfloat(most),
                              nearest_bfloat(least),
                              nearest_bfloat(-x),
                              nearest_bfloat(std::fabs(x)),
                              static_cast<u16>(flags),
                              other,
                              nearest_bfloat(doubles[i]),
                              nearest_bfloat(ints[i]),
                              a[i],
                              nearest_bfloat(x + value_of(other)),
                              nearest_bfloat(x + y)};
    for (u32 n = 0; n < 16; ++n) {
      const u16 have = got[16 * i + n];
      const bool both_nan = n != 9 && std::isnan(value_of(have)) && std::isnan(value_of(expected[n]));
      EXPECT_TRUE(both_nan || have == expected[n])
          << n << " of " << std::hex << a[i] << " and " << b[i] << ": " << have << ", not " << expected[n];
    }
    if (::testing::Test::HasFailure() && i > 64) return;
  }
}

TEST(Bfloats, OfHip) {
  const std::string prefix = "#include <hip/hip_bf16.h>\ntypedef __hip_bfloat16 BF;\n";
  for (const char* target : {"gfx900", "gfx1100"}) check_bfloats(SourceLanguage::hip, prefix, target, false);
}
TEST(Bfloats, OfCuda) {
  const std::string prefix = "#include <cuda_bf16.h>\ntypedef __nv_bfloat16 BF;\n";
  check_bfloats(SourceLanguage::cuda, prefix, "sm_70", false);
  check_bfloats(SourceLanguage::cuda, prefix, "sm_90", true);
}

}  // namespace
}  // namespace lockstep
