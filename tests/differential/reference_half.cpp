// References for halves: every operation is done exactly (or in a wider type) and rounded once to binary16. A
// sum or a product of two halves is exact in double; a fused multiply-add may not be, so its double is
// rounded to odd before the final rounding (Boldo and Melquiond, Emulation of FMA and correctly rounded sums,
// 2008).
#include <bit>
#include <cmath>

#include "reference.h"

namespace lockstep::corpus {
namespace {

constexpr u32 items = 512;

// x * y + z with the last bit telling whether something was lost, so that rounding again to a half is right.
f64 fma_to_odd(f64 x, f64 y, f64 z) {
  const f64 product = x * y;  // exact: 22 bits
  const f64 sum = product + z;
  if (!std::isfinite(sum)) {
    return sum;
  }
  // The error of the sum, exactly (Knuth's two-sum).
  const f64 part = sum - product;
  const f64 error = (product - (sum - part)) + (z - part);
  const u64 bits = std::bit_cast<u64>(sum);
  if (error == 0.0 || (bits & 1) != 0) {
    return sum;
  }
  const bool away = (error > 0.0) == (sum > 0.0);
  return std::bit_cast<f64>(away ? bits + 1 : bits - 1);
}

// minNum and maxNum of numbers, no NaN among them here.
f64 smaller(f64 x, f64 y) {
  return x < y ? x : y;
}
f64 larger(f64 x, f64 y) {
  return x > y ? x : y;
}

void arithmetic(const Case& test, Contents& contents) {
  const u16* a = elements<u16>(test, contents, "a");
  const u16* b = elements<u16>(test, contents, "b");
  const u16* c = elements<u16>(test, contents, "c");
  u16* out = elements<u16>(test, contents, "out");
  u16* ratios = elements<u16>(test, contents, "ratios");
  for (u32 i = 0; i < items; ++i) {
    const f64 x = double_from_half(a[i]);
    const f64 y = double_from_half(b[i]);
    const f64 z = double_from_half(c[i]);
    const auto rounded = [](f64 value) { return double_from_half(half_from_double(value)); };
    const int flags = (x == y) + 2 * (x < y) + 4 * (x >= y) + 8 * std::isnan(x) + 16 * std::isinf(y);
    const f64 values[18] = {x + y,
                            x - y,
                            x * y,
                            rounded(x * y) + z,
                            fma_to_odd(x, y, z),
                            -x,
                            std::fabs(x),
                            std::floor(x),
                            std::ceil(x),
                            std::trunc(x),
                            std::rint(x),
                            x < y ? x : z,
                            static_cast<f64>(flags),
                            std::copysign(z, x),
                            rounded(z * z) - z,
                            rounded(larger(z, 1.5)) + smaller(z, -2.5),
                            fma_to_odd(z, z, 0.5),
                            3.0 - z};
    for (u32 k = 0; k < 18; ++k) {
      out[k * items + i] = half_from_double(values[k]);
    }
    ratios[i] = half_from_double(x / y);
    ratios[i + items] = half_from_double(std::sqrt(x));
    ratios[i + 2 * items] = half_from_double(z / 3.0);
    ratios[i + 3 * items] = half_from_double(1.0 / z);
  }
}

void packed(const Case& test, Contents& contents) {
  const u16* a = elements<u16>(test, contents, "a");
  const u16* b = elements<u16>(test, contents, "b");
  u16* out = elements<u16>(test, contents, "out");
  for (u32 i = 0; i < items; ++i) {
    f64 x[4];
    f64 y[4];
    for (u32 k = 0; k < 4; ++k) {
      x[k] = double_from_half(a[4 * i + k]);
      y[k] = double_from_half(b[4 * i + k]);
    }
    const f64 joined[4] = {x[0] + y[2], x[1] + y[3], x[2] * y[0], x[3] * y[1]};
    for (u32 k = 0; k < 4; ++k) {
      const f64 halved = double_from_half(half_from_double(y[k & ~1u] * 0.5));
      const f64 values[8] = {x[k] + y[k],
                             x[k] * y[k ^ 1],
                             fma_to_odd(x[k], y[k], x[3 - k]),
                             smaller(x[k], y[k]),
                             larger(x[k | 1], -y[k]),
                             x[k] - halved,
                             joined[k],
                             static_cast<f64>(static_cast<f32>(x[k]) * 3.0f)};
      for (u32 column = 0; column < 8; ++column) {
        out[(column * items + i) * 4 + k] = half_from_double(values[column]);
      }
    }
  }
}

// The neighbour of the nearest half on the wanted side.
u16 directed_half(f64 value, int direction) {
  u16 nearest = half_from_double(value);
  const f64 result = double_from_half(nearest);
  const bool too_high = direction < 0 && result > value;
  const bool too_low = direction > 0 && result < value;
  if (!too_high && !too_low) {
    return nearest;
  }
  // Moving up means a larger magnitude for positive values and a smaller one for negative values.
  const bool negative = (nearest & 0x8000) != 0;
  const bool grow = too_low != negative;
  return static_cast<u16>(nearest + (grow ? 1 : -1));
}

void conversions(const Case& test, Contents& contents) {
  const u16* h = elements<u16>(test, contents, "h");
  const f32* f = elements<f32>(test, contents, "f");
  const i32* n = elements<i32>(test, contents, "n");
  u16* halves = elements<u16>(test, contents, "halves");
  i32* ints = elements<i32>(test, contents, "ints");
  f32* floats = elements<f32>(test, contents, "floats");
  for (u32 i = 0; i < items; ++i) {
    const f64 x = double_from_half(h[i]);
    const f64 y = static_cast<f64>(f[i] * 0.01f);
    halves[i] = half_from_double(f[i]);
    halves[i + 512] = directed_half(y, y > 0.0 ? -1 : 1);
    halves[i + 1024] = directed_half(y, 1);
    halves[i + 1536] = directed_half(y, -1);
    halves[i + 2048] = half_from_double(n[i]);
    halves[i + 2560] = half_from_double(static_cast<i16>(n[i]));
    halves[i + 3072] = half_from_double(static_cast<u8>(n[i]));
    halves[i + 3584] = half_from_double(static_cast<f64>(f[i]) * 0.001953125);
    ints[i] = static_cast<i32>(x);
    ints[i + 512] = static_cast<i32>(std::rint(x));
    ints[i + 1024] = static_cast<i32>(std::ceil(x));
    ints[i + 1536] = static_cast<i32>(std::trunc(smaller(larger(x, -128.0), 127.0)));
    ints[i + 2048] = static_cast<i32>(std::floor(larger(x, 0.0)));
    ints[i + 2560] = static_cast<i32>(x * 2.0);
    floats[i] = static_cast<f32>(x);
    floats[i + 512] = static_cast<f32>(x) * 0.5f;
  }
}

void math(const Case& test, Contents& contents) {
  const u16* p = elements<u16>(test, contents, "p");
  const u16* q = elements<u16>(test, contents, "q");
  u16* out = elements<u16>(test, contents, "out");
  for (u32 i = 0; i < items; ++i) {
    const f64 x = double_from_half(p[i]);
    const f64 y = double_from_half(q[i]);
    const f64 values[10] = {
        std::exp(y), std::exp2(y),       std::log(x),  std::log2(x), std::sin(y),
        std::cos(y), 1.0 / std::sqrt(x), std::tanh(y), std::cbrt(y), std::ldexp(y, static_cast<int>(x) - 3)};
    for (u32 k = 0; k < 10; ++k) {
      out[k * items + i] = half_from_double(values[k]);
    }
  }
}

}  // namespace

std::vector<NamedReference> half_references() {
  return {{"half_arithmetic", arithmetic},
          {"half_packed", packed},
          {"half_conversions", conversions},
          {"half_math", math}};
}

}  // namespace lockstep::corpus
