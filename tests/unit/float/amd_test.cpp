#include "float/amd.h"

#include <gtest/gtest.h>

#include "float/packed.h"
#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;

TEST(Amd, LdexpRoundsOnce) {
  Random random{71};
  for (int i = 0; i < 200000; i++) {
    const u32 a = random.f32_bits();
    const i32 n = i32(random.next() % 600) - 300;
    const f32 x = as_f32(a);
    if (!is_nan(x)) {
      // std::ldexp of an f32 in long double is exact; the conversion rounds once.
      ASSERT_EQ(as_u32(ldexp_f32(x, n)), as_u32(f32(std::ldexp((long double)x, n)))) << x << " " << n;
      for (Round r : all_rounds)
        with_round(r, [&]<Round R>() { EXPECT_EQ(as_u32(ldexp_f32<R>(x, n)), soft_scale<Single>(a, n, R)); });
    }
    const u64 b = random.f64_bits();
    const i32 m = i32(random.next() % 4400) - 2200;
    if (!is_nan<Double>(b)) {
      ASSERT_EQ(as_u64(ldexp_f64(as_f64(b), m)), as_u64(f64(std::ldexp((long double)as_f64(b), m))));
    }
    const f16 h = f16(random.next());
    const i32 k = i32(random.next() % 120) - 60;
    if (!is_nan<Half>(h)) {
      ASSERT_EQ(ldexp_f16(h, k), f64_to_f16(std::ldexp(f16_to_f64(h), k)));
    }
  }
  EXPECT_EQ(as_u32(ldexp_f32(1.0f, 0x7fffffff)), 0x7f800000u);
  EXPECT_EQ(as_u32(ldexp_f32(-1.0f, -0x7fffffff)), 0x80000000u);
  EXPECT_EQ(as_u32(ldexp_f32(as_f32(1), 276)), as_u32(0x1p127f));
  EXPECT_EQ(ldexp_f64(as_f64(1), 2097), 0x1p1023);
  EXPECT_EQ(as_u32(ldexp_f32(as_f32(0x7f800001u), 1)), 0x7fc00001u);
}

TEST(Amd, Frexp) {
  for (u32 b : edges<Single>()) {
    const f32 x = as_f32(b);
    if (!std::isfinite(x)) {
      EXPECT_EQ(frexp_mant<Single>(b), b);
      EXPECT_EQ(frexp_exp<Single>(b), 0);
      continue;
    }
    int e = 0;
    EXPECT_EQ(as_u32(std::frexp(x, &e)), frexp_mant<Single>(b));
    EXPECT_EQ(e, frexp_exp<Single>(b));
  }
  for (u64 b : edges<Double>()) {
    if (!is_finite<Double>(b)) continue;
    int e = 0;
    EXPECT_EQ(as_u64(std::frexp(as_f64(b), &e)), frexp_mant<Double>(b));
    EXPECT_EQ(e, frexp_exp<Double>(b));
  }
  for (u32 h = 0; h < 0x10000; h++) {
    if (!is_finite<Half>(f16(h))) continue;
    int e = 0;
    ASSERT_EQ(std::frexp(f16_to_f64(f16(h)), &e), f16_to_f64(frexp_mant<Half>(f16(h)))) << h;
    ASSERT_EQ(e, frexp_exp<Half>(f16(h))) << h;
  }
}

TEST(Amd, Fract) {
  EXPECT_FLOAT_EQ(fract_f32(-1.2f), 0.8f);
  EXPECT_EQ(as_u32(fract_f32(-0x1p-30f)), 0x3f7fffffu);
  EXPECT_EQ(as_u64(fract_f64(-0x1p-80)), 0x3fefffffffffffffull);
  EXPECT_EQ(fract_f16(0x8001), 0x3bff);
  EXPECT_EQ(as_u32(fract_f32(3.0f)), 0u);
  EXPECT_TRUE(is_nan(fract_f32(as_f32(0x7f800000u))));
  Random random{72};
  for (int i = 0; i < 100000; i++) {
    const f32 x = as_f32((random.f32_bits() & 0x807fffffu) | u32(100 + random.next() % 60) << 23);
    const long double exact = (long double)x - std::floor((long double)x);
    ASSERT_EQ(fract_f32(x), std::min(f32(exact), as_f32(0x3f7fffffu))) << x;
  }
}

TEST(Amd, ClassBits) {
  const u32 list[] = {0x7f800001u, 0xffc00000u, 0xff800000u, 0xbf800000u, 0x80000001u,
                      0x80000000u, 0u,          1u,          0x3f800000u, 0x7f800000u};
  for (u32 i = 0; i < 10; i++) EXPECT_EQ(class_bit<Single>(list[i]), 1u << i) << i;
  EXPECT_TRUE(cmp_class<Half>(0x7e00, 3));
  EXPECT_FALSE(cmp_class<Double>(as_u64(1.0), 0xff));
}

TEST(Amd, LegacyProducts) {
  const f32 infinity = as_f32(0x7f800000u), nan = as_f32(0x7fc00000u);
  EXPECT_EQ(as_u32(mul_legacy_f32(0.0f, infinity)), 0u);
  EXPECT_EQ(as_u32(mul_legacy_f32(nan, -0.0f)), 0u);
  EXPECT_EQ(mul_legacy_f32(2.0f, 3.0f), 6.0f);
  EXPECT_EQ(mad_legacy_f32(0.0f, nan, 5.0f), 5.0f);
  // Two roundings: 1 + 2^-23 squared loses its last bit before the addition.
  const f32 a = 1.0f + 0x1p-23f;
  EXPECT_EQ(mad_f32(a, a, -1.0f), 0x1p-22f);
  EXPECT_EQ(fma_f32(a, a, -1.0f), 0x1p-22f + 0x1p-46f);
  EXPECT_EQ(as_u32(mad_f32(0x1p-100f, 0x1p-30f, 0.0f)), 0u);
  EXPECT_EQ(mad_f16(0x3c00, 0x4000, 0x3c00), 0x4200);
}

TEST(Amd, Cube) {
  // The six faces by direction, and the projection (sc/|ma| + 1/2 at twice the major axis) of a known point.
  EXPECT_EQ(cubeid_f32(1, 0.5f, 0.25f), 0.0f);
  EXPECT_EQ(cubeid_f32(-1, 0.5f, 0.25f), 1.0f);
  EXPECT_EQ(cubeid_f32(0.5f, 1, 0.25f), 2.0f);
  EXPECT_EQ(cubeid_f32(0.5f, -1, 0.25f), 3.0f);
  EXPECT_EQ(cubeid_f32(0.5f, 0.25f, 1), 4.0f);
  EXPECT_EQ(cubeid_f32(0.5f, 0.25f, -1), 5.0f);
  EXPECT_EQ(cubesc_f32(1, 0.5f, 0.25f), -0.25f);
  EXPECT_EQ(cubesc_f32(-1, 0.5f, 0.25f), 0.25f);
  EXPECT_EQ(cubesc_f32(0.5f, 0.25f, -1), -0.5f);
  EXPECT_EQ(cubetc_f32(1, 0.5f, 0.25f), -0.5f);
  EXPECT_EQ(cubetc_f32(0.5f, 1, 0.25f), 0.25f);
  EXPECT_EQ(cubetc_f32(0.5f, -1, 0.25f), -0.25f);
  EXPECT_EQ(cubema_f32(0.5f, -1, 0.25f), -2.0f);
  EXPECT_EQ(cubema_f32(1, 1, 1), 2.0f);
  EXPECT_EQ(cubeid_f32(1, 1, 1), 4.0f);
}

TEST(Packed, SumsOfAbsoluteDifferences) {
  EXPECT_EQ(sad_u8(0x01ff0280u, 0x02000180u, 5), 5u + 1 + 255 + 1 + 0);
  EXPECT_EQ(sad_hi_u8(0x00000003u, 0x00000001u, 7), (2u << 16) + 7);
  EXPECT_EQ(sad_u16(0x0005ffffu, 0x00070000u, 1), 1u + 2 + 65535);
  EXPECT_EQ(sad_u32(3, 0xffffffffu, 4), 0xfffffffcu + 4);
  EXPECT_EQ(msad_u8(0x01ff0280u, 0x02000180u, 5), 5u + 1 + 1 + 0);
  // Windows of 01 02 03 04 05 06 07 08 against 01 01 01 01: sums 6, 10, 14, 18.
  EXPECT_EQ(qsad_pk_u16_u8(0x0807060504030201ull, 0x01010101u, 0), 0x0012000e000a0006ull);
  // With the outer reference bytes zero, window i counts |i + 2 - 1| + |i + 3 - 1| = 2 i + 3.
  EXPECT_EQ(mqsad_pk_u16_u8(0x0807060504030201ull, 0x00010100u, 0), 0x0009000700050003ull);
  EXPECT_EQ(mqsad_u32_u8(0x0807060504030201ull, 0x01010101u, {1, 2, 3, 4}),
            (std::array<u32, 4>{7, 12, 17, 22}));
}

TEST(Packed, Bytes) {
  EXPECT_EQ(lerp_u8(0x01030507u, 0x02040608u, 0x00010001u), 0x01040508u);
  EXPECT_EQ(perm_b32(0x77665544u, 0x33221100u, 0x07050301u), 0x77553311u);
  EXPECT_EQ(perm_b32(0x80665544u, 0x33228000u, 0x0b08090cu), 0xffff0000u);
  EXPECT_EQ(perm_b32(0, 0, 0x0d0e0cffu), 0xffff00ffu);
  EXPECT_EQ(alignbit_b32(0x12345678u, 0x9abcdef0u, 36), 0x89abcdefu);
  EXPECT_EQ(alignbyte_b32(0x12345678u, 0x9abcdef0u, 5), 0x789abcdeu);
}

TEST(Packed, Bitfields) {
  EXPECT_EQ(bfe_u32(0xabcd1234u, 8, 12), 0xd12u);
  EXPECT_EQ(bfe_u32(0xabcd1234u, 8, 0), 0u);
  EXPECT_EQ(bfe_i32(0xabcd1234u, 8, 12), i32(0xfffffd12u));
  EXPECT_EQ(bfe_i32(0xabcd1234u, 28, 8), i32(0xfffffffau));  // the sign fills what lies above bit 31
  EXPECT_EQ(bfe_i32(0xffffffffu, 4, 0), 0);
  EXPECT_EQ(bfi_b32(0x0000ffffu, 0x12345678u, 0xabcdef01u), 0xabcd5678u);
  EXPECT_EQ(bfm_b32(4, 8), 0xf00u);
  EXPECT_EQ(bfm_b64(8, 40), 0xff0000000000ull);
  EXPECT_EQ(mbcnt_lo(0xffffffffu, 5, 10), 15u);
  EXPECT_EQ(mbcnt_lo(0xf0f0f0f0u, 40, 0), 16u);
  EXPECT_EQ(mbcnt_hi(0xffffffffu, 31, 3), 3u);
  EXPECT_EQ(mbcnt_hi(0xffffffffu, 63, 0), 31u);
}

}  // namespace
}  // namespace lockstep
