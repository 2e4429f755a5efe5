// rule: wave-starts
// groups: 4096
// mended groups: 256
// local: 256
// arg: n=int:$groups*16
// arg: x=float[$items]:random
// arg: out=float[$items]
// A grid sixteen times as large as the data.
__kernel void planted(int n, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  if (i < n) out[i] = 2 * x[i];
}
__kernel void mended(int n, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = 2 * x[i];
}
