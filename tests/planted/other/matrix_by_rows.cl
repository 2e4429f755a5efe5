// rule: none
// rule h200: coalescing
// gain h200: any
// groups: 256
// local: 256
// arg: a=float[$items*32]:ramp
// arg: x=float[32]:ramp
// arg: out=float[$items]
// A matrix by a vector, its rows one behind the other: neighbours read 128 bytes apart. (Caches that keep a wave's lines lose
// nothing by it. On an H200 49 % are told and 38 saved.)
__kernel void planted(__global const float* a, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += a[i * 32 + k] * x[k];
  out[i] = sum;
}
// Stored by columns.
__kernel void mended(__global const float* a, __global const float* x, __global float* out) {
  const int i = get_global_id(0), n = get_global_size(0);
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += a[k * n + i] * x[k];
  out[i] = sum;
}
