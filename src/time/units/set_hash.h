// Which set of a cache a line is in, where bits of its number turn bits of the set's: each set has one of as
// many lines that lie side by side, and, if the bits are well chosen, of lines that lie a power of two apart.
#pragma once
#include <bit>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/types.h"

namespace lockstep {

class SetHash {
 public:
  static constexpr u32 most_turns = 16;

  SetHash() = default;
  // `turns`: what the bits of a line's number turn of the set's, from the first one on behind those that
  // count the sets; they begin anew behind the last one. `sets` is a power of two.
  SetHash(u32 sets, std::span<const u64> turns)
      : shift_(static_cast<u32>(std::countr_zero(sets))), bits_(static_cast<u32>(turns.size())) {
    LOCKSTEP_ASSERT(std::has_single_bit(sets) && sets <= 1 << 16 && bits_ >= 1 && bits_ <= most_turns,
                    "sets are a power of two, and turned by one to sixteen bits");
    turned_.resize(2 * part);
    for (u32 bit = 0; bit < bits_; ++bit) {
      u16* const by = turned_.data() + bit / 8 * part;
      for (u32 value = 0; value < part; ++value) {
        if ((value >> bit % 8 & 1) != 0) by[value] = static_cast<u16>(by[value] ^ turns[bit]);
      }
    }
  }

  u32 sets() const { return turned_.empty() ? 0 : 1u << shift_; }  // 0: there is none
  u32 operator()(u64 line) const {
    u32 set = static_cast<u32>(line) & ((1u << shift_) - 1);
    for (u64 upper = line >> shift_; upper != 0; upper >>= bits_) {
      const u64 bits = upper & ((u64{1} << bits_) - 1);
      set ^= u32{turned_[bits % part]} ^ turned_[part + bits / part];
    }
    return set;
  }

 private:
  static constexpr u32 part = 256;  // values of eight bits
  u32 shift_ = 0, bits_ = 1;
  std::vector<u16> turned_;  // by the lower eight of those bits, by the upper ones
};

}  // namespace lockstep
