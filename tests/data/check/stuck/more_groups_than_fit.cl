// All groups meet at a counter, but a group needs 64 KiB of local memory and more groups than fit are launched.
// arg: count buffer uint[1] zero
// arg: out buffer uint[8192] zero
// launch: kernel=meet global=8192 local=64
// compare: out exact
__kernel void meet(volatile __global uint* count, __global uint* out) {
  __local uint room[12000];
  uint i = get_local_id(0);
  for (uint k = i; k < 12000; k += 64) room[k] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    atomic_inc(count);
    while (atomic_add(count, 0) < get_num_groups(0))  // waits
      ;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = room[i * 100];
}
