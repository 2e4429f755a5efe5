// rule: bank-conflicts
// groups: 512
// local: 256
// arg: x=double[1024]:ramp
// arg: out=double[$items]
// Columns of a tile of doubles whose rows are 32 long.
__kernel void planted(__global const double* x, __global double* out) {
  __local double tile[32 * 32];
  const int l = get_local_id(0);
  for (int k = 0; k < 4; ++k) tile[k * 256 + l] = x[k * 256 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  double sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[(l % 32) * 32 + (k + l / 32) % 32];
  out[get_global_id(0)] = sum;
}

// Rows of 33.
__kernel void mended(__global const double* x, __global double* out) {
  __local double tile[32 * 33];
  const int l = get_local_id(0);
  for (int k = 0; k < 4; ++k) tile[(k * 8 + l / 32) * 33 + l % 32] = x[k * 256 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  double sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[(l % 32) * 33 + (k + l / 32) % 32];
  out[get_global_id(0)] = sum;
}
