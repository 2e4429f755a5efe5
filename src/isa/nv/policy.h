// Order, scope and cache policy of PTX's memory instructions and fences.
#pragma once
#include <span>
#include <string_view>

#include "isa/access_policy.h"

namespace lockstep::nv {

// Adds what one word of an opcode says ("relaxed", "gpu", "cg"); false for a word that says nothing of this
// kind.
bool apply_policy_word(std::string_view word, AccessPolicy& policy);

// Of ld, st, atom and red. Atomics are relaxed at the device's scope where their words say nothing else
// (9.7.12.5).
AccessPolicy access_policy(std::span<const std::string_view> words, bool atomic);

// Of membar and fence; weak for fences that order proxies alone.
AccessPolicy fence_policy(std::span<const std::string_view> words);

}  // namespace lockstep::nv
