// rule: dependence-chain
// groups: 64
// local: 256
// arg: x=float[$items*2]:random
// arg: out=float[$items]
// A filter of 33 taps: each value is read 33 times.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 33; ++k) sum = sum * 0.5f + x[i + k];
  out[i] = sum;
}
// Once into local memory.
__kernel void mended(__global const float* x, __global float* out) {
  __local float t[288];
  const int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  if (l < 32) t[256 + l] = x[i + 256];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 33; ++k) sum = sum * 0.5f + t[l + k];
  out[i] = sum;
}
