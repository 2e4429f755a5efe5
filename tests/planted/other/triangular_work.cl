// rule: imbalance
// groups: 512
// rule hd530: none
// local: 256
// arg: a=float:0.5
// arg: out=float[$items]
float worked(int n, float a) {
  float x = get_global_id(0), y = 1;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    x = x * a + y;
    y = y * a - x;
  }
  return x + y;
}
// The last of the groups have all the work.
__kernel void planted(float a, __global float* out) {
  const int g = get_group_id(0), all = get_num_groups(0);
  out[get_global_id(0)] = worked(g >= all - all / 32 ? 3200 : 10, a);
}

// All have the same.
__kernel void mended(float a, __global float* out) {
  out[get_global_id(0)] = worked(110, a);
}
