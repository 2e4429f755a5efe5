// What OpenCL C 2.0 added for work-items and integers: linear numbers, the group's size as enqueued, ctz.
// arg: a buffer uint[256] special(seed=571)
// arg: ids buffer uint[1280] zero
// arg: zeros buffer int[768] zero
// launch: kernel=work_items_linear global=16,8,2 local=8,2,2 offset=16,3,1
// compare: ids exact
// compare: zeros exact
// options: -cl-std=CL3.0
__kernel void work_items_linear(__global const uint* a, __global uint* ids, __global int* zeros) {
  const int i = get_global_linear_id();
  ids[i] = get_global_id(0) + get_global_id(1) * 100 + get_global_id(2) * 10000;
  ids[i + 256] = get_local_linear_id();
  for (int d = 0; d < 3; ++d) ids[i + 512 + 256 * d] = get_enqueued_local_size(d);
  zeros[i] = ctz(a[i]) + 100 * ctz((uchar)a[i]) + 10000 * ctz((short)a[i]);
  const ulong2 wide = ctz((ulong2)((ulong)a[i] << 20, a[i] & 0xF0));
  zeros[i + 256] = (int)(wide.x * 100 + wide.y);
  const char4 narrow = ctz(as_char4(a[i]));
  zeros[i + 512] = narrow.x + narrow.y * 9 + narrow.z * 81 + narrow.w * 729;
}
