#include "float/convert.h"

#include <gtest/gtest.h>

#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;

// The integer nearest in the given direction, saturated, from exact integer arithmetic on the f64's parts.
template <class I>
I expected_int(f64 x, Round round) {
  if (x != x) return 0;
  if (std::isinf(x) || std::fabs(x) >= 0x1p70)
    return x < 0 ? std::numeric_limits<I>::min() : std::numeric_limits<I>::max();
  int e = 0;
  const f64 m = std::frexp(std::fabs(x), &e);  // x = m * 2^e
  const u64 sig = u64(std::ldexp(m, 53));
  e -= 53;
  __int128 whole = 0;
  bool half = false, rest = false;  // the fraction: its first bit, and anything after
  if (e >= 0) {
    whole = __int128(sig) << e;
  } else if (e > -64) {
    whole = sig >> -e;
    half = (sig >> (-e - 1)) & 1;
    rest = (sig & ((u64(1) << (-e - 1)) - 1)) != 0;
  } else {
    rest = sig != 0;
  }
  const bool negative = std::signbit(x), inexact = half || rest;
  const bool up = round == Round::nearest_even     ? half && (rest || (whole & 1))
                  : round == Round::plus_infinity  ? inexact && !negative
                  : round == Round::minus_infinity ? inexact && negative
                                                   : false;
  __int128 v = whole + up;
  if (negative) v = -v;
  if (v > std::numeric_limits<I>::max()) return std::numeric_limits<I>::max();
  if (v < std::numeric_limits<I>::min()) return std::numeric_limits<I>::min();
  return I(v);
}

void check(f64 x) {
  for (Round r : all_rounds) {
    ASSERT_EQ(float_to_int<i32>(x, r), expected_int<i32>(x, r)) << x << " mode " << int(r);
    ASSERT_EQ(float_to_int<u32>(x, r), expected_int<u32>(x, r)) << x << " mode " << int(r);
    ASSERT_EQ(float_to_int<i64>(x, r), expected_int<i64>(x, r)) << x << " mode " << int(r);
    ASSERT_EQ(float_to_int<u64>(x, r), expected_int<u64>(x, r)) << x << " mode " << int(r);
    ASSERT_EQ(float_to_int<i16>(x, r), expected_int<i16>(x, r)) << x << " mode " << int(r);
    ASSERT_EQ(float_to_int<u8>(x, r), expected_int<u8>(x, r)) << x << " mode " << int(r);
    const f32 y = f32(x);
    ASSERT_EQ(float_to_int<i32>(y, r), expected_int<i32>(y, r)) << y << " mode " << int(r);
    ASSERT_EQ(float_to_int<u32>(y, r), expected_int<u32>(y, r)) << y << " mode " << int(r);
    ASSERT_EQ(float_to_int<i64>(y, r), expected_int<i64>(y, r)) << y << " mode " << int(r);
    ASSERT_EQ(float_to_int<u64>(y, r), expected_int<u64>(y, r)) << y << " mode " << int(r);
    ASSERT_EQ(float_to_int<u16>(y, r), expected_int<u16>(y, r)) << y << " mode " << int(r);
  }
}

TEST(Convert, FloatToInteger) {
  for (u64 b : edges<Double>()) check(as_f64(b));
  for (f64 base : {0.0, 1.0, 2.0, 127.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0, 2147483647.0, 2147483648.0,
                   4294967295.0, 4294967296.0, 0x1p53, 0x1p63, 0x1p64, 16777216.0})
    for (f64 step : {0.0, 0.25, 0.5, 0.75, -0.25, -0.5, -0.75}) {
      for (f64 x : {base + step, std::nextafter(base + step, 0.0), std::nextafter(base + step, 1e30)}) {
        check(x);
        check(-x);
      }
    }
  Random random{61};
  for (int i = 0; i < 100000; i++)
    check(as_f64((random.f64_bits() & 0x800fffffffffffffull) | u64(1020 + random.next() % 68) << 52));
}

TEST(Convert, PtxNan) {
  const f32 nan = as_f32(0x7fc00000u);
  const f64 wide_nan = as_f64(0x7ff8000000000000ull);
  EXPECT_EQ((ptx_float_to_int<i32, Round::zero>(nan)), 0);
  EXPECT_EQ((ptx_float_to_int<i64, Round::zero>(nan)), std::numeric_limits<i64>::min());
  EXPECT_EQ((ptx_float_to_int<i32, Round::zero>(wide_nan)), std::numeric_limits<i32>::min());
  EXPECT_EQ((ptx_float_to_int<u32, Round::zero>(wide_nan)), 0x80000000u);
  EXPECT_EQ((ptx_float_to_int<i32, Round::nearest_even>(2.5f)), 2);
}

template <class T>
[[gnu::noinline]] f32 host_int_to_f32(T x, Round r) {
  const HostRound guard(r);
  volatile T v = x;
  volatile f32 z = f32(T(v));
  return z;
}
template <class T>
[[gnu::noinline]] f64 host_int_to_f64(T x, Round r) {
  const HostRound guard(r);
  volatile T v = x;
  volatile f64 z = f64(T(v));
  return z;
}

TEST(Convert, IntegerToFloatEqualsTheProcessor) {
  Random random{62};
  for (int i = 0; i < 200000; i++) {
    const u64 bits = random.next() >> (random.next() % 64);
    for (u64 x : {bits, 0 - bits, (bits >> 12) << 12})
      for (Round r : all_rounds)
        with_round(r, [&]<Round R>() {
          EXPECT_EQ(int_to_f32<R>(i32(x)), host_int_to_f32(i32(x), r));
          EXPECT_EQ(int_to_f32<R>(u32(x)), host_int_to_f32(i64(u32(x)), r));
          EXPECT_EQ(int_to_f32<R>(i64(x)), host_int_to_f32(i64(x), r)) << x << int(r);
          EXPECT_EQ(int_to_f64<R>(i64(x)), host_int_to_f64(i64(x), r)) << x << int(r);
          if (i64(x) >= 0) {
            EXPECT_EQ(int_to_f32<R>(x), host_int_to_f32(i64(x), r));
            EXPECT_EQ(int_to_f64<R>(x), host_int_to_f64(i64(x), r));
          }
          EXPECT_EQ(int_to_f16<R>(i16(x)), f64_to_f16<R>(f64(i16(x))));
          EXPECT_EQ(int_to_f16<R>(u16(x)), f64_to_f16<R>(f64(u16(x))));
          EXPECT_EQ(int_to_f16<R>(i32(x)), f64_to_f16<R>(f64(i32(x))));
        });
  }
  EXPECT_EQ(int_to_f32(~u64(0)), 0x1p64f);
  EXPECT_EQ(int_to_f32<Round::zero>(~u64(0)), as_f32(0x5f7fffffu));
  EXPECT_EQ(int_to_f64<Round::zero>(~u64(0)), as_f64(0x43efffffffffffffull));
  EXPECT_EQ(int_to_f64<Round::minus_infinity>(std::numeric_limits<i64>::min()), -0x1p63);
}

TEST(Convert, RoundsToIntegersInTheFormat) {
  for (u32 h = 0; h < 0x10000; h++) {
    const f64 x = f16_to_f64(f16(h));
    if (is_nan(x)) continue;
    ASSERT_EQ(f16_to_f64(round_to_integer_f16<Round::nearest_even>(f16(h))), std::nearbyint(x));
    ASSERT_EQ(f16_to_f64(round_to_integer_f16<Round::minus_infinity>(f16(h))), std::floor(x));
    ASSERT_EQ(f16_to_f64(round_to_integer_f16<Round::plus_infinity>(f16(h))), std::ceil(x));
    ASSERT_EQ(f16_to_f64(round_to_integer_f16<Round::zero>(f16(h))), std::trunc(x));
  }
  EXPECT_EQ(as_u32(round_to_integer<Round::zero>(-0.5f)), 0x80000000u);
  EXPECT_EQ(round_to_integer<Round::nearest_even>(2.5f), 2.0f);
  EXPECT_EQ(as_u32(round_to_integer<Round::zero>(as_f32(0x7f800001u))), 0x7fc00001u);
}

TEST(Convert, AmdPacking) {
  EXPECT_EQ(cvt_rpi_i32_f32(2.5f), 3);
  EXPECT_EQ(cvt_rpi_i32_f32(-2.5f), -2);
  EXPECT_EQ(cvt_flr_i32_f32(-0.25f), -1);
  EXPECT_EQ(cvt_pkrtz_f16_f32(65519.9f, -1e9f), 0xfbff7bffu);
  EXPECT_EQ(cvt_pkrtz_f16_f32(1.0f, 1.0009f), 0x3c003c00u);
  EXPECT_EQ(cvt_pknorm_i16_f32(-1.0f, 2.0f), 0x7fff8001u);
  EXPECT_EQ(cvt_pknorm_u16_f32(-1.0f, 0.5f), 0x80000000u);  // 32767.5 to even
  EXPECT_EQ(cvt_pknorm_u16_f32(as_f32(0x7fc00000u), 1.0f), 0xffff0000u);
  EXPECT_EQ(cvt_norm_i16_f16(0xbc00), 0x8001);
  EXPECT_EQ(cvt_pk_u16_u32(70000, 5), 0x0005ffffu);
  EXPECT_EQ(cvt_pk_i16_i32(-70000, 40000), 0x7fff8000u);
  EXPECT_EQ(sat_pk_u8_i16(0x0100fff0u), 0xff00);
  const f32 bytes[] = {1, 64, 128, 255};
  for (u32 i = 0; i < 4; i++) EXPECT_EQ(cvt_f32_ubyte(0xff804001u, i), bytes[i]);
  const f32 offsets[] = {0,     0.0625f,  0.125f,  0.1875f,  0.25f,  0.3125f,  0.375f,  0.4375f,
                         -0.5f, -0.4375f, -0.375f, -0.3125f, -0.25f, -0.1875f, -0.125f, -0.0625f};
  for (u32 i = 0; i < 16; i++) EXPECT_EQ(cvt_off_f32_i4(i + 16), offsets[i]);
  EXPECT_EQ(cvt_pk_u8_f32(300.0f, 1, 0x11223344u), 0x1122ff44u);
  EXPECT_EQ(cvt_pk_u8_f32(2.5f, 3, 0x11223344u), 0x02223344u);
  EXPECT_EQ(cvt_pk_u8_f32<Round::plus_infinity>(2.5f, 3, 0x11223344u), 0x03223344u);
  EXPECT_EQ(cvt_pk_u8_f32(-1.0f, 0, 0x11223344u), 0x11223300u);
}

}  // namespace
}  // namespace lockstep
