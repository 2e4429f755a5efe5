// What cypress.s, cayman.s and ../gen/skl.* were compiled from (tests/fuzz): packets, branches and loops, local memory with its queue, stores of all
// widths, atomics, indexed registers, tables. Clang-19 and llc-19 as src/compile/r600.cpp calls them, ocloc and iga64 as gen.cpp does; debugging sections left out.
__constant int weights[4] = {1, 10, 100, 1000};

__kernel void saxpy(__global const float4* x, __global float4* y, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = sqrt(x[i]) * a + y[i];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void group_sums(__global const int* x, __global int* sums) {
  __local int part[64];
  const int item = get_local_id(0);
  part[item] = x[get_global_id(0)] * weights[item & 3];
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) part[item] += part[item + step];
  }
  if (item == 0) sums[get_group_id(0)] = part[0];
}

__kernel void counts(__global const uchar* x, __global int* bins, __global uchar* bytes, __global short* halves, __local int* near) {
  const int i = get_global_id(0);
  near[get_local_id(0)] = atomic_xchg(&near[i & 7], x[i]);
  for (int k = 0; k < x[i]; ++k) {
    if ((k ^ i) & 4) continue;
    if (k > 20) break;
    atomic_add(&bins[k & 7], 1);
  }
  bytes[i] = x[i] + 1;
  halves[i] = near[get_local_id(0) ^ 1];
}

__kernel void rotated(__global const int* x, __global int* y, int by) {
  int own[4];
  const int i = get_global_id(0);
  for (int k = 0; k < 4; ++k) own[k] = x[i] + k;
  y[i] = own[(i + by) & 3] % (by + 1) + (int)get_global_offset(0);
}
