// The last group to take a ticket adds what all groups have left.
// arg: in buffer uint[1024] ramp(0,1)
// arg: part buffer uint[8] zero
// arg: count buffer uint[1] zero
// arg: out buffer uint[1] zero
// launch: kernel=total global=1024 local=128
// compare: out exact
__kernel void total(__global const uint* in, __global uint* part, volatile __global uint* count,
                    __global uint* out) {
  __local uint room[128];
  __local uint last;
  uint i = get_local_id(0);
  room[i] = in[get_global_id(0)];
  for (uint s = 64; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < s) room[i] += room[i + s];
  }
  if (i == 0) {
    part[get_group_id(0)] = room[0];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    last = atomic_inc(count) == get_num_groups(0) - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && i == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k < get_num_groups(0); ++k) sum += part[k];
    out[0] = sum;
  }
}
