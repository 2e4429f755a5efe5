// Which fetches read what no store of their launch changes, so that the texture caches may keep it.
#pragma once
#include <span>
#include <vector>

#include "isa/program.h"
#include "isa/vliw/packet.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {

// Gives AccessPolicy::read_only to the fetches of global memory whose addresses come from pointers to
// constant memory, or to const restrict global memory, alone. AMD's compiler has such buffers cached, and
// reads others past the caches (AMD APP SDK OpenCL Optimization Guide, "Global Memory Optimization" of the
// Evergreen and Northern Islands chapter). What memory holds is taken for no pointer.
void mark_read_only(std::vector<Built>& code, const RowLayout& layout, std::span<const Parameter> parameters);

}  // namespace lockstep::vliw
