// All groups meet twenty times at a counter; each round every work-item adds its neighbour group's number.
// arg: count buffer uint[1] zero
// arg: a buffer uint[1024] ramp(0,1)
// arg: b buffer uint[1024] zero
// launch: kernel=rounds global=1024 local=64
// compare: b exact
__kernel void rounds(volatile __global uint* count, volatile __global uint* a, volatile __global uint* b) {
  uint i = get_global_id(0), n = get_num_groups(0);
  for (uint round = 0; round < 20; ++round) {
    uint next = (i + 64) % get_global_size(0);
    if (round & 1)
      a[i] = b[next];
    else
      b[i] = a[next];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      atomic_inc(count);
      while (atomic_add(count, 0) < (round + 1) * n)
        ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
