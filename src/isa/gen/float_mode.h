// How cr0 turns into the float room's modes.
#pragma once
#include "float/bits.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {

inline FloatMode mode_of(u32 control, u32 keep) {
  const bool kept = (control & keep) != 0;
  return {static_cast<Round>((control >> control_bits::rounding_shift) & 3), kept, kept};
}
inline FloatMode f16_mode(u32 control) {
  return mode_of(control, control_bits::keep_f16_denormals);
}
inline FloatMode f32_mode(u32 control) {
  return mode_of(control, control_bits::keep_f32_denormals);
}
inline FloatMode f64_mode(u32 control) {
  return mode_of(control, control_bits::keep_f64_denormals);
}

}  // namespace lockstep::gen
