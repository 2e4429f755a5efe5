// How undefined bits go through one lane's (or one wave-wide) function.
#pragma once
#include <span>

#include "exec/check/rules.h"

namespace lockstep::check {

// A value of which some bits nobody wrote. Bits above the width are 0 in both.
// The bits of a lane's value.
constexpr u32 value_width(Kind kind) {
  switch (kind) {
    case Kind::u16:
    case Kind::i16:
    case Kind::f16:
      return 16;
    case Kind::mask:
    case Kind::condition:
      return 1;
    default:
      return registers_of(kind, 64) == 2 ? 64 : 32;
  }
}

struct Bits {
  u64 value = 0;
  u64 undefined = 0;
  u32 width = 32;
};

constexpr u64 ones(u32 width) {
  return width >= 64 ? ~u64{0} : (u64{1} << width) - 1;
}

// The result's undefined bits, as many as `width`; `lane` is for functions that depend on its number. The
// value is known for moves, logic, shifts and fields alone, and 0 elsewhere: enough to see whether a result
// of theirs has a bit that is surely set.
Bits flow(const Rule& rule, std::span<const Bits> sources, u32 width, u32 lane);

// Whether a comparison's outcome depends on undefined bits: an integer one does not if defined bits decide
// it.
bool comparison_undefined(const Rule& rule, const Bits& a, const Bits& b);

// One packed 16-bit operation's half: undefined as a whole if any source half has undefined bits.
bool half_undefined(std::span<const Bits> sources, u32 select_bits);

}  // namespace lockstep::check
