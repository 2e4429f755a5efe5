// Integer helpers that the vector and the scalar ALU's chapters share. All are free of branches, so that rows
// of lanes vectorise.
#pragma once
#include <bit>
#include <limits>

#include "base/types.h"

namespace lockstep::amd {

// The low `width` bits, all ones; width 0 to 31 (or 63).
constexpr u32 low_bits32(u32 width) {
  return (u32{1} << (width & 31)) - 1;
}
constexpr u64 low_bits64(u32 width) {
  return (u64{1} << (width & 63)) - 1;
}

// A value's low `width` bits as a signed number; 0 for a width of 0.
constexpr i32 sign_extended32(u32 value, u32 width) {
  const u32 field = value & low_bits32(width);
  const u32 sign = (u32{1} << (width & 31)) >> 1;
  return static_cast<i32>((field ^ sign) - sign);
}
constexpr i64 sign_extended64(u64 value, u32 width) {
  const u64 field = value & low_bits64(width);
  const u64 sign = (u64{1} << (width & 63)) >> 1;
  return static_cast<i64>((field ^ sign) - sign);
}

// The 24-bit operands of the multipliers.
constexpr u32 low24(u32 a) {
  return a & 0xFFFFFF;
}
constexpr i32 signed24(i32 a) {
  return static_cast<i32>(static_cast<u32>(a) << 8) >> 8;
}

// Two's complement with wrap-around, without the host's undefined overflow.
constexpr i32 wrap_add(i32 a, i32 b) {
  return static_cast<i32>(static_cast<u32>(a) + static_cast<u32>(b));
}
constexpr i32 wrap_sub(i32 a, i32 b) {
  return static_cast<i32>(static_cast<u32>(a) - static_cast<u32>(b));
}
constexpr i32 wrap_mul(i32 a, i32 b) {
  return static_cast<i32>(static_cast<u32>(a) * static_cast<u32>(b));
}

// The nearest value that T holds.
template <class T, class Wide>
constexpr T saturated(Wide value) {
  constexpr Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

template <class T>
constexpr T reversed_bits(T value) {
  T result = 0;
  for (int shift = 0; shift < std::numeric_limits<T>::digits; shift += 8) {
    u32 byte = static_cast<u32>(value >> shift) & 0xFF;
    byte = (byte & 0xF0) >> 4 | (byte & 0x0F) << 4;
    byte = (byte & 0xCC) >> 2 | (byte & 0x33) << 2;
    byte = (byte & 0xAA) >> 1 | (byte & 0x55) << 1;
    result |= static_cast<T>(byte) << (std::numeric_limits<T>::digits - 8 - shift);
  }
  return result;
}

// Position of the first bit from the top that differs from the sign bit; all ones where none differs.
constexpr i32 first_unlike_sign(u32 value) {
  const u32 unlike = value ^ static_cast<u32>(static_cast<i32>(value) >> 31);
  return unlike == 0 ? -1 : std::countl_zero(unlike);
}
constexpr i32 first_unlike_sign(u64 value) {
  const u64 unlike = value ^ static_cast<u64>(static_cast<i64>(value) >> 63);
  return unlike == 0 ? -1 : std::countl_zero(unlike);
}
template <class T>
constexpr i32 first_one_from_top(T value) {
  return value == 0 ? -1 : std::countl_zero(value);
}
template <class T>
constexpr i32 first_one_from_bottom(T value) {
  return value == 0 ? -1 : std::countr_zero(value);
}

template <class T>
constexpr T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T greatest(T a, T b) {
  return a < b ? b : a;
}
template <class T>
constexpr T middle(T a, T b, T c) {
  return greatest(least(a, b), least(greatest(a, b), c));
}

template <class T>
constexpr T absolute_difference(T a, T b) {
  return a < b ? static_cast<T>(b - a) : static_cast<T>(a - b);
}

}  // namespace lockstep::amd
