// rule: translation
// rule h200: none
// groups: 256
// groups mi300x: 1024
// groups h200: 1024
// mended rule mi25: dependence-chain
// local: 64
// arg: step=int:524288
// arg: x=float[268700000]
// arg: out=float[$items]
// Rows that lie two megabytes apart, each read by all groups. (So few pages are soon in the TLBs of the largest GPU.)
__kernel void planted(int step, __global const float* x, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int k = 0; k < 32; ++k) {
    const int row = (g * 37 + k * 101) & 511;
    sum += x[row * step + row * 64 + l];
  }
  out[get_global_id(0)] = sum;
}

__kernel void mended(int step, __global const float* x, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int k = 0; k < 32; ++k) {
    const int row = (g * 37 + k * 101) & 511;
    sum += x[row * (step >> 13) + row * 64 + l];
  }
  out[get_global_id(0)] = sum;
}
