// Float formats as bits: classes, NaN quieting, flushing of denormals, and the mode a wave computes in.
// f16 and bf16 are carried as their bits; f32 and f64 are the host's, moved to and from bits by bit_cast
// only.
#pragma once
#include <bit>
#include <type_traits>

#include "base/types.h"

namespace lockstep {

using f16 = u16;   // IEEE 754 binary16, as bits
using bf16 = u16;  // upper half of binary32, as bits
using u128 = unsigned __int128;

inline constexpr u32 as_u32(f32 x) {
  return std::bit_cast<u32>(x);
}
inline constexpr f32 as_f32(u32 x) {
  return std::bit_cast<f32>(x);
}
inline constexpr u64 as_u64(f64 x) {
  return std::bit_cast<u64>(x);
}
inline constexpr f64 as_f64(u64 x) {
  return std::bit_cast<f64>(x);
}

// One format's layout; every template below is over one of these four.
template <class BitsType, int mantissa, int exponent>
struct FloatFormat {
  using Bits = BitsType;
  static constexpr int mantissa_bits = mantissa;
  static constexpr int exponent_bits = exponent;
  static constexpr int bias = (1 << (exponent - 1)) - 1;
  static constexpr int max_exponent_field = (1 << exponent) - 1;
  static constexpr Bits sign_mask = Bits(Bits(1) << (mantissa + exponent));
  static constexpr Bits infinity = Bits(Bits(max_exponent_field) << mantissa);
  static constexpr Bits mantissa_mask = Bits((Bits(1) << mantissa) - 1);
  static constexpr Bits magnitude_mask = Bits(sign_mask - 1);
  static constexpr Bits quiet_bit = Bits(Bits(1) << (mantissa - 1));
  static constexpr Bits default_nan = Bits(infinity | quiet_bit);  // positive, quiet, empty payload
  // What an invalid operation returns: AMD's manuals show 0xffc00000 (0xfe00, 0xfff8000000000000) wherever
  // they show it (V_SQRT, V_RSQ, V_LOG, V_SIN, V_DIV_FIXUP; CDNA4 ISA 12.11), and x86 returns the same.
  static constexpr Bits invalid_nan = Bits(sign_mask | default_nan);
  static constexpr Bits smallest_normal = Bits(Bits(1) << mantissa);
  static constexpr Bits largest_finite = Bits(infinity - 1);
  static constexpr Bits one = Bits(Bits(bias) << mantissa);
};
using Half = FloatFormat<u16, 10, 5>;
using Bfloat = FloatFormat<u16, 7, 8>;
using Single = FloatFormat<u32, 23, 8>;
using Double = FloatFormat<u64, 52, 11>;

template <class F>
[[gnu::always_inline]] constexpr typename F::Bits magnitude(typename F::Bits x) {
  return typename F::Bits(x & F::magnitude_mask);
}
template <class F>
[[gnu::always_inline]] constexpr bool is_negative(typename F::Bits x) {
  return (x & F::sign_mask) != 0;
}
template <class F>
[[gnu::always_inline]] constexpr bool is_nan(typename F::Bits x) {
  return magnitude<F>(x) > F::infinity;
}
template <class F>
[[gnu::always_inline]] constexpr bool is_quiet_nan(typename F::Bits x) {
  return magnitude<F>(x) >= F::default_nan;
}
template <class F>
[[gnu::always_inline]] constexpr bool is_signaling_nan(typename F::Bits x) {
  // Between infinity and the default NaN, in one comparison.
  using Bits = typename F::Bits;
  return Bits(magnitude<F>(x) - F::infinity - 1) < Bits(F::quiet_bit - 1);
}
template <class F>
[[gnu::always_inline]] constexpr bool is_infinite(typename F::Bits x) {
  return magnitude<F>(x) == F::infinity;
}
template <class F>
[[gnu::always_inline]] constexpr bool is_finite(typename F::Bits x) {
  return magnitude<F>(x) < F::infinity;
}
template <class F>
[[gnu::always_inline]] constexpr bool is_zero(typename F::Bits x) {
  return magnitude<F>(x) == 0;
}
template <class F>
[[gnu::always_inline]] constexpr bool is_denormal(typename F::Bits x) {
  using Bits = typename F::Bits;
  return Bits(magnitude<F>(x) - 1) < Bits(F::smallest_normal - 1);
}
template <class F>
constexpr int exponent_field(typename F::Bits x) {
  return int(magnitude<F>(x) >> F::mantissa_bits);
}
// The quiet NaN with the sign and payload of a NaN.
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits quiet(typename F::Bits nan) {
  return typename F::Bits(nan | F::quiet_bit);
}
// A denormal becomes a zero of its sign.
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits flush(typename F::Bits x) {
  return magnitude<F>(x) < F::smallest_normal ? typename F::Bits(x & F::sign_mask) : x;
}

[[gnu::always_inline]] inline f32 flush_f32(f32 x) {
  return as_f32(flush<Single>(as_u32(x)));
}
[[gnu::always_inline]] inline f64 flush_f64(f64 x) {
  return as_f64(flush<Double>(as_u64(x)));
}
[[gnu::always_inline]] inline f16 flush_f16(f16 x) {
  return flush<Half>(x);
}

[[gnu::always_inline]] inline bool is_nan(f32 x) {
  return is_nan<Single>(as_u32(x));
}
[[gnu::always_inline]] inline bool is_nan(f64 x) {
  return is_nan<Double>(as_u64(x));
}
[[gnu::always_inline]] inline f32 quiet(f32 nan) {
  return as_f32(quiet<Single>(as_u32(nan)));
}
[[gnu::always_inline]] inline f64 quiet(f64 nan) {
  return as_f64(quiet<Double>(as_u64(nan)));
}

// What an operation with these operands returns when its result is a NaN: the first NaN operand, quieted, or
// the invalid operation's NaN. Written out because the host compiler may swap operands and fold constants,
// either of which changes the bits of the host's own NaN.
template <class F, class... Operands>
[[gnu::always_inline]] constexpr typename F::Bits first_nan(Operands... operands) {
  typename F::Bits result = F::invalid_nan;
  // From the last operand to the first: the first NaN wins, without a branch.
  const typename F::Bits list[] = {operands...};
  for (int i = int(sizeof...(Operands)) - 1; i >= 0; i--)
    result = is_nan<F>(list[i]) ? quiet<F>(list[i]) : result;
  return result;
}

// PTX ISA 9.7.3: single-precision instructions return 0x7fffffff for every NaN, half-precision ones 0x7fff.
[[gnu::always_inline]] inline f32 canonical_nan_f32(f32 x) {
  return is_nan(x) ? as_f32(0x7fffffffu) : x;
}
[[gnu::always_inline]] inline f16 canonical_nan_f16(f16 x) {
  return is_nan<Half>(x) ? f16(0x7fff) : x;
}

// Numbered as AMD's MODE.FP_ROUND (Vega ISA, 3.3 and table 3.4).
enum class Round : u8 { nearest_even = 0, plus_infinity = 1, minus_infinity = 2, zero = 3 };

struct FloatMode {
  Round round = Round::nearest_even;
  bool denormals_in = true;   // false: denormal operands are read as zeros of their sign
  bool denormals_out = true;  // false: denormal results are written as zeros of their sign

  constexpr bool operator==(const FloatMode&) const = default;
  // No work besides the host's own operation.
  constexpr bool is_plain() const { return round == Round::nearest_even && denormals_in && denormals_out; }
};

// From a pair of AMD's MODE fields: round 0..3 as above, denorm 0 flush both, 1 keep in, 2 keep out, 3 keep.
constexpr FloatMode amd_float_mode(u32 round, u32 denorm) {
  return FloatMode{Round(round & 3), (denorm & 1) != 0, (denorm & 2) != 0};
}

[[gnu::always_inline]] inline f32 flush_in(f32 x, FloatMode m) {
  return m.denormals_in ? x : flush_f32(x);
}
[[gnu::always_inline]] inline f64 flush_in(f64 x, FloatMode m) {
  return m.denormals_in ? x : flush_f64(x);
}
[[gnu::always_inline]] inline f32 flush_out(f32 x, FloatMode m) {
  return m.denormals_out ? x : flush_f32(x);
}
[[gnu::always_inline]] inline f64 flush_out(f64 x, FloatMode m) {
  return m.denormals_out ? x : flush_f64(x);
}
[[gnu::always_inline]] inline f16 flush_in_f16(f16 x, FloatMode m) {
  return m.denormals_in ? x : flush_f16(x);
}
[[gnu::always_inline]] inline f16 flush_out_f16(f16 x, FloatMode m) {
  return m.denormals_out ? x : flush_f16(x);
}

// Calls body.template operator()<R>() with the rounding mode as a constant, so that a lane loop inside the
// body is compiled (and vectorised) once per mode.
template <class Body>
decltype(auto) with_round(Round round, Body&& body) {
  switch (round) {
    case Round::plus_infinity:
      return body.template operator()<Round::plus_infinity>();
    case Round::minus_infinity:
      return body.template operator()<Round::minus_infinity>();
    case Round::zero:
      return body.template operator()<Round::zero>();
    case Round::nearest_even:
      break;
  }
  return body.template operator()<Round::nearest_even>();
}

// Whether x > y, as 0 or 1 in an integer as wide as the operands: lane loops stay free of branches and of
// mixed mask widths, which the compilers do not vectorise.
[[gnu::always_inline]] inline u32 greater(f32 x, f32 y) {
  return x > y ? 1u : 0u;
}
[[gnu::always_inline]] inline u64 greater(f64 x, f64 y) {
  return x > y ? u64(1) : u64(0);
}

// Turns a result rounded to nearest even into the one that R asks for, given where the exact value lies:
// above is 1 if it lies above the result, below is 1 if below. Steps to the neighbour by integer arithmetic
// on the bits: infinity steps to the largest finite number and back.
template <Round R, class F, class Flag>
constexpr typename F::Bits adjust_rounding(typename F::Bits nearest, Flag above, Flag below) {
  using Bits = typename F::Bits;
  constexpr int top = F::mantissa_bits + F::exponent_bits;
  const Bits negative = Bits(nearest >> top), minus = Bits(0 - negative);  // minus: all ones if negative
  if constexpr (R == Round::plus_infinity) {
    return Bits(nearest + Bits((Bits(above) ^ minus) - minus));
  } else if constexpr (R == Round::minus_infinity) {
    return Bits(nearest - Bits((Bits(below) ^ minus) - minus));
  } else if constexpr (R == Round::zero) {
    return Bits(nearest - Bits((Bits(above) & minus) | (Bits(below) & ~minus)));
  } else {
    return nearest;
  }
}
// Round to odd: an inexact result ends in a 1 bit, which stands for everything below it. Rounding the odd
// value again, to a format at least two bits shorter, in any mode, is then the rounding of the exact value.
template <class F, class Flag>
[[gnu::always_inline]] constexpr typename F::Bits round_to_odd(typename F::Bits nearest, Flag above,
                                                               Flag below) {
  using Bits = typename F::Bits;
  constexpr int top = F::mantissa_bits + F::exponent_bits;
  const Bits minus = Bits(0 - Bits(nearest >> top));
  const Bits step = Bits(Bits(above) - Bits(below));
  const Bits even = Bits((nearest & 1) - 1);  // all ones if even
  return Bits(nearest + (Bits((step ^ minus) - minus) & even));
}

}  // namespace lockstep
