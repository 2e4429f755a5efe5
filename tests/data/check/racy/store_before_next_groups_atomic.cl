// One work-item sets a counter in which the work-items of both groups count. Each group is one wave.
// arg: d buffer uint[1] zero
// launch: kernel=count global=64 local=32
// compare: d exact
__kernel void count(volatile __global uint* d) {
  if (get_global_id(0) == 0)
    *(__global uint*)d = 5;  // race
  atomic_inc(d);  // race
}
