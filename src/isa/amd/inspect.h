// The instructions of a compiled object, known or not.
#pragma once
#include "isa/inspection.h"
#include "isa/listing.h"
#include "machine/target.h"

namespace lockstep::amd {

Inspection inspect(const CompiledObject& object, const Target& target);

}  // namespace lockstep::amd
