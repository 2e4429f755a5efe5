// A launch whose waves keep in registers what they access again and again (source/repeats.h).
#pragma once
#include <vector>

#include "time/device.h"
#include "time/source/recording.h"

namespace lockstep {

// Of the instructions marked `repeating`, loads that repeat their last execution's addresses are gone, and so
// are stores that the next execution repeats: the first load and the last store stay. An instruction whose
// accesses are gone is gone, too, unless it `stays`: one of a packet, or where drop_repeats takes its op
// away. `waits`: what waits for loads is instructions of their own; else stores stay that store nothing, as
// what waits for the result before.
Recording without_repeats(const Recording& from, const std::vector<bool>& repeating, bool waits,
                          const std::vector<bool>& stays);

// Stores of these instructions only wait for their values. In a program of regions loads of these
// instructions are issued where they access memory, and loads of the same straight line that stood behind
// them, as those might have written what they read, one behind the other as far as no other store stands
// between.
void drop_repeats(TimedProgram& program, const std::vector<bool>& gone);

}  // namespace lockstep
