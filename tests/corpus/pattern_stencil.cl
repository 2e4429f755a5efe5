// A five-point stencil over 64x32 with clamped edges, three sweeps between two buffers, and a 3x3 median.
// arg: a buffer float[2048] random(seed=821,min=0,max=100)
// arg: b buffer float[2048] zero
// arg: m buffer float[2048] zero
// launch: kernel=sweep global=64,32 local=16,8 args=a,b
// launch: kernel=sweep global=64,32 local=64,1 args=b,a
// launch: kernel=sweep global=64,32 local=8,8 args=a,b
// launch: kernel=median global=64,32 local=16,4 args=b,m
// compare: b exact
// compare: m exact
#pragma OPENCL FP_CONTRACT OFF
float at(__global const float* p, int x, int y) {
  return p[clamp(y, 0, 31) * 64 + clamp(x, 0, 63)];
}
__kernel void sweep(__global const float* from, __global float* to) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const float around = at(from, x - 1, y) + at(from, x + 1, y) + at(from, x, y - 1) + at(from, x, y + 1);
  to[y * 64 + x] = 0.5f * at(from, x, y) + 0.125f * around;
}
__kernel void median(__global const float* from, __global float* to) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  float v[9];
  for (int k = 0; k < 9; ++k) {
    v[k] = at(from, x + k % 3 - 1, y + k / 3 - 1);
  }
  for (int k = 0; k < 5; ++k) {
    for (int m = k + 1; m < 9; ++m) {
      const float low = fmin(v[k], v[m]);
      v[m] = fmax(v[k], v[m]);
      v[k] = low;
    }
  }
  to[y * 64 + x] = v[4];
}
