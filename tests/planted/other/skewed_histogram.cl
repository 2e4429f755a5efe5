// rule: hot-atomics
// groups: 640
// local: 256
// arg: x=uint[$items*4]:random(seed=9)
// arg: bins=uint[256]
uint bin_of(uint x) {
  return x % 10 != 0 ? 17 : x >> 8 & 255;
}
// Nine of ten values fall into one bin of global memory.
__kernel void planted(__global const uint* x, volatile __global uint* bins) {
  const int i = get_global_id(0), all = get_global_size(0);
  for (int k = 0; k < 4; ++k) atomic_inc(&bins[bin_of(x[k * all + i])]);
}

// Bins of the group's own in local memory, eight copies of them, added up at the end.
__kernel void mended(__global const uint* x, volatile __global uint* bins) {
  __local uint near[256 * 8];
  const int i = get_global_id(0), l = get_local_id(0), all = get_global_size(0);
  for (int k = 0; k < 8; ++k) near[k * 256 + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k) atomic_inc(&near[bin_of(x[k * all + i]) * 8 + (l & 7)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int k = 0; k < 8; ++k) sum += near[l * 8 + (k + l & 7)];
  if (sum != 0) atomic_add(&bins[l], sum);
}
