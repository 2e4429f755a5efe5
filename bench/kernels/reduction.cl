// The sum of one million integers: a strided loop, a tree in local memory, one atomic per group.
// arg: a buffer int[1048576] random(seed=1,min=-1000,max=1000)
// arg: sum buffer int[1] zero
// arg: n scalar int 1048576
// launch: kernel=reduction global=65536 local=256
// compare: sum exact
__kernel void reduction(__global const int* a, __global int* sum, int n) {
  __local int part[256];
  const int l = get_local_id(0);
  int mine = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    mine += a[i];
  }
  part[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = 128; stride > 0; stride >>= 1) {
    if (l < stride) {
      part[l] += part[l + stride];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    atomic_add(sum, part[0]);
  }
}
