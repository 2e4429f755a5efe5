// Local and global atomics.
// arg: in buffer uint[1024] random(seed=5)
// arg: bins buffer uint[16] zero
// launch: kernel=histogram global=1024 local=256
// compare: bins exact
__kernel void histogram(__global const uint* in, volatile __global uint* bins) {
  __local uint own[16];
  uint i = get_local_id(0);
  if (i < 16) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc((volatile __local uint*)&own[in[get_global_id(0)] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) atomic_add(bins + i, own[i]);
}
