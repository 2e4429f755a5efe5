// Which cycles a set of banks is taken in. Several ports ask, each for the cycles from its own earliest one
// on: work that is asked for first does not always begin first, so a port's queued work leaves gaps that
// others use.
#pragma once
#include <algorithm>
#include <array>
#include <bit>

#include "base/types.h"

namespace lockstep {

class BankSchedule {
 public:
  void clear() { *this = {}; }

  // Takes `count` free cycles, the earliest from `from` on; gives the cycle behind the last one. `now` never
  // goes back, and `from` is not before it.
  u64 take(u64 now, u64 from, u32 count) {
    advance(now);
    from = std::max(from, full_until_);
    u64 cycle = from;
    while (count != 0 && cycle < base_ + horizon) {
      u64& word = taken_[cycle / 64 % words];
      const u64 free = ~word & (~u64{0} << (cycle % 64));
      const u32 found = static_cast<u32>(std::popcount(free));
      if (found > count) {
        u64 used = 0;
        for (u64 bits = free; count != 0; --count, bits &= bits - 1) used |= bits & -bits;
        word |= used;
        return (cycle & ~u64{63}) + static_cast<u64>(std::bit_width(used));
      }
      word |= free;
      count -= found;
      const u64 end = (cycle & ~u64{63}) + static_cast<u64>(std::bit_width(free));
      if (count == 0) return found == 0 ? cycle : end;
      cycle = (cycle & ~u64{63}) + 64;
    }
    // Further ahead than is kept: one after the other.
    if (count != 0) full_until_ = std::max(cycle, from) + count;
    return std::max(cycle, from) + count;
  }

 private:
  static constexpr u64 words = 64;
  static constexpr u64 horizon = (words - 1) * 64;  // the word that base_ lies in may have begun before it

  void advance(u64 now) {
    const u64 first = base_ / 64, last = now / 64;
    for (u64 word = first; word < std::min(last, first + words); ++word) taken_[word % words] = 0;
    base_ = std::max(base_, last * 64);
  }

  std::array<u64, words> taken_{};  // bits of cycles, ring
  u64 base_ = 0;
  u64 full_until_ = 0;  // nothing is free before it
};

}  // namespace lockstep
