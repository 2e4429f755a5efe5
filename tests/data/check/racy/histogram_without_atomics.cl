// Counting in local memory without atomics.
// arg: in buffer uint[256] random(seed=3)
// arg: out buffer uint[4] zero
// launch: kernel=histogram global=256 local=256
// compare: out exact
__kernel void histogram(__global const uint* in, __global uint* out) {
  __local uint bins[4];
  uint i = get_local_id(0);
  if (i < 4) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  bins[in[i] & 3]++;  // race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) out[i] = bins[i];
}
