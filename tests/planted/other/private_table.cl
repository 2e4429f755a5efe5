// rule: private-memory
// mended rule hd530: dependence-chain
// groups: 128
// gain: any
// local: 64
// arg: n=uint:96
// arg: out=uint[$items]
// Each work-item counts into 64 bins of its own.
__kernel void planted(uint n, __global uint* out) {
  const uint i = get_global_id(0);
  uint bins[64];
  for (int b = 0; b < 64; ++b) bins[b] = 0;
  for (uint k = 0; k < n; ++k) ++bins[(i + k * k * 2654435761u) >> 26];
  uint most = 0;
  for (int b = 0; b < 64; ++b) most = max(most, bins[b]);
  out[i] = most;
}

// The bins in local memory, small ones, each work-item's in a column of its own. (That costs something: the twin saves about a fifth less.)
__kernel void mended(uint n, __global uint* out) {
  const uint i = get_global_id(0), l = get_local_id(0);
  __local uchar bins[64 * 64];
  for (int b = 0; b < 64; ++b) bins[b * 64 + l] = 0;
  for (uint k = 0; k < n; ++k) ++bins[((i + k * k * 2654435761u) >> 26) * 64 + l];
  uint most = 0;
  for (int b = 0; b < 64; ++b) most = max(most, (uint)bins[b * 64 + l]);
  out[i] = most;
}
