// Data-parallel primitives of GCN: lane permutations within quads, rows and the wave, with masks and bound control.
// arg: a buffer int[256] bits(seed=1111)
// arg: out buffer int[3328] zero
// launch: kernel=wave_dpp global=256 local=64
// compare: out exact
// needs: amdgcn wave64 gfx8_dpp
// witness: reference
#define DPP(control, rows, banks, bound) __builtin_amdgcn_update_dpp(old, x, control, rows, banks, bound)
__kernel void wave_dpp(__global const int* a, __global int* out) {
  const int i = get_global_id(0);
  const int x = a[i];
  const int old = ~x;
  __global int* o = out + i;
  o[0] = DPP(0x1b, 15, 15, false);         // quad_perm 3,2,1,0
  o[256] = DPP(0x39, 15, 15, false);       // quad_perm 1,2,3,0
  o[512] = DPP(0x101, 15, 15, false);      // row_shl 1
  o[768] = DPP(0x113, 15, 15, true);       // row_shr 3, zero where there is no source
  o[1024] = DPP(0x126, 15, 15, false);     // row_ror 6
  o[1280] = DPP(0x130, 15, 15, false);     // wave_shl 1
  o[1536] = DPP(0x138, 15, 15, true);      // wave_shr 1
  o[1792] = DPP(0x13c, 15, 15, false);     // wave_ror 1
  o[2048] = DPP(0x140, 15, 15, false);     // row_mirror
  o[2304] = DPP(0x141, 15, 15, false);     // row_half_mirror
  o[2560] = DPP(0x142, 10, 15, false);     // row_bcast 15 into rows 1 and 3
  o[2816] = DPP(0x143, 12, 15, false);     // row_bcast 31 into rows 2 and 3
  o[3072] = DPP(0x111, 15, 5, false) + x;  // row_shr 1 into banks 0 and 2
}
