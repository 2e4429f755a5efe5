// Two waves' atomics come before a store of a third that no barrier orders behind them.
// arg: out buffer uint[2] zero
// launch: kernel=mixed global=256 local=256
// compare: out exact
__kernel void mixed(__global uint* out) {
  __local uint n;
  uint l = get_local_id(0);
  if (l == 0) n = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 192)
    atomic_inc(&n);  // race
  if (l == 200)
    n = 7;  // race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) out[0] = n;
}
