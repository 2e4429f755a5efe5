// C = A B for 512x512 matrices with 16x16 tiles of both in local memory.
// arg: a buffer float[262144] random(seed=1,min=-1,max=1)
// arg: b buffer float[262144] random(seed=2,min=-1,max=1)
// arg: c buffer float[262144] zero
// arg: n scalar int 512
// launch: kernel=sgemm_tiled global=512,512 local=16,16
// compare: c abs=1e-4
__kernel void sgemm_tiled(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float x[16][16];
  __local float y[16][16];
  const int i = get_local_id(0);
  const int j = get_local_id(1);
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k += 16) {
    x[j][i] = a[row * n + k + i];
    y[j][i] = b[(k + j) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 16; ++m) {
      sum += x[j][m] * y[m][i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
