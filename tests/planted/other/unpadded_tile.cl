// rule: bank-conflicts
// groups: 512
// local: 256
// arg: x=float[$items*4]:ramp
// arg: out=float[$items*4]
// A tile of 32 x 32, turned in local memory, four times over; its rows lie a multiple of the banks apart.
__kernel void planted(__global const float* x, __global float* out) {
  __local float tile[32 * 32];
  const int l = get_local_id(0), c = l & 31, r = l >> 5, at = get_group_id(0) * 1024;
  for (int k = 0; k < 32; k += 8) tile[(r + k) * 32 + c] = x[at + (r + k) * 32 + c];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; k += 8) {
    float sum = 0;
    for (int j = 0; j < 16; ++j) sum += tile[c * 32 + ((r + k + j) & 31)];
    out[at + (r + k) * 32 + c] = sum;
  }
}
// A word between rows.
__kernel void mended(__global const float* x, __global float* out) {
  __local float tile[32 * 33];
  const int l = get_local_id(0), c = l & 31, r = l >> 5, at = get_group_id(0) * 1024;
  for (int k = 0; k < 32; k += 8) tile[(r + k) * 33 + c] = x[at + (r + k) * 32 + c];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; k += 8) {
    float sum = 0;
    for (int j = 0; j < 16; ++j) sum += tile[c * 33 + ((r + k + j) & 31)];
    out[at + (r + k) * 32 + c] = sum;
  }
}
