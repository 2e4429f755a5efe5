// The counter is set to zero by one group, while others count already.
// arg: counter buffer uint[1] fill(7)
// arg: out buffer uint[256] zero
// launch: kernel=count global=256 local=64
// compare: out exact
__kernel void count(__global uint* counter, __global uint* out) {
  uint i = get_global_id(0);
  if (i == 128)
    counter[0] = 0;  // race
  if (get_local_id(0) == 0)
    out[i] = atomic_inc((volatile __global uint*)counter);  // race
}
