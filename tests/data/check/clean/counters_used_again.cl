// Counters of a group are cleared, counted in, read and cleared again, always with a barrier between.
// arg: in buffer uint[512] random(seed=5)
// arg: out buffer uint[64] zero
// launch: kernel=histogram global=512 local=256
// compare: out exact
__kernel void histogram(__global const uint* in, __global uint* out) {
  __local uint h[16];
  uint l = get_local_id(0), sum = 0;
  for (uint round = 0; round < 4; ++round) {
    if (l < 16) h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[(in[get_global_id(0)] >> (4 * round)) & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += h[l & 15] * (round + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l < 16) out[get_group_id(0) * 16 + l] = sum;
}
