// rule: imbalance
// groups: 512
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
// One group has a hundred times the work of the others.
__kernel void planted(float a, __global float* out) {
  out[get_global_id(0)] = worked(get_group_id(0) == 3 ? 10000 : 100, a);
}

// It is divided among all.
__kernel void mended(float a, __global float* out) {
  out[get_global_id(0)] = worked(100 + 10000 / (int)get_num_groups(0), a);
}
