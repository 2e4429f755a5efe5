// cause: launch_overhead
// groups: 1 2 4
// mended groups: 1024 1536 2048
// local: 256
// line: none
// arg: x=float[$items]:ramp
// arg: out=float[$items]
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = 2 * x[i];
}

__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += x[(i + k * 4096) & 1048575];
  out[i] = sum;
}
