// Loads of read-only memory that stand in front of barriers.
#pragma once
#include "isa/nv/syntax.h"

namespace lockstep::nv {

// Puts loads that nothing else of the kernel can change (ld.global.nc) one barrier of the group further to
// the front than the text has them, where the block of code holds a barrier more and their address is known
// there: so ptxas of CUDA 13 orders code of straight lines for sm_80 and sm_90, in which a barrier holds up
// what may be seen of others alone. Statements keep their line and place in the source.
void put_loads_early(FunctionTree& function);

}  // namespace lockstep::nv
