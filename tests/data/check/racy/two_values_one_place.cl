// Two neighbours of one wave store to one place in one instruction.
// arg: out buffer uint[64] zero
// launch: kernel=halve global=64 local=64
// compare: out exact
__kernel void halve(__global uint* out) {
  uint i = get_global_id(0);
  out[i / 2] = i;  // race
}
