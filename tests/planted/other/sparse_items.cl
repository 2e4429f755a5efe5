// rule: divergence
// groups: 1024
// groups h200: 2048
// groups mi300x: 4096
// mended groups: 128
// mended groups h200: 256
// mended groups mi300x: 512
// gain: least
// groups hd530: 192
// mended groups hd530: 24
// local: 256
// arg: flag=int[$items]:random(seed=7,min=0,max=7)
// arg: a=float:0.5
// arg: out=float[$items]
// One item in eight has something to do.
__kernel void planted(__global const int* flag, float a, __global float* out) {
  const int i = get_global_id(0);
  if (flag[i] != 0) return;
  float x = i, y = 1;
#pragma unroll 4
  for (int k = 0; k < 256; ++k) {
    x = x * a + y;
    y = y * a + 1;
  }
  out[i] = x;
}

// Those that have, in a list of their own.
__kernel void mended(__global const int* flag, float a, __global float* out) {
  const int i = get_global_id(0);
  if (flag[i] < 0) return;
  float x = i, y = 1;
#pragma unroll 4
  for (int k = 0; k < 256; ++k) {
    x = x * a + y;
    y = y * a + 1;
  }
  out[i] = x;
}
