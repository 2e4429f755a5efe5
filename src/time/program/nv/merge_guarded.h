// Blocks that guards put into one straight line.
#pragma once
#include <span>

#include "time/program/nv/plan.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

// A block whose branch guards replace, the body that they guard and the block behind it become one block with
// one region in between, so that all of it is ordered together: so ptxas of CUDA 13 has it, where the loads
// of several guarded bodies go in front of what takes the first one's. Only where nothing else leads into the
// body or behind it, the three lie behind one another in PTX and no segment has to be cut there. Returns the
// bodies, as PTX instructions, ascending.
std::vector<LoweredGuarded> merge_guarded(Function& function, Plan& plan, Selected& selected,
                                          std::span<const u8> cuts);

}  // namespace lockstep::lowering
