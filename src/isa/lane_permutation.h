// Data-parallel primitives (DPP): a source operand read from other lanes of the wave.
// Source: "AMD GCN3 Instruction Set Architecture" and "Vega Instruction Set Architecture", chapter VOP_DPP;
// rows of gfx10 (row_share, row_xmask) from the "RDNA 2 Instruction Set Architecture".
#pragma once
#include "base/types.h"

namespace lockstep {

// How AmdFields::lane_control packs it; never as 0.
struct LanePermutation {
  u32 control = 0xE4;  // DPP_CTRL; 0xE4 is the identity quad_perm:[0,1,2,3]
  u32 bank_mask = 0xF;
  u32 row_mask = 0xF;
  bool bound_zero = false;  // lanes without a source read 0 instead of being left unwritten
  bool fetch_inactive = false;
  // DPP8: any order within eight neighbours, three bits for each; the fields above but fetch_inactive are
  // then as they are.
  bool within_eight = false;
  u32 selects = 0;

  u32 pack() const {
    if (within_eight) return selects | u32{fetch_inactive} << 30 | u32{1} << 31;
    return control | bank_mask << 12 | row_mask << 16 | (bound_zero ? 1u << 20 : 0) |
           (fetch_inactive ? 1u << 21 : 0) | 1u << 22;
  }
  static LanePermutation unpack(u32 packed) {
    if ((packed >> 31) != 0) {
      LanePermutation permutation;
      permutation.bound_zero = permutation.within_eight = true;
      permutation.fetch_inactive = ((packed >> 30) & 1) != 0;
      permutation.selects = packed & 0xFFFFFF;
      return permutation;
    }
    return {packed & 0x1FF,
            (packed >> 12) & 0xF,
            (packed >> 16) & 0xF,
            ((packed >> 20) & 1) != 0,
            ((packed >> 21) & 1) != 0,
            false,
            0};
  }
};

namespace dpp {
inline constexpr u32 row_shl = 0x100, row_shr = 0x110, row_ror = 0x120, wave_shl = 0x130, wave_rol = 0x134,
                     wave_shr = 0x138, wave_ror = 0x13C, row_mirror = 0x140, row_half_mirror = 0x141,
                     row_bcast15 = 0x142, row_bcast31 = 0x143, row_share = 0x150, row_xmask = 0x160;
}

// Instruction::detail of permutations within a row by registers (permlane16): inactive lanes are read, too;
// lanes whose source is inactive become 0 instead of keeping what they held.
inline constexpr u32 permute_reads_inactive = 1 << 0, permute_bound_zero = 1 << 1;

// The lane that `lane` reads, or -1 where the control reaches outside its row or wave.
int permuted_source(u32 control, u32 lane, u32 lanes);
inline int permuted_source(const LanePermutation& permutation, u32 lane, u32 lanes) {
  if (!permutation.within_eight) return permuted_source(permutation.control, lane, lanes);
  return static_cast<int>((lane & ~7u) | ((permutation.selects >> (3 * (lane & 7))) & 7));
}

// The lanes that an instruction with this permutation may write: the row and bank masks, and, unless
// bound_zero, the lanes whose source exists and is active.
u64 permuted_writes(const LanePermutation& permutation, u64 active, u32 lanes);

// The lane that `lane`, both within a group of 32, reads by ds_swizzle's pattern. Source: "Vega Instruction
// Set Architecture", DS_SWIZZLE_B32.
u32 swizzle_source(u32 pattern, u32 lane);

}  // namespace lockstep
