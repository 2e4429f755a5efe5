// Program flow: branches, meetings of lanes, calls, barriers, the end.
#pragma once
#include "isa/semantic.h"

namespace lockstep::nv {

// Instruction::target is where a branch goes, `meeting_of` (operand[2].value) the instruction at which lanes
// that part here meet again. Guards are the branch's condition. detail, bits: `nounroll` where a loop begins
// at the target of which each turn is to stay one (.pragma "nounroll"), `jumps_back` where it has no
// condition and the target stands in front of it in the text, unless it is another branch's other way.
const Semantic& branch();
inline constexpr u32 nounroll = 1, jumps_back = 2;
// operand[4].value, if any, in Tables::registers: such instructions, outermost first, each with the number of
// loops that it shares with the branch.
const Semantic& indexed_branch();  // operand[1]: the index; operand[3].value: the list in Tables::registers
// Stands at the beginning of a block where lanes may meet. operand[4].value, if any, in Tables::registers:
// the places in loops, ascending, that who comes here has left. detail, bits: whether lanes meet here, or
// leave such places; where a turn of a loop begins that yields; where the group's barrier follows for which
// all lanes of the wave wait (WARPSYNC), then operand[1].value is its number.
const Semantic& meet();
inline constexpr u32 lanes_meet = 1, turn_yields = 2, in_front_of_barrier = 4;
// target: the function; offset: bytes of the caller's frame; operand[3].value, if any: what to keep of the
// caller's registers, in Tables::registers.
const Semantic& call();
// operand[1]: the function's address; operand[2].value: where lanes meet; operand[4].value: the functions
// that it may be, ascending, in Tables::registers.
const Semantic& indirect_call();
const Semantic& return_from_call();
const Semantic& exit_lanes();
const Semantic& trap();
const Semantic& group_barrier();  // operand[1].value: its number
enum class BarrierKind : u8 { sync, arrive, population, all, any };
const Semantic& counted_barrier();  // detail: a BarrierKind
// operand[1]: the member mask.
const Semantic& warp_barrier();
// vprintf and printf; offset: bytes of the caller's frame; detail: where the call's parameters lie behind it.
// operand[1].value: 1 where the result is a number of arguments.
const Semantic& print();
const Semantic& nanosleep();
const Semantic& nothing();
const Semantic& not_supported();  // operand[1].value: index into Tables::strings

}  // namespace lockstep::nv
