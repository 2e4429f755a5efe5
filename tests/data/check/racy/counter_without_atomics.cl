// All groups count in one place without atomics.
// arg: counter buffer uint[1] zero
// launch: kernel=count global=256 local=64
// compare: counter exact
__kernel void count(__global uint* counter) {
  if (get_local_id(0) == 0)
    counter[0] = counter[0] + 1;  // race
}
