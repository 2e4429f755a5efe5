// The sum of n doubles, as a course lets its students write it: each work-item its own m neighbours (gpu2), with a stride of the
// whole launch (gpu3), and then a tree in local memory, so that one number a group is left (gpu4),
// and a second launch adds these (gpu5).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void neighbours(__global const double* x, __global double* sums, int n, int m) {
  const int first = get_global_id(0) * m;
  double sum = 0;
  for (int i = first; i < first + m && i < n; ++i) sum += x[i];
  sums[get_global_id(0)] = sum;
}

__kernel void strided(__global const double* x, __global double* sums, int n, int m) {
  double sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i];
  sums[get_global_id(0)] = sum;
}

__kernel void with_local(__global const double* x, __global double* sums, int n, int m) {
  __local double part[256];
  const int l = get_local_id(0);
  double sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int left = get_local_size(0); left > 1;) {
    const int half_of = (left + 1) / 2;
    if (l + half_of < left) part[l] += part[l + half_of];
    left = half_of;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = part[0];
}

// The second launch of gpu5: one group, whose items are as many as the first launch had groups.
__kernel void with_local_again(__global const double* x, __global double* sums, int n, int m) {
  __local double part[512];
  const int l = get_local_id(0);
  part[l] = l < n ? x[l] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int left = get_local_size(0); left > 1;) {
    const int half_of = (left + 1) / 2;
    if (l + half_of < left) part[l] += part[l + half_of];
    left = half_of;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[0] = part[0];
}
