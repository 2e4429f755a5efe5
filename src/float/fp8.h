// 8-bit floats. Two families: AMD's own of CDNA 3 ("FNUZ": one zero, one NaN, no infinity, the bias one
// higher than usual) and the Open Compute Project's of RDNA 4 ("OFP8"; e5m2 is IEEE 754's pattern, e4m3 has
// no infinity). Sources: "CDNA 3 Instruction Set Architecture", chapter "Numeric formats"; OCP 8-bit Floating
// Point Specification, revision 1.0.
#pragma once
#include "float/half.h"

namespace lockstep {

using fp8 = u8;

template <int mantissa, bool fnuz>
struct ByteFloat {
  static constexpr int mantissa_bits = mantissa;
  static constexpr int exponent_bits = 7 - mantissa;
  static constexpr bool one_zero = fnuz;
  static constexpr int bias = (1 << (exponent_bits - 1)) - (fnuz ? 0 : 1);
  static constexpr bool has_infinity = !fnuz && mantissa == 2;
  // The largest finite magnitude, and what stands for NaN.
  static constexpr u8 largest = fnuz ? 0x7F : mantissa == 2 ? 0x7B : 0x7E;
  static constexpr u8 infinity = 0x7C;  // e5m2 of OFP8 alone
  static constexpr u8 nan = fnuz ? 0x80 : 0x7F;
};
using Fp8Fnuz = ByteFloat<3, true>;
using Bf8Fnuz = ByteFloat<2, true>;
using Fp8Ocp = ByteFloat<3, false>;
using Bf8Ocp = ByteFloat<2, false>;

// Exact.
template <class F>
inline f32 byte_to_f32(fp8 bits) {
  const u32 sign = u32(bits & 0x80) << 24;
  const u32 magnitude = bits & 0x7F;
  if constexpr (F::one_zero) {
    if (bits == F::nan) return as_f32(Single::default_nan);
  } else if constexpr (F::has_infinity) {
    if (magnitude > F::infinity) return as_f32(sign | Single::default_nan);
    if (magnitude == F::infinity) return as_f32(sign | Single::infinity);
  } else {
    if (magnitude == F::nan) return as_f32(sign | Single::default_nan);
  }
  const u32 exponent = magnitude >> F::mantissa_bits, fraction = magnitude & ((1u << F::mantissa_bits) - 1);
  const int power = (exponent == 0 ? 1 : int(exponent)) - F::bias - F::mantissa_bits;
  const u32 significand = exponent == 0 ? fraction : fraction | 1u << F::mantissa_bits;
  const f32 scale = as_f32(u32(power + Single::bias) << Single::mantissa_bits);
  return as_f32(as_u32(f32(significand) * scale) | sign);
}

namespace float_detail {

// Adds `below` (of 2^32) times the last place that the format keeps and cuts: 1/2 rounds to nearest with ties
// away from zero, a random number rounds stochastically. `even` breaks ties to even instead.
template <class F>
inline fp8 f32_to_byte(f32 x, u32 below, bool even) {
  const u32 bits = as_u32(x), magnitude = bits & Single::magnitude_mask;
  const u8 sign = u8(bits >> 24 & 0x80);
  if (magnitude > Single::infinity) return F::one_zero ? F::nan : u8(sign | F::nan);
  const u8 overflow = F::one_zero ? F::nan : u8(sign | (F::has_infinity ? F::infinity : F::nan));
  if (magnitude == Single::infinity) return overflow;
  const int exponent = int(magnitude >> Single::mantissa_bits) - Single::bias;
  // Places of the 24-bit significand that the result does not hold; denormals hold fewer.
  const int lowest = 1 - F::bias;
  int dropped = Single::mantissa_bits - F::mantissa_bits + (exponent < lowest ? lowest - exponent : 0);
  if (magnitude < Single::smallest_normal || dropped > 31) dropped = 31;
  const u64 significand = (magnitude & Single::mantissa_mask) |
                          (magnitude < Single::smallest_normal ? 0 : u32(Single::smallest_normal));
  const u64 unit = u64(1) << dropped;
  u64 rounded = significand + (u64(below) << dropped >> 32);
  if (even) {
    const u64 rest = significand & (unit - 1), odd = (significand >> dropped) & 1;
    rounded = significand + (rest > unit / 2 || (rest == unit / 2 && odd != 0) ? unit : 0);
  }
  const u64 kept = rounded >> dropped;
  // The significand's leading one carries into the exponent field by itself.
  const u64 base = exponent < lowest ? 0 : u64(exponent - lowest) << F::mantissa_bits;
  const u64 result = base + kept;
  if (result > F::largest) return overflow;
  if (result == 0 && F::one_zero) return 0;
  return u8(sign | result);
}

}  // namespace float_detail

// To nearest even; what is too large becomes an infinity or, without one, a NaN.
template <class F>
inline fp8 f32_to_byte(f32 x) {
  return float_detail::f32_to_byte<F>(x, 0, true);
}
// Up with the probability of the part that is cut off, `random` being uniform over 32 bits.
template <class F>
inline fp8 f32_to_byte_stochastic(f32 x, u32 random) {
  return float_detail::f32_to_byte<F>(x, random, false);
}

}  // namespace lockstep
