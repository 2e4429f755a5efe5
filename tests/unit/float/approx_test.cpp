#include "float/approx.h"

#include <gtest/gtest.h>

#include <numbers>

#include "float/exactness.h"
#include "float/ptx_approx.h"
#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;
using wide = long double;
constexpr wide pi = std::numbers::pi_v<wide>;

// The distance of a result from the true value in units of the result's last place.
wide ulp_error(f32 result, wide exact) {
  int e;
  std::frexp(std::fabs(exact), &e);
  return std::fabs(wide(result) - exact) / std::ldexp(wide(1), std::max(e - 24, -149));
}
wide ulp_error(f64 result, wide exact) {
  int e;
  std::frexp(std::fabs(exact), &e);
  return std::fabs(wide(result) - exact) / std::ldexp(wide(1), std::max(e - 53, -1074));
}
wide ulp_error_f16(f16 result, wide exact) {
  int e;
  std::frexp(std::fabs(exact), &e);
  return std::fabs(wide(f16_to_f32(result)) - exact) / std::ldexp(wide(1), std::max(e - 11, -24));
}
wide sin_turns(wide x) {
  const wide r = x - std::rint(x);  // exact
  const wide k = std::rint(r * 4);
  const wide t = 2 * pi * (r - k / 4);
  switch (int(k) & 3) {
    case 0:
      return std::sin(t);
    case 1:
      return std::cos(t);
    case 2:
      return -std::sin(t);
    default:
      return -std::cos(t);
  }
}
wide cos_turns(wide x) {
  const wide r = x - std::rint(x);
  const wide k = std::rint(r * 4);
  const wide t = 2 * pi * (r - k / 4);
  switch (int(k) & 3) {
    case 0:
      return std::cos(t);
    case 1:
      return -std::sin(t);
    case 2:
      return -std::cos(t);
    default:
      return std::sin(t);
  }
}

template <class Function, class Exact>
void sample(u32 from, u32 to, u64 seed, Function function, Exact exact) {
  Random random{seed};
  for (int i = 0; i < 200000; i++) {
    const f32 x = as_f32(from + u32(random.next() % (to - from)));
    const wide e = ulp_error(function(x), exact(wide(x)));
    ASSERT_LT(e, 0.501) << std::hexfloat << x;
  }
}

TEST(Approx, Exp2) {
  const auto f = [](f32 x) { return exp2_f32(x); };
  const auto e = [](wide x) { return std::exp2(x); };
  sample(as_u32(1e-8f), as_u32(127.99f), 21, f, e);
  sample(as_u32(-1e-8f), as_u32(-148.9f), 22, f, e);
  for (int n = -149; n < 128; n++) EXPECT_EQ(exp2_f32(f32(n)), std::ldexp(1.0f, n));
  EXPECT_EQ(as_u32(exp2_f32(128.0f)), 0x7f800000u);
  EXPECT_EQ(as_u32(exp2_f32(-1e30f)), 0u);
  EXPECT_EQ(as_u32(exp2_f32(as_f32(0x7f800001u))), 0x7fc00001u);
  // The manual's examples.
  EXPECT_EQ(as_u32(amd_exp_f32(as_f32(0xff800000u))), 0u);
  EXPECT_EQ(as_u32(amd_exp_f32(as_f32(0x80000000u))), 0x3f800000u);
  EXPECT_EQ(as_u32(amd_exp_f32(as_f32(0x7f800000u))), 0x7f800000u);
  EXPECT_EQ(as_u32(amd_exp_f32(-127.0f)), 0u);  // a denormal result
}

TEST(Approx, Log2) {
  const auto f = [](f32 x) { return log2_f32(x); };
  const auto e = [](wide x) { return std::log2(x); };
  sample(1, 0x7f800000u, 23, f, e);
  sample(as_u32(0.99f), as_u32(0.9999999f), 24, f, e);
  sample(as_u32(1.0000001f), as_u32(1.01f), 25, f, e);
  for (int n = -149; n < 128; n++) EXPECT_EQ(log2_f32(std::ldexp(1.0f, n)), f32(n));
  EXPECT_EQ(as_u32(amd_log_f32(as_f32(0xff800000u))), 0xffc00000u);
  EXPECT_EQ(as_u32(amd_log_f32(-1.0f)), 0xffc00000u);
  EXPECT_EQ(as_u32(amd_log_f32(-0.0f)), 0xff800000u);
  EXPECT_EQ(as_u32(amd_log_f32(0.0f)), 0xff800000u);
  EXPECT_EQ(as_u32(amd_log_f32(1.0f)), 0u);
  EXPECT_EQ(as_u32(amd_log_f32(as_f32(0x7f800000u))), 0x7f800000u);
  EXPECT_EQ(as_u32(amd_log_f32(as_f32(1))), 0xff800000u);
  EXPECT_EQ(log2_f32(as_f32(1)), -149.0f);
}

TEST(Approx, Roots) {
  const auto f = [](f32 x) { return rsq_f32(x); };
  sample(1, 0x7f800000u, 26, f, [](wide x) { return 1 / std::sqrt(x); });
  sample(0x00200001u, 0x7f800000u, 27, [](f32 x) { return rcp_f32(x); }, [](wide x) { return 1 / x; });
  sample(1, 0x7f800000u, 28, [](f32 x) { return sqrt_f32(x); }, [](wide x) { return std::sqrt(x); });
  EXPECT_EQ(as_u32(amd_rsq_f32(as_f32(0xff800000u))), 0xffc00000u);
  EXPECT_EQ(as_u32(amd_rsq_f32(-0.0f)), 0xff800000u);
  EXPECT_EQ(as_u32(amd_rsq_f32(4.0f)), 0x3f000000u);
  EXPECT_EQ(as_u32(amd_rsq_f32(as_f32(0x7f800000u))), 0u);
  EXPECT_EQ(as_u32(amd_rcp_f32(as_f32(0xff800000u))), 0x80000000u);
  EXPECT_EQ(as_u32(amd_rcp_f32(-2.0f)), 0xbf000000u);
  EXPECT_EQ(as_u32(amd_rcp_f32(-0.0f)), 0xff800000u);
  EXPECT_EQ(as_u32(amd_rcp_f32(as_f32(0x7f000000u))), 0u);  // 2^-127 flushed
  EXPECT_EQ(as_u32(amd_rcp_f32(as_f32(0x00400000u))), 0x7f800000u);
  EXPECT_EQ(as_u32(amd_sqrt_f32(as_f32(0xff800000u))), 0xffc00000u);
  EXPECT_EQ(as_u32(amd_sqrt_f32(-0.0f)), 0x80000000u);
}

TEST(Approx, SineAndCosine) {
  for (bool negative : {false, true}) {
    const u32 sign = negative ? 0x80000000u : 0;
    const auto from = as_u32(1e-30f) | sign, to = as_u32(300.0f) | sign;
    sample(from, to, 29, [](f32 x) { return sin_turns_f32(x); }, sin_turns);
    sample(from, to, 30, [](f32 x) { return cos_turns_f32(x); }, cos_turns);
    sample(as_u32(0.1f) | sign, as_u32(2.0f) | sign, 31, [](f32 x) { return sin_turns_f32(x); }, sin_turns);
    sample(as_u32(0.1f) | sign, as_u32(2.0f) | sign, 32, [](f32 x) { return cos_turns_f32(x); }, cos_turns);
  }
  EXPECT_EQ(as_u32(amd_sin_f32(as_f32(0xff800000u), true)), 0xffc00000u);
  EXPECT_EQ(as_u32(amd_sin_f32(as_f32(0xff7fffffu), true)), 0u);
  EXPECT_EQ(as_u32(amd_sin_f32(-0.0f, true)), 0x80000000u);
  EXPECT_EQ(as_u32(amd_sin_f32(0.25f, true)), 0x3f800000u);
  EXPECT_EQ(as_u32(amd_cos_f32(as_f32(0xff7fffffu), true)), 0x3f800000u);
  EXPECT_EQ(as_u32(amd_cos_f32(-0.0f, true)), 0x3f800000u);
  EXPECT_EQ(as_u32(amd_cos_f32(0.25f, true)), 0u);
  EXPECT_EQ(amd_sin_f32(256.25f, true), 1.0f);
  EXPECT_EQ(amd_sin_f32(256.25f, false), 0.0f);
  EXPECT_EQ(amd_sin_f32(255.25f, false), 1.0f);
  EXPECT_EQ(amd_cos_f32(256.5f, false), 1.0f);
  EXPECT_EQ(amd_cos_f32(255.5f, false), -1.0f);
}

TEST(Approx, AllHalves) {
  for (u32 i = 0; i < 0x10000; i++) {
    const f16 h = f16(i);
    if (!is_finite<Half>(h)) continue;
    const wide x = f16_to_f32(h);
    const wide e = std::exp2(x);
    if (e < 65520) {
      ASSERT_LT(ulp_error_f16(exp2_f16(h), e), 0.501) << i;
    } else {
      ASSERT_EQ(exp2_f16(h), 0x7c00) << i;
    }
    ASSERT_LT(ulp_error_f16(sin_turns_f16(h), sin_turns(x)), 0.501) << i;
    ASSERT_LT(ulp_error_f16(cos_turns_f16(h), cos_turns(x)), 0.501) << i;
    if (x > 0) {
      ASSERT_LT(ulp_error_f16(log2_f16(h), std::log2(x)), 0.501) << i;
      ASSERT_LT(ulp_error_f16(rsq_f16(h), 1 / std::sqrt(x)), 0.501) << i;
      const wide r = 1 / x;
      ASSERT_TRUE(r >= 65520 ? rcp_f16(h) == 0x7c00 : ulp_error_f16(rcp_f16(h), r) <= 0.5) << i;
    }
  }
  EXPECT_EQ(exp2_f16(0xfc00), 0);
  EXPECT_EQ(exp2_f16(0x8000), 0x3c00);
  EXPECT_EQ(exp2_f16(0x7c00), 0x7c00);
  EXPECT_EQ(log2_f16(0xfc00), 0xfe00);
  EXPECT_EQ(log2_f16(0x8000), 0xfc00);
  EXPECT_EQ(log2_f16(0x3c00), 0);
  EXPECT_EQ(rsq_f16(0xfc00), 0xfe00);
  EXPECT_EQ(rsq_f16(0x8000), 0xfc00);
  EXPECT_EQ(sin_turns_f16(0xfc00), 0xfe00);
  EXPECT_EQ(amd_sin_f16(0xfbff, true), 0);
  EXPECT_EQ(amd_cos_f16(0xfbff, false), 0x3c00);
}

TEST(Approx, DoubleRoots) {
  Random random{33};
  for (int i = 0; i < 300000; i++) {
    const f64 x = as_f64(1 + random.next() % (Double::infinity - 1));
    // long double has 11 bits more: enough to see 0.501.
    ASSERT_LT(ulp_error(rsq_f64(x), 1 / std::sqrt(wide(x))), 0.501) << std::hexfloat << x;
    ASSERT_LT(ulp_error(sqrt_f64(x), std::sqrt(wide(x))), 0.501) << std::hexfloat << x;
  }
  EXPECT_EQ(rsq_f64(4.0), 0.5);
  EXPECT_EQ(as_u64(rsq_f64(-0.0)), 0xfff0000000000000ull);
  EXPECT_EQ(as_u64(rsq_f64(-1.0)), 0xfff8000000000000ull);
  EXPECT_EQ(rsq_f64(as_f64(Double::infinity)), 0.0);
}

TEST(Approx, Ptx) {
  Random random{34};
  for (int i = 0; i < 200000; i++) {
    const f32 x = as_f32(as_u32(1e-20f) + u32(random.next() % (as_u32(50.0f) - as_u32(1e-20f))));
    ASSERT_LT(ulp_error(ptx_tanh_approx_f32(-x), std::tanh(-wide(x))), 0.501) << std::hexfloat << x;
    // The published bound, 2^-20.5 in [-2 pi, 2 pi], with a little more for the cut of the product at its
    // end.
    const f32 y = std::fmod(x, 6.28f);
    ASSERT_LT(std::fabs(ptx_sin_approx_f32(y) - std::sin(wide(y))), 0x1.8p-21) << std::hexfloat << y;
    ASSERT_LT(std::fabs(ptx_cos_approx_f32(y) - std::cos(wide(y))), 0x1.8p-21) << std::hexfloat << y;
    ASSERT_LT(ulp_error(ptx_rcp_approx_f32(x, false), 1 / wide(x)), 1.0) << std::hexfloat << x;
    ASSERT_LT(ulp_error(ptx_ex2_approx_f32(y, false), std::exp2(wide(y))), 2.0) << std::hexfloat << y;
    ASSERT_LT(std::fabs(ptx_rsqrt_approx_f32(x, false) * std::sqrt(wide(x)) - 1), 0x1p-22)
        << std::hexfloat << x;
    ASSERT_LT(std::fabs(ptx_sqrt_approx_f32(x, false) / std::sqrt(wide(x)) - 1), 0x1p-22)
        << std::hexfloat << x;
  }
  EXPECT_EQ(as_u32(ptx_sin_approx_f32(as_f32(0x7f800000u))), 0x7fffffffu);
  EXPECT_EQ(as_u32(ptx_lg2_approx_f32(-1.0f, false)), 0x7fffffffu);
  EXPECT_EQ(as_u32(ptx_rcp_approx_f32(as_f32(1), true)), 0x7f800000u);
  EXPECT_EQ(as_u32(ptx_rcp_approx_f32(0x1p127f, false)), 0x00400000u);
  EXPECT_EQ(as_u32(ptx_ex2_approx_f32(-127.0f, true)), 0u);
  EXPECT_EQ(as_u32(ptx_div_approx_f32(-3.0f, 0x1.8p126f, false, false)), 0x80000000u);
  EXPECT_EQ(as_u32(ptx_div_approx_f32(as_f32(0x7f800000u), 0x1.8p126f, false, false)), 0x7fffffffu);
  EXPECT_EQ(ptx_div_approx_f32(1.0f, 4.0f, false, false), 0.25f);
}

TEST(Approx, TableIsWithinTheVendorsBounds) {
  for (const Exactness& e : exactness_table) {
    EXPECT_FALSE(e.source.empty()) << e.name;
    if (e.bound_ulp > 0) {
      EXPECT_LE(e.ours_ulp, e.bound_ulp) << e.name;
    }
  }
}

}  // namespace
}  // namespace lockstep
