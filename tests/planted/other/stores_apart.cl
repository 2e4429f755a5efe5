// rule: coalescing
// groups: 512
// groups mi300x: 2048
// local: 256
// arg: x=float[$items]:ramp
// arg: out=float[$items*16]
// Loads side by side, stores 64 bytes apart.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i * 16] = x[i] * 2.0f;
}
__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = x[i] * 2.0f;
}
