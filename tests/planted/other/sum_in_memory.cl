// rule: repeated-accesses
// groups: 128
// groups h200: 264
// groups v100: 160
// groups hd530: 24
// local: 64
// arg: n=int:32
// arg: x=float[$items*32]:random
// arg: out=float[$items]
// Each item adds up a column; the sum stands in memory.
__kernel void planted(int n, __global const float* x, __global float* out) {
  const int i = get_global_id(0), w = get_global_size(0);
  out[i] = 0;
  for (int k = 0; k < n; ++k) out[i] += x[k * w + i];
}
__kernel void mended(int n, __global const float* x, __global float* out) {
  const int i = get_global_id(0), w = get_global_size(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k * w + i];
  out[i] = sum;
}
