// What atomic instructions do with the value in memory and their own: shared by vector, local and scalar
// memory. Source: "Vega Instruction Set Architecture", the lists of DS and FLAT/MUBUF atomic instructions.
#pragma once
#include <bit>
#include <type_traits>

#include "base/types.h"
#include "float/half.h"
#include "float/minmax.h"
#include "isa/memory_shapes.h"

namespace lockstep::amd::combine {

// T is the bits: u32 or u64.
template <class T>
using Signed = std::make_signed_t<T>;

struct Swap {
  static constexpr std::string_view name = "swap";
  template <class T>
  static T apply(T, T data) {
    return data;
  }
};
struct Add {
  static constexpr std::string_view name = "add";
  template <class T>
  static T apply(T old, T data) {
    return old + data;
  }
};
struct Sub {
  static constexpr std::string_view name = "sub";
  template <class T>
  static T apply(T old, T data) {
    return old - data;
  }
};
struct ReverseSub {
  static constexpr std::string_view name = "reverse sub";
  template <class T>
  static T apply(T old, T data) {
    return data - old;
  }
};
struct SignedMin {
  static constexpr std::string_view name = "signed min";
  template <class T>
  static T apply(T old, T data) {
    return static_cast<Signed<T>>(data) < static_cast<Signed<T>>(old) ? data : old;
  }
};
struct SignedMax {
  static constexpr std::string_view name = "signed max";
  template <class T>
  static T apply(T old, T data) {
    return static_cast<Signed<T>>(data) > static_cast<Signed<T>>(old) ? data : old;
  }
};
struct UnsignedMin {
  static constexpr std::string_view name = "unsigned min";
  template <class T>
  static T apply(T old, T data) {
    return data < old ? data : old;
  }
};
struct UnsignedMax {
  static constexpr std::string_view name = "unsigned max";
  template <class T>
  static T apply(T old, T data) {
    return data > old ? data : old;
  }
};
struct And {
  static constexpr std::string_view name = "and";
  template <class T>
  static T apply(T old, T data) {
    return old & data;
  }
};
struct Or {
  static constexpr std::string_view name = "or";
  template <class T>
  static T apply(T old, T data) {
    return old | data;
  }
};
struct Xor {
  static constexpr std::string_view name = "xor";
  template <class T>
  static T apply(T old, T data) {
    return old ^ data;
  }
};
// Counts up to `data`, then starts again at 0.
struct Increment {
  static constexpr std::string_view name = "increment";
  template <class T>
  static T apply(T old, T data) {
    return old >= data ? 0 : old + 1;
  }
};
// Counts down to 0, then starts again at `data`.
struct Decrement {
  static constexpr std::string_view name = "decrement";
  template <class T>
  static T apply(T old, T data) {
    return old == 0 || old > data ? data : old - 1;
  }
};
// The unsigned difference, 0 where it would be negative (gfx10.3 and later).
struct SaturatingSub {
  static constexpr std::string_view name = "saturating sub";
  template <class T>
  static T apply(T old, T data) {
    return old < data ? 0 : old - data;
  }
};
// The difference where it is not negative, else what was there (gfx12).
struct ConditionalSub {
  static constexpr std::string_view name = "conditional sub";
  template <class T>
  static T apply(T old, T data) {
    return old < data ? old : old - data;
  }
};
// Steps through a ring: back by the first value where there is that much, else on by the second.
struct Wrap {
  static constexpr std::string_view name = "wrap";
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T data, T further) {
    return old >= data ? old - data : old + further;
  }
};
// Vector memory: the new value comes first, the comparand behind it.
struct CompareSwap {
  static constexpr std::string_view name = "compare and swap";
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T data, T comparand) {
    return old == comparand ? data : old;
  }
};
// Local memory before gfx11: the comparand comes first.
struct CompareStore {
  static constexpr std::string_view name = "compare and store";
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T comparand, T data) {
    return old == comparand ? data : old;
  }
};
// Clears the bits of the first value and sets those of the second.
struct MaskOr {
  static constexpr std::string_view name = "mask or";
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
  template <class T>
  static T apply(T old, T data) {
    return std::bit_cast<T>(std::bit_cast<FloatOf<T>>(old) + std::bit_cast<FloatOf<T>>(data));
  }
};
struct FloatMin {
  static constexpr std::string_view name = "float min";
  template <class T>
  static T apply(T old, T data) {
    return std::bit_cast<FloatOf<T>>(data) < std::bit_cast<FloatOf<T>>(old) ? data : old;
  }
};
struct FloatMax {
  static constexpr std::string_view name = "float max";
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
  template <class T>
  static T apply(T old, T data) {
    return amd_min<FormatOf<T>>(old, data, true);
  }
};
struct NumberMax {
  static constexpr std::string_view name = "number max";
  template <class T>
  static T apply(T old, T data) {
    return amd_max<FormatOf<T>>(old, data, true);
  }
};
// Compares as numbers: -0 equals 0, a NaN nothing.
struct FloatCompareSwap {
  static constexpr std::string_view name = "float compare and swap";
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T data, T comparand) {
    return std::bit_cast<FloatOf<T>>(old) == std::bit_cast<FloatOf<T>>(comparand) ? data : old;
  }
};
struct FloatCompareStore {
  static constexpr std::string_view name = "float compare and store";
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T comparand, T data) {
    return FloatCompareSwap::apply(old, data, comparand);
  }
};
struct HalfPairAdd {
  static constexpr std::string_view name = "half pair add";
  static u32 apply(u32 old, u32 data);
};
struct BrainPairAdd {
  static constexpr std::string_view name = "bf16 pair add";
  static u32 apply(u32 old, u32 data);
};

}  // namespace lockstep::amd::combine
