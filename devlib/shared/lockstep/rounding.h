// Conversions that round towards a given side, as the name says: _rz to zero, _ru up, _rd down. They are made of the conversion to
// the nearest value and one step to its neighbour, since C++ has no other; and conversions to integers that saturate.
// Source: "CUDA Math API", Type Casting Intrinsics; PTX, cvt.
#pragma once

enum class lockstep_towards { zero, above, below };

// `near` is the value nearest to an exact one, which is `more` or `less` than it (or neither, where they are equal, or NaN). The bits
// of floats count from zero to infinity, on both sides of zero.
template <class Bits, class R>
LOCKSTEP_ANY R lockstep_directed(lockstep_towards towards, R near, bool more, bool less) {
  Bits bits = __builtin_bit_cast(Bits, near);
  const bool negative = bits >> (sizeof(Bits) * 8 - 1) != 0;
  const bool inwards = negative ? more : less, outwards = negative ? less : more;
  if (inwards && (towards == lockstep_towards::zero || (towards == lockstep_towards::above) == negative))
    bits = (Bits)(bits - 1);
  if (outwards && towards != lockstep_towards::zero && (towards == lockstep_towards::below) == negative)
    bits = (Bits)(bits + 1);
  return __builtin_bit_cast(R, bits);
}
// From a float type that holds all values of R, or from an integer of 32 bits or less through double.
template <class Bits, class R, class Wide>
LOCKSTEP_ANY R lockstep_round_from(lockstep_towards towards, Wide x) {
  const R near = (R)x;
  return lockstep_directed<Bits>(towards, near, x > (Wide)near, x < (Wide)near);
}
// From an integer of 64 bits to float or double: its neighbour may be 2^63 or 2^64, which are no such integers.
template <class Bits, class R, class I>
LOCKSTEP_ANY R lockstep_round_integer(lockstep_towards towards, I x) {
  const R near = (R)x, end = (R)((I)-1 < 0 ? 0x1p63 : 0x1p64);
  if (near >= end) return lockstep_directed<Bits>(towards, near, false, true);
  const I there = (I)near;
  return lockstep_directed<Bits>(towards, near, x > there, x < there);
}
// A float that is an integer, infinite or NaN. What I does not hold becomes its end; NaN 0, and of 64 bits the highest one.
template <class I>
LOCKSTEP_ANY I lockstep_saturated(float x) {
  constexpr bool has_sign = (I)-1 < (I)0;
  constexpr int bits = (int)sizeof(I) * 8 - has_sign;
  constexpr I highest = (I)(((1ull << (bits - 1)) - 1) * 2 + 1);
  if (x != x) return sizeof(I) == 8 ? (I)(1ull << 63) : (I)0;
  if (x >= (float)(1ull << (bits - 1)) * 2) return highest;
  if (has_sign ? x < -(float)(1ull << (bits - 1)) * 2 : x < 0) return has_sign ? (I)(-highest - 1) : (I)0;
  return (I)x;
}
