// Lanes of a wave of 64 reading each other: bpermute, permute, swizzle, readlane, readfirstlane, ballot and lane counts.
// arg: a buffer int[256] bits(seed=1101)
// arg: out buffer int[3072] zero
// launch: kernel=wave_shuffle global=256 local=128
// compare: out exact
// needs: amdgcn wave64 gfx8_dpp
// witness: reference
__kernel void wave_shuffle(__global const int* a, __global int* out) {
  const int i = get_global_id(0);
  const int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  const int x = a[i];
  __global int* o = out + i;
  o[0] = lane;
  o[256] = __builtin_amdgcn_ds_bpermute((lane * 7 + 3) * 4, x);
  o[512] = __builtin_amdgcn_ds_permute((lane ^ 21) * 4, x);
  o[768] = __builtin_amdgcn_ds_swizzle(x, 0x1f | (5 << 10));
  o[1024] = __builtin_amdgcn_ds_swizzle(x, 0x8000 | 0x1b);
  o[1280] = __builtin_amdgcn_readlane(x, 17);
  o[1536] = __builtin_amdgcn_readfirstlane(x);
  const ulong votes = __builtin_amdgcn_ballot_w64(x < 0);
  o[1792] = (int)votes;
  o[2048] = (int)(votes >> 32);
  o[2304] = __builtin_amdgcn_mbcnt_hi((uint)(votes >> 32), __builtin_amdgcn_mbcnt_lo((uint)votes, 0u));
  int last = -1;
  if (x & 1) {
    last = __builtin_amdgcn_readfirstlane(x) ^ (int)popcount(__builtin_amdgcn_ballot_w64(x & 2));
  }
  o[2560] = last;
  int k = lane;
  for (ulong left = __builtin_amdgcn_ballot_w64((x & 12) == 4); left != 0; left &= left - 1) {
    k += __builtin_amdgcn_readlane(x, (int)(63 - clz(left & (0ul - left)))) & 255;
  }
  o[2816] = k;
}
