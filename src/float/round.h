// f32, f64 and f16 arithmetic, correctly rounded in any mode, overflow and denormal results included. Nearest
// even is the host's own operation; the directed modes come from error-free transformations (f32, f16, f64
// addition) or integers (soft.h). The host's rounding mode stays at nearest even and its denormals on. NaN
// results are the first NaN operand, quieted, or the format's invalid_nan.
#pragma once
#include <cmath>

#include "float/bits.h"
#include "float/half.h"
#include "float/soft.h"

namespace lockstep {

// float_detail::narrow names the step from an f64 that is exact, or rounded to odd, to the result.
namespace float_detail {

// The sum rounded to odd (Knuth's two-sum gives the sign of the error; no overflow between f32-sized terms).
[[gnu::always_inline]] inline f64 add_odd(f64 a, f64 b) {
  const f64 s = a + b;
  const f64 bb = s - a;
  const f64 e = (a - (s - bb)) + (b - bb);
  return as_f64(round_to_odd<Double>(as_u64(s), greater(e, 0.0), greater(0.0, e)));
}
[[gnu::always_inline]] inline f32 add_odd(f32 a, f32 b) {
  const f32 s = a + b;
  const f32 bb = s - a;
  const f32 e = (a - (s - bb)) + (b - bb);
  return as_f32(round_to_odd<Single>(as_u32(s), greater(e, 0.0f), greater(0.0f, e)));
}

// An exact zero from terms of opposite sign is -0 when rounding down (IEEE 754, 6.3).
template <Round R>
[[gnu::always_inline]] inline f64 exact_zero(f64 sum, bool opposite) {
  if constexpr (R != Round::minus_infinity) return sum;
  const f64 zero = opposite ? -0.0 : sum;
  return sum == 0 ? zero : sum;
}
template <Round R>
[[gnu::always_inline]] inline f32 exact_zero(f32 sum, bool opposite) {
  if constexpr (R != Round::minus_infinity) return sum;
  const f32 zero = opposite ? -0.0f : sum;
  return sum == 0 ? zero : sum;
}

template <Round R>
[[gnu::always_inline]] inline f32 narrow(f64 x) {
  const f32 r = f32(x);
  return as_f32(adjust_rounding<R, Single>(as_u32(r), greater(x, f64(r)), greater(f64(r), x)));
}

[[gnu::always_inline]] inline f32 nan_checked(f32 r, f32 a) {
  return is_nan(r) ? as_f32(first_nan<Single>(as_u32(a))) : r;
}
[[gnu::always_inline]] inline f32 nan_checked(f32 r, f32 a, f32 b) {
  return is_nan(r) ? as_f32(first_nan<Single>(as_u32(a), as_u32(b))) : r;
}
[[gnu::always_inline]] inline f32 nan_checked(f32 r, f32 a, f32 b, f32 c) {
  return is_nan(r) ? as_f32(first_nan<Single>(as_u32(a), as_u32(b), as_u32(c))) : r;
}
[[gnu::always_inline]] inline f64 nan_checked(f64 r, f64 a) {
  return is_nan(r) ? as_f64(first_nan<Double>(as_u64(a))) : r;
}
[[gnu::always_inline]] inline f64 nan_checked(f64 r, f64 a, f64 b) {
  return is_nan(r) ? as_f64(first_nan<Double>(as_u64(a), as_u64(b))) : r;
}
[[gnu::always_inline]] inline f64 nan_checked(f64 r, f64 a, f64 b, f64 c) {
  return is_nan(r) ? as_f64(first_nan<Double>(as_u64(a), as_u64(b), as_u64(c))) : r;
}
[[gnu::always_inline]] inline f32 negated(f32 x) {
  return as_f32(as_u32(x) ^ 0x80000000u);
}
[[gnu::always_inline]] inline f64 negated(f64 x) {
  return as_f64(as_u64(x) ^ Double::sign_mask);
}
[[gnu::always_inline]] inline bool signs_differ(f32 a, f32 b) {
  return ((as_u32(a) ^ as_u32(b)) >> 31) != 0;
}
[[gnu::always_inline]] inline bool signs_differ(f64 a, f64 b) {
  return ((as_u64(a) ^ as_u64(b)) >> 63) != 0;
}

}  // namespace float_detail

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 add_f32(f32 a, f32 b) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(a + b, a, b);
  const f64 s = exact_zero<R>(add_odd(f64(a), f64(b)), signs_differ(a, b));
  // An infinity makes the error term a NaN, which compares false: the sum stays.
  return nan_checked(narrow<R>(s), a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 sub_f32(f32 a, f32 b) {
  const f32 r = add_f32<R>(a, float_detail::negated(b));
  return float_detail::nan_checked(r, a, b);  // a NaN operand keeps its own sign
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 mul_f32(f32 a, f32 b) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(a * b, a, b);
  return nan_checked(narrow<R>(f64(a) * f64(b)), a, b);  // the f64 product is exact
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 fma_f32(f32 a, f32 b, f32 c) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(std::fma(a, b, c), a, b, c);
  const f64 p = f64(a) * f64(b);
  return nan_checked(narrow<R>(exact_zero<R>(add_odd(p, f64(c)), signs_differ(p, f64(c)))), a, b, c);
}
// 53 bits hold a quotient or root of 24-bit numbers closely enough that rounding again is exact in every
// mode.
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 div_f32(f32 a, f32 b) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(a / b, a, b);
  return nan_checked(narrow<R>(f64(a) / f64(b)), a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 sqrt_f32(f32 a) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(std::sqrt(a), a);
  return nan_checked(narrow<R>(std::sqrt(f64(a))), a);
}

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 add_f64(f64 a, f64 b) {
  using namespace float_detail;
  const f64 s = a + b;
  if constexpr (R == Round::nearest_even) return nan_checked(s, a, b);
  // Fast two-sum with the larger term first cannot overflow unless the sum does.
  const bool swap = (as_u64(a) & Double::magnitude_mask) < (as_u64(b) & Double::magnitude_mask);
  const f64 large = swap ? b : a, small = swap ? a : b;
  const f64 e = small - (s - large);
  // A sum that overflowed lies below +infinity or above -infinity; that of an infinity is exact.
  const f64 e_finite = is_finite<Double>(as_u64(large)) ? 0.0 - s : 0.0;
  const f64 error = is_infinite<Double>(as_u64(s)) ? e_finite : e;
  const u64 above = greater(error, 0.0), below = greater(0.0, error);
  const f64 r =
      as_f64(adjust_rounding<R, Double>(as_u64(exact_zero<R>(s, signs_differ(a, b))), above, below));
  return nan_checked(r, a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 sub_f64(f64 a, f64 b) {
  const f64 r = add_f64<R>(a, float_detail::negated(b));
  return float_detail::nan_checked(r, a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 mul_f64(f64 a, f64 b) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(a * b, a, b);
  const u64 zero = (as_u64(a) ^ as_u64(b)) & Double::sign_mask;
  return as_f64(soft_fma<Double>(as_u64(a), as_u64(b), zero, R));
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 fma_f64(f64 a, f64 b, f64 c) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(std::fma(a, b, c), a, b, c);
  return as_f64(soft_fma<Double>(as_u64(a), as_u64(b), as_u64(c), R));
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 div_f64(f64 a, f64 b) {
  using namespace float_detail;
  if constexpr (R == Round::nearest_even) return nan_checked(a / b, a, b);
  return as_f64(soft_divide<Double>(as_u64(a), as_u64(b), R));
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 sqrt_f64(f64 a) {
  using namespace float_detail;
  const f64 s = std::sqrt(a);
  if constexpr (R == Round::nearest_even) return nan_checked(s, a);
  if (!(a > 0) || is_infinite<Double>(as_u64(a))) return nan_checked(s, a);
  // The residual a - s*s by fma is exact once small operands are moved up by an even power of two.
  const bool small = a < 0x1p-900;
  const f64 root = small ? s * 0x1p200 : s;
  const f64 residual = std::fma(-root, root, small ? a * 0x1p400 : a);
  return as_f64(adjust_rounding<R, Double>(as_u64(s), greater(residual, 0.0), greater(0.0, residual)));
}

// f16: f32 holds sums' leading bits, products and their remainders; every result is rounded once.
namespace float_detail {
[[gnu::always_inline]] inline f16 nan_checked_f16(f16 r, f16 a, f16 b) {
  return is_nan<Half>(r) ? first_nan<Half>(a, b) : r;
}
}  // namespace float_detail

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 fma_f16(f16 a, f16 b, f16 c) {
  using namespace float_detail;
  const f32 p = f16_to_f32(a) * f16_to_f32(b), wide_c = f16_to_f32(c);
  const f32 s = exact_zero<R>(add_odd(p, wide_c), signs_differ(p, wide_c));
  const f16 r = f32_to_f16<R>(s);
  return is_nan<Half>(r) ? first_nan<Half>(a, b, c) : r;
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 add_f16(f16 a, f16 b) {
  using namespace float_detail;
  const f32 wa = f16_to_f32(a), wb = f16_to_f32(b);
  // To nearest, 24 bits are at least 2 * 11 + 2, so that the first rounding does no harm.
  if constexpr (R == Round::nearest_even) return nan_checked_f16(f32_to_f16(wa + wb), a, b);
  return nan_checked_f16(f32_to_f16<R>(exact_zero<R>(add_odd(wa, wb), signs_differ(wa, wb))), a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 sub_f16(f16 a, f16 b) {
  const f16 r = add_f16<R>(a, f16(b ^ 0x8000));
  return float_detail::nan_checked_f16(r, a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 mul_f16(f16 a, f16 b) {
  return float_detail::nan_checked_f16(f32_to_f16<R>(f16_to_f32(a) * f16_to_f32(b)), a, b);
}
// A quotient or root of 11-bit numbers that is not an f16 differs from every f16 and from every midpoint by
// more than f32's rounding error (2^-24 of it), so the second rounding sees it on the right side.
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 div_f16(f16 a, f16 b) {
  return float_detail::nan_checked_f16(f32_to_f16<R>(f16_to_f32(a) / f16_to_f32(b)), a, b);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 sqrt_f16(f16 a) {
  const f16 r = f32_to_f16<R>(std::sqrt(f16_to_f32(a)));
  return is_nan<Half>(r) ? first_nan<Half>(a) : r;
}

// The same with a mode known only at run time, flushing included.
inline f32 add_f32(f32 a, f32 b, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return add_f32<R>(a, b); }), m);
}
inline f32 sub_f32(f32 a, f32 b, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return sub_f32<R>(a, b); }), m);
}
inline f32 mul_f32(f32 a, f32 b, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return mul_f32<R>(a, b); }), m);
}
inline f32 fma_f32(f32 a, f32 b, f32 c, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m), c = flush_in(c, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return fma_f32<R>(a, b, c); }), m);
}
inline f64 add_f64(f64 a, f64 b, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return add_f64<R>(a, b); }), m);
}
inline f64 sub_f64(f64 a, f64 b, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return sub_f64<R>(a, b); }), m);
}
inline f64 mul_f64(f64 a, f64 b, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return mul_f64<R>(a, b); }), m);
}
inline f64 fma_f64(f64 a, f64 b, f64 c, FloatMode m) {
  a = flush_in(a, m), b = flush_in(b, m), c = flush_in(c, m);
  return flush_out(with_round(m.round, [&]<Round R>() { return fma_f64<R>(a, b, c); }), m);
}
inline f16 add_f16(f16 a, f16 b, FloatMode m) {
  a = flush_in_f16(a, m), b = flush_in_f16(b, m);
  return flush_out_f16(with_round(m.round, [&]<Round R>() { return add_f16<R>(a, b); }), m);
}
inline f16 sub_f16(f16 a, f16 b, FloatMode m) {
  a = flush_in_f16(a, m), b = flush_in_f16(b, m);
  return flush_out_f16(with_round(m.round, [&]<Round R>() { return sub_f16<R>(a, b); }), m);
}
inline f16 mul_f16(f16 a, f16 b, FloatMode m) {
  a = flush_in_f16(a, m), b = flush_in_f16(b, m);
  return flush_out_f16(with_round(m.round, [&]<Round R>() { return mul_f16<R>(a, b); }), m);
}
inline f16 fma_f16(f16 a, f16 b, f16 c, FloatMode m) {
  a = flush_in_f16(a, m), b = flush_in_f16(b, m), c = flush_in_f16(c, m);
  return flush_out_f16(with_round(m.round, [&]<Round R>() { return fma_f16<R>(a, b, c); }), m);
}

}  // namespace lockstep
