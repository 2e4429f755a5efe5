// Clocks as a user writes them.
#pragma once
#include <string_view>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep {

// "1.04GHz", "1040 MHz", "1040000kHz", "1040000000Hz", "1.04e9": in Hz. Error: "bad-clock" with no place.
Expected<u64> parse_clock(std::string_view text);

}  // namespace lockstep
