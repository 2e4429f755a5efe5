// Two ways to transpose a matrix of n x n floats: reads and writes cannot both be consecutive in the first; the second
// goes through local memory, 16 x 16 elements at a time, with a column of padding against bank conflicts.
__kernel void transpose_naive(int n, __global const float* in, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose_tiled(int n, __global const float* in,
                                                                               __global float* out) {
  __local float tile[16][17];
  int lx = get_local_id(0), ly = get_local_id(1);
  int bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
  tile[ly][lx] = in[(by + ly) * n + bx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + ly) * n + by + lx] = tile[lx][ly];
}
