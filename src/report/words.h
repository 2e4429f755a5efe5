// What reports call things in the words of a GPU's vendor.
#pragma once
#include <string>
#include <string_view>

#include "machine/machine.h"

namespace lockstep {

struct Words {
  std::string_view wave, group, unit, simd, local, private_memory, scalar;
  // Of verdicts: our word, and the vendor's beside it.
  std::string_view local_title, conflict_title, local_atomics_title, private_title, scalar_title;
};

const Words& words_of(const Machine& machine);

// "a compute unit", "an SM".
std::string with_article(std::string_view word);

}  // namespace lockstep
