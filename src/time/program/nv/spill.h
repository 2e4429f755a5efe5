// Values that no registers are left for lie in local memory.
#pragma once
#include "time/program/nv/select.h"

namespace lockstep::lowering {

// Stores general registers where they are written and loads them where they are read, until no more than
// `most` hold something at once where that can be had, in the order of `selected`; chosen by what stores and
// loads would cost, loops' eight times, for each place with too many. Where values do fit, one that has been
// loaded is kept. `first`: words of a work-item that are taken already; gives how many are then.
u32 spill(const Function& function, const Plan& plan, Selected& selected, u32 most, u32 first);

}  // namespace lockstep::lowering
