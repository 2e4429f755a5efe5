// cause: grid_too_small
// groups: 4 8 16
// mended groups: 256 256 256
// local: 256
// line: none
// arg: a=float:0.5
// arg: n=int:2000
// arg: out=float[$items]
__kernel void planted(float a, int n, __global float* out) {
  float x = get_global_id(0);
  for (int i = 0; i < n; ++i) x = x * a + i;
  out[get_global_id(0)] = x;
}

__kernel void mended(float a, int n, __global float* out) {
  float x = get_global_id(0);
  for (int i = 0; i < n / 4; ++i) x = x * a + i;
  out[get_global_id(0)] = x;
}
