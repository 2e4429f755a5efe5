// C = A B, matrices of n rows and columns and a sum of `p` products, row by row. Neighbouring work-items are neighbours in a column of C (mapping 1) or in
// a row (mapping 2).
__kernel void mapping1(__global const float* a, __global const float* b, __global float* c, int n, int p) {
  const int row = get_global_id(0) % n, column = get_global_id(0) / n;
  float sum = 0;
  for (int k = 0; k < p; ++k) sum += a[row * p + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__kernel void mapping2(__global const float* a, __global const float* b, __global float* c, int n, int p) {
  const int row = get_global_id(0) / n, column = get_global_id(0) % n;
  float sum = 0;
  for (int k = 0; k < p; ++k) sum += a[row * p + k] * b[k * n + column];
  c[row * n + column] = sum;
}
