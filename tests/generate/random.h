// The generator's only source of chance: splitmix64, as the corpus defines a draw (tests/corpus/README.md).
#pragma once
#include <iterator>

#include "base/types.h"

namespace lockstep::generate {

struct Random {
  u64 state = 0;

  u64 draw() {
    state += 0x9E3779B97F4A7C15ull;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  // 0 to count - 1; count > 0. The small bias of modulo does not matter here.
  u32 below(u64 count) { return static_cast<u32>(draw() % count); }
  bool chance(u32 percent) { return below(100) < percent; }
  // One element of an array or vector that is not empty.
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }
};

}  // namespace lockstep::generate
