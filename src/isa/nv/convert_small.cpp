// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.9.21 (cvt: e4m3x2, e5m2x2) and 9.7.9.22
// (cvt.pack).
#include <algorithm>
#include <cmath>

#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

// Floats of 8 bits: e4m3 has no infinities, and one NaN of each sign.
struct E4m3 {
  static constexpr int mantissa_bits = 3, bias = 7;
  static constexpr f64 largest = 448;
  static constexpr u32 largest_bits = 0x7E, nan = 0x7F;
};
struct E5m2 {
  static constexpr int mantissa_bits = 2, bias = 15;
  static constexpr f64 largest = 57344;
  static constexpr u32 largest_bits = 0x7B, nan = 0x7F;
};

// To nearest even; what is too large, infinities too, becomes the largest number.
template <class F, bool Relu>
u32 to_small(f64 x) {
  if (x != x) return F::nan;
  const u32 sign = std::signbit(x) ? 0x80 : 0;
  if (Relu && sign != 0) return 0;
  const f64 magnitude = std::fabs(x);
  if (magnitude >= F::largest) return sign | F::largest_bits;
  const int exponent = static_cast<int>((as_u64(magnitude) >> 52) & 0x7FF) - 1023;
  const int scale = std::max(exponent, 1 - F::bias) - F::mantissa_bits;
  u32 number = static_cast<u32>(std::rint(magnitude * as_f64(static_cast<u64>(1023 - scale) << 52)));
  u32 field = static_cast<u32>(std::max(exponent, 1 - F::bias) + F::bias);
  constexpr u32 one = 1u << F::mantissa_bits;
  if (number >= 2 * one) number /= 2, ++field;
  if (number < one) field = 0;  // subnormal
  const u32 bits = field << F::mantissa_bits | (number & (one - 1));
  return sign | std::min(bits, F::largest_bits);
}
template <class F>
u16 half_of(u32 bits) {
  if constexpr (F::mantissa_bits == 2) {
    return (bits & 0x7F) > 0x7C ? u16{0x7FFF} : static_cast<u16>(bits << 8);
  } else {
    if ((bits & 0x7F) == F::nan) return 0x7FFF;
    const u32 exponent = (bits >> 3) & 15, mantissa = bits & 7;
    const f64 magnitude =
        exponent == 0 ? mantissa * 0x1p-9 : (8 + mantissa) * as_f64(static_cast<u64>(exponent + 1013) << 52);
    return f64_to_f16((bits & 0x80) != 0 ? -magnitude : magnitude);
  }
}

template <class F, bool Relu>
struct FromF32 {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt.e4m3x2.f32" : "cvt.e5m2x2.f32";
  static u16 apply(f32 high, f32 low) {
    return static_cast<u16>(to_small<F, Relu>(f64{high}) << 8 | to_small<F, Relu>(f64{low}));
  }
};
template <class F, bool Relu>
struct FromF16x2 {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt.e4m3x2.f16x2" : "cvt.e5m2x2.f16x2";
  static u16 apply(u32 pair) {
    return static_cast<u16>(to_small<F, Relu>(f16_to_f64(static_cast<u16>(pair >> 16))) << 8 |
                            to_small<F, Relu>(f16_to_f64(static_cast<u16>(pair))));
  }
};
template <class F, bool Relu>
struct ToF16x2 {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt.f16x2.e4m3x2" : "cvt.f16x2.e5m2x2";
  static u16 one(u32 bits) {
    const u16 half = half_of<F>(bits);
    return Relu && (half & 0x8000) != 0 && !is_nan<Half>(half) ? u16{0} : half;
  }
  static u32 apply(u16 pair) { return u32{one(pair & 0xFFu)} | u32{one(pair >> 8u)} << 16; }
};

template <class F>
void add_small(Opcodes& o, const std::string& type) {
  o.add("cvt.rn.satfinite." + type + ".f32", semantic32<FromF32<F, false>>, Cost::valu_half);
  o.add("cvt.rn.satfinite.relu." + type + ".f32", semantic32<FromF32<F, true>>, Cost::valu_half);
  o.add("cvt.rn.satfinite." + type + ".f16x2", semantic32<FromF16x2<F, false>>, Cost::valu_half);
  o.add("cvt.rn.satfinite.relu." + type + ".f16x2", semantic32<FromF16x2<F, true>>, Cost::valu_half);
  o.add("cvt.rn.f16x2." + type, semantic32<ToF16x2<F, false>>, Cost::valu_half);
  o.add("cvt.rn.relu.f16x2." + type, semantic32<ToF16x2<F, true>>, Cost::valu_half);
}

// cvt.pack: both sources to the ends of a narrow type's range, a above b; below 16 bits over what c holds.
template <int Bits, bool Signed>
u32 narrow(i32 x) {
  constexpr i32 least = Signed ? -(1 << (Bits - 1)) : 0,
                most = Signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
  return static_cast<u32>(std::clamp(x, least, most)) & ((1u << Bits) - 1);
}
template <int Bits, bool Signed>
struct Pack {
  static constexpr std::string_view name = "cvt.pack";
  static u32 apply(i32 a, i32 b, u32 c) {
    return c << (2 * Bits) | narrow<Bits, Signed>(a) << Bits | narrow<Bits, Signed>(b);
  }
};
template <bool Signed>
struct PackWide {
  static constexpr std::string_view name = "cvt.pack";
  static u32 apply(i32 a, i32 b) { return narrow<16, Signed>(a) << 16 | narrow<16, Signed>(b); }
};

}  // namespace

void add_convert_small(Opcodes& o) {
  add_small<E4m3>(o, "e4m3x2");
  add_small<E5m2>(o, "e5m2x2");
  o.add("cvt.pack.sat.u16.s32", semantic32<PackWide<false>>, Cost::valu_half);
  o.add("cvt.pack.sat.s16.s32", semantic32<PackWide<true>>, Cost::valu_half);
  o.add("cvt.pack.sat.u8.s32.b32", semantic32<Pack<8, false>>, Cost::valu_half);
  o.add("cvt.pack.sat.s8.s32.b32", semantic32<Pack<8, true>>, Cost::valu_half);
  o.add("cvt.pack.sat.u4.s32.b32", semantic32<Pack<4, false>>, Cost::valu_half);
  o.add("cvt.pack.sat.s4.s32.b32", semantic32<Pack<4, true>>, Cost::valu_half);
  o.add("cvt.pack.sat.u2.s32.b32", semantic32<Pack<2, false>>, Cost::valu_half);
  o.add("cvt.pack.sat.s2.s32.b32", semantic32<Pack<2, true>>, Cost::valu_half);
}

}  // namespace lockstep::nv
