// cause: divergence
// groups: 768 896 1024
// groups v100: 1280 1600 1920
// local: 256
// arg: a=float:0.5
// arg: out=float[$items]
__kernel void planted(float a, __global float* out) {
  const int l = get_local_id(0);
  const int n = l % 4 == 0 ? 100 : 4;
  float x = l;
  for (int i = 0; i < n; ++i) x = x * a + i;  // here
  out[get_global_id(0)] = x;
}

__kernel void mended(float a, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  // At another place in each group, and in each of those that are 4, 16, 64, .. groups apart: on no SIMD all meet.
  const int n = l >> 6 == (g + (g >> 2) + (g >> 4) + (g >> 6) + (g >> 8) & 3) ? 100 : 4;
  float x = l;
  for (int i = 0; i < n; ++i) x = x * a + i;
  out[get_global_id(0)] = x;
}
