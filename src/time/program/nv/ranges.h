// Where a register holds something: places of a function, in half instructions.
#pragma once
#include <vector>

#include "base/types.h"

namespace lockstep::lowering {

struct Range {
  u32 begin, end;  // half-open
};
using Ranges = std::vector<Range>;  // in order, apart from each other

// `copy`: where one is copied to the other, which does not keep them apart as long as both hold that.
bool overlap(const Ranges& a, const Ranges& b, u32 copy = ~u32{0});

// Adds what `from` covers.
void merge(Ranges& to, const Ranges& from);

}  // namespace lockstep::lowering
