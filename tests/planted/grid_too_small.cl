// cause: grid_too_small
// groups: 4 6 8
// mended groups: 80 80 80
// local: 256
// line: none
// arg: a=float:0.5
// arg: n=int:8000
// arg: out=float[$items]
__kernel void planted(float a, int n, __global float* out) {
  float x = get_global_id(0);
  const int mine = n / (int)get_num_groups(0);
  for (int i = 0; i < mine; ++i) x = x * a + i;
  out[get_global_id(0)] = x;
}

// The same work in more groups.
__kernel void mended(float a, int n, __global float* out) {
  float x = get_global_id(0);
  const int mine = n / (int)get_num_groups(0);
  for (int i = 0; i < mine; ++i) x = x * a + i;
  out[get_global_id(0)] = x;
}
