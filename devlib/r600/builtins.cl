// What libclc's libraries for AMD's VLIW chips lack or compute wrongly. Linked before libclc, whose functions these replace.
#define OVER __attribute__((overloadable, always_inline))

// ---- Work-items of dimensions that there are not: libclc gives 1 for all of them.
OVER uint get_group_id(uint dimension) {
  switch (dimension) {
    case 0: return __builtin_r600_read_tgid_x();
    case 1: return __builtin_r600_read_tgid_y();
    case 2: return __builtin_r600_read_tgid_z();
    default: return 0;
  }
}
OVER uint get_local_id(uint dimension) {
  switch (dimension) {
    case 0: return __builtin_r600_read_tidig_x();
    case 1: return __builtin_r600_read_tidig_y();
    case 2: return __builtin_r600_read_tidig_z();
    default: return 0;
  }
}
OVER uint get_global_id(uint dimension) {
  return dimension > 2 ? 0
                       : get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension) +
                             get_global_offset(dimension);
}

// ---- Order: a work-item's loads and stores are made in their order, by one path to each memory.
OVER void mem_fence(cl_mem_fence_flags flags) {}
OVER void read_mem_fence(cl_mem_fence_flags flags) {}
OVER void write_mem_fence(cl_mem_fence_flags flags) {}

// clang names this one by a pointer to no address space, libclc's has one to private memory. The copies themselves are done
// by the group's work-items.
void wait_for_group_events(int count, __attribute__((address_space(0))) void *events)
    __asm__("_Z17wait_group_eventsiPU3AS09ocl_event");
__attribute__((always_inline)) void wait_for_group_events(int count, __attribute__((address_space(0))) void *events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// ---- Integers.
#define MAD_HI_OF(T) \
  OVER T mad_hi(T a, T b, T c) { return (T)(mul_hi(a, b) + c); }
#define MAD_HI(T) \
  MAD_HI_OF(T) MAD_HI_OF(T##2) MAD_HI_OF(T##3) MAD_HI_OF(T##4) MAD_HI_OF(T##8) MAD_HI_OF(T##16)
MAD_HI(char)
MAD_HI(uchar)
MAD_HI(short)
MAD_HI(ushort)
MAD_HI(int)
MAD_HI(uint)
MAD_HI(long)
MAD_HI(ulong)

// libclc's wraps; its vectors call these.
OVER long mad_sat(long a, long b, long c) {
  const ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
  const long high = mul_hi(a, b) + (c >> 63) + (sum < low);
  return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
OVER ulong mad_sat(ulong a, ulong b, ulong c) {
  const ulong low = a * b, sum = low + c;
  return mul_hi(a, b) != 0 || sum < low ? ULONG_MAX : sum;
}

// libclc's loses the sign of what has to be a maximum: 0 - LONG_MIN.
OVER long sub_sat(long a, long b) {
  const long difference = (long)((ulong)a - (ulong)b);
  return ((a ^ b) & (a ^ difference)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : difference;
}
