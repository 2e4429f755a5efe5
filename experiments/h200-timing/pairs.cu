// Whether a second store of a warp meets its first one on its way: of L lines each, some turns of a loop apart, by one
// to eight warps at once, in one of the four partitions or in several.
#include "applications.h"
template <int L>
INLINE void pairs(u32* out, u32 turns, u32 gap, u32 mask) {
  u32 v = TID;
  const u32 warp = TID / 32, lane = TID % 32, warps = BDIM / 32;
  for (u32 t = 0; t < turns; ++t) {
    u32* const at = out + ((u64)(t * GDIM + BID) * warps + warp) * (L * 32) + lane * L;
    SYNC;
    if (mask >> warp & 1) {
      at[0] = v;
#pragma unroll 1
      for (u32 g = 0; g < gap; ++g) v = v * 1664525u + 1013904223u;
      at[1] = v;
    }
  }
}
#define K(L) KERNEL p_##L(u32* out, u32 n, u32 gap, u32 mask) { pairs<L>(out, n, gap, mask); }
K(2) K(3) K(4) K(6) K(8) K(12) K(16)
