// rule: repeated-accesses
// groups: 128
// groups h200: 264
// groups v100: 160
// groups hd530: 24
// mended rule mi25: dependence-chain
// local: 64
// arg: n=int:96
// arg: table=float[64]:random
// arg: out=float[$items]
// A small table read by all, a sum that stands in memory.
__kernel void planted(int n, __global const float* table, __global float* out) {
  const int i = get_global_id(0);
  out[i] = 0;
  for (int k = 0; k < n; ++k) out[i] += table[(k + i) & 63];
}
__kernel void mended(int n, __global const float* table, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += table[(k + i) & 63];
  out[i] = sum;
}
