// Sub-group functions in groups of 24 work-items, which are one sub-group that is not full on every GPU with waves of 32
// or 64; lanes are counted along the group's first dimension. Longs and doubles.
// arg: a buffer long[96] random(seed=1131,min=-1000000000000,max=1000000000000)
// arg: f buffer double[96] random(seed=1132,min=-1,max=1)
// arg: out buffer long[1152] zero
// arg: g buffer double[480] zero
// launch: kernel=wave_subgroups_partial global=16,6 local=8,3
// compare: out exact
// compare: g exact
// needs: subgroups fp64
// witness: reference
// options: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void wave_subgroups_partial(__global const long* a, __global const double* f, __global long* out,
                                     __global double* g) {
  const int group = get_group_id(0) + 2 * get_group_id(1);
  const int i = group * 24 + get_local_id(0) + 8 * get_local_id(1);
  const long x = a[i];
  const uint lane = get_sub_group_local_id();
  __global long* o = out + i;
  o[0] = sub_group_reduce_add(x);
  o[96] = sub_group_reduce_min(x);
  o[192] = sub_group_scan_inclusive_max(x);
  o[288] = sub_group_scan_exclusive_add(x);
  o[384] = sub_group_scan_exclusive_max((ulong)x);
  o[480] = sub_group_broadcast((int)x, 23);
  o[576] = lane + 100 * get_sub_group_id() + 1000 * get_num_sub_groups() + 10000 * get_sub_group_size();
  o[672] = sub_group_all(x < 1000000000000) + 2 * sub_group_any(lane == 23) + 4 * sub_group_any(lane == 24);
  // By only those lanes that a barrier of all has brought together again.
  long sum = 0;
  for (uint k = 0; k < lane; ++k) sum += a[group * 24 + k];
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
  o[768] = sum - sub_group_scan_exclusive_add(x);
  o[864] = sub_group_broadcast(sum, 5);
  o[960] = sub_group_scan_inclusive_min((uint)x);
  o[1056] = sub_group_scan_inclusive_add((ulong)x);
  g[i] = sub_group_reduce_min(f[i]);
  g[i + 96] = sub_group_reduce_max((float)f[i]);
  g[i + 192] = sub_group_scan_exclusive_max(f[i]);
  g[i + 288] = sub_group_broadcast(f[i], 7);
  g[i + 384] = sub_group_scan_inclusive_add((double)lane);
}
