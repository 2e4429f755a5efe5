// Instructions that look across the lanes of a wave.
#pragma once
#include <string_view>

#include "isa/semantic.h"

namespace lockstep::nv {

// Operand [5], where there is one, is the member mask.
//
// shfl: result [0] and, where wanted, predicate [4]; value [1], lane or distance [2], clamp and segment mask
// [3]. `mode` is up, down, bfly or idx; nullptr for another.
const Semantic* find_shuffle(std::string_view mode, bool sync);
// vote: result [0]; predicate [1]. all, any, uni give a predicate, ballot a register.
const Semantic* find_vote(std::string_view mode, bool sync);
// match.sync: result [0] and for all, where wanted, predicate [4]; value [1].
const Semantic* find_match(bool all, bool wide);
// redux.sync: result [0]; value [1]. "add.s32", "and.b32", ...
const Semantic* find_reduction(std::string_view operation_and_type);
const Semantic& elect();  // elect.sync: result [0], predicate [4]
const Semantic& active_mask();

}  // namespace lockstep::nv
