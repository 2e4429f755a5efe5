// The names nearest to a misspelt one, for hints.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Up to `most` of `names`, by edit distance to `wanted` (case ignored), nearest first, those with
// the wanted name's first letter before others equally far, ties in the given order; names farther than half
// of the wanted name's length (at least 2) are left out.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                                       std::size_t most = 3);

}  // namespace lockstep
