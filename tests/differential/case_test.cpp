#include "corpus/case.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "corpus/compare.h"

namespace lockstep::corpus {
namespace {

constexpr const char* good_case = R"(// Adds.
// arg: a buffer int[4] values(1,-2,3)
// arg: out buffer float3[2] zero
// arg: n scalar uint2 0x10,7
// arg: tmp local float4[8]
// launch: kernel=add global=4,2 local=2,2 offset=1,0
// launch: kernel=sub global=4 local=2 args=out,a
// compare: out ulp=4 abs=1e-6 flush
// needs: fp64
// options: -DX=1 -cl-mad-enable
// witness: reference
__kernel void add() {}
// arg: ignored because the leading comment is over
)";

std::string error_of(const std::string& text) {
  const Expected<Case> test = parse_case("t/bad.cl", text);
  return test.ok() ? "none" : to_string(test.error());
}

TEST(Case, ReadsEveryDirective) {
  const Expected<Case> test = parse_case("some/where.cl", good_case);
  ASSERT_TRUE(test.ok()) << to_string(test.error());
  EXPECT_EQ(test->name, "where");
  ASSERT_EQ(test->arguments.size(), 4u);
  EXPECT_EQ(test->arguments[1].type.lanes, 3u);
  EXPECT_EQ(test->arguments[1].bytes(), 32u);  // a float3 takes 16 bytes
  EXPECT_EQ(test->arguments[3].bytes(), 128u);
  ASSERT_EQ(test->launches.size(), 2u);
  EXPECT_EQ(test->launches[0].dimensions, 2u);
  EXPECT_EQ(test->launches[0].offset[0], 1u);
  EXPECT_EQ(test->launches[0].arguments, (std::vector<u32>{0, 1, 2, 3}));
  EXPECT_EQ(test->launches[1].arguments, (std::vector<u32>{1, 0}));
  ASSERT_EQ(test->comparisons.size(), 1u);
  EXPECT_EQ(test->comparisons[0].ulps, 4.0);
  EXPECT_EQ(test->comparisons[0].absolute, 1e-6);
  EXPECT_TRUE(test->comparisons[0].flush);
  EXPECT_TRUE(test->has_need("fp64"));
  EXPECT_EQ(test->options, "-DX=1 -cl-mad-enable");
  EXPECT_EQ(test->witness, Witness::reference);
  const std::vector<u8> n = scalar_bytes(test->arguments[2]);
  u32 lanes[2];
  std::memcpy(lanes, n.data(), 8);
  EXPECT_EQ(lanes[0], 16u);
  EXPECT_EQ(lanes[1], 7u);
}

TEST(Case, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(error_of("// arg: a bufer int[4] zero\n").find("t/bad.cl:1"), std::string::npos);
  EXPECT_NE(error_of("// arg: a bufer int[4] zero\n").find("buffer"), std::string::npos);
  EXPECT_NE(error_of("// prose\n// arg: a buffer flaot[4] zero\n").find("t/bad.cl:2"), std::string::npos);
  EXPECT_NE(error_of("// arg: a buffer flaot[4] zero\n").find("float"), std::string::npos);
  EXPECT_NE(error_of("// arg: a buffer int[0] zero\n").find("positive"), std::string::npos);
  EXPECT_NE(error_of("// arg: a buffer int[4] random(min=1,max=2)\n").find("seed"), std::string::npos);
  EXPECT_NE(error_of("// arg: a buffer int[4] zero\n// arg: a buffer int[4] zero\n").find("twice"),
            std::string::npos);
  EXPECT_NE(error_of("// launch: kernel=k global=5 local=2\n").find("divide"), std::string::npos);
  EXPECT_NE(error_of("// launch: kernel=k global=4,4 local=2\n").find("dimensions"), std::string::npos);
  EXPECT_NE(error_of("// lunch: kernel=k global=4 local=2\n").find("launch"), std::string::npos);
  EXPECT_NE(error_of("// arg: a buffer int[4] zero\n// compare: b exact\n").find("unknown argument"),
            std::string::npos);
  EXPECT_NE(error_of("// arg: a buffer int[4] zero\n// compare: a\n").find("exact"), std::string::npos);
  EXPECT_NE(error_of("__kernel void k() {}\n").find("at least one"), std::string::npos);
  EXPECT_FALSE(read_case("/nonexistent/case.cl").ok());
}

TEST(Contents, FollowSplitmix64) {
  // The first outputs for seed 1234567, from the generator's published definition.
  const Expected<Case> test = parse_case("x.cl",
                                         "// arg: a buffer ulong[3] random(seed=1234567)\n"
                                         "// arg: b buffer double[2] random(seed=1234567,min=-1,max=3)\n"
                                         "// arg: c buffer int[64] random(seed=9,min=-2,max=2)\n"
                                         "// arg: d buffer int3[2] ramp(5,-2)\n"
                                         "// launch: kernel=k global=1 local=1\n// compare: a exact\n");
  ASSERT_TRUE(test.ok()) << to_string(test.error());
  const std::vector<std::vector<u8>> contents = initial_contents(*test);
  u64 a[3];
  std::memcpy(a, contents[0].data(), sizeof a);
  EXPECT_EQ(a[0], 6457827717110365317ull);
  EXPECT_EQ(a[1], 3203168211198807973ull);
  EXPECT_EQ(a[2], 9817491932198370423ull);
  f64 b[2];
  std::memcpy(b, contents[1].data(), sizeof b);
  EXPECT_EQ(b[0], -1.0 + static_cast<f64>(6457827717110365317ull >> 11) / 9007199254740992.0 * 4.0);
  i32 c[64];
  std::memcpy(c, contents[2].data(), sizeof c);
  bool seen[5] = {};
  for (const i32 value : c) {
    ASSERT_GE(value, -2);
    ASSERT_LE(value, 2);
    seen[value + 2] = true;
  }
  EXPECT_TRUE(seen[0] && seen[4]);
  i32 d[8];
  std::memcpy(d, contents[3].data(), sizeof d);
  const i32 wanted[8] = {5, 3, 1, 0, -1, -3, -5, 0};
  EXPECT_EQ(std::memcmp(d, wanted, sizeof d), 0);
}

TEST(Contents, HalvesRoundToNearestEven) {
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    const f64 value = double_from_half(static_cast<u16>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(half_from_double(value), bits);
    }
  }
  EXPECT_EQ(half_from_double(1.0 + 0x1p-11), 0x3C00);            // half way to even
  EXPECT_EQ(half_from_double(1.0 + 0x3p-11), 0x3C02);            // half way to even, upwards
  EXPECT_EQ(half_from_double(1.0 + 0x1p-11 + 0x1p-40), 0x3C01);  // just above half way
  EXPECT_EQ(half_from_double(65519.0), 0x7BFF);
  EXPECT_EQ(half_from_double(65520.0), 0x7C00);
  EXPECT_EQ(half_from_double(0x1p-25), 0x0000);
  EXPECT_EQ(half_from_double(-0x1.8p-25), 0x8001);
}

TEST(Compare, CountsUlps) {
  Expected<Case> test = parse_case(
      "x.cl", "// arg: a buffer float[2] zero\n// launch: kernel=k global=1 local=1\n// compare: a ulp=2\n");
  ASSERT_TRUE(test.ok());
  const auto bytes = [](f32 x, f32 y) {
    std::vector<u8> result(8);
    std::memcpy(result.data(), &x, 4);
    std::memcpy(result.data() + 4, &y, 4);
    return result;
  };
  const Comparison tolerant = test->comparisons[0];
  const Comparison exact;
  const f32 nan = std::nanf("");
  EXPECT_FALSE(compare(*test, tolerant, bytes(1.0f, nan), bytes(1.0f + 0x1p-22f, -nan)).has_value());
  EXPECT_TRUE(compare(*test, tolerant, bytes(1.0f, 0.0f), bytes(1.0f + 0x3p-23f, 0.0f)).has_value());
  EXPECT_TRUE(compare(*test, tolerant, bytes(1.0f, 0.0f), bytes(1.0f, nan)).has_value());
  EXPECT_TRUE(compare(*test, exact, bytes(1.0f, 0.0f), bytes(1.0f, -0.0f)).has_value());
  EXPECT_FALSE(compare(*test, exact, bytes(nan, 0.0f), bytes(-nan, 0.0f)).has_value());
  Comparison flush;
  flush.flush = true;
  EXPECT_FALSE(compare(*test, flush, bytes(1e-40f, 1.0f), bytes(0.0f, 1.0f)).has_value());
  EXPECT_TRUE(compare(*test, flush, bytes(0x1p-126f, 1.0f), bytes(0.0f, 1.0f)).has_value());
}

TEST(Npy, ReadsWhatItWrote) {
  Expected<Case> test = parse_case(
      "x.cl",
      "// arg: a buffer short3[3] bits(seed=4)\n// launch: kernel=k global=1 local=1\n// compare: a exact\n");
  ASSERT_TRUE(test.ok());
  const std::vector<u8> contents = initial_contents(*test)[0];
  const std::string path = testing::TempDir() + "/lockstep_case_test.npy";
  ASSERT_TRUE(write_npy(path, test->arguments[0], contents).ok());
  const Expected<std::vector<u8>> read = read_expected(path, test->arguments[0]);
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(*read, contents);
  test->arguments[0].count = 4;
  EXPECT_FALSE(read_expected(path, test->arguments[0]).ok());
}

}  // namespace
}  // namespace lockstep::corpus
