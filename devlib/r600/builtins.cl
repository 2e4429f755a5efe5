// What libclc's libraries for AMD's VLIW chips lack or compute wrongly. Linked before libclc, whose functions these replace.
#define OVER __attribute__((overloadable, always_inline))
#include "../vectors.h"

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

#include "../since_2.h"

// ---- Order: a work-item's loads and stores are made in their order, by one path to each memory.
OVER void mem_fence(cl_mem_fence_flags flags) {}
OVER void read_mem_fence(cl_mem_fence_flags flags) {}
OVER void write_mem_fence(cl_mem_fence_flags flags) {}

// As OpenCL C 2.0 has it.
typedef enum memory_scope { of_work_item, of_work_group, of_device, of_all_svm_devices, of_sub_group } memory_scope;
typedef enum memory_order { relaxed, acquire = 2, release, acq_rel, seq_cst } memory_order;
OVER void work_group_barrier(cl_mem_fence_flags flags) { barrier(flags); }
OVER void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { barrier(flags); }
OVER void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {}

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

// libclc's wraps.
OVER long mad_sat(long a, long b, long c) {
  const ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
  const long high = mul_hi(a, b) + (c >> 63) + (sum < low);
  return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
OVER ulong mad_sat(ulong a, ulong b, ulong c) {
  const ulong low = a * b, sum = low + c;
  return mul_hi(a, b) != 0 || sum < low ? ULONG_MAX : sum;
}
TERNARY_VECTORS(mad_sat, long)
TERNARY_VECTORS(mad_sat, ulong)

// libclc's loses the sign of what has to be a maximum: 0 - LONG_MIN.
OVER long sub_sat(long a, long b) {
  const long difference = (long)((ulong)a - (ulong)b);
  return ((a ^ b) & (a ^ difference)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : difference;
}
BINARY_VECTORS(sub_sat, long)

// ---- Conversions to 64 bits with saturation: of NaN libclc makes other numbers than 0.
#define SATURATED OVER
#include "../saturated.h"
SATURATED_ROUNDINGS(SATURATED_SIGNED, long, float, 0x1p63f, LONG_MIN, LONG_MAX)
SATURATED_ROUNDINGS(SATURATED_UNSIGNED, ulong, float, 0x1p64f, ULONG_MAX)

// ---- vstore_half with directed rounding: by its bits. `away_sign`: the sign, in a half, of what is rounded away from 0.
#include "../half_stores.h"
static inline ushort half_bits(float x, uint away_sign) {
  const uint bits = as_uint(x), sign = bits >> 16 & 0x8000, a = bits & 0x7FFFFFFF;
  const bool away = sign == away_sign;
  if (a >= 0x38800000) {
    const uint most = a > 0x7F800000 ? 0x7E00 : away || a == 0x7F800000 ? 0x7C00 : 0x7BFF;
    return sign | min((a - 0x38000000 + (away ? 0x1FFF : 0)) >> 13, most);
  }
  // Below the least normal half a mantissa is shifted as far as the exponent says, at most out of sight. Of 0 nothing is lost.
  const uint shift = min(126 - (a >> 23), 31u);
  return sign | min(((a & 0x7FFFFF | 0x800000) + (away ? (1u << shift) - 1 : 0)) >> shift, a);
}
static inline ushort half_bits_up(float x) { return half_bits(x, 0); }
static inline ushort half_bits_down(float x) { return half_bits(x, 0x8000); }
HALF_STORES(float, _rtp, half_bits_up)
HALF_STORES(float, _rtn, half_bits_down)
// To the nearest is how the hardware converts. Of libclc's sixteen in a kernel LLVM finds no end.
#define NEAREST(name, S, n) \
  OVER void name##n##_rte(float##n x, size_t offset, S half* p) { name##n(x, offset, p); }
#define NEAREST_OF(S, n) NEAREST(vstore_half, S, n) NEAREST(vstorea_half, S, n)
#define NEAREST_IN(S)      \
  NEAREST(vstore_half, S, ) NEAREST_OF(S, 2) NEAREST_OF(S, 3) NEAREST_OF(S, 4) NEAREST_OF(S, 8) NEAREST_OF(S, 16)
NEAREST_IN(__private)
NEAREST_IN(__local)
NEAREST_IN(__global)

// ---- lgamma: of an infinity it is +infinity (C99, F.9.5.3). libclc divides by the square of a small negative number,
// which may be none.
OVER float lgamma(float x) {
  int sign;
  if (x < 0.0f && x > -0x1p-60f) return -log(-x);
  return isinf(x) ? INFINITY : lgamma_r(x, &sign);
}
UNARY_VECTORS(lgamma, float, float)
