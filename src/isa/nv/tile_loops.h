// Loops over tiles: what is loaded for the next turn in front of a turn's barriers.
#pragma once
#include "isa/nv/syntax.h"

namespace lockstep::nv {

// Unrolls what ptxas of CUDA 13 unrolls of two kinds of innermost loops of one block that load read-only
// memory (ld.global.nc). With barriers of the group: four turns in one block as long as there are four, then
// one by one; only in one block can loads of a turn stand in front of an earlier one's barriers
// (early_loads.h). Without, where the counter begins below zero and is tested as a number without a sign, as
// clang has `for (i = id; i < 32; i += 8)`: one turn, four each, two and one, which wait for memory one after
// the other. Other loops stay as they are; what unrolling saves of their counting shows where they are timed.
// Registers of a turn alone get names of their own in each; statements keep their line and place in the
// source.
void unroll_tile_loops(FunctionTree& function);

}  // namespace lockstep::nv
