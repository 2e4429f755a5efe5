// A group reads the total of the group before it, which nothing has waited for.
// arg: in buffer uint[256] ramp(1,1)
// arg: totals buffer uint[8] zero
// arg: out buffer uint[8] zero
// launch: kernel=scan global=256 local=64
// compare: out exact
__kernel void scan(__global const uint* in, __global uint* totals, __global uint* out) {
  uint g = get_group_id(0);
  if (get_local_id(0) != 0) return;
  uint sum = 0;
  for (uint k = 0; k < 64; ++k) sum += in[g * 64 + k];
  totals[g + 1] = sum;  // race
  out[g] = totals[g] + sum;  // race
}
