// AMD's division helpers and the table of 2/pi, as the Vega ISA (12.11) and CDNA4 ISA (12.11) define them.
// Where the manual's text cannot be what the hardware does, the deviation is stated at the function: the
// compilers' division sequences must come out correctly rounded, which tests/unit/float/amd_div_test.cpp
// shows.
#pragma once
#include <cmath>

#include "float/bits.h"
#include "float/round.h"
#include "float/soft.h"

namespace lockstep {

template <class Bits>
struct DivScale {
  Bits value;
  bool post_scale;  // VCC: V_DIV_FMAS has to scale the quotient
};

// By how much V_DIV_SCALE scales; the difference of exponents from which on it does for the quotient's sake,
// and the exponent field of the numerator up to which it does.
template <class F>
struct DivScaleLimits {
  static constexpr bool wide = F::mantissa_bits == 52;
  static constexpr int step = wide ? 128 : 64, near_maximum = wide ? 768 : 96, tiny = wide ? 53 : 23;
};

// V_DIV_SCALE_F32 and _F64: s0 is the denominator s1 or the numerator s2, scaled where the Newton iteration
// would meet a denormal. Two readings of the manual: (1) with 1/s1 and s2/s1 both denormal, it scales the
// denominator by 2^+64, which overflows; since "1/s1 denormal" means that the denominator is huge, it is
// scaled by 2^-64 here, as in the manual's next case. (2) "1.0 / 64'F(s1) == DENORM" of the F32 text can
// never hold; it is read as in the F64 text, in the operands' own format.
template <class F>
constexpr DivScale<typename F::Bits> div_scale(typename F::Bits s0, typename F::Bits s1,
                                               typename F::Bits s2) {
  using Limits = DivScaleLimits<F>;
  if (is_zero<F>(s1) || is_zero<F>(s2)) return {F::invalid_nan, false};
  if (is_nan<F>(s0)) return {quiet<F>(s0), false};
  // Magnitudes compared as (exponent, significand): |s2/s1| < 2^(1 - bias), and 1/|s1| likewise.
  const Unpacked d = unpack<F>(s1), n = unpack<F>(s2);
  const int zd = std::countl_zero(d.significand), zn = std::countl_zero(n.significand);
  const int ed = d.exponent - zd, en = n.exponent - zn;
  const u64 md = d.significand << zd, mn = n.significand << zn;
  const bool finite = is_finite<F>(s1) && is_finite<F>(s2);
  const bool quotient_denormal = finite && en - ed - (mn < md ? 1 : 0) < 1 - F::bias;
  // |s1| > 2^(bias - 1), written as bits.
  constexpr typename F::Bits largest_normal_reciprocal =
      typename F::Bits(typename F::Bits(2 * F::bias - 1) << F::mantissa_bits);
  const bool reciprocal_denormal = is_finite<F>(s1) && magnitude<F>(s1) > largest_normal_reciprocal;
  const int difference = exponent_field<F>(s2) - exponent_field<F>(s1);
  int scale = 0;
  bool post = false;
  if (difference >= Limits::near_maximum) {
    post = true;
    scale = s0 == s1 ? Limits::step : 0;
  } else if (is_denormal<F>(s1)) {
    scale = Limits::step;
  } else if (reciprocal_denormal && quotient_denormal) {
    post = true;
    scale = s0 == s1 ? -Limits::step : 0;
  } else if (reciprocal_denormal) {
    scale = -Limits::step;
  } else if (quotient_denormal) {
    post = true;
    scale = s0 == s2 ? Limits::step : 0;
  } else if (exponent_field<F>(s2) <= Limits::tiny) {
    scale = Limits::step;
  }
  return {soft_scale<F>(s0, scale), post};
}

// Whether div_scale gives s0 itself and false: some of the operands for which it does, told without branches.
template <class F>
constexpr bool div_scale_keeps(typename F::Bits s0, typename F::Bits s1, typename F::Bits s2) {
  using Limits = DivScaleLimits<F>;
  const int d = exponent_field<F>(s1), n = exponent_field<F>(s2), difference = n - d;
  return (d >= 1) & (d <= 2 * F::bias - 2) & (n > Limits::tiny) & (n <= 2 * F::bias) &
         (difference < Limits::near_maximum) & (difference >= 2 - F::bias) & !is_nan<F>(s0);
}

// V_DIV_FMAS_F32 and _F64: fma, then the quotient's scaling undone, in one rounding. The manual prints a
// factor of 2^32 (2^64); the operands were scaled by 2^64 (2^128), up or down, so that this must be the
// factor, and its direction follows from s2, the quotient so far: above 1 it was scaled down, below 1 up.
template <class F>
inline typename F::Bits div_fmas(typename F::Bits s0, typename F::Bits s1, typename F::Bits s2,
                                 bool post_scale, Round round = Round::nearest_even) {
  constexpr int step = F::mantissa_bits == 52 ? 128 : 64;
  if (!post_scale && round == Round::nearest_even) {
    if constexpr (F::mantissa_bits == 52) {
      return as_u64(fma_f64(as_f64(s0), as_f64(s1), as_f64(s2)));
    } else {
      return as_u32(fma_f32(as_f32(s0), as_f32(s1), as_f32(s2)));
    }
  }
  const int up_or_down = exponent_field<F>(s2) > F::bias ? step : -step;
  return soft_fma<F>(s0, s1, s2, round, post_scale ? up_or_down : 0);
}

// V_DIV_FIXUP_F16, _F32, _F64: s0 quotient, s1 denominator, s2 numerator. The manual's overflow line tests
// the denominator's exponent for 255 (2047), which its earlier lines have ruled out; the quotient's is meant
// here: where n/d overflows, the iteration ends in an infinity or a NaN.
template <class F>
constexpr typename F::Bits div_fixup(typename F::Bits s0, typename F::Bits s1, typename F::Bits s2,
                                     Round round = Round::nearest_even) {
  using Bits = typename F::Bits;
  const bool negative = is_negative<F>(s1) != is_negative<F>(s2);
  const Bits sign = negative ? F::sign_mask : Bits(0);
  if (is_nan<F>(s2)) return quiet<F>(s2);
  if (is_nan<F>(s1)) return quiet<F>(s1);
  if (is_zero<F>(s1) && is_zero<F>(s2)) return F::invalid_nan;
  if (is_infinite<F>(s1) && is_infinite<F>(s2)) return F::invalid_nan;
  if (is_zero<F>(s1) || is_infinite<F>(s2)) return Bits(sign | F::infinity);
  if (is_infinite<F>(s1) || is_zero<F>(s2)) return sign;
  if constexpr (F::mantissa_bits > 10) {
    constexpr int underflow = F::mantissa_bits == 52 ? -1075 : -150;
    if (exponent_field<F>(s2) - exponent_field<F>(s1) < underflow)
      return round_pack<F>(negative, -4000, u64(1), round);  // zero or the smallest denormal, by mode
    if (!is_finite<F>(s0)) return overflow<F>(negative, round);
  }
  return Bits(sign | magnitude<F>(s0));
}

// 2/pi, 1201 fraction bits, most significant first; the rest of the last word is zero.
inline constexpr u64 two_over_pi[19] = {
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b0000ull};

// V_TRIG_PREOP_F64: 53 bits of 2/pi from bit segment * 53 (and further for large x), scaled to their place;
// for exponents from 1968 on by another 2^128. Bits beyond the table are zero. Rounds toward zero.
constexpr u64 trig_preop_f64(u64 x, u32 segment) {
  const int exponent = exponent_field<Double>(x);
  int shift = int(segment & 31) * 53;
  if (exponent > 1077) shift += exponent - 1077;
  const auto word = [](int i) { return i < 19 ? two_over_pi[i] : u64(0); };
  const int index = shift / 64, offset = shift % 64;
  const u64 top = offset == 0 ? word(index) : word(index) << offset | word(index + 1) >> (64 - offset);
  const int scale = -53 - shift + (exponent >= 1968 ? 128 : 0);
  return round_pack<Double>(false, scale, top >> 11, Round::zero);
}

}  // namespace lockstep
