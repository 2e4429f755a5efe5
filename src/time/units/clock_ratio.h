// Exact conversion between the core clock and another clock: integers, no drift.
#pragma once
#include <numeric>

#include "base/types.h"

namespace lockstep {

class ClockRatio {
 public:
  ClockRatio() = default;
  ClockRatio(u64 core_hertz, u64 other_hertz) {
    const u64 common = std::gcd(core_hertz, other_hertz);
    core_ = core_hertz / common;
    other_ = other_hertz / common;
  }
  // Whole clocks of the other clock that have passed at a core cycle.
  u64 to_other(u64 core_cycles) const { return scale(core_cycles, other_, core_, false); }
  // The first core cycle that is not before a clock of the other one.
  u64 to_core(u64 other_clocks) const { return scale(other_clocks, core_, other_, true); }

 private:
  static u64 scale(u64 value, u64 times, u64 by, bool up) {
    if (times == by) return value;
    u64 product = 0;
    if (!__builtin_mul_overflow(value, times, &product)) {
      return product / by + (up && product % by != 0);
    }
    const auto wide = static_cast<unsigned __int128>(value) * times;
    return static_cast<u64>(wide / by) + (up && wide % by != 0);
  }
  u64 core_ = 1, other_ = 1;
};

}  // namespace lockstep
