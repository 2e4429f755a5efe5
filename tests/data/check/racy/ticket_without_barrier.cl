// The last group adds what all have left, but a group takes its ticket before its other waves have stored.
// arg: in buffer uint[1024] ramp(0,1)
// arg: part buffer uint[1024] zero
// arg: count buffer uint[1] zero
// arg: out buffer uint[1] zero
// launch: kernel=total global=1024 local=128
// compare: out exact
__kernel void total(__global const uint* in, __global uint* part, volatile __global uint* count,
                    __global uint* out) {
  __local uint last;
  uint i = get_global_id(0);
  if (get_local_id(0) == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    last = atomic_inc(count) == get_num_groups(0) - 1;
  }
  part[i] = in[i] * 2;  // race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && get_local_id(0) == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k < 1024; ++k)
      sum += part[k];  // race
    out[0] = sum;
  }
}
