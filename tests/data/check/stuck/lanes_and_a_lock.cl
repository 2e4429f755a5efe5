// Work-items of one wave take a lock one after the other. Where a wave has one program counter, those that
// wait for the lock keep the one that has it from giving it back.
// arg: lock buffer int[1] zero
// arg: sum buffer uint[1] zero
// launch: kernel=add global=32 local=32
// compare: sum exact
__kernel void add(volatile __global int* lock, volatile __global uint* sum) {
  while (atomic_cmpxchg(lock, 0, 1) != 0)  // waits
    ;
  sum[0] += get_global_id(0) + 1;
  atomic_xchg(lock, 0);
}
