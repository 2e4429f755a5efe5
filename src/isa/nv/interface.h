#pragma once
#include "isa/launch.h"

namespace lockstep::nv {

const IsaInterface& isa_interface();

}  // namespace lockstep::nv
