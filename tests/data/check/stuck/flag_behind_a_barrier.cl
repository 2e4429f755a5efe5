// Wave 0 waits for what wave 1 would set behind the barrier at which it waits for wave 0.
// arg: flag buffer uint[1] zero
// arg: out buffer uint[128] zero
// launch: kernel=wait global=128 local=128
// compare: out exact
__kernel void wait(volatile __global uint* flag, __global uint* out) {
  if (get_local_id(0) < 64) {
    while (atomic_add(flag, 0) == 0)  // waits
      ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);  // barrier
  if (get_local_id(0) == 64) atomic_xchg(flag, 1);
  out[get_local_id(0)] = flag[0];
}
