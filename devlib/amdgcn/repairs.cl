// Builtins that rocm-device-libs 5.2, compiled by LLVM 19, computes wrongly. Linked before each of its modules, so
// these definitions win. Names are the device library's own: __ocml_* of its math module, overloads of its OpenCL
// module.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define OVERLOAD __attribute__((overloadable, const))
#define PLAIN __attribute__((const))

// Elements of a vector function are those of the scalar one.
#define VECTORS_1(function, T)                                                                            \
  OVERLOAD T##2 function(T##2 x) { return (T##2)(function(x.s0), function(x.s1)); }                       \
  OVERLOAD T##3 function(T##3 x) { return (T##3)(function(x.s0), function(x.s1), function(x.s2)); }       \
  OVERLOAD T##4 function(T##4 x) { return (T##4)(function(x.lo), function(x.hi)); }                       \
  OVERLOAD T##8 function(T##8 x) { return (T##8)(function(x.lo), function(x.hi)); }                       \
  OVERLOAD T##16 function(T##16 x) { return (T##16)(function(x.lo), function(x.hi)); }

// The library multiplies by 1 / (2 pi) for v_sin_f32 and v_cos_f32, which LLVM's llvm.sin and llvm.cos do again.
float __ocml_native_sin_f32(float x);
float __ocml_native_cos_f32(float x);
float __ocml_native_recip_f32(float x);
OVERLOAD float native_tan(float x) {
  return __ocml_native_sin_f32(x) * __ocml_native_recip_f32(__ocml_native_cos_f32(x));
}
VECTORS_1(native_tan, float)

// The library subtracts with a promise that nothing overflows; the difference of two ints can.
OVERLOAD uint abs_diff(int x, int y) { return x > y ? (uint)x - (uint)y : (uint)y - (uint)x; }
OVERLOAD ulong abs_diff(long x, long y) { return x > y ? (ulong)x - (ulong)y : (ulong)y - (ulong)x; }

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

// fract of -0 and of -infinity is -0 (OpenCL 1.2, 7.5.1): the library's and v_fract's are +0. The greatest fraction is the
// number before 1.
#define FRACT(suffix, T, I, sign, infinity, one)                                                          \
  T __ocml_floor_##suffix(T x);                                                                           \
  T __ocml_fract_##suffix(T x, __private T* whole) {                                                      \
    const I bits = __builtin_bit_cast(I, x);                                                              \
    const T floor = __ocml_floor_##suffix(x);                                                             \
    *whole = floor;                                                                                       \
    if ((bits & ~sign) == 0 || (bits & ~sign) == infinity) return __builtin_bit_cast(T, (I)(bits & sign)); \
    const T fraction = x - floor;                                                                         \
    return __builtin_bit_cast(I, fraction) == one ? __builtin_bit_cast(T, (I)(one - 1)) : fraction;       \
  }
FRACT(f16, half, ushort, (ushort)0x8000, 0x7C00, 0x3C00)
FRACT(f32, float, uint, 0x80000000u, 0x7F800000u, 0x3F800000u)
FRACT(f64, double, ulong, 0x8000000000000000ul, 0x7FF0000000000000ul, 0x3FF0000000000000ul)
half2 __ocml_fract_2f16(half2 x, __private half2* whole) {
  half low, high;
  const half2 result = (half2)(__ocml_fract_f16(x.s0, &low), __ocml_fract_f16(x.s1, &high));
  *whole = (half2)(low, high);
  return result;
}

// Signs of zero. cospi(n + 0.5) is +0 and sinpi(-n) is -0 (7.5.1); these functions of a zero are that zero (C99, F.9).
// The library has the other one.
#define AROUND_ALL(AROUND, function)                                                                      \
  AROUND(function, half, f16)                                                                             \
  AROUND(function, float, f32)                                                                            \
  AROUND(function, double, f64)
#define POSITIVE_ZERO(function, T, suffix)                                                                \
  T __ocml_##function##_##suffix(T x);                                                                    \
  OVERLOAD T function(T x) { return __ocml_##function##_##suffix(x) + (T)0; }                             \
  VECTORS_1(function, T)
AROUND_ALL(POSITIVE_ZERO, cospi)
#define ZERO_OF_ARGUMENT(function, T, suffix)                                                             \
  T __ocml_##function##_##suffix(T x);                                                                    \
  OVERLOAD T function(T x) {                                                                              \
    const T result = __ocml_##function##_##suffix(x);                                                     \
    return result == (T)0 ? copysign(result, x) : result;                               \
  }                                                                                                       \
  VECTORS_1(function, T)
AROUND_ALL(ZERO_OF_ARGUMENT, sinpi)
AROUND_ALL(ZERO_OF_ARGUMENT, expm1)
AROUND_ALL(ZERO_OF_ARGUMENT, log1p)
AROUND_ALL(ZERO_OF_ARGUMENT, sinh)
AROUND_ALL(ZERO_OF_ARGUMENT, tanh)

// Of negative numbers the library is wrong by up to 45 units in the last place, and below -24 it divides by what
// overflows: results are zero that are not.
float __ocml_tgamma_f32(float x);
double __ocml_tgamma_f64(double x);
OVERLOAD float tgamma(float x) { return x < 0.0f ? (float)__ocml_tgamma_f64((double)x) : __ocml_tgamma_f32(x); }
VECTORS_1(tgamma, float)

// In halves the library is wrong by up to 2.25 (tan) and 2.02 units in the last place (atan2), where 2 are allowed.
float __ocml_tan_f32(float x);
float __ocml_atan2_f32(float y, float x);
PLAIN half __ocml_tan_f16(half x) { return (half)__ocml_tan_f32((float)x); }
PLAIN half2 __ocml_tan_2f16(half2 x) { return (half2)(__ocml_tan_f16(x.s0), __ocml_tan_f16(x.s1)); }
PLAIN half __ocml_atan2_f16(half y, half x) { return (half)__ocml_atan2_f32((float)y, (float)x); }
PLAIN half2 __ocml_atan2_2f16(half2 y, half2 x) {
  return (half2)(__ocml_atan2_f16(y.s0, x.s0), __ocml_atan2_f16(y.s1, x.s1));
}

// The library returns +0 after the negative subnormal of least magnitude; IEEE 754-2008 (5.3.1, nextUp) says -0.
// C99 7.12.11.3: where the arguments are equal, the result is the second. `bits` are the arguments' patterns, whose
// magnitudes count the representable numbers from zero.
#define NEXTAFTER(name, T, I, sign, infinity)                                                             \
  PLAIN T name(T x, T y) {                                                                                \
    const I bits_x = __builtin_bit_cast(I, x), bits_y = __builtin_bit_cast(I, y);                         \
    const I size_x = bits_x & ~sign, size_y = bits_y & ~sign;                                             \
    if (size_x > infinity) return x;                                                                      \
    if (size_y > infinity) return y;                                                                      \
    if (bits_x == bits_y || (size_x | size_y) == 0) return y;                                             \
    if (size_x == 0) return __builtin_bit_cast(T, (I)((bits_y & sign) | 1));                              \
    const bool towards_zero = ((bits_x ^ bits_y) & sign) != 0 || size_y < size_x;                         \
    return __builtin_bit_cast(T, (I)(towards_zero ? bits_x - 1 : bits_x + 1));                            \
  }
NEXTAFTER(__ocml_nextafter_f16, half, ushort, (ushort)0x8000, 0x7C00)
NEXTAFTER(__ocml_nextafter_f32, float, uint, 0x80000000u, 0x7F800000u)
NEXTAFTER(__ocml_nextafter_f64, double, ulong, 0x8000000000000000ul, 0x7FF0000000000000ul)
PLAIN half2 __ocml_nextafter_2f16(half2 x, half2 y) {
  return (half2)(__ocml_nextafter_f16(x.s0, y.s0), __ocml_nextafter_f16(x.s1, y.s1));
}

// The library makes the least number of NaN, where the result has a sign.
#define SATURATED OVERLOAD
#include "../saturated.h"
SATURATED_SIGNED_TYPES(half)
SATURATED_SIGNED_TYPES(float)
SATURATED_SIGNED_TYPES(double)
