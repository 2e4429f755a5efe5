// Moves and conversions of integers, which instructions of several names do.
// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.9 (mov, cvt, cvta).
#pragma once
#include <algorithm>
#include <limits>

#include "isa/nv/lanes.h"

namespace lockstep::nv {

template <class T>
struct Mov {
  static constexpr std::string_view name = sizeof(T) == 8   ? "mov.b64"
                                           : sizeof(T) == 4 ? "mov.b32"
                                                            : "mov.b16";
  static constexpr Flow flow = Flow::move;
  static T apply(T a) { return a; }
};

inline constexpr std::string_view cvt_word = "cvt.", cvt_sat_word = "cvt.sat.";

// Sources and results narrower than their registers: a value of 8 or 16 bits is the register's low part, and
// a result is extended to the register by its own signedness. S and D are the types, L and From the lane
// types of the result and the source.
template <class D, class S, class L, class From, bool Sat>
struct Cvt {
  static constexpr std::string_view name = joined < Sat ? cvt_sat_word : cvt_word, type_name<D>, dot,
                                    type_name < S >>
      ;
  static constexpr Flow flow = Sat ? Flow::any : Flow::extend;
  // The bits that both types have, extended as the narrower one says; the result's type where both are equal.
  static constexpr u8 extend_bits = 8 * std::min(sizeof(S), sizeof(D));
  static constexpr bool extend_signed = std::is_signed_v<std::conditional_t<sizeof(S) < sizeof(D), S, D>>;
  static L apply(From a) {
    const S s = static_cast<S>(a);
    if constexpr (Sat) {
      using Limits = std::numeric_limits<D>;
      const __int128 wide = s;
      const __int128 low = Limits::min(), high = Limits::max();
      return static_cast<L>(static_cast<D>(wide < low ? low : wide > high ? high : wide));
    }
    return static_cast<L>(static_cast<D>(s));
  }
};

// A conversion that fills its register and changes no bit is a move.
template <class D, class S, class L, class From, bool Sat>
constexpr const Semantic& cvt() {
  constexpr bool whole = sizeof(D) == sizeof(L) && sizeof(S) == sizeof(From) && sizeof(L) == sizeof(From);
  if constexpr (whole && (!Sat || std::is_same_v<D, S>))
    return semantic32<Mov<L>>;
  else
    return semantic32<Cvt<D, S, L, From, Sat>>;
}

}  // namespace lockstep::nv
