// rule: coalescing
// groups: 512
// rule h200: none
// mended rule h200: dependence-chain
// local: 256
// arg: x=float[$items*16]:ramp
// arg: out=float[$items]
// Sixteen floats for each work-item in a row, read one after the other: where a near cache keeps the lines, that is as good.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) sum += x[i * 16 + k];
  out[i] = sum;
}

__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0), all = get_global_size(0);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) sum += x[k * all + i];
  out[i] = sum;
}
