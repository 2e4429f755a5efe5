// Tree reductions in local memory: sum, minimum and maximum, with a local array in the kernel and one as argument.
// arg: a buffer int[1024] random(seed=501,min=-5000,max=5000)
// arg: scratch local int[128]
// arg: out buffer int[24] zero
// launch: kernel=local_reduce global=1024 local=128
// compare: out exact
__kernel void local_reduce(__global const int* a, __local int* scratch, __global int* out) {
  __local int low[128];
  __local int high[128];
  const int l = get_local_id(0);
  const int x = a[get_global_id(0)];
  scratch[l] = x;
  low[l] = x;
  high[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = 64; stride > 0; stride >>= 1) {
    if (l < stride) {
      scratch[l] += scratch[l + stride];
      low[l] = min(low[l], low[l + stride]);
      high[l] = max(high[l], high[l + stride]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    const int g = get_group_id(0);
    out[g * 3] = scratch[0];
    out[g * 3 + 1] = low[0];
    out[g * 3 + 2] = high[0];
  }
}
