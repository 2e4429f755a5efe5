#include "isa/lane_permutation.h"

#include <bit>

namespace lockstep {

int permuted_source(u32 control, u32 lane, u32 lanes) {
  const int n = static_cast<int>(lane);
  const int in_row = n & 15, row = n & ~15, last = static_cast<int>(lanes) - 1;
  if (control < 0x100) return (n & ~3) | static_cast<int>((control >> (2 * (n & 3))) & 3);
  const int amount = static_cast<int>(control & 15);
  if (control >= dpp::row_share && control < dpp::row_share + 16) return row + amount;
  if (control >= dpp::row_xmask && control < dpp::row_xmask + 16) return row + (in_row ^ amount);
  switch (control & ~15u) {
    case dpp::row_shl:
      return in_row + amount < 16 ? n + amount : -1;
    case dpp::row_shr:
      return in_row >= amount ? n - amount : -1;
    case dpp::row_ror:
      return row + ((in_row - amount) & 15);
  }
  switch (control) {
    case dpp::wave_shl:
      return n < last ? n + 1 : -1;
    case dpp::wave_rol:
      return n < last ? n + 1 : 0;
    case dpp::wave_shr:
      return n > 0 ? n - 1 : -1;
    case dpp::wave_ror:
      return n > 0 ? n - 1 : last;
    case dpp::row_mirror:
      return row + 15 - in_row;
    case dpp::row_half_mirror:
      return (n & ~7) + 7 - (n & 7);
    case dpp::row_bcast15:
      return n > 15 ? row - 1 : -1;
    case dpp::row_bcast31:
      return n > 31 ? 31 : -1;
  }
  return -1;
}

u64 permuted_writes(const LanePermutation& permutation, u64 active, u32 lanes) {
  u64 writes = 0;
  for (u32 lane = 0; lane < lanes; ++lane) {
    const bool row_on = (permutation.row_mask >> ((lane >> 4) & 3)) & 1;
    const bool bank_on = (permutation.bank_mask >> ((lane >> 2) & 3)) & 1;
    if (!row_on || !bank_on) continue;
    if (!permutation.bound_zero) {
      const int source = permuted_source(permutation, lane, lanes);
      if (source < 0) continue;
      if (!permutation.fetch_inactive && ((active >> source) & 1) == 0) continue;
    }
    writes |= u64{1} << lane;
  }
  return writes & active;
}

u32 swizzle_source(u32 pattern, u32 lane) {
  if ((pattern & 0x8000) == 0) {
    // Bit masks: and, or, xor on the lane's number.
    return (((lane & (pattern & 31)) | ((pattern >> 5) & 31)) ^ ((pattern >> 10) & 31)) & 31;
  }
  if (pattern >= 0xE000) {
    // FFT: the low five bits of the lane's number reversed within 32 >> swizzle lanes.
    const u32 kept = pattern & 31;
    u32 reversed = 0;
    for (u32 bit = 0; bit < 5; ++bit) reversed |= ((lane >> bit) & 1) << (4 - bit);
    u32 from = reversed >> std::popcount(kept);
    return (from | (lane & kept)) & 31;
  }
  if (pattern >= 0xC000) {
    // Rotation: of the bits that the mask leaves free; bit 10 is the direction.
    const u32 mask = pattern & 31, count = (pattern >> 5) & 31;
    const u32 moved = (pattern & 0x400) != 0 ? lane - count : lane + count;
    return ((lane & mask) | (moved & ~mask)) & 31;
  }
  // Any order within four neighbours.
  return (lane & ~3u) | ((pattern >> (2 * (lane & 3))) & 3);
}

}  // namespace lockstep
