// rule: divergence
// groups: 512
// local: 256
// arg: a=float:0.5
// arg: out=float[$items]
// Even items do one thing and odd ones another.
__kernel void planted(float a, __global float* out) {
  const int i = get_global_id(0);
  float x = i, y = 1;
  if (i & 1)
    for (int k = 0; k < 128; ++k) { x = x * a + y; y = y * a + 1; }
  else
    for (int k = 0; k < 128; ++k) { x = (x + a) * y; y = (y - a) * 2; }
  out[i] = x + y;
}

// By wave, on each SIMD one as often as the other.
__kernel void mended(float a, __global float* out) {
  const int i = get_global_id(0);
  float x = i, y = 1;
  if (popcount(i >> 6) & 1)
    for (int k = 0; k < 128; ++k) { x = x * a + y; y = y * a + 1; }
  else
    for (int k = 0; k < 128; ++k) { x = (x + a) * y; y = (y - a) * 2; }
  out[i] = x + y;
}
