// C = A * B for matrices of n x n floats, three times. docs/guide/first-steps.md goes through them.

// Neighbouring work-items compute neighbouring rows.
__kernel void step1(int n, __global const float* a, __global const float* b, __global float* c) {
  int row = get_global_id(0), column = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Neighbouring work-items compute neighbouring columns: the indices are swapped, and nothing else.
__kernel void step2(int n, __global const float* a, __global const float* b, __global float* c) {
  int row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Each group takes tiles of 16 x 16 into local memory, where all its work-items use them 16 times.
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void step3(int n, __global const float* a,
                                                                     __global const float* b, __global float* c) {
  __local float ta[16][16], tb[16][16];
  int row = get_global_id(1), column = get_global_id(0);
  int x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    ta[y][x] = a[row * n + k0 + x];
    tb[y][x] = b[(k0 + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
