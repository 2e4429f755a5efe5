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

}  // namespace lockstep::amd
