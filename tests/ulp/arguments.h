// The arguments that a function is tried with: edge cases, then random ones; the same for every run.
#pragma once
#include "ulp/reference.h"

namespace lockstep::ulp {

// `random` is how many beside the edge cases; every half where `every_half` is set and the function takes
// one.
std::vector<Arguments> arguments_for(const Function& function, Type type, u32 random, bool every_half);

}  // namespace lockstep::ulp
