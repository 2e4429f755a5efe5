// rule: repeated-accesses
// groups: 128
// groups h200: 264
// groups v100: 160
// groups hd530: 24
// groups hd5870: 40
// mended rule hd530: dependence-chain
// local: 128
// arg: n=int:64
// arg: factor=float[2]:random
// arg: offset=float[2]:random
// arg: x=float[$items]:random
// The factor and the offset are behind pointers, and so is what they change.
__kernel void planted(int n, __global const float* factor, __global const float* offset, __global float* x) {
  const int i = get_global_id(0);
  for (int k = 0; k < n; ++k) x[i] = x[i] * factor[0] + offset[0];
}
__kernel void mended(int n, __global const float* factor, __global const float* offset, __global float* x) {
  const int i = get_global_id(0);
  const float f = factor[0], o = offset[0];
  float v = x[i];
  for (int k = 0; k < n; ++k) v = v * f + o;
  x[i] = v;
}
