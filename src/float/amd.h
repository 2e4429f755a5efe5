// AMD's float helper instructions, as the pseudocode of the Vega ISA (12.8, 12.11) and of the CDNA4 ISA
// (12.11) defines them.
#pragma once
#include <cmath>

#include "float/bits.h"
#include "float/convert.h"
#include "float/half.h"
#include "float/round.h"
#include "float/soft.h"

namespace lockstep {

// V_LDEXP_F32, _F16, _F64: x * 2^n, rounded once. The f32 and f16 forms scale exactly in the wider format.
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 ldexp_f32(f32 x, i32 n) {
  n = n < -300 ? -300 : n > 300 ? 300 : n;
  const f64 scale = as_f64(u64(1023 + n) << 52);
  return float_detail::nan_checked(float_detail::narrow<R>(f64(x) * scale), x);
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 ldexp_f16(f16 x, i32 n) {
  n = n < -60 ? -60 : n > 60 ? 60 : n;
  return f32_to_f16<R>(f16_to_f32(x) * as_f32(u32(127 + n) << 23));
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 ldexp_f64(f64 x, i32 n) {
  return as_f64(soft_scale<Double>(as_u64(x), n, R));
}

// V_FREXP_MANT_*: the significand in [1/2, 1) with x's sign; zero, infinity and NaN unchanged.
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits frexp_mant(typename F::Bits x) {
  using Bits = typename F::Bits;
  if (!is_finite<F>(x) || is_zero<F>(x)) return x;
  u64 s = unpack<F>(x).significand;
  s <<= std::countl_zero(s) - (63 - F::mantissa_bits);
  return Bits((x & F::sign_mask) | Bits(Bits(F::bias - 1) << F::mantissa_bits) | Bits(s & F::mantissa_mask));
}
// V_FREXP_EXP_I32_*, V_FREXP_EXP_I16_F16: the exponent that belongs to it; 0 for zero, infinity and NaN.
template <class F>
constexpr i32 frexp_exp(typename F::Bits x) {
  if (!is_finite<F>(x) || is_zero<F>(x)) return 0;
  const Unpacked u = unpack<F>(x);
  return u.exponent + 64 - std::countl_zero(u.significand);
}

// V_FRACT_*: x - floor(x), below 1 in every case (0x3f7fffff, 0x3fefffffffffffff; 0x3bff for f16 likewise).
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 fract_f32(f32 x) {
  const f32 r = sub_f32<R>(x, round_to_integer<Round::minus_infinity>(x));
  return r >= 1.0f ? as_f32(0x3f7fffffu) : r;
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f64 fract_f64(f64 x) {
  const f64 r = sub_f64<R>(x, round_to_integer<Round::minus_infinity>(x));
  return r >= 1.0 ? as_f64(0x3fefffffffffffffull) : r;
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 fract_f16(f16 x) {
  const f16 r = sub_f16<R>(x, round_to_integer_f16<Round::minus_infinity>(x));
  return !is_nan<Half>(r) && !(r & 0x8000) && r >= 0x3c00 ? f16(0x3bff) : r;
}

// The results of V_RCP_CLAMP, V_RSQ_CLAMP, V_LOG_CLAMP and of the LEGACY forms of gfx6 and gfx7: an infinite
// result becomes the largest finite number of its sign, or (legacy, DirectX 9's rules) a zero of its sign.
// Source: "Southern Islands Series Instruction Set Architecture", VOP1.
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits without_infinity(typename F::Bits result, bool legacy) {
  const typename F::Bits sign = result & F::sign_mask;
  const typename F::Bits finite = legacy ? sign : sign | F::largest_finite;
  return is_infinite<F>(result) ? finite : result;
}

// V_CMP_CLASS_*: bits 0 signalling NaN, 1 quiet NaN, 2 -infinity, 3 -normal, 4 -denormal, 5 -0, 6 +0,
// 7 +denormal, 8 +normal, 9 +infinity.
template <class F>
constexpr u32 class_bit(typename F::Bits x) {
  if (is_nan<F>(x)) return is_quiet_nan<F>(x) ? 2 : 1;
  const u32 kind = is_infinite<F>(x) ? 0 : is_zero<F>(x) ? 3 : is_denormal<F>(x) ? 2 : 1;
  return is_negative<F>(x) ? 4u << kind : 512u >> kind;
}
template <class F>
[[gnu::always_inline]] constexpr bool cmp_class(typename F::Bits x, u32 mask) {
  return (class_bit<F>(x) & mask) != 0;
}

// V_MUL_LEGACY_F32: DirectX 9's product, 0 * anything = +0.
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 mul_legacy_f32(f32 a, f32 b) {
  return a == 0 || b == 0 ? 0.0f : mul_f32<R>(a, b);
}
// V_MAD_F32, V_MAC_F32: two roundings; denormals are flushed before, between and after (LLVM's V_MAD_F32
// too).
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 mad_f32(f32 a, f32 b, f32 c) {
  const f32 p = flush_f32(mul_f32<R>(flush_f32(a), flush_f32(b)));
  return flush_f32(add_f32<R>(p, flush_f32(c)));
}
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 mad_legacy_f32(f32 a, f32 b, f32 c) {
  const f32 p = flush_f32(mul_legacy_f32<R>(flush_f32(a), flush_f32(b)));
  return flush_f32(add_f32<R>(p, flush_f32(c)));
}
// V_MAD_F16, V_MAC_F16: two roundings, denormals flushed.
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 mad_f16(f16 a, f16 b, f16 c) {
  const f16 p = flush_f16(mul_f16<R>(flush_f16(a), flush_f16(b)));
  return flush_f16(add_f16<R>(p, flush_f16(c)));
}

// V_CUBEID_F32, V_CUBESC_F32, V_CUBETC_F32, V_CUBEMA_F32 for the direction (x, y, z).
namespace float_detail {
[[gnu::always_inline]] inline bool cube_z_major(f32 x, f32 y, f32 z) {
  return std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y);
}
}  // namespace float_detail
[[gnu::always_inline]] inline f32 cubeid_f32(f32 x, f32 y, f32 z) {
  if (float_detail::cube_z_major(x, y, z)) return z < 0 ? 5.0f : 4.0f;
  if (std::fabs(y) >= std::fabs(x)) return y < 0 ? 3.0f : 2.0f;
  return x < 0 ? 1.0f : 0.0f;
}
[[gnu::always_inline]] inline f32 cubesc_f32(f32 x, f32 y, f32 z) {
  using float_detail::negated;
  if (float_detail::cube_z_major(x, y, z)) return z < 0 ? negated(x) : x;
  if (std::fabs(y) >= std::fabs(x)) return x;
  return x < 0 ? z : negated(z);
}
[[gnu::always_inline]] inline f32 cubetc_f32(f32 x, f32 y, f32 z) {
  using float_detail::negated;
  if (float_detail::cube_z_major(x, y, z)) return negated(y);
  if (std::fabs(y) >= std::fabs(x)) return y < 0 ? negated(z) : z;
  return negated(y);
}
[[gnu::always_inline]] inline f32 cubema_f32(f32 x, f32 y, f32 z) {
  if (float_detail::cube_z_major(x, y, z)) return mul_f32(z, 2.0f);
  return mul_f32(std::fabs(y) >= std::fabs(x) ? y : x, 2.0f);
}

}  // namespace lockstep
