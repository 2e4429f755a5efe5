// A lock guards the sum; one look at it is made without the lock.
// arg: lock buffer int[1] zero
// arg: sum buffer uint[1] zero
// arg: out buffer uint[16] zero
// launch: kernel=add global=16 local=1
// compare: out exact
__kernel void add(volatile __global int* lock, __global uint* sum, __global uint* out) {
  uint i = get_global_id(0);
  uint seen = sum[0];  // race
  while (atomic_cmpxchg(lock, 0, 1) != 0)
    ;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  sum[0] += i;  // race
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
  out[i] = seen;
}
