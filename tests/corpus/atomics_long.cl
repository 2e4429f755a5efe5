// 64-bit integer atomics (base and extended extensions) on global memory.
// arg: a buffer long[256] bits(seed=621)
// arg: s buffer long[10] values(0,0,9223372036854775807,-9223372036854775808,-1,0,0,0,0,0)
// arg: u buffer ulong[4] values(0xffffffffffffffff,0,0,0)
// arg: seen buffer uint[256] zero
// launch: kernel=atomics_long global=256 local=64
// compare: s exact
// compare: u exact
// compare: seen exact
// needs: int64_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void atomics_long(__global const long* a, volatile __global long* s, volatile __global ulong* u,
                           __global uint* seen) {
  const int i = get_global_id(0);
  const long x = a[i];
  atom_add(&s[0], x);
  atom_sub(&s[1], x);
  atom_min(&s[2], x);
  atom_max(&s[3], x);
  atom_and(&s[4], x | 0xff);
  atom_or(&s[5], x & 0x11111111);
  atom_xor(&s[6], x);
  atom_dec(&s[7]);
  atom_min(&u[0], (ulong)x);
  atom_max(&u[1], (ulong)x);
  seen[atom_inc(&u[2])] += 1;
  if (i == 7) {
    s[8] = atom_xchg(&u[3], 5ul) + atom_cmpxchg(&s[9], 0l, 3l);
  }
}
