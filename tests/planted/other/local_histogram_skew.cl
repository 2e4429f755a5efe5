// rule: local-atomics
// groups: 256
// groups h200: 528
// groups hd530: 24
// local: 256
// arg: seed=uint:77
// arg: out=uint[$items]
uint bin_of(uint x) {
  return x >> 28 != 0 ? 17 : x >> 8 & 63;
}
// A weighted histogram in local memory; fifteen of sixteen values fall into one bin.
__kernel void planted(uint seed, __global uint* out) {
  __local uint bins[64];
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l < 64) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < 64; ++k) {
    const uint v = (i * 64 + k + seed) * 2654435761u;
    atomic_add(&bins[bin_of(v)], v >> 20);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) out[get_group_id(0) * 64 + l] = bins[l];
}

// Thirty-two copies, each in a bank of its own.
__kernel void mended(uint seed, __global uint* out) {
  __local uint bins[64 * 32];
  const uint i = get_global_id(0), l = get_local_id(0);
  for (uint k = 0; k < 8; ++k) bins[k * 256 + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < 64; ++k) {
    const uint v = (i * 64 + k + seed) * 2654435761u;
    atomic_add(&bins[bin_of(v) * 32 + (l & 31)], v >> 20);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) {
    uint sum = 0;
    for (uint k = 0; k < 32; ++k) sum += bins[l * 32 + (k + l & 31)];
    out[get_group_id(0) * 64 + l] = sum;
  }
}
