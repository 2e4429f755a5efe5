// __frsqrt_rn of devlib/nvptx/libdevice.cl, in C++: of every mantissa of two exponents, which stand for all,
// the float next to the exact root.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "float/bits.h"

namespace lockstep {
namespace {

float better(float x, float y) {
  const float root = x * y, rest = std::fma(x, y, -root);
  const float e = std::fma(-rest, y, std::fma(-root, y, 1.0f));
  return std::fma(y, std::fma(e * 0.375f, e, 0.5f * e), y);
}

// Whether 1 / sqrt(x) is above the middle between y and the next float, for x in [1, 4): x * middle^2 < 1, in
// integers.
bool is_above_middle(u32 x_bits, float y) {
  const u32 exponent = (x_bits >> 23) - 127;
  const u64 x = u64{(x_bits & 0x7FFFFF) | 0x800000} << exponent;  // in units of 2^-23
  const double middle = (double{y} + double{std::nextafter(y, 2.0f)}) / 2;
  const u64 m = static_cast<u64>(std::ldexp(middle, 26));
  return u128{x} * m * m < u128{1} << 75;
}

TEST(ReciprocalRoot, IsTheNearestFloatOfEveryMantissa) {
  u32 wrong = 0;
  for (u32 bits = 0x3F800000; bits < 0x40800000; ++bits) {
    const float x = std::bit_cast<float>(bits);
    const float near = static_cast<float>(1 / std::sqrt(double{x}));
    // The hardware's approximation is a unit or two away from it, in either direction.
    const u32 away = bits % 5;
    const float y = std::bit_cast<float>(std::bit_cast<u32>(near) + away - 2);
    const float result = better(x, better(x, y));
    const bool right = !is_above_middle(bits, result) && is_above_middle(bits, std::nextafter(result, 0.0f));
    wrong += !right;
  }
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace lockstep
