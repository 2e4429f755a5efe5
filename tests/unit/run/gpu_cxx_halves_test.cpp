// Of HIP's and CUDA's headers: conversions of halves and floats that round to one side, against values from
// exact arithmetic here; extrema of zeros; atomic sums of halves; cooperative groups; what is refused, and
// with which line.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "functional_launch.h"

namespace lockstep {
namespace {

// A half's bits as a number, and the half on the wanted side of a number: bits count from zero to infinity.
double value_of_half(u32 bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double mantissa = bits & 0x3FF;
  const double magnitude = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                           : exponent == 0 ? std::ldexp(mantissa, -24)
                                           : std::ldexp(mantissa + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
u16 half_towards(double x, double side) {
  const double magnitude = std::fabs(x);
  u32 below = 0;  // the largest that is no larger
  for (u32 bit = 0x4000; bit != 0; bit >>= 1)
    if ((below | bit) <= 0x7C00 && value_of_half(below | bit) <= magnitude) below |= bit;
  const bool negative = std::signbit(x);
  const bool outwards = side != 0 && (side > 0) != negative && value_of_half(below) < magnitude;
  return static_cast<u16>(below + (outwards ? 1 : 0) + (negative ? 0x8000 : 0));
}

constexpr const char* conversions = R"(
static __device__ unsigned short bits(__half x) { return __half_as_ushort(x); }
__global__ void k(const float* floats, const int* ints, unsigned short* out, int* whole) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned short* mine = out + 8 * i;
  mine[0] = bits(__float2half_rz(floats[i]));
  mine[1] = bits(__float2half_ru(floats[i]));
  mine[2] = bits(__float2half_rd(floats[i]));
  mine[3] = bits(__int2half_rz(ints[i]));
  mine[4] = bits(__int2half_ru(ints[i]));
  mine[5] = bits(__int2half_rd(ints[i]));
  mine[6] = bits(__hmax(__half(0.0f) * __half(floats[i] < 0 ? -1 : 1), -__half(0.0f)));
  mine[7] = bits(__hmin(__half(0.0f), __half(0.0f) * __half(floats[i] < 0 ? -1 : 1)));
  const __half half = __float2half_rz(floats[i]);
  whole[4 * i] = __half2short_rz(half);
  whole[4 * i + 1] = __half2int_ru(half);
  whole[4 * i + 2] = __half2uint_rd(half);
  whole[4 * i + 3] = __float_as_int(__int2float_rz(ints[i]));
}
)";

void check_conversions(SourceLanguage language, const std::string& prefix, const char* target) {
  SCOPED_TRACE(target);
  constexpr u32 items = 1024;
  std::mt19937_64 random(3);
  std::vector<float> floats(items);
  std::vector<i32> ints(items);
  for (u32 i = 0; i < items; ++i) {
    // Halves, what lies between two, and their neighbours; then magnitudes that halves do not have.
    const u32 half = static_cast<u32>(random()) & 0xFBFF;
    const double between = (value_of_half(half) + value_of_half(half + 1)) / 2;
    floats[i] = static_cast<float>(i % 2 == 0 ? value_of_half(half) : between);
    if (i % 3 != 0) floats[i] = std::nextafter(floats[i], i % 3 == 1 ? INFINITY : -INFINITY);
    if (i % 16 == 0) floats[i] = std::ldexp(floats[i] + 1, static_cast<int>(random() % 60) - 40);
    ints[i] = static_cast<i32>(random()) >> (random() % 31);
  }
  floats[0] = 65519.0f, floats[1] = -1e30f, floats[2] = 1e-30f, floats[3] = -1e-30f, floats[4] = INFINITY;
  FunctionalLaunch launch(gpu_cxx_source(language, prefix + conversions, target));
  ASSERT_TRUE(launch.loaded());
  const u64 out = launch.buffer(std::vector<u16>(8 * items)),
            whole = launch.buffer(std::vector<i32>(4 * items));
  launch.pass(launch.buffer(floats)), launch.pass(launch.buffer(ints)), launch.pass(out), launch.pass(whole);
  ASSERT_TRUE(launch.run("k", items, 64));
  const std::vector<u16> got = launch.read<u16>(out, 8 * items);
  const std::vector<i32> integers = launch.read<i32>(whole, 4 * items);
  for (u32 i = 0; i < items && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(floats[i]);
    SCOPED_TRACE(ints[i]);
    const double x = floats[i], n = ints[i];
    // To zero nothing becomes infinite that is not.
    const auto to_zero = [](double v) {
      return half_towards(std::isinf(v) ? v : std::clamp(v, -65504.0, 65504.0), 0);
    };
    EXPECT_EQ(got[8 * i], to_zero(x));
    EXPECT_EQ(got[8 * i + 1],
              x < -65504 && !std::isinf(x)
                  ? 0xFBFF
                  : half_towards(std::min(x, 65505.0), std::isinf(x) ? 0 : 1) + (x == INFINITY ? 1 : 0));
    EXPECT_EQ(got[8 * i + 2], x > 65504 && !std::isinf(x)
                                  ? 0x7BFF
                                  : half_towards(std::max(x, -65505.0), x == INFINITY ? 0 : -1));
    EXPECT_EQ(got[8 * i + 3], to_zero(n));
    EXPECT_EQ(got[8 * i + 4], n < -65504 ? 0xFBFF : half_towards(std::min(n, 65505.0), 1));
    EXPECT_EQ(got[8 * i + 5], n > 65504 ? 0x7BFF : half_towards(std::max(n, -65505.0), -1));
    EXPECT_EQ(got[8 * i + 6], floats[i] < 0 ? 0x8000 : 0);
    EXPECT_EQ(got[8 * i + 7], floats[i] < 0 ? 0x8000 : 0);
    const double half = value_of_half(got[8 * i]);
    EXPECT_EQ(integers[4 * i], static_cast<i32>(std::clamp(std::trunc(half), -32768.0, 32767.0)));
    if (!std::isinf(half)) {
      EXPECT_EQ(integers[4 * i + 1], static_cast<i32>(std::ceil(half)));
      EXPECT_EQ(static_cast<u32>(integers[4 * i + 2]), static_cast<u32>(std::max(std::floor(half), 0.0)));
    }
    const i64 magnitude = std::abs(i64{ints[i]});
    const int spare = std::max(0, static_cast<int>(std::bit_width(static_cast<u64>(magnitude))) - 24);
    const float rounded = static_cast<float>(magnitude >> spare << spare);
    EXPECT_EQ(std::bit_cast<float>(integers[4 * i + 3]), ints[i] < 0 ? -rounded : rounded);
  }
}

TEST(Halves, ConvertToTheSideThatTheNameSays) {
  check_conversions(SourceLanguage::cuda, "#include <cuda_fp16.h>\n", "sm_35");
  check_conversions(SourceLanguage::cuda, "#include <cuda_fp16.h>\n", "sm_90");
  for (const char* target : {"gfx900", "gfx1100"})
    check_conversions(SourceLanguage::hip, "#include <hip/hip_fp16.h>\n", target);
}

// Sums of 64 ones, twos and so on, at halves of one word.
TEST(Halves, AreAddedAtomically) {
  const char* source = R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(__half* halves, __nv_bfloat16* others) {
  atomicAdd(halves + 1 + (threadIdx.x & 1), __half(1.0f));
  atomicAdd((__half2*)halves + 2, __half2(0.5f, 2.0f));
  atomicAdd(others + 1, __nv_bfloat16(2.0f));
  atomicAdd((__nv_bfloat162*)others + 1, __nv_bfloat162(1.0f, -1.0f));
}
)";
  for (const char* target : {"sm_20", "sm_60", "sm_70", "sm_90", "gfx803", "gfx942", "gfx1030"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, source, target));
    ASSERT_TRUE(launch.loaded());
    const u64 halves = launch.buffer(std::vector<u16>(6)), others = launch.buffer(std::vector<u16>(4));
    launch.pass(halves), launch.pass(others);
    ASSERT_TRUE(launch.run("k", 64, 64));
    EXPECT_EQ(launch.read<u16>(halves, 6), (std::vector<u16>{0, 0x5000, 0x5000, 0, 0x5000, 0x5800}));
    EXPECT_EQ(launch.read<u16>(others, 4), (std::vector<u16>{0, 0x4300, 0x4280, 0xC280}));
  }
}

TEST(CooperativeGroups, TilesAndLanesThatAreTogether) {
  const char* source = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const cg::thread_block_tile<8> small = cg::tiled_partition<8>(tile);
  const int i = (int)block.thread_rank();
  int* mine = out + 8 * i;
  mine[0] = cg::reduce(tile, i, cg::plus<int>());
  mine[1] = small.shfl_down(i, 2);
  mine[2] = (int)small.ballot(i % 3 == 0);
  mine[3] = (int)(tile.meta_group_rank() * 100 + tile.thread_rank());
  mine[4] = cg::inclusive_scan(small, i);
  if (i % 3 == 1) {
    const auto together = cg::coalesced_threads();
    mine[5] = (int)together.thread_rank();
    mine[6] = together.shfl(i, 2);
    mine[7] = cg::reduce(together, i, cg::greater<int>());
  }
}
)";
  for (const char* target : {"gfx900", "gfx1100", "sm_35", "sm_90"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, source, target));
    ASSERT_TRUE(launch.loaded());
    const u64 out = launch.buffer(std::vector<i32>(64 * 8));
    launch.pass(out);
    ASSERT_TRUE(launch.run("k", 64, 64));
    const std::vector<i32> got = launch.read<i32>(out, 64 * 8);
    const i32 wave = static_cast<i32>(launch.module().programs[0].needs.wave_lanes);
    for (i32 i = 0; i < 64; ++i) {
      const i32 eight = i & ~7, sixteen = i & ~15;
      i32 ballot = 0, sum = 0;
      for (i32 n = 0; n < 8; ++n) ballot |= (eight + n) % 3 == 0 ? 1 << n : 0;
      for (i32 n = eight; n <= i; ++n) sum += n;
      std::vector<i32> together;
      for (i32 n = i / wave * wave; n < (i / wave + 1) * wave; ++n)
        if (n % 3 == 1) together.push_back(n);
      const bool in = i % 3 == 1;
      const i32 rank =
          static_cast<i32>(std::count_if(together.begin(), together.end(), [&](i32 n) { return n < i; }));
      const i32 expected[8] = {16 * sixteen + 120,
                               i % 8 < 6 ? i + 2 : i,
                               ballot,
                               sixteen / 16 * 100 + i % 16,
                               sum,
                               in ? rank : 0,
                               in ? together[2] : 0,
                               in ? together.back() : 0};
      for (i32 n = 0; n < 8; ++n)
        EXPECT_EQ(got[static_cast<u32>(8 * i + n)], expected[n]) << "item " << i << ", " << n;
    }
  }
}

// A virtual destructor names delete; memory functions copy; vectors are aligned as the program says.
TEST(Language, OfClassesAndBytes) {
  const char* source = R"(
#include <cstring>
struct Base { int v; __device__ Base(int i) : v(i) {} __device__ virtual ~Base() {} __device__ virtual int f(int x) { return x + v; } };
struct Other : Base { __device__ Other(int i) : Base(i) {} __device__ int f(int x) override { return x * v; } };
struct __align__(16) Aligned { int one; };
__global__ void k(int* out, int bytes) {
  const int i = threadIdx.x;
  Base base(3);
  Other other(4);
  Base* both = i & 1 ? &other : &base;
  out[4 * i] = both->f(i) + (int)sizeof(Aligned);
  int words[4] = {i, i + 1, i + 2, i + 3};
  memmove(words + 1, words, bytes);
  std::memcpy(out + 4 * i + 1, words + 1, bytes);
  std::memset(out + 4 * i + 3, 1, bytes / 2);
  Base* none = nullptr;
  delete none;
}
)";
  for (const char* target : {"gfx900", "gfx1100", "sm_35", "sm_90"})
    for (const auto language : {SourceLanguage::cuda, SourceLanguage::hip}) {
      SCOPED_TRACE(target);
      FunctionalLaunch launch(gpu_cxx_source(language, source, target));
      ASSERT_TRUE(launch.loaded());
      const u64 out = launch.buffer(std::vector<i32>(32 * 4));
      launch.pass(out), launch.pass_value(i32{8});
      ASSERT_TRUE(launch.run("k", 32, 32));
      const std::vector<i32> got = launch.read<i32>(out, 32 * 4);
      for (u32 i = 0; i < 32; ++i) {
        const i32 n = static_cast<i32>(i);
        EXPECT_EQ(got[4 * i], (i % 2 == 1 ? n * 4 : n + 3) + 16);
        EXPECT_EQ(got[4 * i + 1], n);
        EXPECT_EQ(got[4 * i + 2], n + 1);
        EXPECT_EQ(got[4 * i + 3], 0x01010101);
      }
    }
}

TEST(Language, RefusesAtTheProgramsLine) {
  for (const char* target : {"gfx900", "sm_70"})
    for (const auto& [line, message] :
         {std::pair{"  *x = *new int;", "device code has no heap"},
          std::pair{"  *x = *(int*)malloc(4);", "device code has no heap"},
          std::pair{"  *x = tex2D<float>(0ull, 1.0f, 2.0f);", "textures and surfaces"}}) {
      const std::string source = "__global__ void k(int* x) {\n" + std::string(line) + "\n}\n";
      const auto refused = load_program(gpu_cxx_source(SourceLanguage::cuda, source, target));
      ASSERT_FALSE(refused.ok()) << target << line;
      EXPECT_NE(to_string(refused.error()).find("kernel.cu:2:"), std::string::npos)
          << to_string(refused.error());
      EXPECT_NE(to_string(refused.error()).find(message), std::string::npos) << to_string(refused.error());
    }
  const auto bessel = load_program(gpu_cxx_source(
      SourceLanguage::cuda, "__global__ void k(float* x) {\n  *x = j0f(*x) + nanf(\"\");\n}\n", "sm_70"));
  ASSERT_FALSE(bessel.ok());
  EXPECT_NE(to_string(bessel.error()).find("kernel.cu:2:"), std::string::npos) << to_string(bessel.error());
}

// HIP's vectors: operators of integers, of numbers, constructors; a program's own operator comes first.
TEST(Vectors, OfHip) {
  const char* source = R"(
static __device__ inline float4 operator+(float4 a, float4 b) { return float4(a.x + b.x + 1000); }
__global__ void k(float* out) {
  int4 a(7, 8, 9, 10);
  a = ((a % 4) << 2) | int4(1);
  a = ~a & 0xFF;
  float4 b = {1, 2, 3, 4};
  b = -b * 2 + b;
  uchar4 c(250, 1, 2, 3);
  c += 10;
  out[0] = a.x, out[1] = a.y, out[2] = b.w, out[3] = c.x, out[4] = (a == a) + 2 * (a != a), out[5] = float2(3.0f).y;
}
)";
  for (const char* target : {"gfx900", "gfx1201", "sm_70"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::hip, source, target));
    ASSERT_TRUE(launch.loaded());
    const u64 out = launch.buffer(std::vector<float>(6));
    launch.pass(out);
    ASSERT_TRUE(launch.run("k", 1, 1));
    EXPECT_EQ(launch.read<float>(out, 6), (std::vector<float>{242, 254, 999, 4, 1, 3}));
  }
}

}  // namespace
}  // namespace lockstep
