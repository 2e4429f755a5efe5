#include "float/round.h"

#include <gtest/gtest.h>

#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, u32, u64>;
template <class T>
BitsOf<T> bits(T x) {
  return std::bit_cast<BitsOf<T>>(x);
}

// Equal bits, or both NaN where the host's NaN is not ours to define.
template <class T>
::testing::AssertionResult same(T ours, T host) {
  if (bits(ours) == bits(host) || (is_nan(ours) && is_nan(host))) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hexfloat << ours << " instead of " << host;
}

void check_f32(u32 x, u32 y, u32 z) {
  const f32 a = as_f32(x), b = as_f32(y), c = as_f32(z);
  for (Round r : all_rounds) {
    const FloatMode m{r, true, true};
    ASSERT_TRUE(same(add_f32(a, b, m), host_add(a, b, r)))
        << std::hexfloat << a << " + " << b << " mode " << int(r);
    ASSERT_TRUE(same(sub_f32(a, b, m), host_add(a, -b, r))) << std::hexfloat << a << " - " << b;
    ASSERT_TRUE(same(mul_f32(a, b, m), host_mul(a, b, r)))
        << std::hexfloat << a << " * " << b << " mode " << int(r);
    ASSERT_TRUE(same(fma_f32(a, b, c, m), host_fma(a, b, c, r)))
        << std::hexfloat << a << " * " << b << " + " << c << " mode " << int(r);
    with_round(r, [&]<Round R>() {
      EXPECT_TRUE(same(div_f32<R>(a, b), host_div(a, b, r))) << std::hexfloat << a << " / " << b;
      EXPECT_TRUE(same(sqrt_f32<R>(a), host_sqrt(a, r))) << std::hexfloat << a;
      EXPECT_TRUE(same(as_f32(soft_fma<Single>(x, y, z, R)), host_fma(a, b, c, r)));
    });
  }
}

void check_f64(u64 x, u64 y, u64 z) {
  const f64 a = as_f64(x), b = as_f64(y), c = as_f64(z);
  for (Round r : all_rounds) {
    const FloatMode m{r, true, true};
    ASSERT_TRUE(same(add_f64(a, b, m), host_add(a, b, r)))
        << std::hexfloat << a << " + " << b << " mode " << int(r);
    ASSERT_TRUE(same(mul_f64(a, b, m), host_mul(a, b, r)))
        << std::hexfloat << a << " * " << b << " mode " << int(r);
    ASSERT_TRUE(same(fma_f64(a, b, c, m), host_fma(a, b, c, r)))
        << std::hexfloat << a << " * " << b << " + " << c << " mode " << int(r);
    with_round(r, [&]<Round R>() {
      EXPECT_TRUE(same(div_f64<R>(a, b), host_div(a, b, r))) << std::hexfloat << a << " / " << b << int(r);
      EXPECT_TRUE(same(sqrt_f64<R>(a), host_sqrt(a, r))) << std::hexfloat << a << int(r);
      EXPECT_TRUE(same(as_f64(soft_fma<Double>(x, y, z, R)), host_fma(a, b, c, r)));
    });
  }
}

TEST(Rounding, SingleEdges) {
  const auto list = edges<Single>();
  for (u32 a : list)
    for (u32 b : list)
      for (u32 c : {list[0], list[1], list[2], list[13], list[24], list[29], list[50], list[53], a, b,
                    a ^ 0x80000000u})
        check_f32(a, b, c);
}

TEST(Rounding, SingleRandom) {
  Random random{11};
  for (int i = 0; i < 120000; i++) {
    u32 a = random.f32_bits(), b = random.f32_bits(), c = random.f32_bits();
    if (i & 1) {  // exponents close to each other: cancellation
      b = (b & 0x807fffff) | (((a >> 23 & 255) + (b >> 23) % 5) % 255) << 23;
      const int product = int(a >> 23 & 255) + int(b >> 23 & 255) - 127;
      if (product > 30 && product < 250) c = (c & 0x807fffff) | u32(product - 26 + (c >> 23) % 28) << 23;
    }
    check_f32(a, b, c);
  }
}

TEST(Rounding, DoubleEdges) {
  const auto list = edges<Double>();
  for (u64 a : list)
    for (u64 b : list)
      for (u64 c : {list[0], list[1], list[2], list[13], list[24], list[29], list[50], list[53], a,
                    a ^ Double::sign_mask})
        check_f64(a, b, c);
}

TEST(Rounding, DoubleRandom) {
  Random random{12};
  for (int i = 0; i < 120000; i++) {
    u64 a = random.f64_bits(), b = random.f64_bits(), c = random.f64_bits();
    if (i & 1) {
      b = (b & 0x800fffffffffffffull) | (((a >> 52 & 2047) + (b >> 52) % 5) % 2047) << 52;
      const int product = int(a >> 52 & 2047) + int(b >> 52 & 2047) - 1023;
      if (product > 60 && product < 2040)
        c = (c & 0x800fffffffffffffull) | u64(product - 55 + (c >> 52) % 57) << 52;
    }
    check_f64(a, b, c);
  }
}

// f16: sums and products are exact in f64, and f64 to f16 is proven in half_test.
void check_f16(f16 a, f16 b) {
  const f64 x = f16_to_f64(a), y = f16_to_f64(b);
  for (Round r : all_rounds) {
    const FloatMode m{r, true, true};
    const bool nan_sum = is_nan(x + y), nan_product = is_nan(x * y);
    f64 sum = x + y;
    if (sum == 0 && r == Round::minus_infinity && std::signbit(x) != std::signbit(y)) sum = -0.0;
    if (nan_sum) {
      ASSERT_TRUE(is_quiet_nan<Half>(add_f16(a, b, m)));
    } else {
      ASSERT_EQ(add_f16(a, b, m), f64_to_f16(sum, r)) << x << " + " << y << " mode " << int(r);
    }
    if (nan_product) {
      ASSERT_TRUE(is_quiet_nan<Half>(mul_f16(a, b, m)));
    } else {
      ASSERT_EQ(mul_f16(a, b, m), f64_to_f16(x * y, r)) << x << " * " << y << " mode " << int(r);
    }
    with_round(r, [&]<Round R>() {
      if (!is_nan(x / y)) {
        EXPECT_EQ(div_f16<R>(a, b), soft_divide<Half>(a, b, R)) << x << " / " << y;
      }
    });
  }
}

TEST(Rounding, HalfPairs) {
  for (u16 a : edges<Half>())
    for (u32 b = 0; b < 0x10000; b += 3) check_f16(a, f16(b));
  Random random{13};
  for (int i = 0; i < 200000; i++) check_f16(f16(random.next()), f16(random.next()));
}

// The fma's exact value fits __int128 in units of 2^-48 (the product's last place): 2^32 * 2^48 = 2^80.
TEST(Rounding, HalfFmaInIntegers) {
  Random random{14};
  auto fixed = [](f16 h) {  // value * 2^24
    const int e = (h >> 10) & 31;
    const __int128 m = e == 0 ? (h & 1023) : __int128((h & 1023) | 1024) << (e - 1);
    return h & 0x8000 ? -m : m;
  };
  for (int i = 0; i < 400000; i++) {
    const f16 a = f16(random.next()), b = f16(random.next());
    f16 c = f16(random.next());
    if (i & 1) c = f16(f64_to_f16(-f16_to_f64(a) * f16_to_f64(b)) + random.next() % 7 - 3);
    if (!is_finite<Half>(a) || !is_finite<Half>(b) || !is_finite<Half>(c)) continue;
    const __int128 exact = fixed(a) * fixed(b) + (fixed(c) << 24);
    for (Round r : all_rounds) {
      const f16 ours = fma_f16(a, b, c, FloatMode{r, true, true});
      ASSERT_EQ(ours, soft_fma<Half>(a, b, c, r));
      if (exact == 0) {
        ASSERT_TRUE(is_zero<Half>(ours));
        continue;
      }
      const u128 size = exact < 0 ? u128(-exact) : u128(exact);
      ASSERT_EQ(ours, round_pack<Half>(exact < 0, -48, size, r))
          << a << " " << b << " " << c << " mode " << int(r);
    }
  }
}

TEST(Rounding, HalfRoots) {
  for (u32 a = 0; a < 0x7c00; a++) {
    const f64 x = f16_to_f64(f16(a));
    const f16 down = sqrt_f16<Round::minus_infinity>(f16(a)), up = sqrt_f16<Round::plus_infinity>(f16(a));
    const f64 d = f16_to_f64(down), u = f16_to_f64(up);
    ASSERT_TRUE(d * d <= x && x <= u * u && up - down == (d * d != x)) << a;  // squares are exact in f64
    const f64 middle = (d + u) / 2;
    ASSERT_EQ(sqrt_f16(f16(a)), middle * middle > x ? down : up) << a;
  }
  EXPECT_EQ(sqrt_f16(0x8000), 0x8000);
  EXPECT_EQ(sqrt_f16(0xbc00), 0xfe00);
}

TEST(Rounding, NansAreTheFirstOperandQuieted) {
  const f32 s1 = as_f32(0x7f800001u), s2 = as_f32(0xffc00002u), infinity = as_f32(0x7f800000u);
  EXPECT_EQ(as_u32(add_f32(s1, s2)), 0x7fc00001u);
  EXPECT_EQ(as_u32(add_f32(s2, s1)), 0xffc00002u);
  EXPECT_EQ(as_u32(sub_f32(1.0f, s2)), 0xffc00002u);
  EXPECT_EQ(as_u32(fma_f32(1.0f, s2, s1)), 0xffc00002u);
  EXPECT_EQ(as_u32(add_f32(infinity, -infinity)), 0xffc00000u);
  EXPECT_EQ(as_u32(mul_f32(infinity, 0.0f)), 0xffc00000u);
  EXPECT_EQ(as_u32(mul_f32<Round::zero>(infinity, 0.0f)), 0xffc00000u);
  EXPECT_EQ(as_u64(add_f64<Round::zero>(as_f64(0x7ff0000000000009ull), 1.0)), 0x7ff8000000000009ull);
  EXPECT_EQ(fma_f16(0x7c00, 0x0000, 0xfc01), 0xfe01);
  EXPECT_EQ(as_u32(canonical_nan_f32(s2)), 0x7fffffffu);
}

TEST(Rounding, Flushing) {
  EXPECT_EQ(as_u32(flush_f32(as_f32(0x807fffffu))), 0x80000000u);
  EXPECT_EQ(as_u32(flush_f32(as_f32(0x00800000u))), 0x00800000u);
  EXPECT_EQ(flush_f16(0x83ff), 0x8000);
  EXPECT_EQ(as_u64(flush_f64(as_f64(0x000fffffffffffffull))), 0u);
  const FloatMode in_only = amd_float_mode(0, 2), out_only = amd_float_mode(0, 1),
                  keep = amd_float_mode(0, 3);
  const f32 tiny = as_f32(0x00400000u), smallest = as_f32(0x00800000u);
  EXPECT_EQ(add_f32(tiny, smallest, in_only), smallest);
  EXPECT_EQ(as_u32(add_f32(tiny, smallest, out_only)), 0x00c00000u);
  EXPECT_EQ(as_u32(mul_f32(smallest, -0.5f, out_only)), 0x80000000u);
  EXPECT_EQ(as_u32(mul_f32(smallest, -0.5f, keep)), 0x80400000u);
  EXPECT_EQ(as_u32(mul_f32(smallest, -0.5f, in_only)), 0x80400000u);
}

}  // namespace
}  // namespace lockstep
