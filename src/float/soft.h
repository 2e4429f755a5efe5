// Float arithmetic in integers, for what the host's operations do not give: directed rounding of f64
// multiply, fma and divide, scaling with one rounding. Scalar, not for hot loops.
#pragma once
#include <bit>

#include "float/bits.h"

namespace lockstep {

// A finite number that is not zero: (-1)^negative * significand * 2^exponent.
struct Unpacked {
  bool negative = false;
  int exponent = 0;
  u64 significand = 0;
};

template <class F>
constexpr Unpacked unpack(typename F::Bits x) {
  const int field = exponent_field<F>(x);
  const u64 fraction = u64(x & F::mantissa_mask);
  const int lowest = 1 - F::bias - F::mantissa_bits;
  if (field == 0) return {is_negative<F>(x), lowest, fraction};
  return {is_negative<F>(x), lowest + field - 1, fraction | (u64(1) << F::mantissa_bits)};
}

// Shifts right and keeps a 1 in the last place for every bit lost.
constexpr u64 shift_right_jam(u64 x, int n) {
  if (n <= 0) return x;
  if (n > 63) return x != 0;
  return (x >> n) | u64((x << (64 - n)) != 0);
}
constexpr u128 shift_right_jam(u128 x, int n) {
  if (n <= 0) return x;
  if (n > 127) return x != 0;
  return (x >> n) | u128((x << (128 - n)) != 0);
}

template <class F>
constexpr typename F::Bits overflow(bool negative, Round round) {
  const typename F::Bits sign = negative ? F::sign_mask : typename F::Bits(0);
  const bool to_infinity = round == Round::nearest_even || (round == Round::plus_infinity && !negative) ||
                           (round == Round::minus_infinity && negative);
  return typename F::Bits(sign | (to_infinity ? F::infinity : F::largest_finite));
}

// Rounds significand * 2^exponent once. The last place of the significand may stand for lost bits (jam),
// provided that the significand is then longer by two bits than the format.
template <class F>
constexpr typename F::Bits round_pack(bool negative, int exponent, u64 significand, Round round) {
  using Bits = typename F::Bits;
  const Bits sign = negative ? F::sign_mask : Bits(0);
  if (significand == 0) return sign;
  const int shift = std::countl_zero(significand);
  significand <<= shift;
  exponent -= shift;                    // now in [2^63, 2^64) * 2^exponent
  int field = exponent + 63 + F::bias;  // biased exponent if normal
  int drop = 63 - F::mantissa_bits;     // bits below the last place
  if (field < 1) {
    drop += 1 - field;
    field = 1;
  }
  if (drop > 65) drop = 65;
  // 128 bits, so that a drop of 65 leaves the value in the guard position.
  const u128 wide = u128(significand) << 64;
  const u64 kept = drop >= 64 ? 0 : significand >> drop;
  const u128 rest = wide << (64 - drop < 0 ? 0 : 64 - drop);  // fraction of the last place, at 2^128
  const u128 half = u128(1) << 127;
  bool up = false;
  const bool inexact = drop == 65 ? true : rest != 0;
  switch (round) {
    case Round::nearest_even:
      up = drop == 65 ? false : rest > half || (rest == half && (kept & 1));
      break;
    case Round::plus_infinity:
      up = inexact && !negative;
      break;
    case Round::minus_infinity:
      up = inexact && negative;
      break;
    case Round::zero:
      break;
  }
  if (field >= F::max_exponent_field) return overflow<F>(negative, round);
  // A normal number's leading bit adds the 1 that field - 1 lacks; carries run into the exponent.
  const u64 packed = (u64(field - 1) << F::mantissa_bits) + kept + u64(up);
  if (packed >= F::infinity) return overflow<F>(negative, round);
  return Bits(sign | Bits(packed));
}

template <class F>
constexpr typename F::Bits round_pack(bool negative, int exponent, u128 significand, Round round) {
  const u64 high = u64(significand >> 64);
  if (high == 0) return round_pack<F>(negative, exponent, u64(significand), round);
  const int n = 64 - std::countl_zero(high);
  return round_pack<F>(negative, exponent + n, u64(shift_right_jam(significand, n)), round);
}

// 2^scale * (a * b + c), rounded once. The scale serves v_div_fmas.
template <class F>
constexpr typename F::Bits soft_fma(typename F::Bits a, typename F::Bits b, typename F::Bits c, Round round,
                                    int scale = 0) {
  using Bits = typename F::Bits;
  if (is_nan<F>(a) || is_nan<F>(b) || is_nan<F>(c)) return first_nan<F>(a, b, c);
  const bool product_negative = is_negative<F>(a) != is_negative<F>(b);
  const Bits product_sign = product_negative ? F::sign_mask : Bits(0);
  if (is_infinite<F>(a) || is_infinite<F>(b)) {
    if (is_zero<F>(a) || is_zero<F>(b)) return F::invalid_nan;
    if (is_infinite<F>(c) && is_negative<F>(c) != product_negative) return F::invalid_nan;
    return Bits(product_sign | F::infinity);
  }
  if (is_infinite<F>(c)) return c;
  const Bits opposite_zero = round == Round::minus_infinity ? F::sign_mask : Bits(0);
  const bool product_zero = is_zero<F>(a) || is_zero<F>(b);
  if (product_zero && is_zero<F>(c))
    return is_negative<F>(c) == product_negative ? Bits(product_sign) : opposite_zero;
  const Unpacked uc = unpack<F>(c);
  if (product_zero) return round_pack<F>(uc.negative, uc.exponent + scale, uc.significand, round);
  const Unpacked ua = unpack<F>(a), ub = unpack<F>(b);
  // Both terms with their leading bit at 125, two bits of room above.
  u128 p = u128(ua.significand) * ub.significand;
  int pe = ua.exponent + ub.exponent;
  const int pz = u64(p >> 64) ? std::countl_zero(u64(p >> 64)) : 64 + std::countl_zero(u64(p));
  p <<= pz - 2 < 0 ? 0 : pz - 2;
  pe -= pz - 2;
  if (is_zero<F>(c)) return round_pack<F>(product_negative, pe + scale, p, round);
  u128 s = u128(uc.significand);
  const int sz = 64 + std::countl_zero(uc.significand);
  s <<= sz - 2;
  int se = uc.exponent - (sz - 2);
  if (pe >= se) {
    s = shift_right_jam(s, pe - se);
    se = pe;
  } else {
    p = shift_right_jam(p, se - pe);
    pe = se;
  }
  if (product_negative == uc.negative) return round_pack<F>(uc.negative, se + scale, p + s, round);
  if (p == s) return opposite_zero;
  return p > s ? round_pack<F>(product_negative, se + scale, p - s, round)
               : round_pack<F>(uc.negative, se + scale, s - p, round);
}

template <class F>
constexpr typename F::Bits soft_divide(typename F::Bits a, typename F::Bits b, Round round) {
  using Bits = typename F::Bits;
  if (is_nan<F>(a) || is_nan<F>(b)) return first_nan<F>(a, b);
  const bool negative = is_negative<F>(a) != is_negative<F>(b);
  const Bits sign = negative ? F::sign_mask : Bits(0);
  if (is_infinite<F>(a)) return is_infinite<F>(b) ? F::invalid_nan : Bits(sign | F::infinity);
  if (is_infinite<F>(b)) return sign;
  if (is_zero<F>(b)) return is_zero<F>(a) ? F::invalid_nan : Bits(sign | F::infinity);
  if (is_zero<F>(a)) return sign;
  const Unpacked ua = unpack<F>(a), ub = unpack<F>(b);
  const int za = std::countl_zero(ua.significand), zb = std::countl_zero(ub.significand);
  const u128 n = u128(ua.significand << za) << 63;
  const u64 d = ub.significand << zb;
  const u128 q = n / d;
  const u128 jammed = (q << 1) | u128(n % d != 0);
  return round_pack<F>(negative, ua.exponent - za - 63 - (ub.exponent - zb) - 1, jammed, round);
}

// x * 2^n, rounded once; x finite, infinite or a NaN (quieted).
template <class F>
constexpr typename F::Bits soft_scale(typename F::Bits x, int n, Round round = Round::nearest_even) {
  if (is_nan<F>(x)) return quiet<F>(x);
  if (is_infinite<F>(x) || is_zero<F>(x)) return x;
  const Unpacked u = unpack<F>(x);
  n = n < -5000 ? -5000 : n > 5000 ? 5000 : n;
  return round_pack<F>(u.negative, u.exponent + n, u.significand, round);
}

}  // namespace lockstep
