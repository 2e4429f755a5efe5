// Which registers an instruction reads and writes: see isa/register_use.h.
#pragma once
#include "isa/instruction.h"
#include "isa/register_use.h"

namespace lockstep::amd {

// `lanes` is the wave's width: a mask of lanes takes one or two scalar registers. For the first instruction
// of a VOPD pair (slots 2), the second must lie behind it, and both are meant.
void register_use(const Instruction& instruction, u32 lanes, RegisterUse& use);

}  // namespace lockstep::amd
