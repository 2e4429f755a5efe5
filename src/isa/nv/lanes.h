// What the scalar functions of PTX instructions share: names made of types, and types that only PTX has.
#pragma once
#include "float/float.h"
#include "isa/memory_shapes.h"
#include "isa/shapes.h"

namespace lockstep {

// bfloat16 as its bits.
struct Bf16 {
  u16 bits;
};
template <>
struct LaneType<Bf16> {
  using Raw = u32;
  static constexpr Kind kind = Kind::u16;
  static Bf16 from(u32 raw) { return {static_cast<u16>(raw)}; }
  static u32 to(Bf16 value) { return value.bits; }
};

namespace nv {

template <class T>
inline constexpr std::string_view type_name = "";
template <>
inline constexpr std::string_view type_name<u8> = "u8";
template <>
inline constexpr std::string_view type_name<i8> = "s8";
template <>
inline constexpr std::string_view type_name<u16> = "u16";
template <>
inline constexpr std::string_view type_name<i16> = "s16";
template <>
inline constexpr std::string_view type_name<u32> = "u32";
template <>
inline constexpr std::string_view type_name<i32> = "s32";
template <>
inline constexpr std::string_view type_name<u64> = "u64";
template <>
inline constexpr std::string_view type_name<i64> = "s64";
template <>
inline constexpr std::string_view type_name<F16> = "f16";
template <>
inline constexpr std::string_view type_name<Bf16> = "bf16";
template <>
inline constexpr std::string_view type_name<f32> = "f32";
template <>
inline constexpr std::string_view type_name<f64> = "f64";

inline constexpr std::string_view dot = ".";
template <const std::string_view&... Parts>
inline constexpr std::string_view joined = memory::Joined<Parts...>::value;

template <Round R>
inline constexpr std::string_view round_suffix = R == Round::nearest_even     ? ".rn"
                                                 : R == Round::zero           ? ".rz"
                                                 : R == Round::minus_infinity ? ".rm"
                                                                              : ".rp";
template <Round R>
inline constexpr std::string_view integer_round_suffix = R == Round::nearest_even     ? ".rni"
                                                         : R == Round::zero           ? ".rzi"
                                                         : R == Round::minus_infinity ? ".rmi"
                                                                                      : ".rpi";
template <bool Ftz>
inline constexpr std::string_view ftz_suffix = Ftz ? ".ftz" : "";

template <bool Ftz>
[[gnu::always_inline]] inline f32 flushed(f32 x) {
  return Ftz ? flush_f32(x) : x;
}

}  // namespace nv
}  // namespace lockstep
