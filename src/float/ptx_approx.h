// PTX's approximate instructions (PTX ISA 9.7.3, .approx), from the same cores as approx.h. The published
// bounds are far wider than the error here; NaN results are PTX's canonical NaN. ftz: denormals flushed on
// both sides.
#pragma once
#include "float/approx.h"

namespace lockstep {

namespace float_detail {

template <class Function>
[[gnu::always_inline]] inline f32 ptx_unary(f32 x, bool ftz, Function function) {
  const f32 r = function(ftz ? flush_f32(x) : x);
  return canonical_nan_f32(ftz ? flush_f32(r) : r);
}

// x / (2 pi) modulo 1 for a finite f32. 1/(2 pi) in pieces of 24 bits makes each product exact in f64, and
// the whole turns of each are taken off before they are added. What is left out of 1/(2 pi) is below 2^-202:
// the fraction is right to 2^-50 turns for every f32.
[[gnu::always_inline]] inline f64 radians_to_turns(f64 x) {
  constexpr f64 pieces[] = {0x1.45f306p-3,   0x1.b9391p-28,   0x1.529fc2p-54,  0x1.d5f47cp-80,
                            0x1.4d3770p-104, 0x1.b6c52ap-131, 0x1.327886p-155, 0x1.2083fcp-179};
  f64 sum = 0;
  for (f64 piece : pieces) {
    const f64 p = x * piece;
    sum += p - std::rint(p);
  }
  return sum;
}

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

[[gnu::always_inline]] inline f32 ptx_ex2_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, exp2_f32);
}
[[gnu::always_inline]] inline f32 ptx_lg2_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, log2_f32);
}
[[gnu::always_inline]] inline f32 ptx_rcp_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, rcp_f32);
}
[[gnu::always_inline]] inline f32 ptx_rsqrt_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, rsq_f32);
}
[[gnu::always_inline]] inline f32 ptx_sqrt_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, [](f32 y) { return sqrt_f32(y); });
}
[[gnu::always_inline]] inline f32 ptx_sin_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, [](f32 y) {
    if (!is_finite<Single>(as_u32(y))) return as_f32(0x7fffffffu);
    return y == 0 ? y : f32(float_detail::sin_turns_wide(float_detail::radians_to_turns(f64(y))));
  });
}
[[gnu::always_inline]] inline f32 ptx_cos_approx_f32(f32 x, bool ftz) {
  return float_detail::ptx_unary(x, ftz, [](f32 y) {
    if (!is_finite<Single>(as_u32(y))) return as_f32(0x7fffffffu);
    return f32(float_detail::cos_turns_wide(float_detail::radians_to_turns(f64(y))));
  });
}
// tanh.approx.f32 has no .ftz form and keeps denormals.
[[gnu::always_inline]] inline f32 ptx_tanh_approx_f32(f32 x) {
  return float_detail::ptx_unary(x, false, [](f32 y) { return f32(float_detail::tanh_wide(f64(y))); });
}
[[gnu::always_inline]] inline f16 ptx_tanh_approx_f16(f16 x) {
  return canonical_nan_f16(f64_to_f16(float_detail::tanh_wide(f64(f16_to_f32(x)))));
}
[[gnu::always_inline]] inline f16 ptx_ex2_approx_f16(f16 x) {
  return canonical_nan_f16(exp2_f16(x));
}

// div.approx.f32: a * (1/b). For |b| in (2^126, 2^128) PTX gives 0 (or NaN for an infinite a).
[[gnu::always_inline]] inline f32 ptx_div_approx_f32(f32 a, f32 b, bool ftz) {
  if (ftz) a = flush_f32(a), b = flush_f32(b);
  const f32 size = std::fabs(b);
  const bool huge = size > 0x1p126f && size < as_f32(0x7f800000u);
  const f32 zero = as_f32(as_u32(b) & 0x80000000u);
  const f32 r = huge ? mul_f32(a, zero) : div_f32(a, b);
  return canonical_nan_f32(ftz ? flush_f32(r) : r);
}

}  // namespace lockstep
