// What libclc's library for NVPTX lacks, cannot select, or computes wrongly. Linked before libclc, whose functions it
// replaces.
#include "vectors.h"
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

// ---- Long integers to floats, with directed rounding: libclc converts back and overflows.
static inline float cvt_f_i_rm(int x) {
  float r;
  __asm__("cvt.rm.f32.s32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline float cvt_f_i_rn(int x) {
  float r;
  __asm__("cvt.rn.f32.s32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline float cvt_f_i_rp(int x) {
  float r;
  __asm__("cvt.rp.f32.s32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline float cvt_f_i_rz(int x) {
  float r;
  __asm__("cvt.rz.f32.s32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline double cvt_d_ll_rm(long x) {
  double r;
  __asm__("cvt.rm.f64.s64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline double cvt_d_ll_rn(long x) {
  double r;
  __asm__("cvt.rn.f64.s64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline double cvt_d_ll_rp(long x) {
  double r;
  __asm__("cvt.rp.f64.s64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline double cvt_d_ll_rz(long x) {
  double r;
  __asm__("cvt.rz.f64.s64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ll_rm(long x) {
  float r;
  __asm__("cvt.rm.f32.s64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ll_rn(long x) {
  float r;
  __asm__("cvt.rn.f32.s64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ll_rp(long x) {
  float r;
  __asm__("cvt.rp.f32.s64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ll_rz(long x) {
  float r;
  __asm__("cvt.rz.f32.s64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ui_rm(uint x) {
  float r;
  __asm__("cvt.rm.f32.u32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline float cvt_f_ui_rn(uint x) {
  float r;
  __asm__("cvt.rn.f32.u32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline float cvt_f_ui_rp(uint x) {
  float r;
  __asm__("cvt.rp.f32.u32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline float cvt_f_ui_rz(uint x) {
  float r;
  __asm__("cvt.rz.f32.u32 %0, %1;" : "=f"(r) : "r"(x));
  return r;
}
static inline double cvt_d_ull_rm(ulong x) {
  double r;
  __asm__("cvt.rm.f64.u64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline double cvt_d_ull_rn(ulong x) {
  double r;
  __asm__("cvt.rn.f64.u64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline double cvt_d_ull_rp(ulong x) {
  double r;
  __asm__("cvt.rp.f64.u64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline double cvt_d_ull_rz(ulong x) {
  double r;
  __asm__("cvt.rz.f64.u64 %0, %1;" : "=d"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ull_rm(ulong x) {
  float r;
  __asm__("cvt.rm.f32.u64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ull_rn(ulong x) {
  float r;
  __asm__("cvt.rn.f32.u64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ull_rp(ulong x) {
  float r;
  __asm__("cvt.rp.f32.u64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
static inline float cvt_f_ull_rz(ulong x) {
  float r;
  __asm__("cvt.rz.f32.u64 %0, %1;" : "=f"(r) : "l"(x));
  return r;
}
OVER float convert_float_rte(int x) { return cvt_f_i_rn(x); }
OVER float2 convert_float2_rte(int2 x) { return (float2)(convert_float_rte(x.x), convert_float_rte(x.y)); }
OVER float3 convert_float3_rte(int3 x) { return (float3)(convert_float_rte(x.x), convert_float_rte(x.y), convert_float_rte(x.z)); }
OVER float4 convert_float4_rte(int4 x) { return (float4)(convert_float2_rte(x.lo), convert_float2_rte(x.hi)); }
OVER float8 convert_float8_rte(int8 x) { return (float8)(convert_float4_rte(x.lo), convert_float4_rte(x.hi)); }
OVER float16 convert_float16_rte(int16 x) { return (float16)(convert_float8_rte(x.lo), convert_float8_rte(x.hi)); }
OVER float convert_float_rtz(int x) { return cvt_f_i_rz(x); }
OVER float2 convert_float2_rtz(int2 x) { return (float2)(convert_float_rtz(x.x), convert_float_rtz(x.y)); }
OVER float3 convert_float3_rtz(int3 x) { return (float3)(convert_float_rtz(x.x), convert_float_rtz(x.y), convert_float_rtz(x.z)); }
OVER float4 convert_float4_rtz(int4 x) { return (float4)(convert_float2_rtz(x.lo), convert_float2_rtz(x.hi)); }
OVER float8 convert_float8_rtz(int8 x) { return (float8)(convert_float4_rtz(x.lo), convert_float4_rtz(x.hi)); }
OVER float16 convert_float16_rtz(int16 x) { return (float16)(convert_float8_rtz(x.lo), convert_float8_rtz(x.hi)); }
OVER float convert_float_rtn(int x) { return cvt_f_i_rm(x); }
OVER float2 convert_float2_rtn(int2 x) { return (float2)(convert_float_rtn(x.x), convert_float_rtn(x.y)); }
OVER float3 convert_float3_rtn(int3 x) { return (float3)(convert_float_rtn(x.x), convert_float_rtn(x.y), convert_float_rtn(x.z)); }
OVER float4 convert_float4_rtn(int4 x) { return (float4)(convert_float2_rtn(x.lo), convert_float2_rtn(x.hi)); }
OVER float8 convert_float8_rtn(int8 x) { return (float8)(convert_float4_rtn(x.lo), convert_float4_rtn(x.hi)); }
OVER float16 convert_float16_rtn(int16 x) { return (float16)(convert_float8_rtn(x.lo), convert_float8_rtn(x.hi)); }
OVER float convert_float_rtp(int x) { return cvt_f_i_rp(x); }
OVER float2 convert_float2_rtp(int2 x) { return (float2)(convert_float_rtp(x.x), convert_float_rtp(x.y)); }
OVER float3 convert_float3_rtp(int3 x) { return (float3)(convert_float_rtp(x.x), convert_float_rtp(x.y), convert_float_rtp(x.z)); }
OVER float4 convert_float4_rtp(int4 x) { return (float4)(convert_float2_rtp(x.lo), convert_float2_rtp(x.hi)); }
OVER float8 convert_float8_rtp(int8 x) { return (float8)(convert_float4_rtp(x.lo), convert_float4_rtp(x.hi)); }
OVER float16 convert_float16_rtp(int16 x) { return (float16)(convert_float8_rtp(x.lo), convert_float8_rtp(x.hi)); }
OVER float convert_float_rte(uint x) { return cvt_f_ui_rn(x); }
OVER float2 convert_float2_rte(uint2 x) { return (float2)(convert_float_rte(x.x), convert_float_rte(x.y)); }
OVER float3 convert_float3_rte(uint3 x) { return (float3)(convert_float_rte(x.x), convert_float_rte(x.y), convert_float_rte(x.z)); }
OVER float4 convert_float4_rte(uint4 x) { return (float4)(convert_float2_rte(x.lo), convert_float2_rte(x.hi)); }
OVER float8 convert_float8_rte(uint8 x) { return (float8)(convert_float4_rte(x.lo), convert_float4_rte(x.hi)); }
OVER float16 convert_float16_rte(uint16 x) { return (float16)(convert_float8_rte(x.lo), convert_float8_rte(x.hi)); }
OVER float convert_float_rtz(uint x) { return cvt_f_ui_rz(x); }
OVER float2 convert_float2_rtz(uint2 x) { return (float2)(convert_float_rtz(x.x), convert_float_rtz(x.y)); }
OVER float3 convert_float3_rtz(uint3 x) { return (float3)(convert_float_rtz(x.x), convert_float_rtz(x.y), convert_float_rtz(x.z)); }
OVER float4 convert_float4_rtz(uint4 x) { return (float4)(convert_float2_rtz(x.lo), convert_float2_rtz(x.hi)); }
OVER float8 convert_float8_rtz(uint8 x) { return (float8)(convert_float4_rtz(x.lo), convert_float4_rtz(x.hi)); }
OVER float16 convert_float16_rtz(uint16 x) { return (float16)(convert_float8_rtz(x.lo), convert_float8_rtz(x.hi)); }
OVER float convert_float_rtn(uint x) { return cvt_f_ui_rm(x); }
OVER float2 convert_float2_rtn(uint2 x) { return (float2)(convert_float_rtn(x.x), convert_float_rtn(x.y)); }
OVER float3 convert_float3_rtn(uint3 x) { return (float3)(convert_float_rtn(x.x), convert_float_rtn(x.y), convert_float_rtn(x.z)); }
OVER float4 convert_float4_rtn(uint4 x) { return (float4)(convert_float2_rtn(x.lo), convert_float2_rtn(x.hi)); }
OVER float8 convert_float8_rtn(uint8 x) { return (float8)(convert_float4_rtn(x.lo), convert_float4_rtn(x.hi)); }
OVER float16 convert_float16_rtn(uint16 x) { return (float16)(convert_float8_rtn(x.lo), convert_float8_rtn(x.hi)); }
OVER float convert_float_rtp(uint x) { return cvt_f_ui_rp(x); }
OVER float2 convert_float2_rtp(uint2 x) { return (float2)(convert_float_rtp(x.x), convert_float_rtp(x.y)); }
OVER float3 convert_float3_rtp(uint3 x) { return (float3)(convert_float_rtp(x.x), convert_float_rtp(x.y), convert_float_rtp(x.z)); }
OVER float4 convert_float4_rtp(uint4 x) { return (float4)(convert_float2_rtp(x.lo), convert_float2_rtp(x.hi)); }
OVER float8 convert_float8_rtp(uint8 x) { return (float8)(convert_float4_rtp(x.lo), convert_float4_rtp(x.hi)); }
OVER float16 convert_float16_rtp(uint16 x) { return (float16)(convert_float8_rtp(x.lo), convert_float8_rtp(x.hi)); }
OVER float convert_float_rte(long x) { return cvt_f_ll_rn(x); }
OVER float2 convert_float2_rte(long2 x) { return (float2)(convert_float_rte(x.x), convert_float_rte(x.y)); }
OVER float3 convert_float3_rte(long3 x) { return (float3)(convert_float_rte(x.x), convert_float_rte(x.y), convert_float_rte(x.z)); }
OVER float4 convert_float4_rte(long4 x) { return (float4)(convert_float2_rte(x.lo), convert_float2_rte(x.hi)); }
OVER float8 convert_float8_rte(long8 x) { return (float8)(convert_float4_rte(x.lo), convert_float4_rte(x.hi)); }
OVER float16 convert_float16_rte(long16 x) { return (float16)(convert_float8_rte(x.lo), convert_float8_rte(x.hi)); }
OVER float convert_float_rtz(long x) { return cvt_f_ll_rz(x); }
OVER float2 convert_float2_rtz(long2 x) { return (float2)(convert_float_rtz(x.x), convert_float_rtz(x.y)); }
OVER float3 convert_float3_rtz(long3 x) { return (float3)(convert_float_rtz(x.x), convert_float_rtz(x.y), convert_float_rtz(x.z)); }
OVER float4 convert_float4_rtz(long4 x) { return (float4)(convert_float2_rtz(x.lo), convert_float2_rtz(x.hi)); }
OVER float8 convert_float8_rtz(long8 x) { return (float8)(convert_float4_rtz(x.lo), convert_float4_rtz(x.hi)); }
OVER float16 convert_float16_rtz(long16 x) { return (float16)(convert_float8_rtz(x.lo), convert_float8_rtz(x.hi)); }
OVER float convert_float_rtn(long x) { return cvt_f_ll_rm(x); }
OVER float2 convert_float2_rtn(long2 x) { return (float2)(convert_float_rtn(x.x), convert_float_rtn(x.y)); }
OVER float3 convert_float3_rtn(long3 x) { return (float3)(convert_float_rtn(x.x), convert_float_rtn(x.y), convert_float_rtn(x.z)); }
OVER float4 convert_float4_rtn(long4 x) { return (float4)(convert_float2_rtn(x.lo), convert_float2_rtn(x.hi)); }
OVER float8 convert_float8_rtn(long8 x) { return (float8)(convert_float4_rtn(x.lo), convert_float4_rtn(x.hi)); }
OVER float16 convert_float16_rtn(long16 x) { return (float16)(convert_float8_rtn(x.lo), convert_float8_rtn(x.hi)); }
OVER float convert_float_rtp(long x) { return cvt_f_ll_rp(x); }
OVER float2 convert_float2_rtp(long2 x) { return (float2)(convert_float_rtp(x.x), convert_float_rtp(x.y)); }
OVER float3 convert_float3_rtp(long3 x) { return (float3)(convert_float_rtp(x.x), convert_float_rtp(x.y), convert_float_rtp(x.z)); }
OVER float4 convert_float4_rtp(long4 x) { return (float4)(convert_float2_rtp(x.lo), convert_float2_rtp(x.hi)); }
OVER float8 convert_float8_rtp(long8 x) { return (float8)(convert_float4_rtp(x.lo), convert_float4_rtp(x.hi)); }
OVER float16 convert_float16_rtp(long16 x) { return (float16)(convert_float8_rtp(x.lo), convert_float8_rtp(x.hi)); }
OVER float convert_float_rte(ulong x) { return cvt_f_ull_rn(x); }
OVER float2 convert_float2_rte(ulong2 x) { return (float2)(convert_float_rte(x.x), convert_float_rte(x.y)); }
OVER float3 convert_float3_rte(ulong3 x) { return (float3)(convert_float_rte(x.x), convert_float_rte(x.y), convert_float_rte(x.z)); }
OVER float4 convert_float4_rte(ulong4 x) { return (float4)(convert_float2_rte(x.lo), convert_float2_rte(x.hi)); }
OVER float8 convert_float8_rte(ulong8 x) { return (float8)(convert_float4_rte(x.lo), convert_float4_rte(x.hi)); }
OVER float16 convert_float16_rte(ulong16 x) { return (float16)(convert_float8_rte(x.lo), convert_float8_rte(x.hi)); }
OVER float convert_float_rtz(ulong x) { return cvt_f_ull_rz(x); }
OVER float2 convert_float2_rtz(ulong2 x) { return (float2)(convert_float_rtz(x.x), convert_float_rtz(x.y)); }
OVER float3 convert_float3_rtz(ulong3 x) { return (float3)(convert_float_rtz(x.x), convert_float_rtz(x.y), convert_float_rtz(x.z)); }
OVER float4 convert_float4_rtz(ulong4 x) { return (float4)(convert_float2_rtz(x.lo), convert_float2_rtz(x.hi)); }
OVER float8 convert_float8_rtz(ulong8 x) { return (float8)(convert_float4_rtz(x.lo), convert_float4_rtz(x.hi)); }
OVER float16 convert_float16_rtz(ulong16 x) { return (float16)(convert_float8_rtz(x.lo), convert_float8_rtz(x.hi)); }
OVER float convert_float_rtn(ulong x) { return cvt_f_ull_rm(x); }
OVER float2 convert_float2_rtn(ulong2 x) { return (float2)(convert_float_rtn(x.x), convert_float_rtn(x.y)); }
OVER float3 convert_float3_rtn(ulong3 x) { return (float3)(convert_float_rtn(x.x), convert_float_rtn(x.y), convert_float_rtn(x.z)); }
OVER float4 convert_float4_rtn(ulong4 x) { return (float4)(convert_float2_rtn(x.lo), convert_float2_rtn(x.hi)); }
OVER float8 convert_float8_rtn(ulong8 x) { return (float8)(convert_float4_rtn(x.lo), convert_float4_rtn(x.hi)); }
OVER float16 convert_float16_rtn(ulong16 x) { return (float16)(convert_float8_rtn(x.lo), convert_float8_rtn(x.hi)); }
OVER float convert_float_rtp(ulong x) { return cvt_f_ull_rp(x); }
OVER float2 convert_float2_rtp(ulong2 x) { return (float2)(convert_float_rtp(x.x), convert_float_rtp(x.y)); }
OVER float3 convert_float3_rtp(ulong3 x) { return (float3)(convert_float_rtp(x.x), convert_float_rtp(x.y), convert_float_rtp(x.z)); }
OVER float4 convert_float4_rtp(ulong4 x) { return (float4)(convert_float2_rtp(x.lo), convert_float2_rtp(x.hi)); }
OVER float8 convert_float8_rtp(ulong8 x) { return (float8)(convert_float4_rtp(x.lo), convert_float4_rtp(x.hi)); }
OVER float16 convert_float16_rtp(ulong16 x) { return (float16)(convert_float8_rtp(x.lo), convert_float8_rtp(x.hi)); }
OVER double convert_double_rte(long x) { return cvt_d_ll_rn(x); }
OVER double2 convert_double2_rte(long2 x) { return (double2)(convert_double_rte(x.x), convert_double_rte(x.y)); }
OVER double3 convert_double3_rte(long3 x) { return (double3)(convert_double_rte(x.x), convert_double_rte(x.y), convert_double_rte(x.z)); }
OVER double4 convert_double4_rte(long4 x) { return (double4)(convert_double2_rte(x.lo), convert_double2_rte(x.hi)); }
OVER double8 convert_double8_rte(long8 x) { return (double8)(convert_double4_rte(x.lo), convert_double4_rte(x.hi)); }
OVER double16 convert_double16_rte(long16 x) { return (double16)(convert_double8_rte(x.lo), convert_double8_rte(x.hi)); }
OVER double convert_double_rtz(long x) { return cvt_d_ll_rz(x); }
OVER double2 convert_double2_rtz(long2 x) { return (double2)(convert_double_rtz(x.x), convert_double_rtz(x.y)); }
OVER double3 convert_double3_rtz(long3 x) { return (double3)(convert_double_rtz(x.x), convert_double_rtz(x.y), convert_double_rtz(x.z)); }
OVER double4 convert_double4_rtz(long4 x) { return (double4)(convert_double2_rtz(x.lo), convert_double2_rtz(x.hi)); }
OVER double8 convert_double8_rtz(long8 x) { return (double8)(convert_double4_rtz(x.lo), convert_double4_rtz(x.hi)); }
OVER double16 convert_double16_rtz(long16 x) { return (double16)(convert_double8_rtz(x.lo), convert_double8_rtz(x.hi)); }
OVER double convert_double_rtn(long x) { return cvt_d_ll_rm(x); }
OVER double2 convert_double2_rtn(long2 x) { return (double2)(convert_double_rtn(x.x), convert_double_rtn(x.y)); }
OVER double3 convert_double3_rtn(long3 x) { return (double3)(convert_double_rtn(x.x), convert_double_rtn(x.y), convert_double_rtn(x.z)); }
OVER double4 convert_double4_rtn(long4 x) { return (double4)(convert_double2_rtn(x.lo), convert_double2_rtn(x.hi)); }
OVER double8 convert_double8_rtn(long8 x) { return (double8)(convert_double4_rtn(x.lo), convert_double4_rtn(x.hi)); }
OVER double16 convert_double16_rtn(long16 x) { return (double16)(convert_double8_rtn(x.lo), convert_double8_rtn(x.hi)); }
OVER double convert_double_rtp(long x) { return cvt_d_ll_rp(x); }
OVER double2 convert_double2_rtp(long2 x) { return (double2)(convert_double_rtp(x.x), convert_double_rtp(x.y)); }
OVER double3 convert_double3_rtp(long3 x) { return (double3)(convert_double_rtp(x.x), convert_double_rtp(x.y), convert_double_rtp(x.z)); }
OVER double4 convert_double4_rtp(long4 x) { return (double4)(convert_double2_rtp(x.lo), convert_double2_rtp(x.hi)); }
OVER double8 convert_double8_rtp(long8 x) { return (double8)(convert_double4_rtp(x.lo), convert_double4_rtp(x.hi)); }
OVER double16 convert_double16_rtp(long16 x) { return (double16)(convert_double8_rtp(x.lo), convert_double8_rtp(x.hi)); }
OVER double convert_double_rte(ulong x) { return cvt_d_ull_rn(x); }
OVER double2 convert_double2_rte(ulong2 x) { return (double2)(convert_double_rte(x.x), convert_double_rte(x.y)); }
OVER double3 convert_double3_rte(ulong3 x) { return (double3)(convert_double_rte(x.x), convert_double_rte(x.y), convert_double_rte(x.z)); }
OVER double4 convert_double4_rte(ulong4 x) { return (double4)(convert_double2_rte(x.lo), convert_double2_rte(x.hi)); }
OVER double8 convert_double8_rte(ulong8 x) { return (double8)(convert_double4_rte(x.lo), convert_double4_rte(x.hi)); }
OVER double16 convert_double16_rte(ulong16 x) { return (double16)(convert_double8_rte(x.lo), convert_double8_rte(x.hi)); }
OVER double convert_double_rtz(ulong x) { return cvt_d_ull_rz(x); }
OVER double2 convert_double2_rtz(ulong2 x) { return (double2)(convert_double_rtz(x.x), convert_double_rtz(x.y)); }
OVER double3 convert_double3_rtz(ulong3 x) { return (double3)(convert_double_rtz(x.x), convert_double_rtz(x.y), convert_double_rtz(x.z)); }
OVER double4 convert_double4_rtz(ulong4 x) { return (double4)(convert_double2_rtz(x.lo), convert_double2_rtz(x.hi)); }
OVER double8 convert_double8_rtz(ulong8 x) { return (double8)(convert_double4_rtz(x.lo), convert_double4_rtz(x.hi)); }
OVER double16 convert_double16_rtz(ulong16 x) { return (double16)(convert_double8_rtz(x.lo), convert_double8_rtz(x.hi)); }
OVER double convert_double_rtn(ulong x) { return cvt_d_ull_rm(x); }
OVER double2 convert_double2_rtn(ulong2 x) { return (double2)(convert_double_rtn(x.x), convert_double_rtn(x.y)); }
OVER double3 convert_double3_rtn(ulong3 x) { return (double3)(convert_double_rtn(x.x), convert_double_rtn(x.y), convert_double_rtn(x.z)); }
OVER double4 convert_double4_rtn(ulong4 x) { return (double4)(convert_double2_rtn(x.lo), convert_double2_rtn(x.hi)); }
OVER double8 convert_double8_rtn(ulong8 x) { return (double8)(convert_double4_rtn(x.lo), convert_double4_rtn(x.hi)); }
OVER double16 convert_double16_rtn(ulong16 x) { return (double16)(convert_double8_rtn(x.lo), convert_double8_rtn(x.hi)); }
OVER double convert_double_rtp(ulong x) { return cvt_d_ull_rp(x); }
OVER double2 convert_double2_rtp(ulong2 x) { return (double2)(convert_double_rtp(x.x), convert_double_rtp(x.y)); }
OVER double3 convert_double3_rtp(ulong3 x) { return (double3)(convert_double_rtp(x.x), convert_double_rtp(x.y), convert_double_rtp(x.z)); }
OVER double4 convert_double4_rtp(ulong4 x) { return (double4)(convert_double2_rtp(x.lo), convert_double2_rtp(x.hi)); }
OVER double8 convert_double8_rtp(ulong8 x) { return (double8)(convert_double4_rtp(x.lo), convert_double4_rtp(x.hi)); }
OVER double16 convert_double16_rtp(ulong16 x) { return (double16)(convert_double8_rtp(x.lo), convert_double8_rtp(x.hi)); }

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
