// The approximation instructions. The hardware's own tables are not published; what is published is a bound,
// 1 ulp for almost all of them. Here each is computed in double by a polynomial of the project's own and
// rounded once, so that the result is the correctly rounded value in all but about one case in 2^20, always
// within the bound, and the same on every host. exactness.h lists the bounds; vendors' range and flushing
// rules are the amd_ and ptx_ functions at the end.
#pragma once
#include <cmath>

#include "float/bits.h"
#include "float/half.h"
#include "float/round.h"

namespace lockstep {

namespace float_detail {

// Taylor series of 2^f - 1 for |f| <= 1/2; the first term left out is below 2^-55 of the sum.
[[gnu::always_inline]] inline f64 exp2_minus_1(f64 f) {
  constexpr f64 ln2 = 0x1.62e42fefa39efp-1;
  const f64 t = f * ln2;
  f64 p = 1.0 / 87178291200;
  p = p * t + 1.0 / 6227020800;
  p = p * t + 1.0 / 479001600;
  p = p * t + 1.0 / 39916800;
  p = p * t + 1.0 / 3628800;
  p = p * t + 1.0 / 362880;
  p = p * t + 1.0 / 40320;
  p = p * t + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 1.0 / 2;
  return t + t * t * p;
}
// 2^n for -1022 <= n <= 1023, n an integral f64: added to 1.5 * 2^52, it lies in the low mantissa bits.
[[gnu::always_inline]] inline f64 power_of_two(f64 n) {
  return as_f64((as_u64(n + (0x1.8p52 + 1023)) & 2047) << 52);
}

// 2^x for any x: beyond +-1000, which every target format rounds to its limits, x is cut. NaN stays.
[[gnu::always_inline]] inline f64 exp2_wide(f64 x) {
  const f64 cut = x > 1000 ? 1000.0 : x < -1000 ? -1000.0 : x;
  const f64 n = std::rint(cut);
  const f64 finite = cut == cut ? n : 0.0;
  return power_of_two(finite) * (1.0 + exp2_minus_1(cut - n));
}

// log2 of a normal positive f64: m in [sqrt(1/2), sqrt(2)), the series of atanh((m - 1) / (m + 1)).
[[gnu::always_inline]] inline f64 log2_wide(f64 x) {
  const u64 bits = as_u64(x);
  const u64 shifted = bits - 0x3fe6a09e667f3bcdull;  // sqrt(1/2)
  const u64 exponent = shifted & 0xfff0000000000000ull;
  const f64 m = as_f64(bits - exponent);
  // The signed exponent becomes a double without a 64-bit conversion, which AVX2 lacks.
  const f64 e = as_f64((u64(shifted >> 52) ^ 0x800) | 0x4330000000000000ull) - (0x1p52 + 2048);
  const f64 s = (m - 1.0) / (m + 1.0);
  const f64 z = s * s;
  f64 p = 1.0 / 23;
  p = p * z + 1.0 / 21;
  p = p * z + 1.0 / 19;
  p = p * z + 1.0 / 17;
  p = p * z + 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  constexpr f64 two_over_ln2 = 0x1.71547652b82fep+1;
  return e + two_over_ln2 * (s + s * z * p);
}
[[gnu::always_inline]] inline f64 log2_any(f64 x, bool usable) {
  return log2_wide(usable ? x : 1.0);
}

// sin(2 pi (t + k/4)) for |t| <= 1/8.
[[gnu::always_inline]] inline f64 sin_quadrant(f64 t, f64 k) {
  constexpr f64 two_pi = 0x1.921fb54442d18p+2;
  const f64 a = t * two_pi, z = a * a;
  f64 s = 1.0 / 355687428096000;
  s = s * z - 1.0 / 1307674368000;
  s = s * z + 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = a + a * z * s;
  f64 c = 1.0 / 20922789888000;
  c = c * z - 1.0 / 87178291200;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 1.0 / 2;
  c = 1.0 + z * c;
  // k is integral and small: its low bits select the quadrant.
  const u64 q = as_u64(k + 0x1.8p52);
  const f64 r = q & 1 ? c : s;
  return as_f64(as_u64(r) ^ ((q & 2) << 62)) + 0.0;  // no -0
}
// sin and cos of 2 pi x; x finite. The fractional part is exact.
[[gnu::always_inline]] inline f64 sin_turns_wide(f64 x) {
  const f64 r = x - std::rint(x);
  const f64 k = std::rint(r * 4.0);
  return sin_quadrant(r - k * 0.25, k);
}
[[gnu::always_inline]] inline f64 cos_turns_wide(f64 x) {
  const f64 r = x - std::rint(x);
  const f64 k = std::rint(r * 4.0);
  return sin_quadrant(r - k * 0.25, k + 1.0);
}

[[gnu::always_inline]] inline f32 invalid_f32(f32 x) {
  return is_nan(x) ? quiet(x) : as_f32(Single::invalid_nan);
}
[[gnu::always_inline]] inline f64 invalid_f64(f64 x) {
  return is_nan(x) ? quiet(x) : as_f64(Double::invalid_nan);
}

}  // namespace float_detail

// The functions themselves: denormals are read and written, invalid operands give the format's invalid_nan.
[[gnu::always_inline]] inline f32 exp2_f32(f32 x) {
  const f32 r = f32(float_detail::exp2_wide(f64(x)));
  return is_nan(x) ? quiet(x) : r;
}
[[gnu::always_inline]] inline f32 log2_f32(f32 x) {
  const f32 finite = f32(float_detail::log2_any(f64(x), x > 0 && x < as_f32(0x7f800000u)));
  f32 r = x > 0 ? finite : float_detail::invalid_f32(x);
  r = x == as_f32(0x7f800000u) ? x : r;
  return x == 0 ? as_f32(0xff800000u) : r;
}
[[gnu::always_inline]] inline f32 rcp_f32(f32 x) {
  return div_f32(1.0f, x);
}
[[gnu::always_inline]] inline f32 rsq_f32(f32 x) {
  const f32 r = f32(1.0 / std::sqrt(f64(x)));  // 1/-0 is -infinity, as the manuals ask
  return is_nan(r) ? float_detail::invalid_f32(x) : r;
}
// Input in turns: sin(2 pi x).
[[gnu::always_inline]] inline f32 sin_turns_f32(f32 x) {
  const bool finite = is_finite<Single>(as_u32(x));
  const f32 r = f32(float_detail::sin_turns_wide(finite ? f64(x) : 0.0));
  const f32 s = x == 0 ? x : r;
  return finite ? s : float_detail::invalid_f32(x);
}
[[gnu::always_inline]] inline f32 cos_turns_f32(f32 x) {
  const bool finite = is_finite<Single>(as_u32(x));
  const f32 r = f32(float_detail::cos_turns_wide(finite ? f64(x) : 0.0));
  return finite ? r : float_detail::invalid_f32(x);
}

[[gnu::always_inline]] inline f16 exp2_f16(f16 x) {
  const f16 r = f64_to_f16(float_detail::exp2_wide(f64(f16_to_f32(x))));
  return is_nan<Half>(x) ? quiet<Half>(x) : r;
}
[[gnu::always_inline]] inline f16 log2_f16(f16 x) {
  const f32 w = f16_to_f32(x);
  const f16 finite = f64_to_f16(float_detail::log2_any(f64(w), w > 0 && x != Half::infinity));
  const f16 invalid = first_nan<Half>(x);
  f16 r = w > 0 ? finite : invalid;
  r = x == Half::infinity ? x : r;
  return w == 0 ? f16(0xfc00) : r;
}
[[gnu::always_inline]] inline f16 rcp_f16(f16 x) {
  return div_f16(Half::one, x);
}
[[gnu::always_inline]] inline f16 rsq_f16(f16 x) {
  const f16 r = f64_to_f16(1.0 / std::sqrt(f64(f16_to_f32(x))));
  return is_nan<Half>(r) ? first_nan<Half>(x) : r;
}
[[gnu::always_inline]] inline f16 sin_turns_f16(f16 x) {
  const bool finite = is_finite<Half>(x);
  const f16 r = f64_to_f16(float_detail::sin_turns_wide(finite ? f64(f16_to_f32(x)) : 0.0));
  return !finite ? first_nan<Half>(x) : is_zero<Half>(x) ? x : r;
}
[[gnu::always_inline]] inline f16 cos_turns_f16(f16 x) {
  const bool finite = is_finite<Half>(x);
  const f16 r = f64_to_f16(float_detail::cos_turns_wide(finite ? f64(f16_to_f32(x)) : 0.0));
  return finite ? r : first_nan<Half>(x);
}

[[gnu::always_inline]] inline f64 rcp_f64(f64 x) {
  return div_f64(1.0, x);
}
// 1/sqrt(x) with one Newton correction from exact residuals: below 0.501 ulp.
[[gnu::always_inline]] inline f64 rsq_f64(f64 x) {
  if (!(x > 0) || is_infinite<Double>(as_u64(x))) {
    const f64 r = 1.0 / std::sqrt(x);
    return is_nan(r) ? float_detail::invalid_f64(x) : r;
  }
  const bool small = x < 0x1p-900;
  const f64 a = small ? x * 0x1p200 : x;
  const f64 s = std::sqrt(a), y = 1.0 / s;
  const f64 root_error = std::fma(-s, s, a);          // a = s*s + root_error
  const f64 reciprocal_error = std::fma(-y, s, 1.0);  // 1/s = y * (1 + reciprocal_error)
  const f64 r = y + y * (reciprocal_error - 0.5 * root_error * y * y);
  return small ? r * 0x1p100 : r;
}

// AMD (Vega ISA 12.8, CDNA4 ISA 12.11: V_EXP, V_LOG, V_RCP, V_RSQ, V_SQRT _F32): f32 denormals are flushed on
// both sides whatever the mode; the f16 and f64 forms keep them.
[[gnu::always_inline]] inline f32 amd_exp_f32(f32 x) {
  return flush_f32(exp2_f32(flush_f32(x)));
}
[[gnu::always_inline]] inline f32 amd_log_f32(f32 x) {
  return flush_f32(log2_f32(flush_f32(x)));
}
[[gnu::always_inline]] inline f32 amd_rcp_f32(f32 x) {
  return flush_f32(rcp_f32(flush_f32(x)));
}
[[gnu::always_inline]] inline f32 amd_rsq_f32(f32 x) {
  return flush_f32(rsq_f32(flush_f32(x)));
}
[[gnu::always_inline]] inline f32 amd_sqrt_f32(f32 x) {
  return flush_f32(sqrt_f32(flush_f32(x)));
}

// V_SIN and V_COS up to Vega take [-256, 256] turns; beyond, sin is 0 and cos is 1 (Vega ISA 12.8). CDNA3 and
// RDNA take the full range. Infinities are invalid in both.
[[gnu::always_inline]] inline f32 amd_sin_f32(f32 x, bool full_range) {
  const bool outside = !full_range && std::fabs(x) > 256.0f && is_finite<Single>(as_u32(x));
  return outside ? 0.0f : sin_turns_f32(x);
}
[[gnu::always_inline]] inline f32 amd_cos_f32(f32 x, bool full_range) {
  const bool outside = !full_range && std::fabs(x) > 256.0f && is_finite<Single>(as_u32(x));
  return outside ? 1.0f : cos_turns_f32(x);
}
[[gnu::always_inline]] inline f16 amd_sin_f16(f16 x, bool full_range) {
  const bool outside = !full_range && magnitude<Half>(x) > 0x5c00 && is_finite<Half>(x);
  return outside ? f16(0) : sin_turns_f16(x);
}
[[gnu::always_inline]] inline f16 amd_cos_f16(f16 x, bool full_range) {
  const bool outside = !full_range && magnitude<Half>(x) > 0x5c00 && is_finite<Half>(x);
  return outside ? Half::one : cos_turns_f16(x);
}

}  // namespace lockstep
