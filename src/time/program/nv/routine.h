// The routines that divisions, reciprocals and roots call for rare operands (isa/slow_way.h): what is issued
// beside the usual instructions where lanes go that way.
#pragma once
#include <vector>

#include "isa/slow_way.h"
#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

struct RoutineStep {
  LoweredInstruction instruction;
  // Cycles until the next may issue, where the instruction's result is not of a time of its own; 0: it has
  // one, and the next needs it.
  u8 stall = 1;
  bool taken = false;  // a branch that is taken, a call or a return
};

// From the call on to behind it, for an operand of zero (dividends of divisions). What other operands need
// beyond that (denormal ones and quotients are scaled) is not reckoned. Empty for SlowWay::none.
std::vector<RoutineStep> routine_of(SlowWay way, u32 capability);

}  // namespace lockstep::lowering
