// Work-item functions asked for dimensions that there are not: sizes and counts are 1, ids and offsets 0 (OpenCL 1.2,
// 6.12.1). A reference is the witness, and only AMD's machine code is asked: PoCL gives 0 for the sizes.
// arg: out buffer uint[512] zero
// launch: kernel=beyond global=16,4 local=8,2 offset=5,9
// compare: out exact
// witness: reference
// needs: amdgcn
__kernel void beyond(__global uint* out) {
  const uint item = (get_global_id(1) - 9) * 16 + get_global_id(0) - 5;
  const uint dimension = item % 8 + 3;  // known at run time only
  __global uint* o = out + item * 8;
  o[0] = get_global_size(dimension);
  o[1] = get_local_size(dimension);
  o[2] = get_num_groups(3);
  o[3] = get_local_size(5);
  o[4] = get_global_id(dimension) + get_local_id(dimension);
  o[5] = get_group_id(dimension) + get_global_offset(dimension);
  o[6] = get_num_groups(dimension);
  o[7] = get_global_size(2) * 10 + get_local_size(2) * 100 + get_num_groups(2) * 1000 + get_group_id(2);
}
