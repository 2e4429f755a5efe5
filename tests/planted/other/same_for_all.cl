// rule: dependence-chain
// mended rule: barriers
// groups: 64
// local: 256
// arg: x=float[256]:random
// arg: out=float[$items]
// Each item finds the same mean of a table.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 256; ++k) sum += x[k];
  out[i] = sum / 256 + i;
}
// A group finds it together.
__kernel void mended(__global const float* x, __global float* out) {
  __local float t[256];
  const int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 0; s /= 2) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = t[0] / 256 + i;
}
