// Results passed within a group through global memory, with global fences; barriers in a uniform branch and in a loop.
// arg: a buffer int[512] random(seed=581,min=-100,max=100)
// arg: b buffer int[512] zero
// arg: rounds scalar int 5
// launch: kernel=barrier_exchange global=512 local=128
// compare: a exact
// compare: b exact
__kernel void barrier_exchange(__global int* a, __global int* b, int rounds) {
  const int l = get_local_id(0);
  const int base = get_group_id(0) * 128;
  for (int r = 0; r < rounds; ++r) {
    b[base + l] = a[base + ((l + r * 7 + 1) & 127)] * 3 - r;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_group_id(0) & 1) {
      a[base + l] = b[base + (l ^ 64)] & 0xffff;
      barrier(CLK_GLOBAL_MEM_FENCE);
    } else {
      a[base + l] = b[base + 127 - l] % 1000;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    }
  }
}
