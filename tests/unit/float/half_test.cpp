#include "float/half.h"

#include <gtest/gtest.h>

#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;

// The value of a finite f16, straight from the format's definition.
f64 half_value(f16 h) {
  const int e = (h >> 10) & 31, m = h & 1023;
  const f64 v = e == 0 ? std::ldexp(f64(m), -24) : std::ldexp(f64(m + 1024), e - 25);
  return h & 0x8000 ? -v : v;
}

// Rounds x to f16 by searching the ordered list of all positive f16: the definition, not an algorithm on
// bits.
f16 search_half(f64 x, Round round) {
  const bool negative = std::signbit(x);
  const f64 a = std::fabs(x);
  u32 low = 0, high = 0x7c00;  // value(low) <= a < value(high), infinity standing for 2^16
  while (high - low > 1) {
    const u32 mid = (low + high) / 2;
    (half_value(f16(mid)) <= a ? low : high) = mid;
  }
  const f64 below = half_value(f16(low)), above = low == 0x7bff ? 65536.0 : half_value(f16(high));
  u32 r = low;
  if (a != below) {
    const bool up = round == Round::plus_infinity    ? !negative
                    : round == Round::minus_infinity ? negative
                    : round == Round::zero           ? false
                    : a - below == above - a         ? (low & 1)
                                                     : a - below > above - a;
    r = up ? high : low;
  }
  return f16(r | (negative ? 0x8000 : 0));
}

TEST(Half, WidensEveryValue) {
  for (u32 h = 0; h < 0x10000; h++) {
    const f32 x = f16_to_f32(f16(h));
    if ((h & 0x7fff) > 0x7c00) {
      EXPECT_EQ(as_u32(x), ((h & 0x8000) << 16) | 0x7fc00000u | ((h & 0x3ff) << 13)) << h;
      EXPECT_EQ(as_u64(f16_to_f64(f16(h))),
                (u64(h & 0x8000) << 48) | 0x7ff8000000000000ull | (u64(h & 0x3ff) << 42));
    } else if ((h & 0x7fff) == 0x7c00) {
      EXPECT_EQ(as_u32(x), h & 0x8000 ? 0xff800000u : 0x7f800000u);
    } else {
      EXPECT_EQ(as_u32(x), as_u32(f32(half_value(f16(h))))) << h;
      EXPECT_EQ(as_u64(f16_to_f64(f16(h))), as_u64(half_value(f16(h)))) << h;
    }
  }
}

TEST(Half, NarrowsByTheDefinition) {
  Random random{1};
  auto check = [](f64 x) {
    for (Round r : all_rounds) {
      ASSERT_EQ(f64_to_f16(x, r), search_half(x, r)) << x << " mode " << int(r);
      if (f64(f32(x)) == x) {
        ASSERT_EQ(f32_to_f16(f32(x), r), search_half(x, r)) << x << " mode " << int(r);
      }
    }
  };
  for (u32 h = 0; h < 0x7c00; h++) {
    const f64 v = half_value(f16(h));
    const f64 next = h == 0x7bff ? 65536.0 : half_value(f16(h + 1));
    const f64 middle = (v + next) / 2;
    for (f64 x : {v, middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e9), std::nextafter(v, 1e9),
                  f64(std::nextafterf(f32(middle), 0.0f)), f64(std::nextafterf(f32(middle), 1e9f))}) {
      check(x);
      check(-x);
    }
  }
  for (f64 x :
       {65519.0, 65520.0, 65536.0, 1e5, 1e30, 3e38, 1e300, 0x1p-25, 0x1.8p-25, 0x1p-26, 1e-30, 1e-45, 1e-310})
    check(x), check(-x);
  for (int i = 0; i < 200000; i++) {
    const u64 bits = random.next();
    const f64 x = as_f64((bits & 0x800fffffffffffffull) | (u64(1023 - 28 + bits % 46) << 52));
    check(x);
    check(f64(f32(x)));
  }
}

TEST(Half, NansAndInfinities) {
  for (Round r : all_rounds) {
    EXPECT_EQ(f32_to_f16(as_f32(0x7f800000u), r), 0x7c00);
    EXPECT_EQ(f32_to_f16(as_f32(0xff800000u), r), 0xfc00);
    EXPECT_EQ(f32_to_f16(as_f32(0x7f800001u), r), 0x7e00);
    EXPECT_EQ(f32_to_f16(as_f32(0xffa02000u), r), 0xff01);
    EXPECT_EQ(f64_to_f16(as_f64(0x7ff0000000000001ull), r), 0x7e00);
    EXPECT_EQ(as_u32(f64_to_f32(as_f64(0xfff4000020000000ull), r)), 0xffe00001u);
    EXPECT_EQ(f64_to_f16(as_f64(0xfff0000000000000ull), r), 0xfc00);
    EXPECT_EQ(f32_to_bf16(as_f32(0x7f800001u), r), 0x7fc0);
  }
  EXPECT_EQ(as_u64(f32_to_f64(as_f32(0xff800001u))), 0xfff8000020000000ull);
}

TEST(Half, DoubleToSingleEqualsTheProcessor) {
  Random random{2};
  for (int i = 0; i < 500000; i++) {
    u64 bits = random.f64_bits();
    if (i & 1) bits = (bits & 0x800fffffffffffffull) | (u64(1023 - 152 + bits % 284) << 52);
    const f64 x = as_f64(bits);
    if (is_nan(x)) continue;
    for (Round r : all_rounds)
      ASSERT_EQ(as_u32(f64_to_f32(x, r)), as_u32(host_narrow(x, r))) << x << " mode " << int(r);
  }
}

TEST(Half, Bfloat) {
  // bf16 is f32 cut to 16 bits: the four neighbours' choice is decided by the lower half alone.
  Random random{3};
  for (int i = 0; i < 300000; i++) {
    const u32 bits = random.f32_bits();
    if ((bits & 0x7fffffff) > 0x7f800000) continue;
    const u32 low = bits & 0xffff, base = bits >> 16;
    const bool negative = bits >> 31;
    EXPECT_EQ(f32_to_bf16<Round::zero>(as_f32(bits)), base);
    EXPECT_EQ(f32_to_bf16<Round::plus_infinity>(as_f32(bits)), base + (low && !negative));
    EXPECT_EQ(f32_to_bf16<Round::minus_infinity>(as_f32(bits)), base + (low && negative));
    EXPECT_EQ(f32_to_bf16(as_f32(bits)), base + (low > 0x8000 || (low == 0x8000 && (base & 1))));
  }
}

}  // namespace
}  // namespace lockstep
