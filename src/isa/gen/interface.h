#pragma once
#include "isa/launch.h"

namespace lockstep::gen {

// How a launch of a kernel of Intel's begins.
const IsaInterface& isa_interface();

}  // namespace lockstep::gen
