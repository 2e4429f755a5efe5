// f16 arithmetic on f32 values, for the quick way of isa/shapes.h: rounding the f32 result to f16 gives the
// correctly rounded f16 result. For sums and differences f32's 24 bits are 2 * 11 + 2, which makes the second
// rounding innocuous (Figueroa, "When is double rounding innocuous?", 1995), and products of f16 are exact.
#pragma once
#include "float/round.h"

namespace lockstep::amd {

// The product is exact; the sum is rounded to odd, so that the next rounding sees every lost bit.
inline f32 fma_for_half(f32 a, f32 b, f32 c) {
  return float_detail::add_odd(a * b, c);
}

}  // namespace lockstep::amd
