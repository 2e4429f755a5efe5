// rule: atomics
// groups: 640
// local: 256
// arg: x=uint[$items*16]:random(seed=5)
// arg: bins=uint[256]
// A histogram of 256 bins in global memory.
__kernel void planted(__global const uint* x, volatile __global uint* bins) {
  const int i = get_global_id(0), all = get_global_size(0);
  for (int k = 0; k < 16; ++k) atomic_inc(&bins[x[k * all + i] >> 8 & 255]);
}

// One for each group in local memory, added to it at the end.
__kernel void mended(__global const uint* x, volatile __global uint* bins) {
  __local uint near[256];
  const int i = get_global_id(0), l = get_local_id(0), all = get_global_size(0);
  near[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; ++k) atomic_inc(&near[x[k * all + i] >> 8 & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (near[l] != 0) atomic_add(&bins[l], near[l]);
}
