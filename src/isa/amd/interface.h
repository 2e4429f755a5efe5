// Launching AMD programs: the argument segment with its hidden part, the dispatch packet, a wave's first
// registers.
#pragma once
#include "isa/launch.h"

namespace lockstep::amd {

const IsaInterface& isa_interface();

}  // namespace lockstep::amd
