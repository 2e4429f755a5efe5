// What libclc's library for NVPTX lacks, cannot select, or computes wrongly. Linked before libclc, whose functions it
// replaces.
#include "nvptx.h"
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// ---- Work-items. NVIDIA's OpenCL passes the NDRange's offset in %envreg3 to 5 and its dimensions in %envreg6;
// the offset's upper halves are in %envreg7 to 9 here.
#define ENVREG(number)                                            \
  static inline uint envreg##number(void) {                       \
    uint value;                                                   \
    __asm__("mov.b32 %0, %%envreg" #number ";" : "=r"(value)); \
    return value;                                                 \
  }
ENVREG(3)
ENVREG(4)
ENVREG(5)
ENVREG(6)
ENVREG(7)
ENVREG(8)
ENVREG(9)

OVER uint get_work_dim(void) { return envreg6(); }
OVER size_t get_global_offset(uint dimension) {
  switch (dimension) {
    case 0: return envreg3() | (size_t)envreg7() << 32;
    case 1: return envreg4() | (size_t)envreg8() << 32;
    case 2: return envreg5() | (size_t)envreg9() << 32;
    default: return 0;
  }
}
OVER size_t get_global_id(uint dimension) {
  switch (dimension) {
    case 0:
      return (size_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x() +
             get_global_offset(0);
    case 1:
      return (size_t)__nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y() +
             get_global_offset(1);
    case 2:
      return (size_t)__nvvm_read_ptx_sreg_ctaid_z() * __nvvm_read_ptx_sreg_ntid_z() + __nvvm_read_ptx_sreg_tid_z() +
             get_global_offset(2);
    default: return 0;
  }
}
#include "../since_2.h"

// ---- Generic pointers (OpenCL C 2.0, 6.13.9). clang calls these by the names of its own builtins; private pointers are
// generic ones.
#define IS_IN(space)                                                                                           \
  static inline bool is_##space(const void* p) {                                                               \
    uint is;                                                                                                   \
    __asm__("{\n\t.reg .pred p;\n\tisspacep." #space " p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(is) : "l"(p)); \
    return is;                                                                                                 \
  }
IS_IN(global)
IS_IN(shared)
IS_IN(local)
#define GENERIC_TO(name, S, space)                                                        \
  __attribute__((always_inline)) S void* __to_##name(void* p) {                           \
    ulong address;                                                                        \
    __asm__("cvta.to." #space ".u64 %0, %1;" : "=l"(address) : "l"(p));                   \
    return is_##space(p) ? (S void*)address : (S void*)0;                                 \
  }
GENERIC_TO(global, __global, global)
GENERIC_TO(local, __local, shared)
__attribute__((always_inline)) __private void* __to_private(void* p) { return is_local(p) ? p : 0; }
OVER cl_mem_fence_flags get_fence(const void* p) { return is_shared(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE; }
OVER cl_mem_fence_flags get_fence(void* p) { return get_fence((const void*)p); }

// ---- native_*: the hardware's approximations, as NVIDIA's own library makes them.
OVER float native_sin(float x) { return __nvvm_sin_approx_f(x); }
OVER float native_cos(float x) { return __nvvm_cos_approx_f(x); }
OVER float native_tan(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
OVER float native_exp2(float x) { return __nvvm_ex2_approx_f(x); }
OVER float native_exp(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
OVER float native_exp10(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
OVER float native_log2(float x) { return __nvvm_lg2_approx_f(x); }
OVER float native_log(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
OVER float native_log10(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
OVER float native_powr(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
OVER float native_recip(float x) { return __nvvm_rcp_approx_ftz_f(x); }
OVER float native_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
OVER float native_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
OVER float native_divide(float x, float y) { return __nvvm_div_approx_f(x, y); }
UNARY_VECTORS(native_sin, float, float)
UNARY_VECTORS(native_cos, float, float)
UNARY_VECTORS(native_tan, float, float)
UNARY_VECTORS(native_exp2, float, float)
UNARY_VECTORS(native_exp, float, float)
UNARY_VECTORS(native_exp10, float, float)
UNARY_VECTORS(native_log2, float, float)
UNARY_VECTORS(native_log, float, float)
UNARY_VECTORS(native_log10, float, float)
UNARY_VECTORS(native_recip, float, float)
UNARY_VECTORS(native_rsqrt, float, float)
UNARY_VECTORS(native_sqrt, float, float)
BINARY_VECTORS(native_powr, float)
BINARY_VECTORS(native_divide, float)

// ---- Integers.
// Products of 24 bits are an instruction of compute capability 1.x alone. Elsewhere NVIDIA's own library takes the product of
// 32 bits (int and int24 have one rate in published logs); what bits above 24 do is the implementation's choice.
static inline bool has_mul24(void) { return reflect("__CUDA_ARCH") <= 200; }
#define PRODUCT_24(T, type)                                                                                        \
  OVER T mul24(T x, T y) {                                                                                         \
    if (!has_mul24()) return x * y;                                                                                \
    T low;                                                                                                         \
    __asm__("mul24.lo." #type " %0, %1, %2;" : "=r"(low) : "r"(x), "r"(y));                                       \
    return low;                                                                                                    \
  }                                                                                                                \
  OVER T mad24(T x, T y, T z) {                                                                                    \
    if (!has_mul24()) return x * y + z;                                                                            \
    T low;                                                                                                         \
    __asm__("mad24.lo." #type " %0, %1, %2, %3;" : "=r"(low) : "r"(x), "r"(y), "r"(z));                           \
    return low;                                                                                                    \
  }                                                                                                                \
  BINARY_VECTORS(mul24, T)                                                                                         \
  TERNARY_VECTORS(mad24, T)
PRODUCT_24(int, s32)
PRODUCT_24(uint, u32)

#define MAD_HI_OF(T)                                                   \
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

// ---- 64-bit atomics.
#define ATOM64(S, T)                                                                                               \
  OVER T atom_add(volatile S T* p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }                     \
  OVER T atom_sub(volatile S T* p, T v) { return __atomic_fetch_add(p, -v, __ATOMIC_RELAXED); }                    \
  OVER T atom_inc(volatile S T* p) { return __atomic_fetch_add(p, (T)1, __ATOMIC_RELAXED); }                       \
  OVER T atom_dec(volatile S T* p) { return __atomic_fetch_add(p, (T)-1, __ATOMIC_RELAXED); }                      \
  OVER T atom_xchg(volatile S T* p, T v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); }                   \
  OVER T atom_cmpxchg(volatile S T* p, T c, T v) { return __sync_val_compare_and_swap(p, c, v); }                  \
  OVER T atom_min(volatile S T* p, T v) { return __atomic_fetch_min(p, v, __ATOMIC_RELAXED); }                     \
  OVER T atom_max(volatile S T* p, T v) { return __atomic_fetch_max(p, v, __ATOMIC_RELAXED); }                     \
  OVER T atom_and(volatile S T* p, T v) { return __atomic_fetch_and(p, v, __ATOMIC_RELAXED); }                     \
  OVER T atom_or(volatile S T* p, T v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }                       \
  OVER T atom_xor(volatile S T* p, T v) { return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); }
ATOM64(__global, long)
ATOM64(__global, ulong)
ATOM64(__local, long)
ATOM64(__local, ulong)

// ---- Integers to floats with directed rounding, where libclc converts back and overflows. Letters: of inline assembly.
#define ROUNDED_MODE(F, f, f_type, T, t, t_type, suffix, mode)                               \
  OVER F convert_##F##suffix(T x) {                                                          \
    F r;                                                                                     \
    __asm__("cvt." mode "." f_type "." t_type " %0, %1;" : "=" f(r) : t(x));                 \
    return r;                                                                                \
  }                                                                                          \
  CONVERT_VECTORS(convert_##F, suffix, F, T)
#define ROUNDED(...)                                                                         \
  ROUNDED_MODE(__VA_ARGS__, _rte, "rn") ROUNDED_MODE(__VA_ARGS__, _rtz, "rz")                \
  ROUNDED_MODE(__VA_ARGS__, _rtn, "rm") ROUNDED_MODE(__VA_ARGS__, _rtp, "rp")
ROUNDED(float, "f", "f32", int, "r", "s32")
ROUNDED(float, "f", "f32", uint, "r", "u32")
ROUNDED(float, "f", "f32", long, "l", "s64")
ROUNDED(float, "f", "f32", ulong, "l", "u64")
ROUNDED(double, "d", "f64", long, "l", "s64")
ROUNDED(double, "d", "f64", ulong, "l", "u64")

// ---- vload and vstore: pointers are aligned to the element only. Elements of 8 and 16 bits are read one
// by one (volatile): LLVM 19 makes one vector access of them whatever their alignment.
#define QUALIFIED(T) QUALIFIED_##T
#define QUALIFIED_char volatile
#define QUALIFIED_uchar volatile
#define QUALIFIED_short volatile
#define QUALIFIED_ushort volatile
#define QUALIFIED_int
#define QUALIFIED_uint
#define QUALIFIED_long
#define QUALIFIED_ulong
#define QUALIFIED_float
#define QUALIFIED_double
#define ELEMENTS2(p) p[0], p[1]
#define ELEMENTS4(p) ELEMENTS2(p), p[2], p[3]
#define ELEMENTS8(p) ELEMENTS4(p), p[4], p[5], p[6], p[7]
#define ELEMENTS16(p) ELEMENTS8(p), p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15]
#define VECTOR_ACCESS(T, n, S)                                                                      \
  OVER T##n vload##n(size_t offset, const S T* p) {                                                 \
    const QUALIFIED(T) S T* q = p + n * offset;                                                     \
    return (T##n)(ELEMENTS##n(q));                                                                  \
  }
#define VECTOR_LOAD3(T, S)                                                                          \
  OVER T##3 vload3(size_t offset, const S T* p) {                                                   \
    const QUALIFIED(T) S T* q = p + 3 * offset;                                                     \
    return (T##3)(q[0], q[1], q[2]);                                                                \
  }
#define VECTOR_STORE(T, n, S)                                                                       \
  OVER void vstore##n(T##n value, size_t offset, S T* p) {                                          \
    QUALIFIED(T) S T* q = p + n * offset;                                                           \
    for (int i = 0; i < n; ++i) q[i] = value[i];                                                    \
  }
#define VECTOR_STORE3(T, S)                                                                         \
  OVER void vstore3(T##3 value, size_t offset, S T* p) {                                            \
    p += 3 * offset;                                                                                \
    p[0] = value.x, p[1] = value.y, p[2] = value.z;                                                 \
  }
#define VECTOR_ACCESSES(T)                                                                                         \
  VECTOR_LOADS(T, __global) VECTOR_LOADS(T, __local) VECTOR_LOADS(T, __private) VECTOR_LOADS(T, __constant)        \
  VECTOR_STORES(T, __global) VECTOR_STORES(T, __local) VECTOR_STORES(T, __private)
#define VECTOR_LOADS(T, S)                                                                                         \
  VECTOR_ACCESS(T, 2, S) VECTOR_LOAD3(T, S) VECTOR_ACCESS(T, 4, S) VECTOR_ACCESS(T, 8, S) VECTOR_ACCESS(T, 16, S)
#define VECTOR_STORES(T, S)                                                                                        \
  VECTOR_STORE(T, 2, S) VECTOR_STORE3(T, S) VECTOR_STORE(T, 4, S) VECTOR_STORE(T, 8, S) VECTOR_STORE(T, 16, S)
VECTOR_ACCESSES(char)
VECTOR_ACCESSES(uchar)
VECTOR_ACCESSES(short)
VECTOR_ACCESSES(ushort)
VECTOR_ACCESSES(int)
VECTOR_ACCESSES(uint)
VECTOR_ACCESSES(long)
VECTOR_ACCESSES(ulong)
VECTOR_ACCESSES(float)
VECTOR_ACCESSES(double)

// ---- Saturated conversions: cvt makes other numbers than 0 of NaN, libclc leaves it to cvt.
#define SATURATED OVER
#include "../saturated.h"
SATURATED_SIGNED_TYPES(float)
SATURATED_UNSIGNED_TYPES(float)
SATURATED_SIGNED_TYPES(double)
SATURATED_UNSIGNED_TYPES(double)

// ---- Copies by a group of vectors of three, which have the size of four: libclc has none.
#define COPIES_OF_THREE(T) COPIES(T##3, T##4)
COPIES_OF_THREE(char) COPIES_OF_THREE(uchar) COPIES_OF_THREE(short) COPIES_OF_THREE(ushort)
COPIES_OF_THREE(int) COPIES_OF_THREE(uint) COPIES_OF_THREE(long) COPIES_OF_THREE(ulong)
COPIES_OF_THREE(float) COPIES_OF_THREE(double)
