// rule: coalescing
// groups: 256
// local: 256
// arg: x=float[$items*4]:random
// arg: out=float[$items*4]
// Four neighbouring values an item, read and written one by one.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  for (int k = 0; k < 4; ++k) out[4 * i + k] = 2 * x[4 * i + k];
}
// In turns of all items.
__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0), n = get_global_size(0);
  for (int k = 0; k < 4; ++k) out[n * k + i] = 2 * x[n * k + i];
}
