// PTX's approximate instructions (PTX ISA 9.7.3, .approx). Those of f32 but tanh are the hardware's to the
// bit, as far as an H200 was asked (tests/nvidia); the others come from the same cores as approx.h, far
// inside the published bounds. NaN results are PTX's canonical NaN.
#pragma once
#include "float/approx.h"
#include "float/mufu.h"

namespace lockstep {

namespace float_detail {

// tanh by e^2x - 1, which keeps its relative precision near 0.
[[gnu::always_inline]] inline f64 tanh_wide(f64 x) {
  constexpr f64 two_over_ln2 = 0x1.71547652b82fep+1;
  const f64 a = std::fabs(x) > 20 ? 20.0 : std::fabs(x);
  const f64 t = a * two_over_ln2, n = std::rint(t);
  const f64 scale = power_of_two(a == a ? n : 0.0);
  const f64 e = scale * exp2_minus_1(t - n) + (scale - 1.0);
  const f64 r = e / (e + 2.0);
  return as_f64(as_u64(r) | (as_u64(x) & Double::sign_mask));
}

}  // namespace float_detail

// A result under .ftz: zero when it is tiny after rounding to 24 bits with an unbounded exponent, also where
// rounding to a denormal's bits would make it the smallest normal number (measured on an H200, tests/nvidia).
// `exact` is the result in f64, exact or rounded to odd.
template <Round R>
[[gnu::always_inline]] inline f32 ptx_finished_ftz(f32 r, f64 exact) {
  const bool tiny = std::fabs(f64_to_f32<R>(exact * 0x1p64)) < 0x1p-62f;
  return canonical_nan_f32(tiny ? as_f32(as_u32(r) & 0x80000000u) : r);
}

// What follows is the sequence of machine instructions that NVIDIA's assembler (CUDA 13.0, sm_90) makes of
// each, with the MUFU's own results (float/mufu.h): without .ftz, arguments that the MUFU would take for zero
// or whose result it would give as zero are scaled first.
[[gnu::always_inline]] inline f32 ptx_ex2_approx_f32(f32 x, bool ftz) {
  const bool low = !ftz && x < -126.0f;
  const f32 r = as_f32(mufu::exponential_of(as_u32(low ? x * 0.5f : x)));
  return low ? r * r : r;
}
[[gnu::always_inline]] inline f32 ptx_lg2_approx_f32(f32 x, bool ftz) {
  const bool low = !ftz && std::fabs(x) < 0x1p-126f;
  const f32 r = as_f32(mufu::logarithm_of(as_u32(low ? x * 0x1p24f : x)));
  return low ? canonical_nan_f32(r - 24.0f) : r;
}
[[gnu::always_inline]] inline f32 ptx_rcp_approx_f32(f32 x, bool ftz) {
  if (ftz) return as_f32(mufu::reciprocal_of(as_u32(x)));
  const f32 size = std::fabs(x), scale = size > 0x1p126f ? 0.25f : size < 0x1p-126f ? 0x1p24f : 1.0f;
  return canonical_nan_f32(as_f32(mufu::reciprocal_of(as_u32(x * scale))) * scale);
}
[[gnu::always_inline]] inline f32 ptx_rsqrt_approx_f32(f32 x, bool ftz) {
  const bool low = !ftz && std::fabs(x) < 0x1p-126f;
  const f32 r = as_f32(mufu::reciprocal_root_of(as_u32(low ? x * 0x1p24f : x)));
  return low ? canonical_nan_f32(r * 0x1p12f) : r;
}
[[gnu::always_inline]] inline f32 ptx_sqrt_approx_f32(f32 x, bool ftz) {
  const bool low = !ftz && std::fabs(x) < 0x1p-126f;
  const f32 r = as_f32(mufu::root_of(as_u32(low ? x * 0x1p24f : x)));
  return low ? canonical_nan_f32(r * 0x1p-12f) : r;
}
// The argument in turns is the product with 1 / (2 pi) as a float, cut off: for large arguments that is far
// from the sine of the radians.
[[gnu::always_inline]] inline u32 ptx_turns(f32 x) {
  constexpr f32 one_over_two_pi = 0x1.45f306p-3f;
  return as_u32(mul_f32<Round::zero>(x, one_over_two_pi));
}
[[gnu::always_inline]] inline f32 ptx_sin_approx_f32(f32 x) {
  return as_f32(mufu::sine_of(ptx_turns(x), 0));
}
[[gnu::always_inline]] inline f32 ptx_cos_approx_f32(f32 x) {
  return as_f32(mufu::sine_of(ptx_turns(x), 1));
}
// tanh.approx.f32 has no .ftz form and keeps denormals.
[[gnu::always_inline]] inline f32 ptx_tanh_approx_f32(f32 x) {
  return canonical_nan_f32(f32(float_detail::tanh_wide(f64(x))));
}
[[gnu::always_inline]] inline f16 ptx_tanh_approx_f16(f16 x) {
  return canonical_nan_f16(f64_to_f16(float_detail::tanh_wide(f64(f16_to_f32(x)))));
}
[[gnu::always_inline]] inline f16 ptx_ex2_approx_f16(f16 x) {
  return canonical_nan_f16(exp2_f16(x));
}

// a * (1/b). For |b| in (2^126, 2^128) the MUFU gives 0; div.full scales such operands first.
[[gnu::always_inline]] inline f32 ptx_div_approx_f32(f32 a, f32 b, bool ftz, bool full) {
  const f32 size = std::fabs(b);
  const f32 scale = full && size > 0x1p126f ? 0.25f : !ftz && size < 0x1p-126f ? 0x1p24f : 1.0f;
  if (ftz) a = flush_f32(a);
  a *= scale, b *= scale;
  if (ftz) a = flush_f32(a);
  const f32 r = as_f32(mufu::reciprocal_of(as_u32(b)));
  return ftz ? ptx_finished_ftz<Round::nearest_even>(a * r, f64{a} * f64{r}) : canonical_nan_f32(a * r);
}

}  // namespace lockstep
