// C = A B for 512x512 matrices, one result per work-item, groups of 16x16.
// arg: a buffer float[262144] random(seed=1,min=-1,max=1)
// arg: b buffer float[262144] random(seed=2,min=-1,max=1)
// arg: c buffer float[262144] zero
// arg: n scalar int 512
// launch: kernel=sgemm_naive global=512,512 local=16,16
// compare: c abs=1e-4
__kernel void sgemm_naive(__global const float* a, __global const float* b, __global float* c, int n) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}
