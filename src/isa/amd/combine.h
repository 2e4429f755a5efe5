// What AMD's atomics do beside those that every ISA has (isa/combine.h): shared by vector, local and scalar
// memory. Smaller and greater floats keep the old value of two that compare equal or not at all, zeros of
// both signs and NaNs, so that their order shows as that of sums does. Source: "Vega Instruction Set
// Architecture", the lists of DS and FLAT/MUBUF atomic instructions.
#pragma once
#include <bit>
#include <type_traits>

#include "base/types.h"
#include "float/half.h"
#include "float/minmax.h"
#include "isa/combine.h"
#include "isa/memory_shapes.h"

namespace lockstep::amd::combine {

using namespace lockstep::combine;

struct ReverseSub {
  static constexpr std::string_view name = "reverse sub";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return data - old;
  }
};
// The unsigned difference, 0 where it would be negative (gfx10.3 and later).
struct SaturatingSub {
  static constexpr std::string_view name = "saturating sub";
  static constexpr Combining combining = Combining::saturating_difference;
  template <class T>
  static T apply(T old, T data) {
    return old < data ? 0 : old - data;
  }
};
// The difference where it is not negative, else what was there (gfx12).
struct ConditionalSub {
  static constexpr std::string_view name = "conditional sub";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return old < data ? old : old - data;
  }
};
// Steps through a ring: back by the first value where there is that much, else on by the second.
struct Wrap {
  static constexpr std::string_view name = "wrap";
  static constexpr Combining combining = Combining::ordered;
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T data, T further) {
    return old >= data ? old - data : old + further;
  }
};
// Clears the bits of the first value and sets those of the second.
struct MaskOr {
  static constexpr std::string_view name = "mask or";
  static constexpr Combining combining = Combining::ordered;
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T mask, T data) {
    return (old & ~mask) | data;
  }
};

template <class T>
using FloatOf = std::conditional_t<sizeof(T) == 8, f64, f32>;

// Rounded to nearest even, denormals kept.
struct FloatAdd {
  static constexpr std::string_view name = "float add";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return std::bit_cast<T>(std::bit_cast<FloatOf<T>>(old) + std::bit_cast<FloatOf<T>>(data));
  }
};
struct FloatMin {
  static constexpr std::string_view name = "float min";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return std::bit_cast<FloatOf<T>>(data) < std::bit_cast<FloatOf<T>>(old) ? data : old;
  }
};
struct FloatMax {
  static constexpr std::string_view name = "float max";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return std::bit_cast<FloatOf<T>>(data) > std::bit_cast<FloatOf<T>>(old) ? data : old;
  }
};
// gfx12: a number wins over a NaN (IEEE 754-2019, minimumNumber).
template <class T>
using FormatOf = std::conditional_t<sizeof(T) == 8, Double, Single>;
struct NumberMin {
  static constexpr std::string_view name = "number min";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return amd_min<FormatOf<T>>(old, data, true);
  }
};
struct NumberMax {
  static constexpr std::string_view name = "number max";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return amd_max<FormatOf<T>>(old, data, true);
  }
};
// Compares as numbers: -0 equals 0, a NaN nothing.
struct FloatCompareSwap {
  static constexpr std::string_view name = "float compare and swap";
  static constexpr Combining combining = Combining::ordered;
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T data, T comparand) {
    return std::bit_cast<FloatOf<T>>(old) == std::bit_cast<FloatOf<T>>(comparand) ? data : old;
  }
};
struct FloatCompareStore {
  static constexpr std::string_view name = "float compare and store";
  static constexpr Combining combining = Combining::ordered;
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T comparand, T data) {
    return FloatCompareSwap::apply(old, data, comparand);
  }
};
struct HalfPairAdd {
  static constexpr std::string_view name = "half pair add";
  static constexpr Combining combining = Combining::ordered;
  static u32 apply(u32 old, u32 data);
};
struct BrainPairAdd {
  static constexpr std::string_view name = "bf16 pair add";
  static constexpr Combining combining = Combining::ordered;
  static u32 apply(u32 old, u32 data);
};

}  // namespace lockstep::amd::combine
