// Operations that hardware makes by a few instructions for most operands, and by a routine for rare ones, or
// in a round for each of the lanes' different values, or that take longer beside lanes which wait: what lanes
// have and do decides how long they take.
#pragma once
#include "isa/instruction.h"
#include "isa/wave.h"

namespace lockstep {

enum class SlowWay : u8 {
  none,
  divide_f32,
  reciprocal_f32,
  root_f32,
  divide_f64,
  reciprocal_f64,
  root_f64,
  match_32,  // match.any
  match_64,
  yield  // a turn of a loop that yields begins
};

// PTX: divisions, reciprocals and square roots, but approximate ones, match.any, and turns of loops. AMD's
// and Intel's compilers make all of theirs without a routine.
SlowWay slow_way_of(const Instruction& instruction);
// The active lanes whose operands, as they are before it executes, send the instruction that way. By the
// tests that ptxas makes (CUDA 13, sm_90: SASS of one operation each) and, for what FCHK says, by an H200's
// times over all exponents (experiments/h200-timing/slow_ways.txt). Of match.any: the first lane that has
// each value; of a turn: all of them where others of the wave can not go on (yield_cost.txt there).
u64 slow_lanes(const WaveState& wave, const Instruction& instruction, SlowWay way);

}  // namespace lockstep
