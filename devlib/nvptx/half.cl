// Half precision (cl_khr_fp16), of which libclc's library for NVPTX has the loads and stores alone. Functions of float
// give results that, rounded once more, keep within the extension's bounds; what must be exact says why it is.
#include "nvptx.h"

// ---- Conversions. Both formats' values are floats or doubles, so that converting by way of them rounds once.
#define NARROW_FROM(from, letter, F, mode)                                                 \
  static inline ushort bits_##from##_##mode(F x) {                                         \
    ushort r;                                                                              \
    __asm__("cvt." #mode ".f16." #from " %0, %1;" : "=h"(r) : letter(x));                  \
    return r;                                                                              \
  }                                                                                        \
  static inline half narrow_##from##_##mode(F x) { return as_half(bits_##from##_##mode(x)); }
#define NARROW(mode) NARROW_FROM(f32, "f", float, mode) NARROW_FROM(f64, "d", double, mode)
NARROW(rn)
NARROW(rz)
NARROW(rm)
NARROW(rp)

// Integers of 64 bits go through a double that is rounded to odd: the last of its bits remembers what was lost.
static inline double odd_double(ulong magnitude, bool negative) {
  const int zeros = magnitude == 0 ? 0 : (int)clz(magnitude);
  const int shift = zeros < 11 ? 11 - zeros : 0;
  ulong kept = magnitude >> shift;
  kept |= (kept << shift) != magnitude;
  const double r = (double)kept * (double)(1ul << shift);
  return negative ? -r : r;
}
static inline double wide_of_long(long x) { return odd_double(x < 0 ? 0 - (ulong)x : (ulong)x, x < 0); }
static inline double wide_of_ulong(ulong x) { return odd_double(x, false); }
#define WIDE_char(x) (double)(x)
#define WIDE_uchar(x) (double)(x)
#define WIDE_short(x) (double)(x)
#define WIDE_ushort(x) (double)(x)
#define WIDE_int(x) (double)(x)
#define WIDE_uint(x) (double)(x)
#define WIDE_long(x) wide_of_long(x)
#define WIDE_ulong(x) wide_of_ulong(x)
#define WIDE_double(x) (x)

#define TO_HALF_MODE(T, suffix, mode, from)                                              \
  OVER half convert_half##suffix(T x) { return narrow_##from##_##mode(x); }              \
  CONVERT_VECTORS(convert_half, suffix, half, T)
#define TO_HALF_WIDE(T, suffix, mode)                                                    \
  OVER half convert_half##suffix(T x) { return narrow_f64_##mode(WIDE_##T(x)); }         \
  CONVERT_VECTORS(convert_half, suffix, half, T)
#define TO_HALF(T)                                                                       \
  TO_HALF_WIDE(T, , rn) TO_HALF_WIDE(T, _rte, rn) TO_HALF_WIDE(T, _rtz, rz)              \
  TO_HALF_WIDE(T, _rtn, rm) TO_HALF_WIDE(T, _rtp, rp)
TO_HALF(char)
TO_HALF(uchar)
TO_HALF(short)
TO_HALF(ushort)
TO_HALF(int)
TO_HALF(uint)
TO_HALF(long)
TO_HALF(ulong)
TO_HALF(double)
TO_HALF_MODE(float, , rn, f32)
TO_HALF_MODE(float, _rte, rn, f32)
TO_HALF_MODE(float, _rtz, rz, f32)
TO_HALF_MODE(float, _rtn, rm, f32)
TO_HALF_MODE(float, _rtp, rp, f32)

// From half: exact in float.
#define FROM_HALF_PLAIN(T, suffix)                                                       \
  OVER T convert_##T##suffix(half x) { return (T)(x); }                                  \
  CONVERT_VECTORS(convert_##T, suffix, T, half)
#define FROM_HALF_REAL(T)                                                                \
  FROM_HALF_PLAIN(T, ) FROM_HALF_PLAIN(T, _rte) FROM_HALF_PLAIN(T, _rtz)                 \
  FROM_HALF_PLAIN(T, _rtn) FROM_HALF_PLAIN(T, _rtp)
FROM_HALF_REAL(half)
FROM_HALF_REAL(float)
FROM_HALF_REAL(double)
#define FROM_HALF_MODE(T, suffix)                                                        \
  OVER T convert_##T##suffix(half x) { return convert_##T##suffix((float)x); }           \
  CONVERT_VECTORS(convert_##T, suffix, T, half)
#define FROM_HALF(T)                                                                     \
  FROM_HALF_MODE(T, ) FROM_HALF_MODE(T, _rte) FROM_HALF_MODE(T, _rtz)                    \
  FROM_HALF_MODE(T, _rtn) FROM_HALF_MODE(T, _rtp)                                        \
  FROM_HALF_MODE(T, _sat) FROM_HALF_MODE(T, _sat_rte) FROM_HALF_MODE(T, _sat_rtz)        \
  FROM_HALF_MODE(T, _sat_rtn) FROM_HALF_MODE(T, _sat_rtp)
FROM_HALF(char)
FROM_HALF(uchar)
FROM_HALF(short)
FROM_HALF(ushort)
FROM_HALF(int)
FROM_HALF(uint)
FROM_HALF(long)
FROM_HALF(ulong)

// ---- Functions of float, rounded to half.
#define BY_FLOAT1(name)                                          \
  OVER half name(half x) { return (half)name((float)x); }        \
  UNARY_VECTORS(name, half, half)
#define BY_FLOAT2(name)                                                               \
  OVER half name(half x, half y) { return (half)name((float)x, (float)y); }           \
  BINARY_VECTORS(name, half)
BY_FLOAT1(acos) BY_FLOAT1(acosh) BY_FLOAT1(acospi) BY_FLOAT1(asin) BY_FLOAT1(asinh) BY_FLOAT1(asinpi)
BY_FLOAT1(atan) BY_FLOAT1(atanh) BY_FLOAT1(atanpi) BY_FLOAT1(cbrt) BY_FLOAT1(ceil) BY_FLOAT1(cos) BY_FLOAT1(cosh)
BY_FLOAT1(cospi) BY_FLOAT1(erf) BY_FLOAT1(erfc) BY_FLOAT1(exp) BY_FLOAT1(exp2) BY_FLOAT1(exp10) BY_FLOAT1(expm1)
BY_FLOAT1(floor) BY_FLOAT1(lgamma) BY_FLOAT1(log) BY_FLOAT1(log2) BY_FLOAT1(log10) BY_FLOAT1(log1p)
BY_FLOAT1(logb) BY_FLOAT1(rint) BY_FLOAT1(round) BY_FLOAT1(rsqrt) BY_FLOAT1(sin) BY_FLOAT1(sinh) BY_FLOAT1(sinpi)
BY_FLOAT1(sqrt) BY_FLOAT1(tan) BY_FLOAT1(tanh) BY_FLOAT1(tanpi) BY_FLOAT1(tgamma) BY_FLOAT1(trunc)
BY_FLOAT1(degrees) BY_FLOAT1(radians) BY_FLOAT1(sign)
BY_FLOAT2(atan2) BY_FLOAT2(atan2pi) BY_FLOAT2(fdim) BY_FLOAT2(fmod) BY_FLOAT2(hypot) BY_FLOAT2(maxmag)
BY_FLOAT2(minmag) BY_FLOAT2(pow) BY_FLOAT2(powr) BY_FLOAT2(remainder) BY_FLOAT2(fmax) BY_FLOAT2(fmin)
BY_FLOAT2(max) BY_FLOAT2(min) BY_FLOAT2(step)

#define WITH_SCALAR2(name, n) \
  OVER half##n name(half##n x, half y) { return name(x, (half##n)y); }
#define WITH_SCALARS2(name) \
  WITH_SCALAR2(name, 2) WITH_SCALAR2(name, 3) WITH_SCALAR2(name, 4) WITH_SCALAR2(name, 8) WITH_SCALAR2(name, 16)
WITH_SCALARS2(fmax) WITH_SCALARS2(fmin) WITH_SCALARS2(max) WITH_SCALARS2(min)

OVER half fabs(half x) { return as_half((ushort)(as_ushort(x) & 0x7FFF)); }
OVER half copysign(half x, half y) {
  return as_half((ushort)((as_ushort(x) & 0x7FFF) | (as_ushort(y) & 0x8000)));
}
OVER half nan(ushort code) { return as_half((ushort)(0x7E00 | (code & 0x1FF))); }
NEXTAFTER(OVER, nextafter, half, ushort, (ushort)0x8000, 0x7C00)
UNARY_VECTORS(fabs, half, half)
UNARY_VECTORS(nan, half, ushort)
BINARY_VECTORS(copysign, half)
BINARY_VECTORS(nextafter, half)

// A product of halves and any third one that could meet a rounding's middle with it fit a double.
OVER half fma(half x, half y, half z) {
  if (reflect("__CUDA_ARCH") >= 530) {
    ushort r;
    __asm__("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(as_ushort(x)), "h"(as_ushort(y)), "h"(as_ushort(z)));
    return as_half(r);
  }
  return narrow_f64_rn((double)x * (double)y + (double)z);
}
OVER half mad(half x, half y, half z) { return fma(x, y, z); }
OVER half clamp(half x, half low, half high) { return min(max(x, low), high); }
OVER half mix(half x, half y, half a) { return (half)mix((float)x, (float)y, (float)a); }
OVER half smoothstep(half low, half high, half x) { return (half)smoothstep((float)low, (float)high, (float)x); }
TERNARY_VECTORS(fma, half)
TERNARY_VECTORS(mad, half)
TERNARY_VECTORS(clamp, half)
TERNARY_VECTORS(mix, half)
TERNARY_VECTORS(smoothstep, half)
EACH_N(COMMON_WITH_SCALARS, half)

// ---- With integers.
OVER half ldexp(half x, int n) { return (half)ldexp((float)x, n); }
OVER half pown(half x, int n) { return (half)pown((float)x, n); }
OVER half rootn(half x, int n) { return (half)rootn((float)x, n); }
OVER int ilogb(half x) { return ilogb((float)x); }
MIXED_VECTORS(ldexp, half, int)
MIXED_VECTORS(pown, half, int)
MIXED_VECTORS(rootn, half, int)
UNARY_VECTORS(ilogb, int, half)
EACH_N(LDEXP_ONE, half)

// ---- With a second result.
#define POINTER_FUNCTIONS(S)                                                                             \
  FRACT(OVER, fract, floor, S, half, ushort, (ushort)0x8000, 0x7C00, 0x3C00)                             \
  OVER half modf(half x, S half* whole) {                                                                \
    const half w = trunc(x);                                                                             \
    *whole = w;                                                                                          \
    return copysign(isinf((float)x) ? (half)0 : x - w, x);                                               \
  }                                                                                                      \
  SINCOS(half, S)                                                                                        \
  OVER half frexp(half x, S int* exponent) {                                                             \
    int e = 0;                                                                                           \
    const float r = frexp((float)x, &e);                                                                 \
    *exponent = e;                                                                                       \
    return (half)r;                                                                                      \
  }                                                                                                      \
  OVER half lgamma_r(half x, S int* sign) {                                                              \
    int s = 0;                                                                                           \
    const float r = lgamma_r((float)x, &s);                                                              \
    *sign = s;                                                                                           \
    return (half)r;                                                                                      \
  }                                                                                                      \
  OVER half remquo(half x, half y, S int* quotient) {                                                    \
    int q = 0;                                                                                           \
    const float r = remquo((float)x, (float)y, &q);                                                      \
    *quotient = q;                                                                                       \
    return (half)r;                                                                                      \
  }                                                                                                      \
  POINTER_VECTORS_IN(fract, half, half, S)                                                               \
  POINTER_VECTORS_IN(modf, half, half, S)                                                                \
  POINTER_VECTORS_IN(frexp, half, int, S)                                                                \
  POINTER_VECTORS_IN(lgamma_r, half, int, S)                                                             \
  REMQUO_VECTORS(half, S)
POINTER_FUNCTIONS(__private)
POINTER_FUNCTIONS(__local)
POINTER_FUNCTIONS(__global)

// ---- Relations: 1 for a scalar, all ones in a vector's element.
#define RELATION1_VECTOR(name, n)                                        \
  OVER short##n name(half##n x) {                                        \
    short##n r;                                                          \
    for (int i = 0; i < n; ++i) r[i] = (short)-name(x[i]);               \
    return r;                                                            \
  }
#define RELATION2_VECTOR(name, n)                                        \
  OVER short##n name(half##n x, half##n y) {                             \
    short##n r;                                                          \
    for (int i = 0; i < n; ++i) r[i] = (short)-name(x[i], y[i]);         \
    return r;                                                            \
  }
#define RELATION1(name, expression)                                      \
  OVER int name(half x) { return expression; }                           \
  RELATION1_VECTOR(name, 2) RELATION1_VECTOR(name, 3) RELATION1_VECTOR(name, 4) RELATION1_VECTOR(name, 8)  \
  RELATION1_VECTOR(name, 16)
#define RELATION2(name, expression)                                      \
  OVER int name(half x, half y) { return expression; }                   \
  RELATION2_VECTOR(name, 2) RELATION2_VECTOR(name, 3) RELATION2_VECTOR(name, 4) RELATION2_VECTOR(name, 8)  \
  RELATION2_VECTOR(name, 16)
#define MAGNITUDE(x) (as_ushort(x) & 0x7FFF)
RELATION1(isnan, MAGNITUDE(x) > 0x7C00)
RELATION1(isinf, MAGNITUDE(x) == 0x7C00)
RELATION1(isfinite, MAGNITUDE(x) < 0x7C00)
RELATION1(isnormal, MAGNITUDE(x) < 0x7C00 && MAGNITUDE(x) >= 0x400)
RELATION1(signbit, as_ushort(x) >> 15)
RELATION2(isequal, (float)x == (float)y)
RELATION2(isnotequal, (float)x != (float)y)
RELATION2(isgreater, (float)x > (float)y)
RELATION2(isgreaterequal, (float)x >= (float)y)
RELATION2(isless, (float)x < (float)y)
RELATION2(islessequal, (float)x <= (float)y)
RELATION2(islessgreater, (float)x < (float)y || (float)x > (float)y)
RELATION2(isordered, (float)x == (float)x && (float)y == (float)y)
RELATION2(isunordered, (float)x != (float)x || (float)y != (float)y)

OVER half select(half a, half b, short c) { return c != 0 ? b : a; }
OVER half select(half a, half b, ushort c) { return c != 0 ? b : a; }
OVER half bitselect(half a, half b, half c) {
  return as_half((ushort)((as_ushort(a) & ~as_ushort(c)) | (as_ushort(b) & as_ushort(c))));
}
TERNARY_VECTORS(bitselect, half)
#define SELECT_VECTOR(n, C)                                              \
  OVER half##n select(half##n a, half##n b, C##n c) {                    \
    half##n r;                                                           \
    for (int i = 0; i < n; ++i) r[i] = (short)c[i] < 0 ? b[i] : a[i];    \
    return r;                                                            \
  }
#define SELECT_VECTORS(C) \
  SELECT_VECTOR(2, C) SELECT_VECTOR(3, C) SELECT_VECTOR(4, C) SELECT_VECTOR(8, C) SELECT_VECTOR(16, C)
SELECT_VECTORS(short)
SELECT_VECTORS(ushort)

// ---- Geometry, in float.
OVER half dot(half x, half y) { return (half)((float)x * (float)y); }
OVER half length(half x) { return fabs(x); }
OVER half distance(half x, half y) { return fabs(x - y); }
OVER half normalize(half x) { return sign(x); }
#define GEOMETRY(n)                                                                                       \
  OVER half dot(half##n x, half##n y) { return (half)dot(convert_float##n(x), convert_float##n(y)); }     \
  OVER half length(half##n x) { return (half)length(convert_float##n(x)); }                               \
  OVER half distance(half##n x, half##n y) { return (half)distance(convert_float##n(x), convert_float##n(y)); }  \
  OVER half##n normalize(half##n x) { return convert_half##n(normalize(convert_float##n(x))); }
GEOMETRY(2)
GEOMETRY(3)
GEOMETRY(4)
OVER half3 cross(half3 x, half3 y) { return convert_half3(cross(convert_float3(x), convert_float3(y))); }
OVER half4 cross(half4 x, half4 y) { return convert_half4(cross(convert_float4(x), convert_float4(y))); }

// ---- vload and vstore of halves, shuffles: by their bits.
#define HALF_LOAD(n, S)                                                                             \
  OVER half##n vload##n(size_t offset, const S half* p) {                                           \
    return as_half##n(vload##n(offset, (const S ushort*)p));                                        \
  }
#define HALF_STORE(n, S)                                                                            \
  OVER void vstore##n(half##n value, size_t offset, S half* p) {                                    \
    vstore##n(as_ushort##n(value), offset, (S ushort*)p);                                           \
  }
#define HALF_LOADS(S) HALF_LOAD(2, S) HALF_LOAD(3, S) HALF_LOAD(4, S) HALF_LOAD(8, S) HALF_LOAD(16, S)
#define HALF_STORES(S) HALF_STORE(2, S) HALF_STORE(3, S) HALF_STORE(4, S) HALF_STORE(8, S) HALF_STORE(16, S)
HALF_LOADS(__global)
HALF_LOADS(__local)
HALF_LOADS(__private)
HALF_LOADS(__constant)
HALF_STORES(__global)
HALF_STORES(__local)
HALF_STORES(__private)

#define SHUFFLE(m, n)                                                                                  \
  OVER half##n shuffle(half##m x, ushort##n mask) { return as_half##n(shuffle(as_ushort##m(x), mask)); } \
  OVER half##n shuffle2(half##m x, half##m y, ushort##n mask) {                                        \
    return as_half##n(shuffle2(as_ushort##m(x), as_ushort##m(y), mask));                               \
  }
#define SHUFFLES(m) SHUFFLE(m, 2) SHUFFLE(m, 4) SHUFFLE(m, 8) SHUFFLE(m, 16)
SHUFFLES(2)
SHUFFLES(4)
SHUFFLES(8)
SHUFFLES(16)

// ---- Stores of floats and doubles with a named rounding.
#include "../half_stores.h"
HALF_STORES(float, _rte, bits_f32_rn)
HALF_STORES(float, _rtz, bits_f32_rz)
HALF_STORES(float, _rtn, bits_f32_rm)
HALF_STORES(float, _rtp, bits_f32_rp)
HALF_STORES(double, _rte, bits_f64_rn)
HALF_STORES(double, _rtz, bits_f64_rz)
HALF_STORES(double, _rtn, bits_f64_rm)
HALF_STORES(double, _rtp, bits_f64_rp)

// ---- Copies by a group.
COPIES(half, ushort)
COPIES(half2, ushort2)
COPIES(half3, ushort4)
COPIES(half4, ushort4)
COPIES(half8, ushort8)
COPIES(half16, ushort16)
