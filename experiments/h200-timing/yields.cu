// How often a wave comes behind loops that try atom.cas again until it holds: a hash table of 256 words a warp, four times 32 keys. `visits`:
// turns of each loop, by the lanes that are in one together, and arrivals behind it.
#include "applications2.h"
INLINE void visit(u32* c) { u32 m, lt; asm volatile("activemask.b32 %0;" : "=r"(m)); asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lt)); if ((m & lt) == 0) add(c, 1); }
template <bool in_loop, bool at_sum, bool sums>
INLINE void spgemm(u32* R out, u32* R counts, const u32* R ca, const u32* R cb, u32 n, u32* visits) {
  SHARED u32 key[4][256];
  SHARED float sum[4][256];
  const u32 warp = TID / 32, lane = TID % 32, r = BID * 4 + warp;
  for (u32 k = lane; k < 256; k += 32) { key[warp][k] = ~0u; sum[warp][k] = 0; }
  __nvvm_bar_warp_sync(-1);
  for (u32 k = 0; k < 4; ++k) {
    const u32 row = ca[r * 8 + 2 * k + lane / 16] & (n - 1), e = cb[row * 16 + lane % 16], c = e >> 8 & 4095;
    u32 at = c * 0x9e3779b1u >> 24;
    while (true) {
      if (in_loop) visit(visits + k);
      const u32 old = cas(&key[warp][at], ~0u, c);
      if (old == ~0u || old == c) break;
      at = (at + 1) & 255;
    }
    if (at_sum) visit(visits + 4 + k);
    if (sums) addf(&sum[warp][at], unit(e));
  }
  __nvvm_bar_warp_sync(-1);
  u32 done = 0;
  for (u32 k = lane; k < 256; k += 32) {
    const u32 c = key[warp][k], full = ballot(c != ~0u);
    if (c != ~0u) { u2 o; o.x = c; o.y = __builtin_bit_cast(u32, sum[warp][k]); ((u2*)out)[r * 128 + done + popc(full & ((1u << lane) - 1))] = o; }
    done += popc(full);
  }
  if (lane == 0) counts[r] = done;
}
#define K(name, a, b, c) KERNEL name(u32* R out, u32* R counts, const u32* R ca, const u32* R cb, u32 n, u32* visits) { spgemm<a, b, c>(out, counts, ca, cb, n, visits); }
K(plain, false, false, true)
K(loop, true, false, true)
K(at, false, true, true)
K(nosum, false, false, false)
K(nosum_at, false, true, false)
KERNEL only_sum(u32* R out, u32* R counts, const u32* R ca, const u32* R cb, u32 n, u32* visits) {
  SHARED float sum[4][256];
  const u32 warp = TID / 32, lane = TID % 32, r = BID * 4 + warp;
  for (u32 k = lane; k < 256; k += 32) sum[warp][k] = 0;
  __nvvm_bar_warp_sync(-1);
  for (u32 k = 0; k < 4; ++k) { const u32 e = ca[r * 128 + k * 32 + lane]; addf(&sum[warp][e >> 24], unit(e)); }
  __nvvm_bar_warp_sync(-1);
  for (u32 k = lane; k < 256; k += 32) ((float*)out)[r * 256 + k] = sum[warp][k];
}
