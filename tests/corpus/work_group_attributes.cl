// Kernels with a required group size and with a hint, of one work-item, and of 256 in three dimensions.
// arg: out buffer int[512] zero
// launch: kernel=required global=64,4 local=16,4
// launch: kernel=single global=3 local=1
// launch: kernel=cube global=16,4,4 local=16,4,4
// compare: out exact
__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void required(__global int* out) {
  const int flat = get_global_id(1) * 64 + get_global_id(0);
  out[flat] += get_local_size(0) * 10 + get_local_size(1) + flat;
}
__kernel __attribute__((work_group_size_hint(1, 1, 1))) void single(__global int* out) {
  out[300 + get_global_id(0)] = 7 * get_group_id(0) + 1;
}
__kernel __attribute__((vec_type_hint(float4))) void cube(__global int* out) {
  const int l = (get_local_id(2) * 4 + get_local_id(1)) * 16 + get_local_id(0);
  out[256 + l] += l * l;
}
