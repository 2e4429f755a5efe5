// Conversions between floats and integers, and AMD's packing conversions (CDNA4 ISA 12.11 and Vega ISA 12.8,
// 12.11: V_CVT_*).
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "float/bits.h"
#include "float/half.h"
#include "float/round.h"
#include "float/soft.h"

namespace lockstep {

// The nearest integer in a direction; a NaN is quieted, a zero result keeps the operand's sign.
template <Round R>
[[gnu::always_inline]] inline f32 round_to_integer(f32 x) {
  const f32 r = R == Round::nearest_even     ? std::rint(x)
                : R == Round::plus_infinity  ? std::ceil(x)
                : R == Round::minus_infinity ? std::floor(x)
                                             : std::trunc(x);
  return is_nan(x) ? quiet(x) : r;
}
template <Round R>
[[gnu::always_inline]] inline f64 round_to_integer(f64 x) {
  const f64 r = R == Round::nearest_even     ? std::rint(x)
                : R == Round::plus_infinity  ? std::ceil(x)
                : R == Round::minus_infinity ? std::floor(x)
                                             : std::trunc(x);
  return is_nan(x) ? quiet(x) : r;
}
template <Round R>
[[gnu::always_inline]] inline f16 round_to_integer_f16(f16 x) {
  return f32_to_f16(round_to_integer<R>(f16_to_f32(x)));  // an f16's neighbouring integers are f16
}

// To an integer of type I, out of range saturates, NaN gives 0: AMD's V_CVT_{I,U}{16,32}_*.
template <class I, Round R = Round::zero, class T>
[[gnu::always_inline]] inline I float_to_int(T x) {
  constexpr int bits = std::numeric_limits<I>::digits;
  // 2^digits is exact in T; the least value is its negative or 0.
  const T limit = T(u64(1) << (bits - 1)) * T(2);
  const T least = std::is_signed_v<I> ? -limit : T(0);
  const T y = round_to_integer<R>(x);
  const bool above = y >= limit, below = y < least, number = y == y;
  const T safe = above || below || !number ? T(0) : y;
  I r = I(safe);
  r = above ? std::numeric_limits<I>::max() : r;
  return below ? std::numeric_limits<I>::min() : r;
}
template <class I, Round R = Round::zero>
[[gnu::always_inline]] inline I f16_to_int(f16 x) {
  return float_to_int<I, R>(f16_to_f32(x));
}
template <class I, class T>
[[gnu::always_inline]] inline I float_to_int(T x, Round round) {
  return with_round(round, [&]<Round R>() { return float_to_int<I, R>(x); });
}

// PTX cvt to an integer (PTX ISA 9.7.9, cvt): saturates; a NaN gives 0 unless the source is f64 or the
// destination has 64 bits, where it gives the value with only the top bit set.
template <class I, Round R, class T>
[[gnu::always_inline]] inline I ptx_float_to_int(T x) {
  constexpr bool top_bit = sizeof(T) == 8 || sizeof(I) == 8;
  const I nan = top_bit ? I(std::make_unsigned_t<I>(1) << (sizeof(I) * 8 - 1)) : I(0);
  return is_nan(x) ? nan : float_to_int<I, R>(x);
}

// Integers of up to 32 bits are exact in f64.
template <Round R = Round::nearest_even, class I>
[[gnu::always_inline]] inline f32 int_to_f32(I x) {
  if constexpr (sizeof(I) <= 4) {
    return float_detail::narrow<R>(f64(x));
  } else if constexpr (R == Round::nearest_even) {
    return f32(x);
  } else {
    const bool negative = x < 0;
    return as_f32(round_pack<Single>(negative, 0, negative ? 0 - u64(x) : u64(x), R));
  }
}
template <Round R = Round::nearest_even, class I>
[[gnu::always_inline]] inline f64 int_to_f64(I x) {
  if constexpr (sizeof(I) <= 4 || R == Round::nearest_even) {
    return f64(x);
  } else {
    const bool negative = x < 0;
    return as_f64(round_pack<Double>(negative, 0, negative ? 0 - u64(x) : u64(x), R));
  }
}
template <Round R = Round::nearest_even, class I>
[[gnu::always_inline]] inline f16 int_to_f16(I x) {
  if constexpr (sizeof(I) <= 2) {
    return f32_to_f16<R>(f32(x));
  } else {
    const bool negative = x < 0;
    return round_pack<Half>(negative, 0, negative ? 0 - u64(i64(x)) : u64(x), R);
  }
}

// V_CVT_RPI_I32_F32 and V_CVT_FLR_I32_F32: the sum with 1/2 is rounded as the pseudocode writes it.
[[gnu::always_inline]] inline i32 cvt_rpi_i32_f32(f32 x) {
  return float_to_int<i32, Round::minus_infinity>(x + 0.5f);
}
[[gnu::always_inline]] inline i32 cvt_flr_i32_f32(f32 x) {
  return float_to_int<i32, Round::minus_infinity>(x);
}

[[gnu::always_inline]] inline u32 cvt_pkrtz_f16_f32(f32 low, f32 high) {
  return u32(f32_to_f16<Round::zero>(low)) | u32(f32_to_f16<Round::zero>(high)) << 16;
}

// Normalised integers: x clamped to [-1, 1] or [0, 1], times the largest integer, to nearest even; NaN gives
// 0.
[[gnu::always_inline]] inline u16 f32_to_snorm16(f32 x) {
  const f32 c = x > 1.0f ? 1.0f : x < -1.0f ? -1.0f : x == x ? x : 0.0f;
  return u16(i16(std::rint(f64(c) * 32767.0)));
}
[[gnu::always_inline]] inline u16 f32_to_unorm16(f32 x) {
  const f32 c = x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
  return u16(i32(std::rint(f64(c) * 65535.0)));
}
[[gnu::always_inline]] inline u32 cvt_pknorm_i16_f32(f32 low, f32 high) {
  return u32(f32_to_snorm16(low)) | u32(f32_to_snorm16(high)) << 16;
}
[[gnu::always_inline]] inline u32 cvt_pknorm_u16_f32(f32 low, f32 high) {
  return u32(f32_to_unorm16(low)) | u32(f32_to_unorm16(high)) << 16;
}
[[gnu::always_inline]] inline u16 cvt_norm_i16_f16(f16 x) {
  return f32_to_snorm16(f16_to_f32(x));
}
[[gnu::always_inline]] inline u16 cvt_norm_u16_f16(f16 x) {
  return f32_to_unorm16(f16_to_f32(x));
}
[[gnu::always_inline]] inline u32 cvt_pknorm_i16_f16(f16 low, f16 high) {
  return cvt_pknorm_i16_f32(f16_to_f32(low), f16_to_f32(high));
}
[[gnu::always_inline]] inline u32 cvt_pknorm_u16_f16(f16 low, f16 high) {
  return cvt_pknorm_u16_f32(f16_to_f32(low), f16_to_f32(high));
}

// V_CVT_PK_U16_U32, V_CVT_PK_I16_I32: saturating.
[[gnu::always_inline]] inline u32 cvt_pk_u16_u32(u32 low, u32 high) {
  return (low > 0xffff ? 0xffff : low) | (high > 0xffff ? 0xffff : high) << 16;
}
[[gnu::always_inline]] inline u32 cvt_pk_i16_i32(i32 low, i32 high) {
  const auto clamp = [](i32 x) { return u32(u16(x > 32767 ? 32767 : x < -32768 ? -32768 : x)); };
  return clamp(low) | clamp(high) << 16;
}
[[gnu::always_inline]] inline u16 sat_pk_u8_i16(u32 packed) {
  const auto clamp = [](i32 x) { return u32(x < 0 ? 0 : x > 255 ? 255 : x); };
  return u16(clamp(i16(packed)) | clamp(i16(packed >> 16)) << 8);
}

// V_CVT_F32_UBYTE0 to 3.
[[gnu::always_inline]] inline f32 cvt_f32_ubyte(u32 x, u32 byte) {
  return f32(i32((x >> (8 * byte)) & 255));
}
// V_CVT_OFF_F32_I4: a signed 4-bit integer in sixteenths.
[[gnu::always_inline]] inline f32 cvt_off_f32_i4(u32 x) {
  return f32(i32((x & 15) ^ 8) - 8) * 0.0625f;
}

// V_CVT_PK_U8_F32: the manual writes f32_to_u8 without a rounding; the wave's mode is taken (nearest even
// unless the program changes it), saturated to 0..255.
template <Round R = Round::nearest_even>
[[gnu::always_inline]] inline u32 cvt_pk_u8_f32(f32 x, u32 byte, u32 old) {
  const u32 shift = (byte & 3) * 8;
  return (old & ~(0xffu << shift)) | u32(float_to_int<u8, R>(x)) << shift;
}

}  // namespace lockstep
