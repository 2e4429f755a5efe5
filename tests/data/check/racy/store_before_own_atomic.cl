// One work-item sets a counter that all work-items of all groups count in.
// arg: d buffer uint[1] zero
// launch: kernel=count global=128 local=64
// compare: d exact
__kernel void count(volatile __global uint* d) {
  if (get_global_id(0) == 0)
    *(__global uint*)d = 5;  // race
  atomic_inc(d);  // race
}
