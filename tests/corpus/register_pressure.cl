// Many values alive at once: 64 accumulators of floats and 16 of longs, so that registers run high and may spill.
// arg: a buffer float[1024] random(seed=1251,min=-1,max=1)
// arg: out buffer float[128] zero
// arg: sums buffer long[128] zero
// launch: kernel=register_pressure global=128 local=64
// compare: out exact
// compare: sums exact
#pragma OPENCL FP_CONTRACT OFF
__kernel void register_pressure(__global const float* a, __global float* out, __global long* sums) {
  const int i = get_global_id(0);
  float acc[64];
  long wide[16];
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    acc[k] = a[(i * 7 + k) & 1023];
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    wide[k] = (long)(acc[k] * 1000.0f) * 100000;
  }
  for (int round = 0; round < 5; ++round) {
    const float x = a[(i + round * 100) & 1023];
#pragma unroll
    for (int k = 0; k < 64; ++k) {
      acc[k] = acc[k] * x + acc[(k + 13) & 63];
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      wide[k] = wide[k] * 3 + wide[(k + 5) & 15] + round;
    }
  }
  float sum = 0.0f;
  long total = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    sum = sum * 0.5f + acc[k];
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    total = total * 5 + wide[k];
  }
  out[i] = sum;
  sums[i] = total;
}
