// A histogram with local counters, added to the global ones by atomics.
// arg: a buffer uchar[4096] random(seed=531,min=0,max=63)
// arg: bins buffer uint[64] zero
// launch: kernel=local_histogram global=512 local=128
// compare: bins exact
__kernel void local_histogram(__global const uchar* a, __global uint* bins) {
  __local uint counts[64];
  const int l = get_local_id(0);
  if (l < 64) {
    counts[l] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = get_global_id(0); k < 4096; k += get_global_size(0)) {
    atomic_inc(&counts[a[k]]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) {
    atomic_add(&bins[l], counts[l]);
  }
}
