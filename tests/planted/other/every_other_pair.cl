// rule: coalescing
// groups: 1024
// local: 256
// arg: x=float[$items*4]:ramp
// arg: out=float[$items]
__kernel void planted(__global const float2* x, __global float* out) {
  const int i = get_global_id(0);
  const float2 v = x[2 * i];
  out[i] = v.x * v.y;
}

__kernel void mended(__global const float2* x, __global float* out) {
  const int i = get_global_id(0);
  const float2 v = x[i];
  out[i] = v.x * v.y;
}
