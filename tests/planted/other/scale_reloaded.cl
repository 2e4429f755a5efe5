// rule: dependence-chain
// mended rule: dependence-chain
// gain: any
// groups: 128
// groups h200: 264
// groups v100: 160
// groups hd530: 24
// groups hd5870: 40
// local: 64
// arg: n=int:24
// arg: scale=float[4]:random
// arg: x=float[$items*24]:random
// arg: out=float[$items*24]
// The scale is loaded for each element, as a store before might have changed it: behind the load of the element that costs nothing.
__kernel void planted(int n, __global const float* scale, __global const float* x, __global float* out) {
  const int i = get_global_id(0), w = get_global_size(0);
  for (int k = 0; k < n; ++k) out[k * w + i] = x[k * w + i] * scale[0] + scale[1];
}
__kernel void mended(int n, __global const float* scale, __global const float* x, __global float* out) {
  const int i = get_global_id(0), w = get_global_size(0);
  const float a = scale[0], b = scale[1];
  for (int k = 0; k < n; ++k) out[k * w + i] = x[k * w + i] * a + b;
}
