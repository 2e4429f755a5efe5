// What OpenCL C 2.0 and 3.0 added and libclc lacks. Before this: OVER, the attributes of a builtin's definition.
#pragma once

OVER size_t get_global_linear_id(void) {
  const size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
               z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + x;
}
OVER size_t get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
// All groups of a launch have one size.
OVER size_t get_enqueued_local_size(uint dimension) { return get_local_size(dimension); }

// Of 0 as many as there are bits.
#define CTZ_OF(T) \
  OVER T ctz(T x) { return popcount((T)(~x & (x - (T)1))); }
#define CTZ(T) CTZ_OF(T) CTZ_OF(T##2) CTZ_OF(T##3) CTZ_OF(T##4) CTZ_OF(T##8) CTZ_OF(T##16)
CTZ(char)
CTZ(uchar)
CTZ(short)
CTZ(ushort)
CTZ(int)
CTZ(uint)
CTZ(long)
CTZ(ulong)
