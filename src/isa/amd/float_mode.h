// How a wave's MODE turns into the float room's, for apply_mode of float semantics.
#pragma once
#include "float/bits.h"
#include "isa/shapes.h"

namespace lockstep::amd {

// MODE fields (Vega ISA, 3.3): rounding 1:0 and denormals 5:4 of f32; 3:2 and 7:6 of f16 and f64.
inline FloatMode single_mode(u32 mode) {
  return amd_float_mode(mode & 3, (mode >> 4) & 3);
}
inline FloatMode wide_mode(u32 mode) {
  return amd_float_mode((mode >> 2) & 3, (mode >> 6) & 3);
}
inline bool quiets_signals(u32 mode) {
  return (mode & shapes::ieee_bit) != 0;
}

// Calls body.template operator()<R>() with a constant rounding mode and flushes its result.
template <class Body>
f32 in_mode(FloatMode m, Body&& body) {
  return flush_out(with_round(m.round, body), m);
}
template <class Body>
f64 in_mode64(FloatMode m, Body&& body) {
  return flush_out(with_round(m.round, body), m);
}
template <class Body>
f16 in_mode16(FloatMode m, Body&& body) {
  return flush_out_f16(with_round(m.round, body), m);
}

}  // namespace lockstep::amd
