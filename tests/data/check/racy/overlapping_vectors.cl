// Vectors of four that begin two elements after one another, by different groups.
// arg: out buffer uint[256] zero
// launch: kernel=overlap global=8 local=1
// compare: out exact
__kernel void overlap(__global uint* out) {
  uint i = get_global_id(0);
  vstore4((uint4)(i, i + 100, i + 200, i + 300), 0, out + 2 * i);  // race
}
