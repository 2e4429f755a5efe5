// What atomic instructions of every ISA do with the value in memory and their own, and how far their order
// shows. T is the value's bits, an unsigned type.
#pragma once
#include <string_view>
#include <type_traits>

#include "base/types.h"
#include "isa/semantic.h"

namespace lockstep::combine {

template <class T>
using Signed = std::make_signed_t<T>;

struct Swap {
  static constexpr std::string_view name = "swap";
  static constexpr Combining combining = Combining::exchange;
  template <class T>
  static T apply(T, T data) {
    return data;
  }
};
struct Add {
  static constexpr std::string_view name = "add";
  static constexpr Combining combining = Combining::sum;
  template <class T>
  static T apply(T old, T data) {
    return static_cast<T>(old + data);
  }
};
struct Sub {
  static constexpr std::string_view name = "sub";
  static constexpr Combining combining = Combining::sum;
  template <class T>
  static T apply(T old, T data) {
    return static_cast<T>(old - data);
  }
};
struct SignedMin {
  static constexpr std::string_view name = "signed min";
  static constexpr Combining combining = Combining::signed_min;
  template <class T>
  static T apply(T old, T data) {
    return static_cast<Signed<T>>(data) < static_cast<Signed<T>>(old) ? data : old;
  }
};
struct SignedMax {
  static constexpr std::string_view name = "signed max";
  static constexpr Combining combining = Combining::signed_max;
  template <class T>
  static T apply(T old, T data) {
    return static_cast<Signed<T>>(data) > static_cast<Signed<T>>(old) ? data : old;
  }
};
struct UnsignedMin {
  static constexpr std::string_view name = "unsigned min";
  static constexpr Combining combining = Combining::unsigned_min;
  template <class T>
  static T apply(T old, T data) {
    return data < old ? data : old;
  }
};
struct UnsignedMax {
  static constexpr std::string_view name = "unsigned max";
  static constexpr Combining combining = Combining::unsigned_max;
  template <class T>
  static T apply(T old, T data) {
    return data > old ? data : old;
  }
};
struct And {
  static constexpr std::string_view name = "and";
  static constexpr Combining combining = Combining::conjunction;
  template <class T>
  static T apply(T old, T data) {
    return old & data;
  }
};
struct Or {
  static constexpr std::string_view name = "or";
  static constexpr Combining combining = Combining::disjunction;
  template <class T>
  static T apply(T old, T data) {
    return old | data;
  }
};
struct Xor {
  static constexpr std::string_view name = "xor";
  static constexpr Combining combining = Combining::exclusive_or;
  template <class T>
  static T apply(T old, T data) {
    return old ^ data;
  }
};
// Counts up to `data`, then starts again at 0.
struct Increment {
  static constexpr std::string_view name = "increment";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return old >= data ? 0 : old + 1;
  }
};
// Counts down to 0, then starts again at `data`.
struct Decrement {
  static constexpr std::string_view name = "decrement";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return old == 0 || old > data ? data : old - 1;
  }
};
// The new value comes first, the comparand behind it (AMD's vector memory).
struct CompareSwap {
  static constexpr std::string_view name = "compare and swap";
  static constexpr Combining combining = Combining::exchange_compare;
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T data, T comparand) {
    return old == comparand ? data : old;
  }
};
// The comparand comes first (AMD's local memory before gfx11, PTX).
struct CompareStore {
  static constexpr std::string_view name = "compare and store";
  static constexpr Combining combining = Combining::compare_exchange;
  static constexpr int operands = 2;
  template <class T>
  static T apply(T old, T comparand, T data) {
    return old == comparand ? data : old;
  }
};
}  // namespace lockstep::combine
