// Vector registers by index (s_set_gpr_idx_on to s_set_gpr_idx_off, gfx8 and gfx9): while the mode is on, M0
// moves the registers of the vector instructions that follow.
#pragma once
#include <span>

#include "isa/instruction.h"

namespace lockstep::amd {

// To be called once on a decoded program whose instructions have their run functions: if it switches the mode
// on anywhere, its vector instructions get run functions that ask for the mode. Other programs pay nothing.
void wire_register_indexing(std::span<Instruction> instructions, u32 lanes);

}  // namespace lockstep::amd
