// Every group looks at the counter plainly and then counts: another group's atomic may come between.
// arg: d buffer uint[1] zero
// arg: out buffer uint[128] zero
// launch: kernel=count global=128 local=64
// compare: d exact
__kernel void count(__global uint* d, __global uint* out) {
  uint seen = *d;  // race
  if (get_local_id(0) == 0)
    atomic_add((volatile __global uint*)d, 2);  // race
  out[get_global_id(0)] = seen;
}
