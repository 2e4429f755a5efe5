// rule: instruction-fetch
// rule h200: none
// groups: 192
// groups hd530: 24
// groups mi300x: 1216
// groups h200: 528
// local: 64
// arg: n=int:3
// arg: a=float:0.5
// arg: out=float[$items]
// A filter of 3000 taps unrolled altogether. (The largest GPU keeps it in its instruction caches.)
__kernel void planted(int n, float a, __global float* out) {
  float x = get_global_id(0), y = 1;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int t = 0; t < 3000; ++t) {
      x = x * a + (float)(t * 1.25f);
      y = y * x + a;
    }
  }
  out[get_global_id(0)] = x + y;
}

__kernel void mended(int n, float a, __global float* out) {
  float x = get_global_id(0), y = 1;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float tap = 0;
#pragma unroll 20
    for (int t = 0; t < 3000; ++t) {
      x = x * a + tap;
      tap += 1.25f;
      y = y * x + a;
    }
  }
  out[get_global_id(0)] = x + y;
}
