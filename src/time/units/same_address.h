// The different addresses among an access' lanes.
#pragma once
#include <array>
#include <bit>

#include "isa/outcome.h"

namespace lockstep {

// Lanes at one address: the first of them, and how many.
struct SameAddress {
  u8 lane = 0, lanes = 0;
};
// Fills `out` by the order of first lanes; returns how many different addresses there are.
inline u32 group_by_address(const Access& access, std::array<SameAddress, 64>& out) {
  // By some bits of the word's number: 1 + the entry of `out` that is there, 0 where none is.
  std::array<u8, 256> entry{};
  u32 count = 0;
  for (u64 rest = access.lanes; rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    const u64 address = access.address[lane];
    u64 place = (address >> 2 ^ address >> 10 ^ address >> 18) % entry.size();
    while (entry[place] != 0 && access.address[out[entry[place] - 1u].lane] != address)
      place = (place + 1) % entry.size();
    if (entry[place] != 0) {
      ++out[entry[place] - 1u].lanes;
      continue;
    }
    out[count++] = {static_cast<u8>(lane), 1};
    entry[place] = static_cast<u8>(count);
  }
  return count;
}

}  // namespace lockstep
