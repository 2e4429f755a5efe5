// The functions of NVIDIA's libdevice (__nv_*), which CUDA C++ and other front ends call, over the OpenCL builtins of libclc
// and over PTX: results are within the OpenCL bounds of the builtins, which libdevice's own often undercut. Linked
// before builtins.cl. Bessel functions and the inverses of the error function are missing: PTX that calls them
// declares what nobody defines. Source of names and types: "Libdevice User's Guide".
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define NV __attribute__((always_inline))

#define UNARY(name)                                       \
  NV float __nv_##name##f(float x) { return name(x); }    \
  NV double __nv_##name(double x) { return name(x); }
#define BINARY(name)                                                    \
  NV float __nv_##name##f(float x, float y) { return name(x, y); }      \
  NV double __nv_##name(double x, double y) { return name(x, y); }
UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(cbrt)
UNARY(ceil)
UNARY(cos)
UNARY(cosh)
UNARY(cospi)
UNARY(erf)
UNARY(erfc)
UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(expm1)
UNARY(fabs)
UNARY(floor)
UNARY(lgamma)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
UNARY(logb)
UNARY(rint)
UNARY(round)
UNARY(sin)
UNARY(sinh)
UNARY(sinpi)
UNARY(tan)
UNARY(tanh)
UNARY(tgamma)
UNARY(trunc)
BINARY(atan2)
BINARY(copysign)
BINARY(fdim)
BINARY(fmax)
BINARY(fmin)
BINARY(fmod)
BINARY(hypot)
BINARY(nextafter)
BINARY(pow)
BINARY(remainder)
NV float __nv_nearbyintf(float x) { return rint(x); }
NV double __nv_nearbyint(double x) { return rint(x); }
NV float __nv_fmaf(float x, float y, float z) { return fma(x, y, z); }
NV double __nv_fma(double x, double y, double z) { return fma(x, y, z); }
NV float __nv_ldexpf(float x, int n) { return ldexp(x, n); }
NV double __nv_ldexp(double x, int n) { return ldexp(x, n); }
NV float __nv_scalbnf(float x, int n) { return ldexp(x, n); }
NV double __nv_scalbn(double x, int n) { return ldexp(x, n); }
NV float __nv_powif(float x, int n) { return pown(x, n); }
NV double __nv_powi(double x, int n) { return pown(x, n); }
NV int __nv_ilogbf(float x) { return ilogb(x); }
NV int __nv_ilogb(double x) { return ilogb(x); }
NV float __nv_frexpf(float x, int* e) { return frexp(x, (__private int*)e); }
NV double __nv_frexp(double x, int* e) { return frexp(x, (__private int*)e); }
NV float __nv_modff(float x, float* whole) { return modf(x, (__private float*)whole); }
NV double __nv_modf(double x, double* whole) { return modf(x, (__private double*)whole); }
NV float __nv_remquof(float x, float y, int* q) { return remquo(x, y, (__private int*)q); }
NV double __nv_remquo(double x, double y, int* q) { return remquo(x, y, (__private int*)q); }
NV float __nv_rcbrtf(float x) { return 1.0f / cbrt(x); }
NV double __nv_rcbrt(double x) { return 1.0 / cbrt(x); }
NV float __nv_rhypotf(float x, float y) { return 1.0f / hypot(x, y); }
NV double __nv_rhypot(double x, double y) { return 1.0 / hypot(x, y); }
NV float __nv_norm3df(float x, float y, float z) { return hypot(hypot(x, y), z); }
NV double __nv_norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
NV float __nv_norm4df(float x, float y, float z, float w) { return hypot(hypot(x, y), hypot(z, w)); }
NV double __nv_norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
NV float __nv_rnorm3df(float x, float y, float z) { return 1.0f / hypot(hypot(x, y), z); }
NV double __nv_rnorm3d(double x, double y, double z) { return 1.0 / hypot(hypot(x, y), z); }
NV float __nv_rnorm4df(float x, float y, float z, float w) { return 1.0f / hypot(hypot(x, y), hypot(z, w)); }
NV double __nv_rnorm4d(double x, double y, double z, double w) { return 1.0 / hypot(hypot(x, y), hypot(z, w)); }
NV float __nv_normcdff(float x) { return 0.5f * erfc(x * -0x1.6a09e6p-1f); }
NV double __nv_normcdf(double x) { return 0.5 * erfc(x * -0x1.6a09e667f3bcdp-1); }
NV void __nv_sincosf(float x, float* s, float* c) { *s = sin(x), *c = cos(x); }
NV void __nv_sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
NV void __nv_sincospif(float x, float* s, float* c) { *s = sinpi(x), *c = cospi(x); }
NV void __nv_sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
NV long __nv_llrintf(float x) { return convert_long_rte(x); }
NV long __nv_llrint(double x) { return convert_long_rte(x); }
NV long __nv_llroundf(float x) { return (long)round(x); }
NV long __nv_llround(double x) { return (long)round(x); }
NV float __nv_nanf(const char* text) { return NAN; }
NV double __nv_nan(const char* text) { return (double)NAN; }
NV int __nv_finitef(float x) { return isfinite(x); }
NV int __nv_isfinited(double x) { return isfinite(x); }
NV int __nv_isinff(float x) { return isinf(x); }
NV int __nv_isinfd(double x) { return isinf(x); }
NV int __nv_isnanf(float x) { return isnan(x); }
NV int __nv_isnand(double x) { return isnan(x); }
NV int __nv_signbitf(float x) { return signbit(x); }
NV int __nv_signbitd(double x) { return signbit(x); }
NV float __nv_saturatef(float x) { return x > 0.0f ? fmin(x, 1.0f) : 0.0f; }

// ---- Of one PTX instruction.
#define PTX_1(name, R, r, T, t, operation)                    \
  NV R __nv_##name(T x) {                                     \
    R result;                                                 \
    __asm__(operation " %0, %1;" : "=" r(result) : t(x));     \
    return result;                                            \
  }
#define PTX_2(name, T, t, operation)                                       \
  NV T __nv_##name(T x, T y) {                                             \
    T result;                                                              \
    __asm__(operation " %0, %1, %2;" : "=" t(result) : t(x), t(y));        \
    return result;                                                         \
  }
#define PTX_3(name, T, t, operation)                                       \
  NV T __nv_##name(T x, T y, T z) {                                        \
    T result;                                                              \
    __asm__(operation " %0, %1, %2, %3;" : "=" t(result) : t(x), t(y), t(z)); \
    return result;                                                         \
  }
PTX_1(sqrtf, float, "f", float, "f", "sqrt.rn.f32")
PTX_1(sqrt, double, "d", double, "d", "sqrt.rn.f64")
PTX_1(rsqrtf, float, "f", float, "f", "rsqrt.approx.f32")
PTX_1(frsqrt_rn, float, "f", float, "f", "rsqrt.approx.f32")
NV double __nv_rsqrt(double x) { return rsqrt(x); }

// Rounded to nearest even (n), towards zero (z), up (u; PTX: p) and down (d; PTX: m).
#define ROUNDED(mode, ptx)                                                    \
  PTX_1(frcp_r##mode, float, "f", float, "f", "rcp.r" ptx ".f32")             \
  PTX_1(drcp_r##mode, double, "d", double, "d", "rcp.r" ptx ".f64")           \
  PTX_1(fsqrt_r##mode, float, "f", float, "f", "sqrt.r" ptx ".f32")           \
  PTX_1(dsqrt_r##mode, double, "d", double, "d", "sqrt.r" ptx ".f64")         \
  PTX_2(fadd_r##mode, float, "f", "add.r" ptx ".f32")                         \
  PTX_2(dadd_r##mode, double, "d", "add.r" ptx ".f64")                        \
  PTX_2(fsub_r##mode, float, "f", "sub.r" ptx ".f32")                         \
  PTX_2(dsub_r##mode, double, "d", "sub.r" ptx ".f64")                        \
  PTX_2(fmul_r##mode, float, "f", "mul.r" ptx ".f32")                         \
  PTX_2(dmul_r##mode, double, "d", "mul.r" ptx ".f64")                        \
  PTX_2(fdiv_r##mode, float, "f", "div.r" ptx ".f32")                         \
  PTX_2(ddiv_r##mode, double, "d", "div.r" ptx ".f64")                        \
  PTX_3(fmaf_r##mode, float, "f", "fma.r" ptx ".f32")                         \
  PTX_3(fmaf_ieee_r##mode, float, "f", "fma.r" ptx ".f32")                    \
  PTX_3(fma_r##mode, double, "d", "fma.r" ptx ".f64")                         \
  PTX_1(double2float_r##mode, float, "f", double, "d", "cvt.r" ptx ".f32.f64") \
  PTX_1(float2int_r##mode, int, "r", float, "f", "cvt.r" ptx "i.s32.f32")     \
  PTX_1(float2uint_r##mode, uint, "r", float, "f", "cvt.r" ptx "i.u32.f32")   \
  PTX_1(float2ll_r##mode, long, "l", float, "f", "cvt.r" ptx "i.s64.f32")     \
  PTX_1(float2ull_r##mode, ulong, "l", float, "f", "cvt.r" ptx "i.u64.f32")   \
  PTX_1(double2int_r##mode, int, "r", double, "d", "cvt.r" ptx "i.s32.f64")   \
  PTX_1(double2uint_r##mode, uint, "r", double, "d", "cvt.r" ptx "i.u32.f64") \
  PTX_1(double2ll_r##mode, long, "l", double, "d", "cvt.r" ptx "i.s64.f64")   \
  PTX_1(double2ull_r##mode, ulong, "l", double, "d", "cvt.r" ptx "i.u64.f64") \
  PTX_1(int2float_r##mode, float, "f", int, "r", "cvt.r" ptx ".f32.s32")      \
  PTX_1(uint2float_r##mode, float, "f", uint, "r", "cvt.r" ptx ".f32.u32")    \
  PTX_1(ll2float_r##mode, float, "f", long, "l", "cvt.r" ptx ".f32.s64")      \
  PTX_1(ull2float_r##mode, float, "f", ulong, "l", "cvt.r" ptx ".f32.u64")    \
  PTX_1(ll2double_r##mode, double, "d", long, "l", "cvt.r" ptx ".f64.s64")    \
  PTX_1(ull2double_r##mode, double, "d", ulong, "l", "cvt.r" ptx ".f64.u64")
ROUNDED(n, "n")
ROUNDED(z, "z")
ROUNDED(u, "p")
ROUNDED(d, "m")
NV double __nv_int2double_rn(int x) { return x; }
NV double __nv_uint2double_rn(uint x) { return x; }

// ---- The hardware's approximations.
NV float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
NV float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
NV float __nv_fast_tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
NV void __nv_fast_sincosf(float x, float* s, float* c) { *s = __nvvm_sin_approx_f(x), *c = __nvvm_cos_approx_f(x); }
NV float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
NV float __nv_fast_exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
NV float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
NV float __nv_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
NV float __nv_fast_log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
NV float __nv_fast_powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
NV float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }

// ---- Integers and bits.
NV int __nv_abs(int x) { return (int)abs(x); }
NV long __nv_llabs(long x) { return (long)abs(x); }
NV int __nv_min(int x, int y) { return min(x, y); }
NV int __nv_max(int x, int y) { return max(x, y); }
NV uint __nv_umin(uint x, uint y) { return min(x, y); }
NV uint __nv_umax(uint x, uint y) { return max(x, y); }
NV long __nv_llmin(long x, long y) { return min(x, y); }
NV long __nv_llmax(long x, long y) { return max(x, y); }
NV ulong __nv_ullmin(ulong x, ulong y) { return min(x, y); }
NV ulong __nv_ullmax(ulong x, ulong y) { return max(x, y); }
NV int __nv_mulhi(int x, int y) { return mul_hi(x, y); }
NV uint __nv_umulhi(uint x, uint y) { return mul_hi(x, y); }
NV long __nv_mul64hi(long x, long y) { return mul_hi(x, y); }
NV ulong __nv_umul64hi(ulong x, ulong y) { return mul_hi(x, y); }
NV int __nv_mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
NV uint __nv_umul24(uint x, uint y) { return (x & 0xFFFFFF) * (y & 0xFFFFFF); }
NV int __nv_hadd(int x, int y) { return hadd(x, y); }
NV int __nv_rhadd(int x, int y) { return rhadd(x, y); }
NV uint __nv_uhadd(uint x, uint y) { return hadd(x, y); }
NV uint __nv_urhadd(uint x, uint y) { return rhadd(x, y); }
NV int __nv_sad(int x, int y, int z) { return (int)(abs_diff(x, y) + (uint)z); }
NV uint __nv_usad(uint x, uint y, uint z) { return abs_diff(x, y) + z; }
NV int __nv_clz(int x) { return clz(x); }
NV int __nv_clzll(long x) { return (int)clz(x); }
NV int __nv_popc(uint x) { return (int)popcount(x); }
NV int __nv_popcll(ulong x) { return (int)popcount(x); }
NV int __nv_ffs(int x) { return x == 0 ? 0 : 32 - clz(x & -x); }
NV int __nv_ffsll(long x) { return x == 0 ? 0 : 64 - (int)clz(x & -x); }
PTX_1(brev, uint, "r", uint, "r", "brev.b32")
PTX_1(brevll, ulong, "l", ulong, "l", "brev.b64")
PTX_3(byte_perm, uint, "r", "prmt.b32")
NV int __nv_float_as_int(float x) { return as_int(x); }
NV uint __nv_float_as_uint(float x) { return as_uint(x); }
NV float __nv_int_as_float(int x) { return as_float(x); }
NV float __nv_uint_as_float(uint x) { return as_float(x); }
NV long __nv_double_as_longlong(double x) { return as_long(x); }
NV double __nv_longlong_as_double(long x) { return as_double(x); }
NV int __nv_double2hiint(double x) { return (int)(as_long(x) >> 32); }
NV int __nv_double2loint(double x) { return (int)as_long(x); }
NV double __nv_hiloint2double(int high, int low) { return as_double((ulong)(uint)high << 32 | (uint)low); }
NV ushort __nv_float2half_rn(float x) { return as_ushort((half)x); }
NV float __nv_half2float(ushort x) { return as_half(x); }
