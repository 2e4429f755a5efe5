// Where AMD's flat addresses reach local and private memory: the apertures that SRC_SHARED_BASE and
// SRC_PRIVATE_BASE name. A flat address whose upper half equals an aperture's upper half is an offset there.
// The values are those that the HSA runtime programs on gfx9; any pair apart from the device memory's
// addresses would do.
#pragma once
#include "base/types.h"

namespace lockstep::amd {

inline constexpr u64 shared_aperture_base = u64{1} << 48;
inline constexpr u64 private_aperture_base = u64{2} << 48;

}  // namespace lockstep::amd
