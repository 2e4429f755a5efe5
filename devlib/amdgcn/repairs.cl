// Builtins that rocm-device-libs 5.2, compiled by LLVM 19, computes wrongly. Linked before each of its modules, so
// these definitions win. Names are the device library's own: __ocml_* of its math module, overloads of its OpenCL
// module.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define OVER __attribute__((overloadable, const))
#define PLAIN __attribute__((const))
#define ORIGINAL(function, suffix) __ocml_##function##_##suffix
#include "../vectors.h"
#include "../repairs.h"

// The library multiplies by 1 / (2 pi) for v_sin_f32 and v_cos_f32, which LLVM's llvm.sin and llvm.cos do again.
float __ocml_native_sin_f32(float x);
float __ocml_native_cos_f32(float x);
float __ocml_native_recip_f32(float x);
OVER float native_tan(float x) {
  return __ocml_native_sin_f32(x) * __ocml_native_recip_f32(__ocml_native_cos_f32(x));
}
UNARY_VECTORS(native_tan, float, float)

// The library subtracts with a promise that nothing overflows; the difference of two ints can.
OVER uint abs_diff(int x, int y) { return x > y ? (uint)x - (uint)y : (uint)y - (uint)x; }
OVER ulong abs_diff(long x, long y) { return x > y ? (ulong)x - (ulong)y : (ulong)y - (ulong)x; }

// The library's constant samplers of RDNA have an opaque border; images with an alpha channel want a transparent one
// (OpenCL C 1.2, 6.12.14.2), and those without have their 1 from the image. By generation, filter and the sampler's bits.
extern const __constant int __oclc_ISA_version;
#define CLAMP_WORD(bits) ((bits >> 1) == 1 ? 0222 : (bits >> 1) == 3 ? 0 : (bits >> 1) == 4 ? 0111 : 0666)
#define SAMPLER(filter, bits) \
  (uint4)(0x10003000 | ((bits & 1) != 0 ? 0 : 0x8000) | CLAMP_WORD(bits), 0x00FFF000, filter, 0)
#define SAMPLERS(filter)                                                                                     \
  {SAMPLER(filter, 0), SAMPLER(filter, 1), SAMPLER(filter, 2), SAMPLER(filter, 3), SAMPLER(filter, 4),       \
   SAMPLER(filter, 5), SAMPLER(filter, 6), SAMPLER(filter, 7), SAMPLER(filter, 8), SAMPLER(filter, 9)}
#define NEAREST_AND_LINEAR(no_anisotropy) {SAMPLERS(no_anisotropy), SAMPLERS(no_anisotropy | 0x00500000)}
static const __constant uint4 constant_samplers[3][2][16] = {
    NEAREST_AND_LINEAR(0), NEAREST_AND_LINEAR(0x80000000), NEAREST_AND_LINEAR(0x20000000)};
PLAIN __constant void* __translate_sampler_initializer(int bits) {
  const int generation = __oclc_ISA_version < 9000 ? 0 : __oclc_ISA_version < 10000 ? 1 : 2;
  return (__constant void*)&constant_samplers[generation][bits >> 5 & 1][bits & 15];
}

// The library's test for infinity is the wrong way round: NaN for every finite argument. Its sincos has it right.
half __ocml_sincos_f16(half x, __private half* cosine);
half2 __ocml_sincos_2f16(half2 x, __private half2* cosine);
PLAIN half __ocml_sin_f16(half x) {
  half cosine;
  return __ocml_sincos_f16(x, &cosine);
}
PLAIN half2 __ocml_sin_2f16(half2 x) {
  half2 cosine;
  return __ocml_sincos_2f16(x, &cosine);
}

#define FRACTION(suffix, T, ...)      \
  T __ocml_floor_##suffix(T x);       \
  FRACT(, __ocml_fract_##suffix, __ocml_floor_##suffix, __private, T, __VA_ARGS__)
FRACTION(f16, half, ushort, (ushort)0x8000, 0x7C00, 0x3C00)
FRACTION(f32, float, uint, 0x80000000u, 0x7F800000u, 0x3F800000u)
FRACTION(f64, double, ulong, 0x8000000000000000ul, 0x7FF0000000000000ul, 0x3FF0000000000000ul)
half2 __ocml_fract_2f16(half2 x, __private half2* whole) {
  half low, high;
  const half2 result = (half2)(__ocml_fract_f16(x.s0, &low), __ocml_fract_f16(x.s1, &high));
  *whole = (half2)(low, high);
  return result;
}

AROUND_ALL(POSITIVE_ZERO, cospi)
AROUND_ALL(ZERO_OF_ARGUMENT, sinpi)
AROUND_ALL(ZERO_OF_ARGUMENT, expm1)
AROUND_ALL(ZERO_OF_ARGUMENT, log1p)
AROUND_ALL(ZERO_OF_ARGUMENT, sinh)
AROUND_ALL(ZERO_OF_ARGUMENT, tanh)

// Of negative numbers the library is wrong by up to 45 units in the last place, and below -24 it divides by what
// overflows: results are zero that are not.
float __ocml_tgamma_f32(float x);
double __ocml_tgamma_f64(double x);
OVER float tgamma(float x) { return x < 0.0f ? (float)__ocml_tgamma_f64((double)x) : __ocml_tgamma_f32(x); }
UNARY_VECTORS(tgamma, float, float)

// In halves the library is wrong by up to 2.25 (tan) and 2.02 units in the last place (atan2), where 2 are allowed.
float __ocml_tan_f32(float x);
float __ocml_atan2_f32(float y, float x);
PLAIN half __ocml_tan_f16(half x) { return (half)__ocml_tan_f32((float)x); }
PLAIN half2 __ocml_tan_2f16(half2 x) { return (half2)(__ocml_tan_f16(x.s0), __ocml_tan_f16(x.s1)); }
PLAIN half __ocml_atan2_f16(half y, half x) { return (half)__ocml_atan2_f32((float)y, (float)x); }
PLAIN half2 __ocml_atan2_2f16(half2 y, half2 x) {
  return (half2)(__ocml_atan2_f16(y.s0, x.s0), __ocml_atan2_f16(y.s1, x.s1));
}

NEXTAFTER(PLAIN, __ocml_nextafter_f16, half, ushort, (ushort)0x8000, 0x7C00)
NEXTAFTER(PLAIN, __ocml_nextafter_f32, float, uint, 0x80000000u, 0x7F800000u)
NEXTAFTER(PLAIN, __ocml_nextafter_f64, double, ulong, 0x8000000000000000ul, 0x7FF0000000000000ul)
PLAIN half2 __ocml_nextafter_2f16(half2 x, half2 y) {
  return (half2)(__ocml_nextafter_f16(x.s0, y.s0), __ocml_nextafter_f16(x.s1, y.s1));
}

// The library makes the least number of NaN, where the result has a sign.
#define SATURATED OVER
#include "../saturated.h"
SATURATED_SIGNED_TYPES(half)
SATURATED_SIGNED_TYPES(float)
SATURATED_SIGNED_TYPES(double)
