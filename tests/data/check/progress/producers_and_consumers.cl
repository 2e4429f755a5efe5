// Odd groups take what even groups put into a slot, ten items each.
// arg: slot buffer uint[8] zero
// arg: out buffer uint[80] zero
// launch: kernel=pass global=16 local=1
// compare: out exact
__kernel void pass(volatile __global uint* slot, __global uint* out) {
  uint g = get_group_id(0), pair = g / 2;
  for (uint k = 1; k <= 10; ++k) {
    if ((g & 1) == 0) {
      while (atomic_cmpxchg(slot + pair, 0, pair * 100 + k) != 0)
        ;
    } else {
      uint item;
      while ((item = atomic_xchg(slot + pair, 0)) == 0)
        ;
      out[pair * 10 + k - 1] = item;
    }
  }
}
