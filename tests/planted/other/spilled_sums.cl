// rule: private-memory
// rule h200: none
// groups: 256
// groups hd530: 24
// gain hd530: least
// local: 64
// arg: n=int:16
// arg: a=float:0.5
// arg: out=float[$items]
#define SUMS 320
// More sums under way than there are registers. (What becomes of PTX here spills nothing: docs/lowering.md.)
__kernel void planted(int n, float a, __global float* out) {
  float v = get_global_id(0);
  float sum[SUMS];
#pragma unroll
  for (int s = 0; s < SUMS; ++s) sum[s] = s;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    v = v * a;
#pragma unroll
    for (int s = 0; s < SUMS; ++s) sum[s] = sum[s] * v + (float)s;
  }
  float all = 0;
#pragma unroll
  for (int s = 0; s < SUMS; ++s) all += sum[s];
  out[get_global_id(0)] = all;
}

// In ten turns.
__kernel void mended(int n, float a, __global float* out) {
  float all = 0;
#pragma unroll 1
  for (int part = 0; part < 10; ++part) {
    float v = get_global_id(0);
    float sum[SUMS / 10];
#pragma unroll
    for (int s = 0; s < SUMS / 10; ++s) sum[s] = s + part;
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      v = v * a;
#pragma unroll
      for (int s = 0; s < SUMS / 10; ++s) sum[s] = sum[s] * v + (float)s;
    }
#pragma unroll
    for (int s = 0; s < SUMS / 10; ++s) all += sum[s];
  }
  out[get_global_id(0)] = all;
}
