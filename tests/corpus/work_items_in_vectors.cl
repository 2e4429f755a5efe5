// Numbers of work-items and groups as elements of vectors, and as what atomics return.
// arg: out buffer uint4[64] zero
// arg: pairs buffer uint[128] zero
// arg: order buffer uint[64] fill(7)
// launch: kernel=ids global=64 local=16
// compare: out exact
// compare: pairs exact
// compare: order exact
__kernel void ids(__global uint4* out, __global uint* pairs, __global uint* order) {
  const uint i = get_global_id(0);
  out[i] = (uint4)(get_local_id(0), 5, get_group_id(0), get_num_groups(0));
  pairs[2 * i] = get_local_id(0);
  pairs[2 * i + 1] = get_group_id(0);
  order[i] = atomic_xchg(&order[i], get_local_id(0)) + get_local_id(0);
}
