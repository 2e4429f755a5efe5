// Work that two units can do goes to the one with less of it.
#pragma once
#include <span>

#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

// Moves, additions, shifts to the left and pairs of f16 of a straight line with hardware registers: on the
// integer unit or on the multipliers, as the assembler spreads them. What it does was seen in the code that
// NVIDIA's assembler (CUDA 13.0) makes.
void balance(std::span<LoweredInstruction> code, u32 capability);

}  // namespace lockstep::lowering
