// From the PTX of a kernel to what the hardware issues for it: docs/lowering.md.
#pragma once
#include <span>

#include "isa/program.h"
#include "time/program/nv/lowered.h"

namespace lockstep {

// Where segments are cut beside the ends of blocks: bits by instruction of the module.
namespace lowering_cut {
inline constexpr u8 alone = 1;  // the instruction is a segment of its own
inline constexpr u8 after = 2;  // a segment ends with it
}  // namespace lowering_cut

// `cuts` may be empty: then regions end at the ends of blocks, barriers and calls alone.
Expected<LoweredProgram> lower_kernel(const Module& module, const Program& program,
                                      std::span<const u8> cuts = {});

}  // namespace lockstep
