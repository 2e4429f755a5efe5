// A prefix sum over 2048 elements in three launches: within groups, over the groups' sums, and the addition.
// arg: a buffer int[2048] random(seed=891,min=-9,max=9)
// arg: out buffer int[2048] zero
// arg: sums buffer int[8] zero
// launch: kernel=scan_groups global=2048 local=256
// launch: kernel=scan_sums global=1 local=1
// launch: kernel=add_sums global=2048 local=256
// compare: out exact
__kernel void scan_groups(__global const int* a, __global int* out, __global int* sums) {
  __local int t[256];
  const int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 256; d <<= 1) {
    const int add = l >= d ? t[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[l];
  if (l == 255) {
    sums[get_group_id(0)] = t[l];
  }
}
__kernel void scan_sums(__global const int* a, __global int* out, __global int* sums) {
  int sum = 0;
  for (int g = 0; g < 8; ++g) {
    const int next = sum + sums[g];
    sums[g] = sum;
    sum = next;
  }
}
__kernel void add_sums(__global const int* a, __global int* out, __global int* sums) {
  out[get_global_id(0)] += sums[get_group_id(0)];
}
