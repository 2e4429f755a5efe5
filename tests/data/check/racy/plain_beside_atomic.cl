// A counter that other groups still change is read without an atomic.
// arg: counter buffer uint[1] zero
// arg: out buffer uint[256] zero
// launch: kernel=sample global=256 local=64
// compare: out exact
__kernel void sample(volatile __global uint* counter, __global uint* out) {
  uint i = get_global_id(0);
  if (get_local_id(0) == 0)
    atomic_inc(counter);  // race
  if (get_local_id(0) == 63)
    out[i] = ((__global uint*)counter)[0];  // race
}
