// How the machines of an ISA are timed: the one place of the timing room that knows which families there are.
#pragma once
#include "time/core/core_figures.h"
#include "time/timing.h"

namespace lockstep {

struct TimedFamily {
  IsaFamily isa;
  Expected<CoreFigures> (*figures)(const Machine& machine, u64 clock_hz);
  Expected<TimedProgram> (*program)(const Machine& machine, const TimedLaunch& launch);
};

// Of the machine's target; null where its programs cannot be timed.
const TimedFamily* timed_family(const Machine& machine);

}  // namespace lockstep
