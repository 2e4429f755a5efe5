// AMD's integer helpers for bytes, bits and lanes, as the pseudocode of the Vega ISA (12.11) and CDNA4 ISA
// (12.11) defines them. Sums wrap.
#pragma once
#include <array>
#include <bit>

#include "base/types.h"

namespace lockstep {

constexpr u32 absolute_difference(u32 a, u32 b) {
  return a > b ? a - b : b - a;
}
constexpr u32 byte_of(u32 x, int i) {
  return (x >> (8 * i)) & 255;
}

// V_SAD_U8, V_SAD_HI_U8, V_SAD_U16, V_SAD_U32.
constexpr u32 sad_u8(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; i++) c += absolute_difference(byte_of(a, i), byte_of(b, i));
  return c;
}
constexpr u32 sad_hi_u8(u32 a, u32 b, u32 c) {
  return (sad_u8(a, b, 0) << 16) + c;
}
constexpr u32 sad_u16(u32 a, u32 b, u32 c) {
  return c + absolute_difference(a & 0xffff, b & 0xffff) + absolute_difference(a >> 16, b >> 16);
}
constexpr u32 sad_u32(u32 a, u32 b, u32 c) {
  return absolute_difference(a, b) + c;
}
// V_MSAD_U8: bytes whose reference (b) is zero do not count.
constexpr u32 msad_u8(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; i++) c += byte_of(b, i) == 0 ? 0 : absolute_difference(byte_of(a, i), byte_of(b, i));
  return c;
}
// V_QSAD_PK_U16_U8, V_MQSAD_PK_U16_U8, V_MQSAD_U32_U8: four windows of the eight bytes in a.
constexpr u64 qsad_pk_u16_u8(u64 a, u32 b, u64 c) {
  u64 r = 0;
  for (int i = 0; i < 4; i++)
    r |= u64(u16(sad_u8(u32(a >> (8 * i)), b, u32(c >> (16 * i)) & 0xffff))) << (16 * i);
  return r;
}
constexpr u64 mqsad_pk_u16_u8(u64 a, u32 b, u64 c) {
  u64 r = 0;
  for (int i = 0; i < 4; i++)
    r |= u64(u16(msad_u8(u32(a >> (8 * i)), b, u32(c >> (16 * i)) & 0xffff))) << (16 * i);
  return r;
}
constexpr std::array<u32, 4> mqsad_u32_u8(u64 a, u32 b, const std::array<u32, 4>& c) {
  std::array<u32, 4> r{};
  for (int i = 0; i < 4; i++) r[std::size_t(i)] = msad_u8(u32(a >> (8 * i)), b, c[std::size_t(i)]);
  return r;
}

// V_LERP_U8: the average of each byte, rounded up where the lowest bit of c's byte is set.
constexpr u32 lerp_u8(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 4; i++) r |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1) << (8 * i);
  return r;
}

// V_PERM_B32: byte selectors 0..7 from {a, b} (b holds bytes 0 to 3), 8..11 the sign of bytes 1, 3, 5, 7,
// 12 zeros, 13 and above ones.
constexpr u32 perm_b32(u32 a, u32 b, u32 selectors) {
  const u64 data = u64(a) << 32 | b;
  u32 r = 0;
  for (int i = 0; i < 4; i++) {
    const u32 s = byte_of(selectors, i);
    const u32 picked = u32(data >> (8 * (s & 7))) & 255;
    const u32 sign = (data >> (16 * (s & 3) + 15)) & 1 ? 255 : 0;
    r |= (s < 8 ? picked : s < 12 ? sign : s == 12 ? 0u : 255u) << (8 * i);
  }
  return r;
}

constexpr u32 alignbit_b32(u32 high, u32 low, u32 shift) {
  return u32((u64(high) << 32 | low) >> (shift & 31));
}
constexpr u32 alignbyte_b32(u32 high, u32 low, u32 shift) {
  return u32((u64(high) << 32 | low) >> (8 * (shift & 3)));
}

// V_BFE_U32, V_BFE_I32: width 0 gives 0.
constexpr u32 bfe_u32(u32 x, u32 offset, u32 width) {
  return (x >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
constexpr i32 bfe_i32(u32 x, u32 offset, u32 width) {
  const u32 w = width & 31;
  const u32 field = u32(i32(x) >> (offset & 31)) & ((1u << w) - 1);
  const u32 top = w == 0 ? 0 : 1u << (w - 1);
  return i32((field ^ top) - top);
}
constexpr u32 bfi_b32(u32 mask, u32 a, u32 b) {
  return (mask & a) | (~mask & b);
}
constexpr u32 bfm_b32(u32 width, u32 offset) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
constexpr u64 bfm_b64(u32 width, u32 offset) {
  return ((u64(1) << (width & 63)) - 1) << (offset & 63);
}

// V_MBCNT_LO/HI_U32_B32: the bits of mask that belong to lanes below this one, plus base.
constexpr u32 mbcnt_lo(u32 mask, u32 lane, u32 base) {
  const u32 below = lane >= 32 ? 0xffffffffu : (1u << lane) - 1;
  return u32(std::popcount(mask & below)) + base;
}
constexpr u32 mbcnt_hi(u32 mask, u32 lane, u32 base) {
  const u32 below = lane < 32 ? 0u : (1u << (lane - 32)) - 1;
  return u32(std::popcount(mask & below)) + base;
}

}  // namespace lockstep
