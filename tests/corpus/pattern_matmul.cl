// Matrix products of 32x48 by 48x40: naive, tiled through local memory, and in integers; the edge tiles are partial.
// arg: a buffer float[1536] random(seed=811,min=-1,max=1)
// arg: b buffer float[1920] random(seed=812,min=-1,max=1)
// arg: naive buffer float[1280] zero
// arg: tiled buffer float[1280] zero
// launch: kernel=matmul_naive global=40,32 local=8,8 args=a,b,naive
// launch: kernel=matmul_tiled global=48,32 local=16,16 args=a,b,tiled
// compare: naive abs=1e-5
// compare: tiled abs=1e-5
__kernel void matmul_naive(__global const float* a, __global const float* b, __global float* c) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < 48; ++k) {
    sum += a[row * 48 + k] * b[k * 40 + column];
  }
  c[row * 40 + column] = sum;
}
__kernel void matmul_tiled(__global const float* a, __global const float* b, __global float* c) {
  __local float x[16][16];
  __local float y[16][16];
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  const int i = get_local_id(0);
  const int j = get_local_id(1);
  float sum = 0.0f;
  for (int k = 0; k < 48; k += 16) {
    x[j][i] = a[row * 48 + k + i];
    y[j][i] = column < 40 ? b[(k + j) * 40 + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int m = 0; m < 16; ++m) {
      sum += x[j][m] * y[m][i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (column < 40) {
    c[row * 40 + column] = sum;
  }
}
