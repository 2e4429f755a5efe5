// Program flow: branches, meetings of lanes, calls, barriers, the end.
#pragma once
#include "isa/semantic.h"

namespace lockstep::nv {

// Instruction::target is where a branch goes, `meeting_of` (operand[2].value) the instruction at which lanes
// that part here meet again. Guards are the branch's condition.
const Semantic& branch();
const Semantic& indexed_branch();  // operand[1]: the index; operand[3].value: the list in Tables::registers
const Semantic& meet();            // stands at the beginning of a block where lanes may meet
const Semantic& call();            // target: the function; operand[1].value: bytes of the caller's frame
const Semantic& return_from_call();
const Semantic& exit_lanes();
const Semantic& trap();
const Semantic& group_barrier();
const Semantic& nanosleep();
const Semantic& nothing();
const Semantic& not_supported();  // operand[1].value: index into Tables::strings

}  // namespace lockstep::nv
