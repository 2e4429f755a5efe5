// The types that scalar functions of semantics are written in, and how they lie in registers.
#pragma once
#include <bit>
#include <type_traits>

#include "base/types.h"
#include "isa/semantic.h"

namespace lockstep {

// A half-precision value as its bits; arithmetic on it is float/'s, whose `Half` is the format.
struct F16 {
  u16 bits;
};

// A result with a mask beside it: a carry, div_scale's flag.
template <class T>
struct WithMask {
  T value;
  bool mask;
};

// A scalar result that also sets the scalar condition code.
template <class T>
struct Flagged {
  T value;
  bool scc;
};

template <class T>
struct LaneType;

template <class T, class R, Kind K>
struct PlainLane {
  using Raw = R;  // u32 lies in one register row, u64 in two
  static constexpr Kind kind = K;
  static T from(Raw raw) { return static_cast<T>(raw); }
  static Raw to(T value) { return static_cast<Raw>(static_cast<std::make_unsigned_t<T>>(value)); }
};
template <>
struct LaneType<u16> : PlainLane<u16, u32, Kind::u16> {};
template <>
struct LaneType<i16> : PlainLane<i16, u32, Kind::i16> {};
template <>
struct LaneType<u32> : PlainLane<u32, u32, Kind::u32> {};
template <>
struct LaneType<i32> : PlainLane<i32, u32, Kind::i32> {};
template <>
struct LaneType<u64> : PlainLane<u64, u64, Kind::u64> {};
template <>
struct LaneType<i64> : PlainLane<i64, u64, Kind::i64> {};
template <>
struct LaneType<f32> {
  using Raw = u32;
  static constexpr Kind kind = Kind::f32;
  static f32 from(u32 raw) { return std::bit_cast<f32>(raw); }
  static u32 to(f32 value) { return std::bit_cast<u32>(value); }
};
template <>
struct LaneType<f64> {
  using Raw = u64;
  static constexpr Kind kind = Kind::f64;
  static f64 from(u64 raw) { return std::bit_cast<f64>(raw); }
  static u64 to(f64 value) { return std::bit_cast<u64>(value); }
};
template <>
struct LaneType<F16> {
  using Raw = u32;
  static constexpr Kind kind = Kind::f16;
  static F16 from(u32 raw) { return {static_cast<u16>(raw)}; }
  static u32 to(F16 value) { return value.bits; }
};
// As a source: one bit of a mask operand, fetched as a row of 0 and 1.
template <>
struct LaneType<bool> {
  using Raw = u32;
  static constexpr Kind kind = Kind::mask;
  static bool from(u32 raw) { return raw != 0; }
};

constexpr bool is_float(Kind kind) {
  return kind == Kind::f16 || kind == Kind::f32 || kind == Kind::f64;
}

// The parts of an apply function's type.
template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  static constexpr std::size_t arity = sizeof...(A);
  static constexpr std::array<Kind, 4> kinds() {
    std::array<Kind, 4> list{};
    std::size_t i = 0;
    ((list[i++] = LaneType<A>::kind), ...);
    return list;
  }
  template <Kind K>
  static constexpr bool takes = ((LaneType<A>::kind == K) || ...);
};

template <class R>
struct ResultType {
  using Value = R;
  static constexpr Kind kind = LaneType<R>::kind;
  static constexpr bool with_mask = false;
};
template <class T>
struct ResultType<WithMask<T>> {
  using Value = T;
  static constexpr Kind kind = LaneType<T>::kind;
  static constexpr bool with_mask = true;
};

}  // namespace lockstep
