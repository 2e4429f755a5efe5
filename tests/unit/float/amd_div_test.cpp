#include "float/amd_div.h"

#include <gtest/gtest.h>

#include "float/approx.h"
#include "float/round.h"
#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;

// The sequence that compilers emit for a correctly rounded f32 division (denormals on between the scales).
f32 divide_f32(f32 n, f32 d) {
  const u32 nb = as_u32(n), db = as_u32(d);
  const f32 ds = as_f32(div_scale<Single>(db, db, nb).value);
  const auto scaled = div_scale<Single>(nb, db, nb);
  const f32 ns = as_f32(scaled.value);
  const f32 r = amd_rcp_f32(ds);
  const f32 e = std::fma(-ds, r, 1.0f);
  const f32 r1 = std::fma(e, r, r);
  const f32 q = ns * r1;
  const f32 e2 = std::fma(-ds, q, ns);
  const f32 q1 = std::fma(e2, r1, q);
  const f32 e3 = std::fma(-ds, q1, ns);
  const u32 m = div_fmas<Single>(as_u32(e3), as_u32(r1), as_u32(q1), scaled.post_scale);
  return as_f32(div_fixup<Single>(m, db, nb));
}

f64 divide_f64(f64 n, f64 d) {
  const u64 nb = as_u64(n), db = as_u64(d);
  const f64 ds = as_f64(div_scale<Double>(db, db, nb).value);
  const auto scaled = div_scale<Double>(nb, db, nb);
  const f64 ns = as_f64(scaled.value);
  const f64 r = rcp_f64(ds);
  const f64 e = std::fma(-ds, r, 1.0);
  const f64 r1 = std::fma(r, e, r);
  const f64 e1 = std::fma(-ds, r1, 1.0);
  const f64 r2 = std::fma(r1, e1, r1);
  const f64 q = ns * r2;
  const f64 e2 = std::fma(-ds, q, ns);
  const u64 m = div_fmas<Double>(as_u64(e2), as_u64(r2), as_u64(q), scaled.post_scale);
  return as_f64(div_fixup<Double>(m, db, nb));
}

void check_f32(u32 n, u32 d) {
  const f32 ours = divide_f32(as_f32(n), as_f32(d)), host = as_f32(n) / as_f32(d);
  if (is_nan(ours) && is_nan(host)) return;
  ASSERT_EQ(as_u32(ours), as_u32(host)) << std::hexfloat << as_f32(n) << " / " << as_f32(d);
}
void check_f64(u64 n, u64 d) {
  const f64 ours = divide_f64(as_f64(n), as_f64(d)), host = as_f64(n) / as_f64(d);
  if (is_nan(ours) && is_nan(host)) return;
  ASSERT_EQ(as_u64(ours), as_u64(host)) << std::hexfloat << as_f64(n) << " / " << as_f64(d);
}

TEST(AmdDivide, SingleIsCorrectlyRounded) {
  for (u32 n : edges<Single>())
    for (u32 d : edges<Single>()) check_f32(n, d);
  Random random{41};
  for (int i = 0; i < 3000000; i++) check_f32(random.f32_bits(), random.f32_bits());
  // Quotients next to and below the smallest normal, next to the largest, and huge or denormal denominators.
  for (int i = 0; i < 1000000; i++) {
    const u32 d = random.f32_bits(), dn = d >> 23 & 255;
    const int target = i & 1 ? -126 - int(random.next() % 25) : 125 + int(random.next() % 4);
    const int field = int(dn) + target;
    const u32 n = (random.f32_bits() & 0x807fffffu) | u32(field < 0 ? 0 : field > 254 ? 254 : field) << 23;
    check_f32(n, d);
    check_f32(n, (d & 0x807fffffu) | u32(250 + (d & 3)) << 23);
    check_f32(n, d & 0x807fffffu);
    check_f32(n & 0x807fffffu, d & 0x807fffffu);
  }
}

TEST(AmdDivide, DoubleIsCorrectlyRounded) {
  for (u64 n : edges<Double>())
    for (u64 d : edges<Double>()) check_f64(n, d);
  Random random{42};
  for (int i = 0; i < 2000000; i++) check_f64(random.f64_bits(), random.f64_bits());
  for (int i = 0; i < 500000; i++) {
    const u64 d = random.f64_bits();
    const int target = i & 1 ? -1022 - int(random.next() % 54) : 1020 + int(random.next() % 5);
    const int field = int(d >> 52 & 2047) + target;
    const u64 n = (random.f64_bits() & 0x800fffffffffffffull) | u64(field < 0      ? 0
                                                                    : field > 2046 ? 2046
                                                                                   : field)
                                                                    << 52;
    check_f64(n, d);
    check_f64(n, (d & 0x800fffffffffffffull) | u64(2042 + (d & 3)) << 52);
    check_f64(n, d & 0x800fffffffffffffull);
    check_f64(n & 0x800fffffffffffffull, d & 0x800fffffffffffffull);
  }
}

// f16: the compilers divide in f32 and let the fixup sort out the special cases.
TEST(AmdDivide, HalfIsCorrectlyRounded) {
  Random random{43};
  for (int i = 0; i < 500000; i++) {
    const f16 n = f16(random.next()), d = f16(random.next());
    const f32 q = f16_to_f32(n) * amd_rcp_f32(f16_to_f32(d));
    const f32 e = std::fma(-f16_to_f32(d), q, f16_to_f32(n));
    const f32 q1 = std::fma(e, amd_rcp_f32(f16_to_f32(d)), q);
    const f16 ours = div_fixup<Half>(f32_to_f16(q1), d, n);
    if (is_nan<Half>(n) || is_nan<Half>(d) || is_nan<Half>(ours)) continue;
    ASSERT_EQ(ours, div_f16(n, d)) << n << " / " << d;
  }
}

TEST(AmdDivide, FixupTable) {
  const u32 infinity = 0x7f800000u, one = as_u32(1.0f);
  EXPECT_EQ(div_fixup<Single>(one, 0, 0x80000000u), 0xffc00000u);
  EXPECT_EQ(div_fixup<Single>(one, infinity, infinity), 0xffc00000u);
  EXPECT_EQ(div_fixup<Single>(one, 0x80000000u, one), 0xff800000u);
  EXPECT_EQ(div_fixup<Single>(one, infinity, as_u32(-1.0f)), 0x80000000u);
  EXPECT_EQ(div_fixup<Single>(one, 0x7f800001u, 0xff800002u), 0xffc00002u);
  EXPECT_EQ(div_fixup<Single>(as_u32(-2.0f), one, one), as_u32(2.0f));
  EXPECT_EQ(div_fixup<Single>(one, 254u << 23, 1u << 23), 0u);
  EXPECT_EQ(div_fixup<Single>(one, 254u << 23, 1u << 23, Round::plus_infinity), 1u);
  EXPECT_EQ(div_fixup<Half>(0x3c00, 0, 0), 0xfe00);
  EXPECT_EQ(div_fixup<Double>(0, 0, 0), 0xfff8000000000000ull);
}

TEST(AmdDivide, ScaleFollowsTheManual) {
  const auto bits = [](f32 x) { return as_u32(x); };
  // Unscaled.
  EXPECT_EQ(div_scale<Single>(bits(3.0f), bits(3.0f), bits(1.0f)).value, bits(3.0f));
  EXPECT_FALSE(div_scale<Single>(bits(3.0f), bits(3.0f), bits(1.0f)).post_scale);
  // Near the maximum: the denominator alone.
  EXPECT_EQ(div_scale<Single>(bits(0x1p-50f), bits(0x1p-50f), bits(0x1p60f)).value, bits(0x1p14f));
  EXPECT_TRUE(div_scale<Single>(bits(0x1p60f), bits(0x1p-50f), bits(0x1p60f)).post_scale);
  EXPECT_EQ(div_scale<Single>(bits(0x1p60f), bits(0x1p-50f), bits(0x1p60f)).value, bits(0x1p60f));
  // A denormal denominator; a tiny numerator: both operands.
  EXPECT_EQ(div_scale<Single>(bits(0x1p-140f), bits(0x1p-140f), bits(0x1p-120f)).value, bits(0x1p-76f));
  EXPECT_EQ(div_scale<Single>(bits(0x1p-120f), bits(0x1p-119f), bits(0x1p-120f)).value, bits(0x1p-56f));
  // A denormal quotient: the numerator alone.
  EXPECT_EQ(div_scale<Single>(bits(0x1p-80f), bits(0x1p60f), bits(0x1p-80f)).value, bits(0x1p-16f));
  EXPECT_EQ(div_scale<Single>(bits(0x1p60f), bits(0x1p60f), bits(0x1p-80f)).value, bits(0x1p60f));
  EXPECT_TRUE(div_scale<Single>(bits(0x1p60f), bits(0x1p60f), bits(0x1p-80f)).post_scale);
  // Zero operands: a NaN, which the fixup replaces.
  EXPECT_TRUE(is_nan<Single>(div_scale<Single>(0, 0, bits(1.0f)).value));
}

// Where the quick answer says so, s0 comes back as it is: all pairs of exponents, with significands at both
// ends. And it says so of ordinary numbers.
template <class F>
void quick_scale_agrees() {
  using Bits = typename F::Bits;
  const int step = F::mantissa_bits == 52 ? 13 : 1;
  int kept = 0;
  for (int d = 0; d <= 2 * F::bias + 1; d += step) {
    for (int n = 0; n <= 2 * F::bias + 1; n += step) {
      for (const Bits low : {Bits(0), Bits(1), Bits((Bits(1) << F::mantissa_bits) - 1)}) {
        const Bits s1 = Bits(Bits(d) << F::mantissa_bits) | low;
        const Bits s2 = Bits(Bits(n) << F::mantissa_bits) | Bits(low >> 1) | F::sign_mask;
        for (const Bits s0 : {s1, s2}) {
          if (!div_scale_keeps<F>(s0, s1, s2)) continue;
          ++kept;
          const DivScale<Bits> result = div_scale<F>(s0, s1, s2);
          ASSERT_EQ(result.value, s0) << d << " " << n;
          ASSERT_FALSE(result.post_scale) << d << " " << n;
        }
      }
    }
  }
  EXPECT_GT(kept, 1000);
}

TEST(AmdDivide, OrdinaryOperandsAreNotScaled) {
  quick_scale_agrees<Single>();
  quick_scale_agrees<Double>();
  EXPECT_TRUE(div_scale_keeps<Single>(as_u32(3.0f), as_u32(3.0f), as_u32(-1e-20f)));
  EXPECT_TRUE(div_scale_keeps<Double>(as_u64(1e200), as_u64(3.0), as_u64(1e200)));
  EXPECT_FALSE(div_scale_keeps<Single>(as_u32(0.0f), as_u32(0.0f), as_u32(1.0f)));
}

TEST(AmdDivide, TrigPreop) {
  // 2/pi to 53 bits, truncated: 0.6366197723675813430755...
  EXPECT_EQ(trig_preop_f64(as_u64(1.0), 0), as_u64(0x1.45f306dc9c882p-1));
  // Segments 0, 1 and 2 add up to 2/pi far beyond long double.
  const long double sum = (long double)as_f64(trig_preop_f64(as_u64(1.0), 0)) +
                          as_f64(trig_preop_f64(as_u64(1.0), 1)) + as_f64(trig_preop_f64(as_u64(1.0), 2));
  EXPECT_LT(std::fabs(sum - 0.636619772367581343075535053490057448L), 0x1p-63L);
  // For x = 2^60 (exponent field 1083) six bits more are shifted out.
  const u64 shifted = trig_preop_f64(as_u64(0x1p60), 0);
  const f64 all = 0x1.45f306dc9c882p-1;
  const f64 lost = std::floor(all * 64) / 64;
  EXPECT_LT(std::fabs(as_f64(shifted) - (all - lost)), 0x1p-52);
  // From exponent field 1968 on the result is 2^128 times its place.
  const f64 before = as_f64(trig_preop_f64(u64(1967) << 52, 0)),
            after = as_f64(trig_preop_f64(u64(1968) << 52, 0));
  EXPECT_LT(before, 0x1p-889);
  EXPECT_GT(after, 0x1p-770);
}

// sin(1e22) by the table, as a program would do it: the famous argument whose sine is -0.8522008497671888.
TEST(AmdDivide, TrigPreopReducesLargeArguments) {
  const f64 x = 1e22;
  // x * 2/pi modulo 4 in 200 fraction bits, by integers from the function's segments.
  const int e = exponent_field<Double>(as_u64(x)) - 1075;
  const u64 m = (as_u64(x) & Double::mantissa_mask) | (u64(1) << 52);
  long double fraction = 0;
  for (u32 s = 0; s < 4; s++) {
    const u64 part = trig_preop_f64(as_u64(x), s);
    const Unpacked p = unpack<Double>(part);
    // m * part * 2^e modulo 4, exactly: the product has 106 bits.
    u128 product = u128(m) * p.significand;
    const int place = e + p.exponent;  // value product * 2^place
    if (place < 0 && -place < 126) product &= (u128(1) << (-place + 2)) - 1;
    fraction += std::ldexp((long double)product, place);
    fraction -= 4 * std::floor(fraction / 4);
  }
  const long double half_pi = 1.57079632679489661923132169163975144L;
  EXPECT_NEAR(double(std::sin(fraction * half_pi)), -0.8522008497671888, 1e-15);
}

}  // namespace
}  // namespace lockstep
