#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// The PTX with rotations right for every amount: where the hardware has none (before sm_32) LLVM 19 shifts by
// the amount and by 32 less the amount, and PTX's shifts by more than 31 give 0.
std::string with_whole_rotations(std::string_view ptx);

}  // namespace lockstep
