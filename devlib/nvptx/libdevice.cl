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
UNARY(acos) UNARY(acosh) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt) UNARY(ceil) UNARY(cos)
UNARY(cosh) UNARY(cospi) UNARY(erf) UNARY(erfc) UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(expm1) UNARY(fabs)
UNARY(floor) UNARY(lgamma) UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(logb) UNARY(rint) UNARY(round)
UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(tan) UNARY(tanh) UNARY(tgamma) UNARY(trunc)
BINARY(atan2) BINARY(copysign) BINARY(fdim) BINARY(fmax) BINARY(fmin) BINARY(fmod) BINARY(hypot) BINARY(nextafter)
BINARY(pow) BINARY(remainder)
// The same of both, but for the f at the float one's end.
#define BOTH(T, f)                                                                                                   \
  NV T __nv_nearbyint##f(T x) { return rint(x); }                                                                    \
  NV T __nv_fma##f(T x, T y, T z) { return fma(x, y, z); }                                                           \
  NV T __nv_ldexp##f(T x, int n) { return ldexp(x, n); }                                                             \
  NV T __nv_scalbn##f(T x, int n) { return ldexp(x, n); }                                                            \
  NV T __nv_powi##f(T x, int n) { return pown(x, n); }                                                               \
  NV int __nv_ilogb##f(T x) { return ilogb(x); }                                                                     \
  NV T __nv_frexp##f(T x, int* e) { return frexp(x, (__private int*)e); }                                            \
  NV T __nv_modf##f(T x, T* whole) { return modf(x, (__private T*)whole); }                                          \
  NV T __nv_remquo##f(T x, T y, int* q) { return remquo(x, y, (__private int*)q); }                                  \
  NV T __nv_rcbrt##f(T x) { return 1 / cbrt(x); }                                                                    \
  NV T __nv_rhypot##f(T x, T y) { return 1 / hypot(x, y); }                                                          \
  NV T __nv_norm3d##f(T x, T y, T z) { return hypot(hypot(x, y), z); }                                               \
  NV T __nv_norm4d##f(T x, T y, T z, T w) { return hypot(hypot(x, y), hypot(z, w)); }                                \
  NV T __nv_rnorm3d##f(T x, T y, T z) { return 1 / hypot(hypot(x, y), z); }                                          \
  NV T __nv_rnorm4d##f(T x, T y, T z, T w) { return 1 / hypot(hypot(x, y), hypot(z, w)); }                           \
  NV void __nv_sincos##f(T x, T* s, T* c) { *s = sin(x), *c = cos(x); }                                              \
  NV void __nv_sincospi##f(T x, T* s, T* c) { *s = sinpi(x), *c = cospi(x); }                                        \
  NV long __nv_llrint##f(T x) { return convert_long_rte(x); }                                                        \
  NV long __nv_llround##f(T x) { return (long)round(x); }                                                            \
  NV T __nv_nan##f(const char* text) { return (T)NAN; }
BOTH(float, f)
BOTH(double, )
#define CLASSES(T, f, finite)                                         \
  NV int __nv_##finite(T x) { return isfinite(x); }                   \
  NV int __nv_isinf##f(T x) { return isinf(x); }                      \
  NV int __nv_isnan##f(T x) { return isnan(x); }                      \
  NV int __nv_signbit##f(T x) { return signbit(x); }
CLASSES(float, f, finitef)
CLASSES(double, d, isfinited)
// The normal distribution is half of erfc(-x / sqrt(2)). The argument is taken in two parts, the second by the function's
// derivative, -2 / sqrt(pi) exp(-z^2): where erfc falls steeply its argument's rounding is many units of the result's.
// Beyond `most` results are 0 and 1.
#define NORMCDF(T, name, most, root, root_low)                                                \
  NV T name(T x) {                                                                            \
    const T t = x > most ? most : x < -most ? -most : x;                                      \
    const T high = t * -root, low = fma(t, -root_low, fma(t, -root, -high));                  \
    return (T)0.5 * fma((T)-0x1.20dd750429b6dp+0 * exp(-high * high), low, erfc(high));       \
  }
NORMCDF(float, __nv_normcdff_away, 15.0f, 0x1.6a09e6p-1f, 0x1.9fcef4p-27f)
NORMCDF(double, __nv_normcdf, 40.0, 0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55)
// About 0, where the float erfc has its largest errors: 1/2 and the integral of the density's power series.
NV float __nv_normcdff(float x) {
  const float square = x * x;
  float slope = -9.4446564e-6f;
  slope = fma(slope, square, 1.1543469e-4f);
  slope = fma(slope, square, -1.1873282e-3f);
  slope = fma(slope, square, 9.9735570e-3f);
  slope = fma(slope, square, -6.6490380e-2f);
  slope = fma(slope, square, 0.39894228f);
  return fabs(x) < 0.5f ? fma(slope, x, 0.5f) : __nv_normcdff_away(x);
}
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
PTX_1(rsqrt_approx, float, "f", float, "f", "rsqrt.approx.f32")
// Correctly rounded: y + y (e/2 + 3/8 e^2), where e = 1 - x y^2 is computed from the exact product x y, and once more, since
// some roots lie close between two floats. Of all mantissas of two exponents, which stand for all, and approximations up to
// 4 units away each is the exact root's nearest float (tests/unit/isa/nv/reciprocal_root_test.cpp).
NV float __nv_better_rsqrt(float x, float y) {
  const float root = x * y, rest = fma(x, y, -root);
  const float e = fma(-rest, y, fma(-root, y, 1.0f));
  return fma(y, fma(e * 0.375f, e, 0.5f * e), y);
}
NV float __nv_frsqrt_rn(float x) {
  const bool subnormal = x < 0x1p-126f;
  const float scaled = subnormal ? x * 0x1p24f : x;
  const float y = __nv_rsqrt_approx(scaled);
  if (!(x > 0.0f && x < INFINITY)) return y;
  const float result = __nv_better_rsqrt(scaled, __nv_better_rsqrt(scaled, y));
  return subnormal ? result * 0x1p12f : result;
}
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
#define FAST(name) NV float __nv_fast_##name##f(float x) { return native_##name(x); }
FAST(sin) FAST(cos) FAST(tan) FAST(exp) FAST(exp10) FAST(log2) FAST(log) FAST(log10)
NV void __nv_fast_sincosf(float x, float* s, float* c) { *s = native_sin(x), *c = native_cos(x); }
NV float __nv_fast_powf(float x, float y) { return native_powr(x, y); }
NV float __nv_fast_fdividef(float x, float y) { return native_divide(x, y); }

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
// The bits that ask prmt to replicate signs are unused here: NVIDIA's compiler clears them, too.
PTX_3(permute, uint, "r", "prmt.b32")
NV uint __nv_byte_perm(uint x, uint y, uint select) { return __nv_permute(x, y, select & 0x7777); }
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
