#pragma once
#include "isa/launch.h"

namespace lockstep::vliw {

// How a launch of r600 code begins.
const IsaInterface& isa_interface();

}  // namespace lockstep::vliw
