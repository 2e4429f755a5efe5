// Work from a shared queue, results at places of their own.
// arg: next buffer uint[1] zero
// arg: out buffer uint[512] zero
// launch: kernel=work global=64 local=16
// compare: out exact
__kernel void work(volatile __global uint* next, __global uint* out) {
  for (uint k = atomic_inc(next); k < 512; k = atomic_inc(next)) out[k] = k * k + 1;
}
