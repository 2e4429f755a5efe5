// rule: imbalance
// mended rule hd530: dependence-chain
// groups: 2048
// local: 64
// arg: n=int:6000
// arg: out=float[$items]
// The last eight groups have most of the work, and the device waits for them.
__kernel void planted(int n, __global float* out) {
  const int i = get_global_id(0), g = get_group_id(0), left = get_num_groups(0) - g;
  float x = i;
  const int turns = left <= 8 ? n : 16;
  for (int k = 0; k < turns; ++k) x = x * 0.5f + k;
  out[i] = x;
}
__kernel void mended(int n, __global float* out) {
  const int i = get_global_id(0);
  float x = i;
  for (int k = 0; k < n / 256 + 16; ++k) x = x * 0.5f + k;
  out[i] = x;
}
