// One dimension with a group size that is no multiple of a wave, odd sizes and an offset beyond 2^32.
// arg: out buffer ulong[700] zero
// launch: kernel=ids_odd global=350 local=50 offset=5000000000
// compare: out exact
__kernel void ids_odd(__global ulong* out) {
  const ulong id = get_global_id(0);
  const ulong at = id - get_global_offset(0);
  out[2 * at] = id * 3 + get_local_id(0);
  out[2 * at + 1] = get_group_id(0) * 1000000ul + get_num_groups(0) * 1000ul + get_local_size(0);
}
