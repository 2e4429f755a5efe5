// NVIDIA's multi-function unit to the bit: MUFU.RCP, RSQ, SQRT, EX2, LG2, SIN and COS of f32, as an H200
// answers for every input that was asked (tests/nvidia: whole intervals and 8192 special and random values).
// Earlier generations are taken to have the same tables, which is not known.
//
// The unit interpolates: the upper 6 or 7 bits of the fraction choose a part, the rest is x, and the result
// is a + b x + c x^2 in fixed point, cut off, not rounded. Its squarer forms only the partial products above
// a certain weight, folded along the diagonal; which ones follows from the recorded results. MUFU takes
// denormals for zeros and gives none. Its NaN is 0x7fffffff.
#pragma once
#include <bit>
#include <cmath>

#include "float/bits.h"
#include "float/mufu_tables.h"
#include "float/round.h"

namespace lockstep {

namespace mufu {

// x^2 / 2^(Width + 2 or + 1), from the partial products that the unit has: of bits i < j one of weight i + j
// + 1, of bit i with itself 2 i, where that is at least Cut.
template <u32 Width, u32 Cut>
[[gnu::always_inline]] constexpr u64 square(u32 x) {
  u32 sum = 0;
  for (u32 i = 0; i < Width; ++i) {
    const u32 bit = 0 - (x >> i & 1);
    const u32 first = Cut > 2 * i + 2 ? Cut - 1 - i : i + 1;  // the lowest j that takes part
    const u32 others = first < Width ? x >> first << (first + i + 1 - Cut) : 0;
    sum += bit & others;
    if (2 * i >= Cut) sum += bit & (1u << (2 * i - Cut));
  }
  return sum;
}

// The scale of a function's table: a in units of 2^a, and so on, of the result's unit; all results in 2^-17
// of it.
struct Scale {
  u32 a, b, c;  // shifts
  u32 bias;     // what is added for the partial products that are left out
};

template <u32 Width, u32 Cut, std::size_t N>
[[gnu::always_inline]] constexpr i64 interpolate(const std::array<Row, N>& table, Scale scale, u32 fraction) {
  const Row row = table[fraction >> Width];
  const u32 x = fraction & ((1u << Width) - 1);
  return (i64{row.a} << scale.a) + scale.bias + (i64{row.b} * x << scale.b) +
         (i64{row.c} * static_cast<i64>(square<Width, Cut>(x)) << scale.c);
}

inline constexpr u32 nan = 0x7fffffff, infinity = 0x7f800000, sign_bit = 0x80000000, fraction_mask = 0x7fffff;

// exponent and the 24-bit significand above the fraction's 17 bits, as a float; too small is zero.
[[gnu::always_inline]] constexpr u32 packed(i32 exponent, u32 significand) {
  const i32 bits = (exponent + 126) * (1 << 23) + static_cast<i32>(significand);
  return exponent + 127 + static_cast<i32>(significand >> 24) <= 0 ? 0 : static_cast<u32>(bits);
}

// A fixed-point number with `places` bits behind the point as a float; what 24 bits cannot hold is cut off.
[[gnu::always_inline]] inline u32 cut_to_float(u64 magnitude, i32 places) {
  if (magnitude == 0) return 0;
  const u32 top = 63 - static_cast<u32>(std::countl_zero(magnitude));
  const u64 significand = top >= 23 ? magnitude >> (top - 23) : magnitude << (23 - top);
  return packed(static_cast<i32>(top) - places, static_cast<u32>(significand));
}

[[gnu::always_inline]] inline u32 reciprocal_of(u32 bits) {
  const u32 sign = bits & sign_bit, size = bits & ~sign_bit;
  if (size > infinity) return nan;
  if (size == infinity) return sign;
  if (size <= fraction_mask) return sign | infinity;
  const i64 r = interpolate<16, 17>(reciprocal, {15, 2, 2, 8093}, size & fraction_mask);
  return sign | packed(126 - static_cast<i32>(size >> 23), static_cast<u32>(r >> 17));
}

[[gnu::always_inline]] inline u32 reciprocal_root_of(u32 bits) {
  const u32 size = bits & ~sign_bit;
  if (size > infinity) return nan;
  if (size <= fraction_mask) return (bits & sign_bit) | infinity;
  if (bits != size) return nan;
  if (size == infinity) return 0;
  const i32 exponent = static_cast<i32>(size >> 23) - 127;
  const u32 fraction = size & fraction_mask;
  if (fraction == 0 && (exponent & 1) == 0) return packed(-(exponent >> 1), 1u << 23);
  const i64 r = (exponent & 1) != 0 ? interpolate<17, 19>(reciprocal_root_odd, {15, 1, 2, 32767}, fraction)
                                    : interpolate<17, 19>(reciprocal_root_even, {15, 1, 2, 32767}, fraction);
  return packed(-1 - (exponent >> 1), static_cast<u32>(r >> 17));
}

[[gnu::always_inline]] inline u32 root_of(u32 bits) {
  const u32 size = bits & ~sign_bit;
  if (size > infinity) return nan;
  if (size <= fraction_mask) return bits & sign_bit;
  if (bits != size) return nan;
  if (size == infinity) return infinity;
  const i32 exponent = static_cast<i32>(size >> 23) - 127;
  const u32 fraction = size & fraction_mask;
  const i64 r = (exponent & 1) != 0 ? interpolate<17, 19>(root_odd, {15, 1, 1, 32767}, fraction)
                                    : interpolate<17, 19>(root_even, {15, 0, 1, 32767}, fraction);
  return packed(exponent >> 1, static_cast<u32>(r >> 17));
}

[[gnu::always_inline]] inline u32 exponential_of(u32 bits) {
  const u32 size = bits & ~sign_bit;
  if (size > infinity) return nan;
  const f32 x = as_f32(bits);
  if (x >= 128.0f) return infinity;
  if (x <= -256.0f) return 0;
  // Negative numbers are complemented, not negated, unless they are whole: -1/2 is the place just below a
  // half.
  const i32 cut = static_cast<i32>(std::fabs(x) * 0x1p23f);
  const bool whole = (cut & static_cast<i32>(fraction_mask)) == 0;
  const i32 fixed = bits == size ? cut : whole ? -cut : ~cut;
  const i64 r = interpolate<17, 19>(exponential, {15, 2, 2, 24458}, static_cast<u32>(fixed) & fraction_mask);
  return packed(fixed >> 23, static_cast<u32>(r >> 17));
}

[[gnu::always_inline]] inline u32 logarithm_of(u32 bits) {
  const u32 size = bits & ~sign_bit;
  if (size > infinity) return nan;
  if (size <= fraction_mask) return sign_bit | infinity;
  if (bits != size) return nan;
  if (size == infinity) return infinity;
  if (size == 0x3f800000) return 0;
  const i64 r = interpolate<17, 19>(logarithm, {14, 2, 3, 3350}, size & fraction_mask);
  const i64 fixed = r + (static_cast<i64>(size >> 23) - 127) * (i64{1} << 40);
  return fixed < 0 ? sign_bit | cut_to_float(static_cast<u64>(-fixed) >> 4, 36)
                   : cut_to_float(static_cast<u64>(fixed) >> 4, 36);
}

// Of `turns` of the circle, cut to 2^-25; `quarter` 1 makes it the cosine.
[[gnu::always_inline]] inline u32 sine_of(u32 turns, u32 quarter) {
  const u32 size = turns & ~sign_bit;
  if (size >= infinity) return nan;
  const f64 x = f64{as_f32(size)};
  const u64 fixed = x >= 0x1p24 ? 0 : static_cast<u64>(x * 0x1p25);
  const u32 where = static_cast<u32>(fixed >> 23) + quarter;
  const u32 fraction = static_cast<u32>(fixed) & fraction_mask;
  const u32 mirrored = (where & 1) != 0 ? ~fraction & fraction_mask : fraction;
  const i64 r = interpolate<17, 19>(sine, {15, 3, 3, 4}, mirrored) >> 3;
  const u32 sign = (where << 30 & sign_bit) ^ (quarter != 0 ? 0 : turns & sign_bit);
  return sign ^ cut_to_float(static_cast<u64>(r), 37);
}

// MUFU.RCP64H and RSQ64H: the upper word of an f64, 20 bits of its fraction, through the same tables; the
// lower word of the result is zero.
[[gnu::always_inline]] inline u64 wide(u64 sign, i32 exponent, u32 single) {
  const i32 biased = exponent + static_cast<i32>(single >> 23) - 127 + 1023;
  if (biased <= 0) return sign;
  return sign | u64{static_cast<u32>(biased)} << 52 | u64{(single & fraction_mask) >> 3} << 32;
}
// The lower word of the argument is not seen.
inline constexpr u64 wide_size = u64{0x7fffffff} << 32, wide_nan = wide_size,
                     wide_infinity = u64{0x7ff00000} << 32;

[[gnu::always_inline]] inline u64 reciprocal_64_of(u64 bits) {
  const u64 sign = bits & Double::sign_mask, size = bits & wide_size;
  if (size > wide_infinity) return wide_nan;
  if (size >= wide_infinity) return sign;
  if (size >> 52 == 0) return sign | wide_infinity;
  const u32 single = 127u << 23 | static_cast<u32>(size >> 32 & 0xfffff) << 3;
  return wide(sign, 1023 - static_cast<i32>(size >> 52), reciprocal_of(single));
}
[[gnu::always_inline]] inline u64 reciprocal_root_64_of(u64 bits) {
  const u64 sign = bits & Double::sign_mask, size = bits & wide_size;
  if (size > wide_infinity) return wide_nan;
  if (size >> 52 == 0) return sign | wide_infinity;
  if (sign != 0) return wide_nan;
  if (size == wide_infinity) return 0;
  const i32 exponent = static_cast<i32>(size >> 52) - 1023;
  const u32 odd = static_cast<u32>(exponent) & 1;
  const u32 single = (127u + odd) << 23 | static_cast<u32>(size >> 32 & 0xfffff) << 3;
  return wide(0, -(exponent >> 1), reciprocal_root_of(single));
}

}  // namespace mufu

}  // namespace lockstep
