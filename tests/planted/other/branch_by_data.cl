// rule: divergence
// groups: 512
// groups h200: 1024
// groups mi300x: 2048
// groups hd530: 96
// local: 256
// arg: key=int[$items]:random(seed=3,min=0,max=99)
// arg: sorted=int[$items]:ramp
// arg: a=float:0.5
// arg: out=float[$items]
float one(float x, float a) {
#pragma unroll 8
  for (int k = 0; k < 256; ++k) x = x * a + 1;
  return x;
}
float other(float x, float a) {
#pragma unroll 8
  for (int k = 0; k < 256; ++k) x = (x - a) * (x + 2);
  return x;
}
// Which way a work-item goes is random.
__kernel void planted(__global const int* key, __global const int* sorted, float a, __global float* out) {
  const int i = get_global_id(0);
  out[i] = key[i] < 50 ? one(i, a) : other(i, a);
}

// The same ways, items that go the same one side by side.
__kernel void mended(__global const int* key, __global const int* sorted, float a, __global float* out) {
  const int i = get_global_id(0);
  out[i] = (popcount(sorted[i] >> 6) & 1) == 0 ? one(i, a) : other(i, a);
}
