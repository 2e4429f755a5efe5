// As above, but all work-items of a group store a part, and all of the last group read.
// arg: part buffer uint[1024] zero
// arg: count buffer uint[1] zero
// arg: out buffer uint[128] zero
// launch: kernel=total global=1024 local=128
// compare: out exact
__kernel void total(__global uint* part, volatile __global uint* count, __global uint* out) {
  __local uint last;
  uint i = get_local_id(0);
  part[get_global_id(0)] = get_global_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (i == 0) last = atomic_inc(count) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (!last) return;
  uint sum = 0;
  for (uint k = 0; k < get_num_groups(0); ++k) sum += part[k * 128 + i];
  out[i] = sum;
}
