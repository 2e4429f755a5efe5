// Reduced from seed 24, kernel 5. `(x << (x & 31)) & 3`, x the low half of a 64-bit product and sum: LLVM 19 makes `x & 3`
// of it for gfx701 (its IR still has the `shl`).
// arg: in_uint buffer uint[64] special(seed=16)
// arg: cell5 buffer uint[12] values(0,1000,0,0,0xffffffff,0,0xffffffff,0,0,0,0x7fffffff,0x80000000)
// launch: kernel=k5 global=12,16 local=4,8 offset=77,0 args=in_uint,cell5
// compare: cell5 exact
// needs: denormals
#pragma OPENCL FP_CONTRACT OFF

kernel void k5(global const uint* in_uint, volatile global uint* cell5) {
  const uint lid = (uint)(get_local_id(1) * 4u + get_local_id(0));
  const uint gid = (uint)((get_global_id(1) - 0u) * 12u + get_global_id(0) - 77u);
  switch ((uint)((gid << (gid & 31u)) & 3u) * 1000u) {
  case 0: {
  } break;
  case 1000: {
  } break;
  case 2000: {
    atomic_min(&cell5[4], in_uint[(gid + 24u) & 63u]);
  }
  }
}
