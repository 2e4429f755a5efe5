// 256 bins over one million bytes, counted with atomics in local memory and added up with global ones.
// arg: a buffer uchar[1048576] bits(seed=1)
// arg: bins buffer uint[256] zero
// arg: n scalar int 1048576
// launch: kernel=histogram global=32768 local=256
// compare: bins exact
__kernel void histogram(__global const uchar* a, __global uint* bins, int n) {
  __local uint counts[256];
  const int l = get_local_id(0);
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    atomic_inc(&counts[a[i]]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], counts[l]);
}
