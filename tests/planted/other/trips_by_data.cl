// rule: divergence
// groups: 1024
// groups h200: 2048
// groups mi300x: 4096
// groups hd530: 192
// local: 256
// arg: trips=int[$items]:random(seed=5,min=1,max=64)
// arg: a=float:0.5
// arg: out=float[$items]
float worked(int n, float x, float a) {
  float y = 1;
#pragma unroll 1
  for (int k = n; k > 0; --k) {
    x = x * a + y;
    y = y * a - x;
    x = x * x + a;
    y = y * y - a;
  }
  return x + y;
}
// A loop whose trip count is data; each wave takes as long as its longest item.
__kernel void planted(__global const int* trips, float a, __global float* out) {
  const int i = get_global_id(0);
  out[i] = worked(trips[i], i, a);
}

// The items of a wave take as many turns as each other.
__kernel void mended(__global const int* trips, float a, __global float* out) {
  const int i = get_global_id(0);
  const uint wave = i >> 6;
  out[i] = worked(1 + (trips[i] >> 16) + (int)(wave * 2654435761u >> 26), i, a);
}
