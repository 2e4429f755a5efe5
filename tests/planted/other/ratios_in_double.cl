// rule: doubles
// gain h200: any
// rule hd530: any
// groups: 256
// groups hd530: 16
// groups mi300x: 1216
// local: 256
// arg: a=float:1.5
// arg: x=float[$items]:ramp
// arg: out=float[$items]
// Ratios taken with a literal without an f: divisions of doubles, between floats. (On an H200 doubles take twice as long, and so small a launch
// waits for its results anyway: 7 % are told; on Intel the code of the divisions does not fit the instruction cache.)
__kernel void planted(float a, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float v = x[i] + 1.0f;
  for (int k = 0; k < 8; ++k) v = (v + 2.0) / (v * 0.5 + 3.0) / (v + 0.25) / (a + v * v);
  out[i] = v;
}
__kernel void mended(float a, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float v = x[i] + 1.0f;
  for (int k = 0; k < 8; ++k) v = (v + 2.0f) / (v * 0.5f + 3.0f) / (v + 0.25f) / (a + v * v);
  out[i] = v;
}
