// rule: doubles
// groups: 512
// groups mi300x: 4096
// groups h200: 4096
// mended rule h200: memory-latency
// local: 256
// arg: x=float[$items]:ramp(1,1)
// arg: out=float[$items]
// A norm in doubles by habit.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float v = x[i];
  for (int k = 0; k < 8; ++k) v = (float)((double)v * v * 0.3333 + (double)v * 0.25 + 1.5);
  out[i] = v;
}

__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float v = x[i];
  for (int k = 0; k < 8; ++k) v = v * v * 0.3333f + v * 0.25f + 1.5f;
  out[i] = v;
}
