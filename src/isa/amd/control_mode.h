// The MODE register as programs see it: WaveState keeps rounding, denormals and the bits without a name of
// their own in `mode`, and DX10_CLAMP and IEEE apart.
// Source: "Vega Instruction Set Architecture", 3.4 (Mode register).
#pragma once
#include "isa/wave.h"

namespace lockstep::amd {

inline constexpr u32 mode_dx10_clamp = 1 << 8, mode_ieee = 1 << 9, mode_f16_overflow = 1 << 23,
                     mode_index_registers = 1 << 27;

inline u32 read_mode(const WaveState& wave) {
  return (wave.mode & ~(mode_dx10_clamp | mode_ieee)) | (wave.dx10_clamp ? mode_dx10_clamp : 0) |
         (wave.ieee_mode ? mode_ieee : 0);
}
inline void write_mode(WaveState& wave, u32 value) {
  wave.mode = value & ~(mode_dx10_clamp | mode_ieee);
  wave.dx10_clamp = (value & mode_dx10_clamp) != 0;
  wave.ieee_mode = (value & mode_ieee) != 0;
}

}  // namespace lockstep::amd
