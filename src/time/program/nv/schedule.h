// The order within regions, and the control words.
#pragma once
#include "time/program/nv/select.h"

namespace lockstep::lowering {

// Orders each region's instructions, whose registers are virtual, by latency.
void schedule(const Function& function, const Plan& plan, Selected& selected);

// Stall counts, barriers, yield and reuse of instructions with hardware registers.
void finish_control(const Function& function, const Plan& plan, Selected& selected);

}  // namespace lockstep::lowering
