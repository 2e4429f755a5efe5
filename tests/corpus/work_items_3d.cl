// Work-item functions in three dimensions, with offsets, in a second launch with another shape.
// arg: out buffer uint[3072] zero
// arg: more buffer uint[1024] zero
// launch: kernel=ids_3d global=8,6,4 local=4,3,2 offset=3,100,7 args=out
// launch: kernel=ids_2d global=16,8 local=8,2 offset=0,5 args=more
// compare: out exact
// compare: more exact
__kernel void ids_3d(__global uint* out) {
  const uint x = get_global_id(0) - get_global_offset(0);
  const uint y = get_global_id(1) - get_global_offset(1);
  const uint z = get_global_id(2) - get_global_offset(2);
  const uint flat = (z * 6 + y) * 8 + x;
  __global uint* o = out + flat * 16;
  for (uint d = 0; d < 3; ++d) {
    o[d] = get_global_id(d);
    o[3 + d] = get_local_id(d) + 100 * get_local_size(d);
    o[6 + d] = get_group_id(d) + 100 * get_num_groups(d);
    o[9 + d] = get_global_size(d);
    o[12 + d] = get_global_offset(d);
  }
  // Sizes of dimensions that there are not are in work_items_beyond: PoCL gives 0 where the specification says 1.
  o[15] = get_work_dim() + (uint)get_global_id(3);
}
__kernel void ids_2d(__global uint* more) {
  const uint flat = (get_global_id(1) - get_global_offset(1)) * 16 + get_global_id(0);
  __global uint* o = more + flat * 8;
  o[0] = get_global_id(0) * 1000 + get_global_id(1);
  o[1] = get_local_id(0) * 1000 + get_local_id(1);
  o[2] = get_group_id(0) * 1000 + get_group_id(1);
  o[3] = get_num_groups(0) * 1000 + get_num_groups(1);
  o[4] = get_work_dim();
  o[5] = get_global_id(2) + get_global_size(2) * 10 + get_local_size(2) * 100 + get_num_groups(2) * 1000;
  o[6] = get_global_offset(1);
  o[7] = get_local_id(2) + get_group_id(2);
}
