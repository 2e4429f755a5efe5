// rule: coalescing
// groups: 2048
// local: 256
// arg: x=float[$items*4]:ramp
// arg: out=float[$items*4]
// Every fourth value, and put back there.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[4 * i] = 2 * x[4 * i];
}

__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = 2 * x[i];
}
