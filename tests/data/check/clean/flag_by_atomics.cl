// Group 0 leaves data and raises a flag by an atomic; the others wait for the flag.
// arg: data buffer uint[64] zero
// arg: flag buffer uint[1] zero
// arg: out buffer uint[256] zero
// launch: kernel=pass global=256 local=64
// compare: out exact
__kernel void pass(__global uint* data, volatile __global uint* flag, __global uint* out) {
  uint i = get_local_id(0);
  if (get_group_id(0) == 0) {
    data[i] = i * i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0) atomic_xchg(flag, 1);
  } else {
    if (i == 0)
      while (atomic_add(flag, 0) == 0)
        ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = data[63 - i];
  }
}
