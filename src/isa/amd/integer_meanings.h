// Integer meanings that several widths share, of the vector ALU and, with a condition code, of the scalar
// one: one definition for every width and, where it counts, signedness. T is the lane's type.
#pragma once
#include "isa/amd/integer_functions.h"
#include "isa/amd/names.h"
#include "isa/semantic.h"

namespace lockstep::amd {

// How mnemonics call a type: by its bits alone, or as a number.
template <class T>
constexpr std::string_view bits_name = sizeof(T) == 2   ? "b16"
                                       : sizeof(T) == 4 ? "b32"
                                                        : "b64";
template <class T>
constexpr std::string_view number_name =
    std::is_signed_v<T> ? (sizeof(T) == 2 ? "i16" : "i32") : (sizeof(T) == 2 ? "u16" : "u32");
// What holds the sum or product of two T without wrapping.
template <class T>
using Unwrapped = std::conditional_t<std::is_signed_v<T> || sizeof(T) == 2, i64, u64>;

template <class T>
struct Mov {
  static constexpr Name text{"mov_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::move;
  static T apply(T a) { return a; }
};
template <class T>
struct Cndmask {
  static constexpr Name text{"cndmask_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::select;
  static T apply(T a, T b, bool choose_b) { return choose_b ? b : a; }
};
template <class T>
struct Not {
  static constexpr Name text{"not_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::bit_not;
  static T apply(T a) { return static_cast<T>(~a); }
};
template <class T>
struct And {
  static constexpr Name text{"and_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::bit_and;
  static T apply(T a, T b) { return a & b; }
};
template <class T>
struct Or {
  static constexpr Name text{"or_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::bit_or;
  static T apply(T a, T b) { return a | b; }
};
template <class T>
struct Xor {
  static constexpr Name text{"xor_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::bit_xor;
  static T apply(T a, T b) { return a ^ b; }
};

// Shifts with the count first, of which they take as many low bits as the width needs.
template <class T, class Count>
struct Lshlrev {
  static constexpr Name text{"lshlrev_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::reverse_shift_left;
  static T apply(Count count, T a) { return static_cast<T>(a << (count & (sizeof(T) * 8 - 1))); }
};
template <class T, class Count>
struct Lshrrev {
  static constexpr Name text{"lshrrev_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::reverse_shift_right;
  static T apply(Count count, T a) { return static_cast<T>(a >> (count & (sizeof(T) * 8 - 1))); }
};
template <class T, class Count>
struct Ashrrev {
  static constexpr Name text{"ashrrev_", sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64"};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::reverse_shift_right_signed;
  static T apply(Count count, T a) { return static_cast<T>(a >> (count & (sizeof(T) * 8 - 1))); }
};

// Shifts with the value first (GCN 1 and 2, the scalar unit).
template <class T>
struct Lshl {
  static constexpr Name text{"lshl_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::shift_left;
  static T apply(T a, u32 count) { return a << (count & (sizeof(T) * 8 - 1)); }
};
template <class T>
struct Lshr {
  static constexpr Name text{"lshr_", bits_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::shift_right;
  static T apply(T a, u32 count) { return a >> (count & (sizeof(T) * 8 - 1)); }
};
template <class T>
struct Ashr {
  static constexpr Name text{"ashr_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::shift_right_signed;
  static T apply(T a, u32 count) { return a >> (count & (sizeof(T) * 8 - 1)); }
};
// Of 64 bits, for addresses, the shift is 0 to 4.
template <class T>
struct LshlAdd {
  static constexpr Name text{"lshl_add_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::shift_add;
  static T apply(T a, u32 count, T c) { return (a << (count & (sizeof(T) == 8 ? 7 : 31))) + c; }
};
// Only that of 16 bits has a clamp.
template <class T>
struct ClampedMulLo {};
template <>
struct ClampedMulLo<u16> {
  static u16 apply_clamp(u16 a, u16 b) { return saturated<u16>(i64{a} * b); }
};
template <class T>
struct MulLo : ClampedMulLo<T> {
  static constexpr Name text{"mul_lo_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::multiply;
  static T apply(T a, T b) { return static_cast<T>(u32{a} * b); }
};

// Sums that wrap; the clamp saturates.
template <class T>
struct Add {
  static constexpr Name text{"add_", number_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::carries_up;
  static T apply(T a, T b) { return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b)); }
  static T apply_clamp(T a, T b) { return saturated<T>(Unwrapped<T>{a} + b); }
};
template <class T>
struct Sub {
  static constexpr Name text{"sub_", number_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static T apply(T a, T b) { return static_cast<T>(static_cast<u32>(a) - static_cast<u32>(b)); }
  static T apply_clamp(T a, T b) { return saturated<T>(i64{a} - b); }
};
template <class T>
struct Subrev {
  static constexpr Name text{"subrev_", number_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static T apply(T a, T b) { return Sub<T>::apply(b, a); }
  static T apply_clamp(T a, T b) { return Sub<T>::apply_clamp(b, a); }
};

// Minima, maxima, medians.
template <class T>
struct Min {
  static constexpr Name text{"min_", number_name<T>};
  static constexpr std::string_view name = text;
  static T apply(T a, T b) { return least(a, b); }
};
template <class T>
struct Max {
  static constexpr Name text{"max_", number_name<T>};
  static constexpr std::string_view name = text;
  static T apply(T a, T b) { return greatest(a, b); }
};
template <class T>
struct Min3 {
  static constexpr Name text{"min3_", number_name<T>};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return least(least(a, b), c); }
};
template <class T>
struct Max3 {
  static constexpr Name text{"max3_", number_name<T>};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return greatest(greatest(a, b), c); }
};
template <class T>
struct Med3 {
  static constexpr Name text{"med3_", number_name<T>};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return middle(a, b, c); }
};

}  // namespace lockstep::amd
