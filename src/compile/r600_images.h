// Images and samplers of OpenCL C for LLVM's r600 back end: devlib/r600/images.cl calls functions that are
// not there, whose calls become the texture unit's instructions and typed stores. Those name an image, a
// sampler and a target of stores by a number, to which a launch binds the kernel's parameters.
#pragma once
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep::r600 {

// What is bound to the numbers, a line each; PARAMETER counts the kernel's parameters from 0:
//   //@lockstep image KERNEL RESOURCE PARAMETER
//   //@lockstep target KERNEL NUMBER PARAMETER               of typed stores (RAT)
//   //@lockstep sampler KERNEL NUMBER parameter PARAMETER
//   //@lockstep sampler KERNEL NUMBER bits BITS              as sampler_bits has them
struct BoundImages {
  std::string module, notes;
};

// `module` has every function inlined. A read by whole numbers without a sampler (TEX_LD), for which the back
// end has no pattern, goes through it as a sample with a sampler that there is not, `fetch_sampler`.
// Errors: "compile-failed" for an image or a sampler that is no parameter of the kernel and no constant, and
// for more of them than the hardware has numbers. `path` is the source's.
Expected<BoundImages> with_image_resources(std::string_view module, const std::string& path);

// The encoding has 5 bits of a sampler's number, of which the hardware has 18.
inline constexpr u32 fetch_sampler = 31;

}  // namespace lockstep::r600
