// Conversions between f16, bf16, f32 and f64 in every rounding mode. NaNs keep their sign and the upper bits
// of their payload and become quiet. All of them are free of branches.
#pragma once
#include "float/bits.h"

namespace lockstep {

// Exact. Denormals are made by a subtraction of normal numbers, so that the host meets none.
[[gnu::always_inline]] inline f32 f16_to_f32(f16 h) {
  const u32 sign = u32(h & 0x8000) << 16;
  const u32 mag = u32(h & 0x7fff) << 13;
  const u32 normal = mag + (112u << 23);
  const u32 denormal = as_u32(as_f32(mag + (113u << 23)) - as_f32(113u << 23));
  const u32 special = mag + (224u << 23);
  const u32 nan = special | 0x00400000u;
  u32 r = mag < (1u << 23) ? denormal : normal;
  r = mag >= (31u << 23) ? special : r;
  r = mag > (31u << 23) ? nan : r;
  return as_f32(r | sign);
}

[[gnu::always_inline]] inline f64 f16_to_f64(f16 h) {
  const f32 x = f16_to_f32(h);
  return is_nan(x) ? as_f64((u64(h & 0x8000) << 48) | Double::default_nan | (u64(h & 0x3ff) << 42)) : f64(x);
}

namespace float_detail {

[[gnu::always_inline]] inline f16 f32_to_f16_nearest(f32 x) {
  const u32 bits = as_u32(x);
  const u32 mag = bits & 0x7fffffffu;
  const u32 normal = (mag - (112u << 23) + 0xfffu + ((mag >> 13) & 1)) >> 13;
  // Adding 1/2 puts the last place of an f16 denormal at the last place of the sum: the host rounds.
  const u32 denormal = as_u32(as_f32(mag < (113u << 23) ? mag : 0u) + 0.5f) - as_u32(0.5f);
  const u32 nan = 0x7e00u | ((mag >> 13) & 0x3ffu);
  u32 r = mag < (113u << 23) ? denormal : normal;
  r = mag >= (143u << 23) ? 0x7c00u : r;
  r = mag > 0x7f800000u ? nan : r;
  return f16(r | ((bits >> 16) & 0x8000u));
}

[[gnu::always_inline]] inline f32 f64_to_f32_nearest(f64 x) {
  const u64 bits = as_u64(x);
  const u32 nan = u32(bits >> 32 & 0x80000000u) | 0x7fc00000u | u32(bits >> 29 & 0x3fffffu);
  return is_nan<Double>(bits) ? as_f32(nan) : f32(x);
}

[[gnu::always_inline]] inline bf16 f32_to_bf16_nearest(f32 x) {
  const u32 bits = as_u32(x);
  const u32 rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
  return bf16((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded);
}

}  // namespace float_detail

[[gnu::always_inline]] inline f32 bf16_to_f32(bf16 b) {
  return as_f32((u32(b) << 16) | ((b & 0x7fff) > 0x7f80 ? 0x00400000u : 0u));
}

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 f32_to_f16(f32 x) {
  const f16 r = float_detail::f32_to_f16_nearest(x);
  const f32 back = f16_to_f32(r);
  return adjust_rounding<R, Half>(r, greater(x, back), greater(back, x));
}

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline bf16 f32_to_bf16(f32 x) {
  const bf16 r = float_detail::f32_to_bf16_nearest(x);
  const f32 back = bf16_to_f32(r);
  return adjust_rounding<R, Bfloat>(r, greater(x, back), greater(back, x));
}

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f32 f64_to_f32(f64 x) {
  const f32 r = float_detail::f64_to_f32_nearest(x);
  return as_f32(adjust_rounding<R, Single>(as_u32(r), greater(x, f64(r)), greater(f64(r), x)));
}

[[gnu::always_inline]] inline f64 f32_to_f64(f32 x) {
  const u32 bits = as_u32(x);
  const u64 nan = (u64(bits & 0x80000000u) << 32) | Double::default_nan | (u64(bits & 0x3fffffu) << 29);
  return is_nan(x) ? as_f64(nan) : f64(x);
}

// An f32 that stands for the f64 in any later rounding to at most 22 bits.
[[gnu::always_inline]] inline f32 f64_to_f32_odd(f64 x) {
  const f32 r = float_detail::f64_to_f32_nearest(x);
  return as_f32(round_to_odd<Single>(as_u32(r), greater(x, f64(r)), greater(f64(r), x)));
}

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline f16 f64_to_f16(f64 x) {
  return f32_to_f16<R>(f64_to_f32_odd(x));
}

template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline bf16 f64_to_bf16(f64 x) {
  return f32_to_bf16<R>(f64_to_f32_odd(x));
}

inline f16 f32_to_f16(f32 x, Round r) {
  return with_round(r, [&]<Round R>() { return f32_to_f16<R>(x); });
}
inline f16 f64_to_f16(f64 x, Round r) {
  return with_round(r, [&]<Round R>() { return f64_to_f16<R>(x); });
}
inline f32 f64_to_f32(f64 x, Round r) {
  return with_round(r, [&]<Round R>() { return f64_to_f32<R>(x); });
}
inline bf16 f32_to_bf16(f32 x, Round r) {
  return with_round(r, [&]<Round R>() { return f32_to_bf16<R>(x); });
}

}  // namespace lockstep
