// The order within regions, and the control words.
#pragma once
#include "time/program/nv/select.h"

namespace lockstep::lowering {

// Orders each region's instructions, whose registers are virtual, by latency; where `most_live` registers are
// in use, so that few more come to be.
void schedule(const Function& function, const Plan& plan, Selected& selected, u32 most_live);

// Stall counts, barriers, yield and reuse of instructions with hardware registers.
void finish_control(const Function& function, const Plan& plan, Selected& selected);

// The same for a straight line by itself, which may be a loop's body; operands say their reuse themselves.
void control_line(std::span<LoweredInstruction> code, u32 capability);

}  // namespace lockstep::lowering
