// Sub-group functions of cl_khr_subgroups on sub-groups of 64: reductions, scans, broadcasts, votes, ids.
// arg: a buffer int[256] random(seed=1121,min=-1000,max=1000)
// arg: f buffer float[256] random(seed=1122,min=0,max=1)
// arg: out buffer int[4096] zero
// arg: g buffer float[768] zero
// launch: kernel=wave_subgroups global=256 local=128
// compare: out exact
// compare: g exact
// needs: subgroups wave64
// witness: reference
// options: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void wave_subgroups(__global const int* a, __global const float* f, __global int* out,
                             __global float* g) {
  const int i = get_global_id(0);
  const int x = a[i];
  __global int* o = out + i;
  o[0] = sub_group_reduce_add(x);
  o[256] = sub_group_reduce_min(x);
  o[512] = sub_group_reduce_max(x);
  o[768] = sub_group_scan_inclusive_add(x);
  o[1024] = sub_group_scan_exclusive_add(x);
  o[1280] = sub_group_scan_inclusive_max(x);
  o[1536] = sub_group_scan_exclusive_min(x);
  o[1792] = sub_group_broadcast(x, 11);
  o[2048] = sub_group_all(x > -990) + 2 * sub_group_any(x > 990);
  o[2304] = get_sub_group_size();
  o[2560] = get_sub_group_id();
  o[2816] = get_sub_group_local_id();
  o[3072] = get_num_sub_groups() + 100 * get_max_sub_group_size();
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  o[3328] = (int)sub_group_reduce_add((long)x * 100000);
  o[3584] = (int)sub_group_reduce_max((uint)x);
  o[3840] = (int)(sub_group_scan_inclusive_add((ulong)i << 20) >> 20);
  g[i] = sub_group_reduce_max(f[i]);
  g[i + 256] = sub_group_scan_inclusive_min(f[i]);
  g[i + 512] = sub_group_broadcast(f[i], 63);
}
