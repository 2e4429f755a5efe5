// HIP and CUDA C++: device code of both, compiled for both vendors, against sums and values computed here.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "functional_launch.h"

namespace lockstep {
namespace {

CompileRequest example(const std::string& file, const std::string& target) {
  CompileRequest request;
  request.path = std::string(LOCKSTEP_SOURCE_DIR) + "/examples/" + file;
  request.target = find_target(target);
  return request;
}

// Integers as doubles: their sums are exact in any order.
std::vector<double> integers(std::size_t count) {
  std::vector<double> x(count);
  u32 state = 1;
  for (double& value : x) value = static_cast<double>((state = state * 1664525u + 1013904223u) >> 16) - 32768;
  return x;
}

class HipSums : public ::testing::TestWithParam<const char*> {};

TEST_P(HipSums, GiveTheHostsSum) {
  const std::vector<double> x = integers(10'000);
  const double expected = std::accumulate(x.begin(), x.end(), 0.0);
  const i64 n = static_cast<i64>(x.size());
  {
    FunctionalLaunch launch(example("hip/sum_chunks.hip", GetParam()));
    ASSERT_TRUE(launch.loaded());
    const u64 in = launch.buffer(x), partial = launch.buffer(std::vector<double>(128, -1));
    launch.pass(in), launch.pass(partial), launch.pass_value(n), launch.pass_value(i32{128});
    ASSERT_TRUE(launch.run("sum_chunks", 128, 64));
    const std::vector<double> sums = launch.read<double>(partial, 128);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), expected);
    EXPECT_EQ(sums[1], std::accumulate(x.begin() + 128, x.begin() + 256, 0.0));
  }
  {
    FunctionalLaunch launch(example("hip/sum_strided.hip", GetParam()));
    ASSERT_TRUE(launch.loaded());
    const u64 in = launch.buffer(x), partial = launch.buffer(std::vector<double>(256, -1));
    launch.pass(in), launch.pass(partial), launch.pass_value(n);
    ASSERT_TRUE(launch.run("sum_strided", 256, 64));
    const std::vector<double> sums = launch.read<double>(partial, 256);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), expected);
  }
  {
    // Entirely on the GPU: the second launch adds the first one's sums. 7 groups make the tree's halves
    // uneven.
    FunctionalLaunch launch(example("hip/sum_tree.hip", GetParam()));
    ASSERT_TRUE(launch.loaded());
    const u64 in = launch.buffer(x), partial = launch.buffer(std::vector<double>(7, -1));
    const u64 sum = launch.buffer(std::vector<double>(1, -1));
    launch.pass(in), launch.pass(partial), launch.pass_value(n);
    ASSERT_TRUE(launch.run("sum_tree", 7 * 96, 96, 96 * 8));
    launch.pass(partial), launch.pass(sum), launch.pass_value(i64{7});
    ASSERT_TRUE(launch.run("sum_tree", 7, 7, 7 * 8));
    EXPECT_EQ(launch.read<double>(sum, 1)[0], expected);
  }
}

// The course's machines (GTX 580, K40c) and one of every family that HIP has.
INSTANTIATE_TEST_SUITE_P(Targets, HipSums,
                         ::testing::Values("gfx600", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1030",
                                           "gfx1100", "gfx1201", "sm_20", "sm_35", "sm_70", "sm_90"),
                         [](const auto& info) { return std::string(info.param); });

// What the headers give beyond the language: every result has its value from the function's definition.
constexpr const char* device_functions = R"(
__constant__ int table[4] = {1, 10, 100, 1000};
template <class T> __device__ T twice(T x) { return x + x; }
template <class T> __global__ void scale(T* x, T by) { x[threadIdx.x] = twice(x[threadIdx.x]) * by; }
struct Pair { int a; double b; };
__global__ void functions(int* out, double* reals, Pair pair, unsigned* counters) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  int* mine = out + 16 * i;
  mine[0] = __popc(0xF0F0u + i) ;
  mine[1] = __clz(1 << (i & 31));
  mine[2] = __ffs(i);
  mine[3] = (int)__brev(1u << (i & 31));
  mine[4] = __mulhi(i << 24, 1 << 20);
  mine[5] = __float_as_int(__int_as_float(i + 0x3F800000));
  mine[6] = __float2int_rn(i + 0.5f);
  mine[7] = __float2int_rz(-(i + 0.5f));
  mine[8] = table[i & 3];
  mine[9] = pair.a + (int)(gridDim.x * 1000 + blockDim.x);
  mine[10] = max(i, 7) - min(i, 7);
  mine[11] = __syncthreads_count(i & 1);
  atomicAdd(&counters[0], 1u);
  atomicMax(&counters[1], (unsigned)i);
  atomicInc(&counters[2], 9u);
  atomicCAS(&counters[3], 77u, 5u);
  atomicAdd((float*)&counters[4], 0.5f);
  reals[4 * i] = sqrt(i + 0.0);
  reals[4 * i + 1] = fma(i, 3.0, pair.b);
  reals[4 * i + 2] = floor(i / 4.0) + fabs(-1.5) + pow(2.0, 3.0);
  const float4 v = make_float4(i, 2, 3, 4);
  reals[4 * i + 3] = v.x + v.w;
}
int main() {
  scale<float><<<1, 64>>>(nullptr, 2.0f);
  scale<int><<<1, 64>>>(nullptr, 2);
}
)";

void check_device_functions(SourceLanguage language, const char* target) {
  FunctionalLaunch launch(gpu_cxx_source(language, device_functions, target));
  ASSERT_TRUE(launch.loaded());
  constexpr i32 items = 128, local = 64;
  const u64 out = launch.buffer(std::vector<i32>(16 * items, -1));
  const u64 reals = launch.buffer(std::vector<double>(4 * items, -1));
  const u64 counters = launch.buffer(std::vector<u32>{0, 0, 0, 77, 0});
  struct Pair {
    i32 a;
    double b;
  };
  Pair pair;
  std::memset(&pair, 0, sizeof pair);
  pair.a = 5, pair.b = 0.25;
  launch.pass(out), launch.pass(reals), launch.pass_value(pair), launch.pass(counters);
  ASSERT_TRUE(launch.run("functions", items, local));
  const std::vector<i32> got = launch.read<i32>(out, 16 * items);
  const std::vector<double> real = launch.read<double>(reals, 4 * items);
  for (i32 i = 0; i < items; ++i) {
    const i32* mine = &got[static_cast<std::size_t>(16 * i)];
    EXPECT_EQ(mine[0], std::popcount(0xF0F0u + static_cast<u32>(i))) << i;
    EXPECT_EQ(mine[1], 31 - (i & 31)) << i;
    EXPECT_EQ(mine[2], i == 0 ? 0 : std::countr_zero(static_cast<u32>(i)) + 1) << i;
    EXPECT_EQ(static_cast<u32>(mine[3]), u32{1} << (31 - (i & 31))) << i;
    EXPECT_EQ(mine[4], static_cast<i32>(i64{static_cast<i32>(static_cast<u32>(i) << 24)} * (1 << 20) >> 32))
        << i;
    EXPECT_EQ(mine[5], i + 0x3F800000) << i;
    EXPECT_EQ(mine[6], i % 2 == 0 ? i : i + 1) << i;  // ties to even
    EXPECT_EQ(mine[7], -i) << i;
    EXPECT_EQ(mine[8], std::vector<i32>({1, 10, 100, 1000})[static_cast<std::size_t>(i & 3)]) << i;
    EXPECT_EQ(mine[9], 5 + 2 * 1000 + local) << i;
    EXPECT_EQ(mine[10], std::abs(i - 7)) << i;
    EXPECT_EQ(mine[11], local / 2) << i;
    const double* values = &real[static_cast<std::size_t>(4 * i)];
    EXPECT_EQ(values[0], std::sqrt(static_cast<double>(i))) << i;
    EXPECT_EQ(values[1], 3.0 * i + 0.25) << i;
    EXPECT_EQ(values[2], i / 4 + 1.5 + 8) << i;
    EXPECT_EQ(values[3], i + 4) << i;
  }
  const std::vector<u32> count = launch.read<u32>(counters, 5);
  EXPECT_EQ(count[0], 128u);
  EXPECT_EQ(count[1], 127u);
  EXPECT_EQ(count[2], 128u % 10);
  EXPECT_EQ(count[3], 5u);
  EXPECT_EQ(std::bit_cast<float>(count[4]), 64.0f);

  const u64 floats = launch.buffer(std::vector<float>(64, 1.5f));
  launch.pass(floats), launch.pass_value(3.0f);
  ASSERT_TRUE(launch.run("scale<float>", 64, 64));
  EXPECT_EQ(launch.read<float>(floats, 64), std::vector<float>(64, 9.0f));
  EXPECT_EQ(find_kernel(launch.module(), "scale").error().code, "no-such-kernel");  // two of them
}

class DeviceFunctions : public ::testing::TestWithParam<const char*> {};
TEST_P(DeviceFunctions, OfHip) {
  check_device_functions(SourceLanguage::hip, GetParam());
}
TEST_P(DeviceFunctions, OfCuda) {
  check_device_functions(SourceLanguage::cuda, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Targets, DeviceFunctions,
                         ::testing::Values("gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1201", "sm_20",
                                           "sm_60", "sm_86"),
                         [](const auto& info) { return std::string(info.param); });

// Lane i's value is i. Widths below the wave's make parts of the wave that are waves by themselves.
constexpr const char* shuffles = R"(
__global__ void shuffles(int* out) {
  const int i = threadIdx.x;
  int* mine = out + 8 * i;
  mine[0] = SHUFFLE(shfl)(MASK i, 3);
  mine[1] = SHUFFLE(shfl)(MASK i, 1, 8);
  mine[2] = SHUFFLE(shfl_up)(MASK i, 2, 16);
  mine[3] = SHUFFLE(shfl_down)(MASK i, 3, 16);
  mine[4] = SHUFFLE(shfl_xor)(MASK i, 5);
  mine[5] = (int)SHUFFLE(shfl_xor)(MASK (double)i * 0.5, 2);
  mine[6] = __popcll(SHUFFLE(ballot)(MASK i & 1));
  mine[7] = SHUFFLE(any)(MASK i == 9) + 2 * SHUFFLE(all)(MASK i == 9);
}
)";

void check_shuffles(SourceLanguage language, const std::string& prefix, const char* target) {
  FunctionalLaunch launch(gpu_cxx_source(language, prefix + shuffles, target));
  ASSERT_TRUE(launch.loaded());
  const i32 lanes = static_cast<i32>(launch.module().programs[0].needs.wave_lanes);
  const u64 out = launch.buffer(std::vector<i32>(static_cast<std::size_t>(8 * lanes), -1));
  launch.pass(out);
  ASSERT_TRUE(launch.run("shuffles", static_cast<u32>(lanes), static_cast<u32>(lanes)));
  const std::vector<i32> got = launch.read<i32>(out, static_cast<std::size_t>(8 * lanes));
  for (i32 i = 0; i < lanes; ++i) {
    const i32 expected[8] = {
        3, (i & ~7) + 1, i % 16 < 2 ? i : i - 2, i % 16 >= 13 ? i : i + 3, i ^ 5, (i ^ 2) / 2, lanes / 2, 1};
    for (i32 k = 0; k < 8; ++k)
      EXPECT_EQ(got[static_cast<std::size_t>(8 * i + k)], expected[k])
          << target << " lane " << i << ", " << k;
  }
}

TEST(Shuffles, OfHip) {
  const std::string plain = "#define SHUFFLE(name) __##name\n#define MASK\n";
  for (const char* target : {"gfx701", "gfx900", "gfx942", "gfx1030", "gfx1201", "sm_35"})
    check_shuffles(SourceLanguage::hip, plain, target);
}
TEST(Shuffles, OfCudaHaveMasks) {
  const std::string with_mask = "#define SHUFFLE(name) __##name##_sync\n#define MASK ~0u,\n";
  for (const char* target : {"sm_35", "sm_70", "sm_90"})
    check_shuffles(SourceLanguage::cuda, with_mask, target);
}

// Parameters have names and types on every target, from every language.
// What the program needs of its stack nobody knows before: recursion, and calls by address.
constexpr const char* recursion = R"(
typedef int (*Step)(int);
__device__ int plus(int x) { return x + 3; }
__device__ int times(int x) { return x * 3; }
__device__ Step steps[2] = {plus, times};
__device__ __attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void k(int* out) {
  const int i = threadIdx.x;
  out[i] = fibonacci(i % 12) + 1000 * steps[i & 1](i);
}
)";

TEST(Recursion, HasAStack) {
  const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (const char* target : {"gfx900", "gfx942", "gfx1100", "sm_35", "sm_90"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, recursion, target));
    ASSERT_TRUE(launch.loaded());
    const u64 out = launch.buffer(std::vector<i32>(64));
    launch.pass(out);
    ASSERT_TRUE(launch.run("k", 64, 64));
    const std::vector<i32> got = launch.read<i32>(out, 64);
    for (i32 i = 0; i < 64; ++i) {
      const i32 step = i % 2 == 0 ? i + 3 : i * 3;
      EXPECT_EQ(got[static_cast<u32>(i)], fibonacci[i % 12] + 1000 * step) << i;
    }
  }
}

constexpr const char* small_floats = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <math_constants.h>
__global__ void k(const __half* a, float* out, int* counts) {
  const int i = threadIdx.x;
  const __half2 both = __hmul2(__half2half2(a[i]), __floats2half2_rn(2.0f, 0.5f));
  const __nv_bfloat16 b = __float2bfloat16(1.0f + i / 256.0f) * __nv_bfloat16(2.0f);
  out[4 * i] = __half2float(hsqrt(a[i]));
  out[4 * i + 1] = __low2float(both) + __high2float(both);
  out[4 * i + 2] = __bfloat162float(b);
  out[4 * i + 3] = i == 0 ? CUDART_INF_F : CUDART_PI_F;
  counts[i] = __dp4a(0x01020304, i * 0x010001, __ldcs(counts + i));
}
)";

TEST(SmallFloats, AndOtherHeadersOfCuda) {
  for (const char* target : {"gfx900", "gfx1100", "sm_35", "sm_61", "sm_90"}) {
    SCOPED_TRACE(target);
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, small_floats, target));
    ASSERT_TRUE(launch.loaded());
    std::vector<u16> halves(32);  // 0, 1, 2, ...
    for (u32 i = 0; i < 32; ++i) {
      const u32 top = i == 0 ? 0 : static_cast<u32>(std::bit_width(i)) - 1;
      if (i != 0) halves[i] = static_cast<u16>((15 + top) << 10 | (i << (10 - top) & 0x3FF));
    }
    const u64 in = launch.buffer(halves), out = launch.buffer(std::vector<float>(128));
    const u64 counts = launch.buffer(std::vector<i32>(32, 5));
    launch.pass(in), launch.pass(out), launch.pass(counts);
    ASSERT_TRUE(launch.run("k", 32, 32));
    const std::vector<float> got = launch.read<float>(out, 128);
    const std::vector<i32> sums = launch.read<i32>(counts, 32);
    for (u32 i = 0; i < 32; ++i) {
      const float x = static_cast<float>(i);
      // Of a square root the half that lies nearest: 11 bits.
      EXPECT_NEAR(got[4 * i], std::sqrt(x), std::sqrt(x) / 2048) << i;
      EXPECT_EQ(got[4 * i + 1], 2.5f * x) << i;
      // Eight bits of 1 + i / 256: half of the steps round, to even.
      const float sixteenth = 1.0f + x / 256.0f;
      EXPECT_EQ(got[4 * i + 2], 2.0f * (std::nearbyint(sixteenth * 128.0f) / 128.0f)) << i;
      EXPECT_EQ(got[4 * i + 3], i == 0 ? std::numeric_limits<float>::infinity() : 3.141592654f);
      EXPECT_EQ(sums[i], static_cast<i32>(5 + 4 * i + 2 * i)) << i;
    }
  }
}

// clang's header gives the builtins mask and value the other way round.
TEST(Reductions, OfWarpsTakeTheValue) {
  const char* source = R"(
__global__ void k(int* out) {
  const int i = threadIdx.x;
  out[i] = __reduce_add_sync(0xFFFFFFFFu, (unsigned)i);
  out[32 + i] = __reduce_min_sync(0xFFFFFFFFu, i - 7);
  out[64 + i] = __reduce_or_sync(0xFFFFFFFFu, 1u << (i & 7));
}
)";
  FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::cuda, source, "sm_90"));
  ASSERT_TRUE(launch.loaded());
  const u64 out = launch.buffer(std::vector<i32>(96));
  launch.pass(out);
  ASSERT_TRUE(launch.run("k", 32, 32));
  const std::vector<i32> got = launch.read<i32>(out, 96);
  EXPECT_EQ(got[3], 496);
  EXPECT_EQ(got[35], -7);
  EXPECT_EQ(got[67], 255);
}

TEST(KernelParameters, KeepTheirNames) {
  const std::string cxx = "__global__ void k(const float* x, float* y, long count) { y[count] = x[count]; }";
  for (const char* target : {"gfx900", "sm_60"}) {
    FunctionalLaunch launch(gpu_cxx_source(SourceLanguage::hip, cxx, target));
    ASSERT_TRUE(launch.loaded());
    const Program& program = **find_kernel(launch.module(), "k");
    EXPECT_EQ(program.source_name, "k");
    ASSERT_EQ(program.explicit_parameters(), 3u);
    EXPECT_EQ(program.parameters[0].name, "x");
    EXPECT_EQ(program.parameters[2].name, "count");
    EXPECT_EQ(program.parameters[0].type_name, "float const*");
    EXPECT_EQ(program.parameters[2].type_name, "long");
  }
  CompileRequest request =
      gpu_cxx_source(SourceLanguage::opencl_c,
                     "__kernel void k(__global const float* x, uint4 v, __local int* part) {"
                     " part[0] = v.x; }",
                     "sm_60");
  FunctionalLaunch launch(request);
  ASSERT_TRUE(launch.loaded());
  const Program& program = launch.module().programs[0];
  ASSERT_EQ(program.parameters.size(), 3u);
  EXPECT_EQ(program.parameters[0].name, "x");
  EXPECT_EQ(program.parameters[1].name, "v");
  EXPECT_EQ(program.parameters[1].type_name, "uint4");
  EXPECT_EQ(program.parameters[2].name, "part");
}

}  // namespace
}  // namespace lockstep
