// Sums of products as tensor cores make them. The manual leaves their rounding open. Measurements: Fasi,
// Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7 (2021)
// e330 (V100, T4, A100); Khattak, Mikaitis, "Accurate Models of NVIDIA Tensor Cores", arXiv 2512.07004 (2025)
// (V100 to B200): products are exact; those of one block and the sum so far are aligned to the largest
// exponent, cut off below a fixed bit, and added; the result is cut off to f32, or rounded to nearest even to
// f16.
#pragma once
#include <array>

#include "float/float.h"

namespace lockstep::nv {

struct SumRule {
  u32 block = 4;       // products that are added at once
  u32 extra_bits = 0;  // that are kept behind the largest term's 24
};

// By compute capability, for products of 16-bit (or 8-bit) elements or of tf32.
inline SumRule sum_rule(u32 capability, bool tf32) {
  if (capability >= 90) return {tf32 ? 8u : 16u, 2};
  if (capability >= 75) return {tf32 ? 4u : 8u, 1};
  return {4, 0};
}

// Terms are exact in f64. NaN and infinities as IEEE 754 has them.
inline f32 block_sum(const f64* terms, u32 count, f32 start, u32 extra_bits) {
  f64 plain = f64{start};
  bool special = !(plain - plain == 0);
  int largest = -1100;
  const auto exponent = [](f64 x) { return static_cast<int>((as_u64(x) >> 52) & 0x7FF) - 1023; };
  const auto look = [&](f64 x) {
    special |= !(x - x == 0);
    if (x != 0) largest = std::max(largest, exponent(x));
  };
  look(plain);
  for (u32 i = 0; i < count; ++i) {
    look(terms[i]);
    plain += terms[i];
  }
  if (special) return static_cast<f32>(plain);
  if (largest == -1100) return plain == 0 ? static_cast<f32>(plain) : 0;
  // The last bit that is kept weighs 2^(largest - 23 - extra_bits).
  const int last = largest - 23 - static_cast<int>(extra_bits);
  const auto cut = [&](f64 x) {
    const u64 bits = as_u64(x);
    const int shift = last - (exponent(x) - 52);
    u64 mantissa = (bits & 0xFFFFFFFFFFFFFu) | (u64{1} << 52);
    if (x == 0 || shift >= 64) return i64{0};
    mantissa = shift >= 0 ? mantissa >> shift : mantissa << -shift;
    return (bits >> 63) != 0 ? -static_cast<i64>(mantissa) : static_cast<i64>(mantissa);
  };
  i64 sum = cut(f64{start});
  for (u32 i = 0; i < count; ++i) sum += cut(terms[i]);
  if (sum == 0) return 0;
  // At most 24 + 2 + 5 bits: exact in f64 until it is cut off to f32.
  const f64 scaled = static_cast<f64>(sum);
  const int low = last + 1023;
  const f64 value = low > 0
                        ? scaled * as_f64(static_cast<u64>(low) << 52)
                        : scaled * as_f64(static_cast<u64>(low + 200) << 52) * as_f64(u64{1023 - 200} << 52);
  return f64_to_f32<Round::zero>(value);
}

}  // namespace lockstep::nv
