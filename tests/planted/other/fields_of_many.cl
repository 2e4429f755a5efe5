// rule: coalescing
// groups: 512
// groups mi300x: 2048
// local: 256
// arg: p=float[$items*12]:ramp
// arg: out=float[$items]
// Three fields of structures of twelve floats.
struct point { float x, y, z, w[9]; };
__kernel void planted(__global const struct point* p, __global float* out) {
  const int i = get_global_id(0);
  out[i] = p[i].x + p[i].y * p[i].z;
}
// An array for each.
__kernel void mended(__global const float* p, __global float* out) {
  const int i = get_global_id(0), n = get_global_size(0);
  out[i] = p[i] + p[n + i] * p[2 * n + i];
}
