// A lock of compare-and-swap and exchange guards a sum.
// arg: lock buffer int[1] zero
// arg: sum buffer uint[2] zero
// launch: kernel=add global=64 local=1
// compare: sum exact
__kernel void add(volatile __global int* lock, __global uint* sum) {
  while (atomic_cmpxchg(lock, 0, 1) != 0)
    ;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  sum[0] += get_global_id(0);
  sum[1] = get_global_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}
