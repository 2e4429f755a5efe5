#include "float/minmax.h"

#include <gtest/gtest.h>

#include "witness.h"

namespace lockstep {
namespace {

using namespace witness;

// The manual's pseudocode for V_MIN_F32 and V_MAX_F32, line by line, on host floats.
u32 manual_min(u32 a, u32 b, bool ieee) {
  const f32 x = as_f32(a), y = as_f32(b);
  if (ieee && is_signaling_nan<Single>(a)) return a | 0x400000;
  if (ieee && is_signaling_nan<Single>(b)) return b | 0x400000;
  if (x != x) return b;
  if (y != y) return a;
  if (a == 0 && b == 0x80000000u) return b;
  if (a == 0x80000000u && b == 0) return a;
  return x < y ? a : b;
}
u32 manual_max(u32 a, u32 b, bool ieee) {
  const f32 x = as_f32(a), y = as_f32(b);
  if (ieee && is_signaling_nan<Single>(a)) return a | 0x400000;
  if (ieee && is_signaling_nan<Single>(b)) return b | 0x400000;
  if (x != x) return b;
  if (y != y) return a;
  if (a == 0 && b == 0x80000000u) return a;
  if (a == 0x80000000u && b == 0) return b;
  return ieee ? (x >= y ? a : b) : (x > y ? a : b);
}
u32 manual_med(u32 a, u32 b, u32 c, bool ieee) {
  const f32 x = as_f32(a), y = as_f32(b), z = as_f32(c);
  if (x != x || y != y || z != z) return manual_min(manual_min(a, b, ieee), c, ieee);
  const f32 most = as_f32(manual_max(manual_max(a, b, ieee), c, ieee));
  if (most == x) return manual_max(b, c, ieee);
  if (most == y) return manual_max(a, c, ieee);
  return manual_max(a, b, ieee);
}

TEST(MinMax, AmdEqualsTheManualsPseudocode) {
  std::vector<u32> list = edges<Single>();
  Random random{51};
  for (int i = 0; i < 100; i++) list.push_back(u32(random.next()));
  for (bool ieee : {false, true})
    for (u32 a : list)
      for (u32 b : list) {
        ASSERT_EQ(amd_min<Single>(a, b, ieee), manual_min(a, b, ieee)) << a << " " << b;
        ASSERT_EQ(amd_max<Single>(a, b, ieee), manual_max(a, b, ieee)) << a << " " << b;
        for (std::size_t k = 0; k < 64; k += 3) {
          const u32 c = list[k];
          ASSERT_EQ(amd_med3<Single>(a, b, c, ieee), manual_med(a, b, c, ieee)) << a << " " << b << " " << c;
        }
      }
}

TEST(MinMax, HalvesFollowTheSingles) {
  Random random{52};
  const auto widen = [](f16 h) { return u64(h & 0x8000) << 48 | u64(h & 0x7fff) << 42; };  // order-preserving
  for (int i = 0; i < 300000; i++) {
    const f16 a = f16(random.next()), b = f16(random.next());
    if (is_nan<Half>(a) || is_nan<Half>(b)) continue;
    ASSERT_EQ(widen(amd_min<Half>(a, b, true)), amd_min<Double>(widen(a), widen(b), true));
    ASSERT_EQ(widen(amd_max<Half>(a, b, true)), amd_max<Double>(widen(a), widen(b), true));
  }
  EXPECT_EQ(amd_min<Half>(0x7c01, 0x3c00, true), 0x7e01);
  EXPECT_EQ(amd_min<Half>(0x7c01, 0x3c00, false), 0x3c00);
  EXPECT_EQ(amd_max<Half>(0x8000, 0x0000, true), 0x0000);
}

TEST(MinMax, Legacy) {
  const f32 nan = as_f32(0x7fc00000u);
  EXPECT_EQ(legacy_min_f32(nan, 2.0f), 2.0f);
  EXPECT_EQ(as_u32(legacy_min_f32(2.0f, nan)), 0x7fc00000u);
  EXPECT_EQ(legacy_max_f32(nan, 2.0f), 2.0f);
  EXPECT_EQ(as_u32(legacy_max_f32(2.0f, nan)), 0x7fc00000u);
  EXPECT_EQ(as_u32(legacy_max_f32(-0.0f, 0.0f)), 0x80000000u);
  EXPECT_EQ(as_u32(legacy_min_f32(-0.0f, 0.0f)), 0u);
}

TEST(MinMax, Ptx) {
  const u32 nan = 0xffc00001u, one = as_u32(1.0f);
  EXPECT_EQ(ptx_min<Single>(nan, one), one);
  EXPECT_EQ(ptx_max<Single>(one, 0x7f800001u), one);
  EXPECT_EQ(ptx_max<Single>(nan, nan), 0x7fffffffu);
  EXPECT_EQ(ptx_min<Single>(nan, one, true), 0x7fffffffu);
  EXPECT_EQ(ptx_min<Single>(0, 0x80000000u), 0x80000000u);
  EXPECT_EQ(ptx_max<Single>(0x80000000u, 0), 0u);
  EXPECT_EQ(ptx_min<Half>(0xfe00, 0xfe00), 0x7fff);
  EXPECT_EQ(ptx_min<Single>(as_u32(-3.0f), as_u32(-2.0f)), as_u32(-3.0f));
}

TEST(MinMax, Propagating) {
  const u32 quiet1 = 0x7fc00001u, quiet2 = 0xffc00002u, signal = 0x7f800003u, one = as_u32(1.0f);
  EXPECT_EQ(propagating_min<Single>(one, quiet1), quiet1);
  EXPECT_EQ(propagating_max<Single>(quiet1, quiet2), quiet1);
  EXPECT_EQ(propagating_max<Single>(quiet2, signal), 0x7fc00003u);
  EXPECT_EQ(propagating_min<Single>(0, 0x80000000u), 0x80000000u);
  EXPECT_EQ(propagating_max<Double>(as_u64(2.0), as_u64(-3.0)), as_u64(2.0));
}

}  // namespace
}  // namespace lockstep
