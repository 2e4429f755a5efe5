// What tests/data/objects was compiled from: arguments of several sizes, work-item functions, local memory, barriers and
// private memory.
__kernel void saxpy(__global const float* x, __global float* y, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

__constant int weights[4] = {1, 10, 100, 1000};

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void group_sums(__global const int* x, __global int* sums) {
  __local int part[64];
  const int item = get_local_id(0);
  part[item] = x[get_global_id(0)] * weights[item & 3];
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) part[item] += part[item + step];
  }
  if (item == 0) sums[get_group_id(0)] = part[0] + get_num_groups(0);
}

__kernel void rotated(__global const int* x, __global long* y, uchar by) {
  volatile int own[8];
  const int i = get_global_id(0);
  for (int k = 0; k < 8; ++k) own[k] = x[i] + k;
  y[i] = own[(i + by) & 7] + get_global_offset(0) + get_global_size(0);
}
