// All groups meet at a counter, then read what others wrote.
// arg: data buffer uint[512] zero
// arg: count buffer uint[1] zero
// arg: out buffer uint[512] zero
// launch: kernel=meet global=512 local=64
// compare: out exact
__kernel void meet(__global uint* data, volatile __global uint* count, __global uint* out) {
  uint i = get_global_id(0);
  data[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_inc(count);
    while (atomic_add(count, 0) < get_num_groups(0))
      ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = data[511 - i];
}
