// The order in which everything is made as late as what takes it allows.
#pragma once
#include <vector>

#include "base/types.h"

namespace lockstep::lowering {

// What comes behind an instruction, and how many cycles later at least.
struct Edge {
  u32 to = 0, cycles = 0;
};

// From the end: whatever comes last in the source of what can stand there by the time that its results take,
// `most_ahead` at most; loads as far apart as they issue. So addresses, constants and loads of many accesses
// hold registers no longer than they must. Seen of ptxas of CUDA 13 in the corpus: products for a sum stand
// behind the load that is waited for, loads that only the last product needs behind those that lead to other
// addresses, a division at the end of the source at the end of the region though it takes longest.
// `to_end`: cycles to what stands behind all, where that takes what it makes; `before`: of each instruction
// those that have it among what is `after` them.
std::vector<u32> order_from_behind(const std::vector<std::vector<Edge>>& after,
                                   const std::vector<std::vector<u32>>& before, const std::vector<bool>& load,
                                   const std::vector<u32>& to_end, u32 most_ahead);

}  // namespace lockstep::lowering
