// Images and samplers from argument texts (corpus::Argument).
#pragma once
#include "corpus/case.h"
#include "exec/image.h"

namespace lockstep {

// Errors: "unsupported-argument" for a format that no image has; those of exec/image.h.
Expected<ImageObject> make_image(DeviceMemory& memory, const Target& target, const corpus::Argument& argument,
                                 std::span<const u8> contents);
Expected<u64> make_sampler(DeviceMemory& memory, const Target& target, const corpus::Argument& argument);

}  // namespace lockstep
