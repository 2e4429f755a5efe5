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
    to_other_ = Scale(other_hertz / common, core_hertz / common);
    to_core_ = Scale(core_hertz / common, other_hertz / common);
  }
  // Whole clocks of the other clock that have passed at a core cycle.
  u64 to_other(u64 core_cycles) const { return to_other_.down(core_cycles); }
  // The first clock of the other one that is not before a core cycle.
  u64 to_other_up(u64 core_cycles) const { return to_other_.up(core_cycles); }
  // The first core cycle that is not before a clock of the other one.
  u64 to_core(u64 other_clocks) const { return to_core_.up(other_clocks); }

 private:
  // x * times / by. The part of `times` above `by` is multiplied apart, and the rest's quotient comes from a
  // reciprocal, which is exact as long as x * by is below 2^64.
  class Scale {
   public:
    Scale() = default;
    Scale(u64 times, u64 by)
        : times_(times), by_(by), whole_(times / by), rest_(times % by), most_(~u64{0} / by) {
      if (rest_ != 0)
        reciprocal_ = static_cast<u64>(((static_cast<unsigned __int128>(rest_) << 64) + by - 1) / by);
    }
    u64 down(u64 x) const {
      if (x < most_)
        return x * whole_ + static_cast<u64>(static_cast<unsigned __int128>(x) * reciprocal_ >> 64);
      return static_cast<u64>(static_cast<unsigned __int128>(x) * times_ / by_);
    }
    u64 up(u64 x) const {
      if (x < most_) {
        const u64 below = static_cast<u64>(static_cast<unsigned __int128>(x) * reciprocal_ >> 64);
        return x * whole_ + below + (below * by_ != x * rest_);
      }
      const u64 below = down(x);
      const auto exact = static_cast<unsigned __int128>(x) * times_;
      return below + (static_cast<unsigned __int128>(below) * by_ != exact);
    }

   private:
    u64 times_ = 1, by_ = 1;
    u64 whole_ = 1, rest_ = 0;
    u64 most_ = ~u64{0};
    u64 reciprocal_ = 0;
  };
  Scale to_other_, to_core_;
};

}  // namespace lockstep
