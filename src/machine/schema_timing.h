// The part of the schema that the timing models read.
#pragma once
#include <span>

#include "machine/schema.h"

namespace lockstep {

// Behind the other keys in schema(), in this order.
std::span<const KeyInfo> timing_keys();

}  // namespace lockstep
