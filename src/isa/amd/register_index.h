// Vector registers by index (s_set_gpr_idx_on to s_set_gpr_idx_off, gfx8 and gfx9): while the mode is on, M0
// moves the registers of the vector instructions that follow.
#pragma once
#include <span>

#include "isa/instruction.h"
#include "isa/wave.h"

namespace lockstep::amd {

// To be called once on a decoded program whose instructions have their run functions: if it switches the mode
// on anywhere, its vector instructions get run functions that ask for the mode. Other programs pay nothing.
void wire_register_indexing(std::span<Instruction> instructions, u32 lanes);

// Whether wire_register_indexing gave the instruction such a function.
bool moves_by_mode(const Instruction& instruction);

// The instruction with the registers that it reaches now, by the index mode or as one of the movrel family:
// in `room` if that changes it. Indices that lead beyond the wave's registers leave it as it is.
const Instruction& indexed_instruction(const WaveState& wave, const Instruction& instruction,
                                       Instruction& room);

}  // namespace lockstep::amd
