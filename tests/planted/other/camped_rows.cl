// rule: one-slice
// groups: 2048
// mended rule hd7970: reuse
// local: 64
// arg: step=int:16384
// arg: x=float[67633152]
// arg: out=float[$items]
// Rows whose distance is a multiple of what all channels hold side by side: where addresses are not mixed, they meet
// in one of them.
__kernel void planted(int step, __global const float* x, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += x[(g * 8 + k & 4095) * step + l];
  out[get_global_id(0)] = sum;
}

// Rows that begin a little further each.
__kernel void mended(int step, __global const float* x, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += x[(g * 8 + k & 4095) * (step + 64) + l];
  out[get_global_id(0)] = sum;
}
