#include "isa/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "float/half.h"

namespace lockstep {
namespace {

i64 sign_extended(u64 value, u32 bits) {
  return static_cast<i64>(value << (64 - bits)) >> (64 - bits);
}

u32 bits_of(f64 value) {
  return std::bit_cast<u32>(static_cast<f32>(value));
}

u32 unpack(u64 value, u32 bits, NumberFormat number) {
  switch (number) {
    case NumberFormat::unorm:
      return bits_of(static_cast<f64>(value) / static_cast<f64>((u64{1} << bits) - 1));
    case NumberFormat::snorm: {
      const f64 most = std::max<f64>(static_cast<f64>((u64{1} << (bits - 1)) - 1), 1);
      return bits_of(std::max(static_cast<f64>(sign_extended(value, bits)) / most, -1.0));
    }
    case NumberFormat::uscaled:
      return bits_of(static_cast<f64>(value));
    case NumberFormat::sscaled:
      return bits_of(static_cast<f64>(sign_extended(value, bits)));
    case NumberFormat::sint:
      return static_cast<u32>(sign_extended(value, bits));
    case NumberFormat::floating:
      // Unsigned floats of 11 and 10 bits have f16's exponent and the upper bits of its mantissa.
      if (bits == 16) return as_u32(f16_to_f32(static_cast<f16>(value)));
      if (bits == 11) return as_u32(f16_to_f32(static_cast<f16>(value << 4)));
      if (bits == 10) return as_u32(f16_to_f32(static_cast<f16>(value << 5)));
      return static_cast<u32>(value);
    default:
      return static_cast<u32>(value);
  }
}

u64 rounded(f64 value, f64 least, f64 most) {
  if (!(value == value)) return 0;
  return static_cast<u64>(static_cast<i64>(std::nearbyint(std::clamp(value, least, most))));
}

u64 pack(u32 value, u32 bits, NumberFormat number) {
  const f64 real = static_cast<f64>(std::bit_cast<f32>(value));
  const f64 most = static_cast<f64>((u64{1} << bits) - 1);
  const f64 most_signed = static_cast<f64>((u64{1} << (bits - 1)) - 1);
  switch (number) {
    case NumberFormat::unorm:
      return rounded(real * most, 0, most);
    case NumberFormat::snorm:
      return rounded(real * most_signed, -most_signed, most_signed);
    case NumberFormat::uscaled:
      return rounded(real, 0, most);
    case NumberFormat::sscaled:
      return rounded(real, -most_signed - 1, most_signed);
    case NumberFormat::floating:
      if (bits == 16) return f32_to_f16(std::bit_cast<f32>(value));
      if (bits < 16) {
        // Negative numbers become 0; what is left of the mantissa is cut off.
        const u32 half = f32_to_f16<Round::zero>(std::bit_cast<f32>(value));
        return (half & 0x8000) != 0 ? 0 : half >> (15 - bits);
      }
      return value;
    case NumberFormat::sint: {
      const i64 limit = i64{1} << (bits - 1);
      return static_cast<u64>(std::clamp(i64{static_cast<i32>(value)}, -limit, limit - 1));
    }
    default:
      return std::min<u64>(value, (u64{1} << bits) - 1);
  }
}

}  // namespace

std::array<u32, 4> unpack_texel(const TexelFormat& format, const u8* from) {
  std::array<u32, 4> value{0, 0, 0, format.integer() ? 1 : std::bit_cast<u32>(1.0f)};
  u64 at = 0;
  for (u32 i = 0; i < 4 && format.bits[i] != 0; ++i) {
    const u32 bits = format.bits[i];
    // A component lies within one dword or begins at one.
    u32 word = 0;
    const u64 first = bits == 32 ? at / 8 : at / 32 * 4;
    std::memcpy(&word, from + first, std::min<u64>(4, format.bytes() - first));
    const u64 field = bits == 32 ? word : (word >> (at % 32)) & ((1u << bits) - 1);
    value[i] = unpack(field, bits, format.number);
    at += bits;
  }
  return value;
}

void pack_texel(const TexelFormat& format, const std::array<u32, 4>& value, u8* to) {
  std::array<u32, 4> words{};
  u64 at = 0;
  for (u32 i = 0; i < 4 && format.bits[i] != 0; ++i) {
    const u32 bits = format.bits[i];
    const u64 field = pack(value[i], bits, format.number) & ((u64{1} << bits) - 1);
    words[at / 32] |= static_cast<u32>(field << (at % 32));
    at += bits;
  }
  std::memcpy(to, words.data(), format.bytes());
}

}  // namespace lockstep
