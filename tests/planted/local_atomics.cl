// cause: local_atomics
// groups: 128 256 512
// groups hd530: 12 24 36
// local: 256
// arg: step=uint:0
// arg: out=uint[$items]
// A weighted histogram of values that are all the same. (Counting by one would be no contention on NVIDIA: lanes of a
// word count as one.)
__kernel void planted(uint step, __global uint* out) {
  __local uint bins[64];
  const int l = get_local_id(0), g = get_group_id(0);
  if (l < 64) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 64; ++k) atomic_add(&bins[(l + k) * step & 63], 1 + (l & 3));  // here
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) out[g * 64 + l] = bins[l];
}

// Each lane of a wave counts in a copy of its own, in a bank of its own.
__kernel void mended(uint step, __global uint* out) {
  __local uint bins[64 * 32];
  const int l = get_local_id(0), g = get_group_id(0);
  for (int b = l; b < 64 * 32; b += 256) bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 64; ++k) atomic_add(&bins[((l + k) * step & 63) * 32 + (l & 31)], 1 + (l & 3));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) {
    uint count = 0;
    for (int c = 0; c < 32; ++c) count += bins[l * 32 + ((l + c) & 31)];
    out[g * 64 + l] = count;
  }
}
