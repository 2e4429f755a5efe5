// Where shared variables lie, and how much of shared memory each kernel takes.
#pragma once
#include "isa/nv/lower.h"

namespace lockstep::nv {

// Fills Layout::shared_bytes and the addresses of shared variables. A kernel takes what it and the functions
// that it may call name, as NVIDIA's assembler counts it (ptxas -v): variables of the module that are named,
// those of functions whether they are named or not. Variables that no kernel has together may lie at one
// place. Arrays without a size begin behind the others of whichever kernel runs: their address is counted
// from there.
void lay_out_shared(const ModuleTree& tree, Layout& layout);

}  // namespace lockstep::nv
