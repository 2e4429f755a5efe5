// cause: grid_too_small
// groups: 4 6 8
// groups hd530: 1 1 1
// mended groups: 640 640 640
// mended groups hd530: 42 42 42
// local: 256
// line: none
// gain hd530: least
// arg: a=float:0.5
// arg: n=int:16000
// arg: out=float[$items]
__kernel void planted(float a, int n, __global float* out) {
  float x = get_global_id(0), y = 1, z = 2, w = 3;
  const int mine = n / (int)get_num_groups(0);
  for (int i = 0; i < mine; ++i) {
    x = x * a + i;
    y = y * a + i;
    z = z * a + i;
    w = w * a + i;
  }
  out[get_global_id(0)] = x + y + z + w;
}

// The same work in more groups.
__kernel void mended(float a, int n, __global float* out) {
  float x = get_global_id(0), y = 1, z = 2, w = 3;
  const int mine = n / (int)get_num_groups(0);
  for (int i = 0; i < mine; ++i) {
    x = x * a + i;
    y = y * a + i;
    z = z * a + i;
    w = w * a + i;
  }
  out[get_global_id(0)] = x + y + z + w;
}
