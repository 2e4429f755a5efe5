// Division by a number that is fixed when the machine is built: a shift where it is a power of two, else a
// multiplication. Exact for x * divisor below 2^64.
#pragma once
#include <bit>

#include "base/types.h"

namespace lockstep {

class Divider {
 public:
  Divider() = default;
  explicit Divider(u64 divisor)
      : divisor_(divisor),
        shift_(static_cast<u32>(std::countr_zero(divisor))),
        reciprocal_(std::has_single_bit(divisor) ? 0 : ~u64{0} / divisor + 1) {}

  u64 divisor() const { return divisor_; }
  u64 quotient(u64 x) const {
    if (reciprocal_ == 0) return x >> shift_;
    return static_cast<u64>(static_cast<unsigned __int128>(x) * reciprocal_ >> 64);
  }
  u64 remainder(u64 x) const {
    if (reciprocal_ == 0) return x & (divisor_ - 1);
    return x - quotient(x) * divisor_;
  }

 private:
  u64 divisor_ = 1;
  u32 shift_ = 0;
  u64 reciprocal_ = 0;
};

}  // namespace lockstep
