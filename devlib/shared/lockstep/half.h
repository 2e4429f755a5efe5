// CUDA's and HIP's half-precision type and its functions, over clang's _Float16. Sources: "CUDA Math API", Half Precision
// Intrinsics; HIP's documentation of its half-precision functions.
#pragma once
#include "lockstep/atomic_halves.h"
#include "lockstep/rounding.h"

typedef _Float16 __half;
typedef _Float16 half;
typedef _Float16 nv_half;
typedef _Float16 __nv_half;
struct alignas(2) __half_raw {
  unsigned short x;
  inline __attribute__((host, device, always_inline, nodebug)) operator _Float16() const {
    return __builtin_bit_cast(_Float16, x);
  }
};
struct alignas(4) __half2_raw {
  unsigned short x, y;
};
struct alignas(4) __half2 {
  _Float16 x, y;
  __half2() = default;
  inline __attribute__((host, device, always_inline, nodebug)) constexpr __half2(_Float16 x, _Float16 y) : x(x), y(y) {}
  inline __attribute__((host, device, always_inline, nodebug)) __half2(__half2_raw raw)
      : x(__builtin_bit_cast(_Float16, raw.x)), y(__builtin_bit_cast(_Float16, raw.y)) {}
};
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

// ---- Bits, and halves of pairs.
LOCKSTEP_ANY unsigned short __half_as_ushort(__half a) { return __builtin_bit_cast(unsigned short, a); }
LOCKSTEP_ANY short __half_as_short(__half a) { return __builtin_bit_cast(short, a); }
LOCKSTEP_ANY __half __ushort_as_half(unsigned short a) { return __builtin_bit_cast(__half, a); }
LOCKSTEP_ANY __half __short_as_half(short a) { return __builtin_bit_cast(__half, a); }
LOCKSTEP_ANY __half2 __halves2half2(__half a, __half b) { return {a, b}; }
LOCKSTEP_ANY __half2 __half2half2(__half a) { return {a, a}; }
LOCKSTEP_ANY __half2 make_half2(__half a, __half b) { return {a, b}; }
LOCKSTEP_ANY __half __low2half(__half2 a) { return a.x; }
LOCKSTEP_ANY __half __high2half(__half2 a) { return a.y; }
LOCKSTEP_ANY __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
LOCKSTEP_ANY __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
LOCKSTEP_ANY __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
LOCKSTEP_ANY __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
LOCKSTEP_ANY __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
LOCKSTEP_ANY float __low2float(__half2 a) { return (float)a.x; }
LOCKSTEP_ANY float __high2float(__half2 a) { return (float)a.y; }

// ---- Arithmetic. _sat is clamped to 0 to 1, NaN becomes 0; _relu makes negative values 0. _rn says that no product and sum become one.
#define LOCKSTEP_T __half
#define LOCKSTEP_T2 __half2
#define LOCKSTEP_NAN __ushort_as_half(0x7FFF)
#define LOCKSTEP_SUM(a, b) (a + b)
#define LOCKSTEP_DIFFERENCE(a, b) (a - b)
#define LOCKSTEP_PRODUCT(a, b) (a * b)
#define LOCKSTEP_QUOTIENT(a, b) (a / b)
LOCKSTEP_ANY __half __hfma(__half a, __half b, __half c) { return __builtin_fmaf16(a, b, c); }
LOCKSTEP_ANY __half __hneg(__half a) { return -a; }
LOCKSTEP_ANY __half __habs(__half a) { return __builtin_fabsf16(a); }
// Of zeros the positive one is more, and a number wins against NaN.
LOCKSTEP_ANY __half __hmax(__half a, __half b) { return (__half)__builtin_fmaxf((float)a, (float)b); }
LOCKSTEP_ANY __half __hmin(__half a, __half b) { return (__half)__builtin_fminf((float)a, (float)b); }
#include "lockstep/half_arithmetic.h"

// ---- Conversions.
LOCKSTEP_ANY float __half2float(__half a) { return (float)a; }
LOCKSTEP_ANY __half __float2half(float a) { return (__half)a; }
LOCKSTEP_ANY __half __double2half(double a) { return (__half)a; }
LOCKSTEP_ANY __half2 __floats2half2_rn(float a, float b) { return {(__half)a, (__half)b}; }
LOCKSTEP_ANY __half2 __float2half2_rn(float a) { return {(__half)a, (__half)a}; }
LOCKSTEP_ANY __half2 __float22half2_rn(float2 a) { return {(__half)a.x, (__half)a.y}; }
LOCKSTEP_ANY float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
#define LOCKSTEP_FROM(name, T, Wide)                                                                                \
  LOCKSTEP_ANY __half __##name##2half_rn(T a) { return (__half)a; }                                                 \
  LOCKSTEP_ANY __half __##name##2half_rz(T a) {                                                                     \
    return lockstep_round_from<unsigned short, __half, Wide>(lockstep_towards::zero, (Wide)a);                      \
  }                                                                                                                 \
  LOCKSTEP_ANY __half __##name##2half_ru(T a) {                                                                     \
    return lockstep_round_from<unsigned short, __half, Wide>(lockstep_towards::above, (Wide)a);                     \
  }                                                                                                                 \
  LOCKSTEP_ANY __half __##name##2half_rd(T a) {                                                                     \
    return lockstep_round_from<unsigned short, __half, Wide>(lockstep_towards::below, (Wide)a);                     \
  }
// Where double does not hold an integer of 64 bits, half is infinite beside it.
LOCKSTEP_FROM(float, float, float)
LOCKSTEP_FROM(short, short, float)
LOCKSTEP_FROM(ushort, unsigned short, float)
LOCKSTEP_FROM(int, int, double)
LOCKSTEP_FROM(uint, unsigned int, double)
LOCKSTEP_FROM(ll, long long, double)
LOCKSTEP_FROM(ull, unsigned long long, double)
#undef LOCKSTEP_FROM
#define LOCKSTEP_TO(name, T)                                                                                              \
  LOCKSTEP_ANY T __half2##name##_rn(__half a) { return lockstep_saturated<T>(__builtin_rintf((float)a)); }                \
  LOCKSTEP_ANY T __half2##name##_rz(__half a) { return lockstep_saturated<T>(__builtin_truncf((float)a)); }               \
  LOCKSTEP_ANY T __half2##name##_ru(__half a) { return lockstep_saturated<T>(__builtin_ceilf((float)a)); }                \
  LOCKSTEP_ANY T __half2##name##_rd(__half a) { return lockstep_saturated<T>(__builtin_floorf((float)a)); }
LOCKSTEP_TO(short, short)
LOCKSTEP_TO(ushort, unsigned short)
LOCKSTEP_TO(int, int)
LOCKSTEP_TO(uint, unsigned int)
LOCKSTEP_TO(ll, long long)
LOCKSTEP_TO(ull, unsigned long long)
#undef LOCKSTEP_TO
LOCKSTEP_ANY signed char __half2char_rz(__half a) { return lockstep_saturated<signed char>(__builtin_truncf((float)a)); }
LOCKSTEP_ANY unsigned char __half2uchar_rz(__half a) {
  return lockstep_saturated<unsigned char>(__builtin_truncf((float)a));
}

// ---- Mathematics: on AMD by its device library, on NVIDIA by the function of floats, rounded.
#if defined(__AMDGCN__)
#define LOCKSTEP_HALF_FUNCTION(name, function)                          \
  extern "C" __device__ _Float16 __ocml_##function##_f16(_Float16);      \
  LOCKSTEP_DEVICE __half h##name(__half a) { return __ocml_##function##_f16(a); } \
  LOCKSTEP_DEVICE __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
#else
#define LOCKSTEP_HALF_FUNCTION(name, function) \
  LOCKSTEP_DEVICE __half h##name(__half a) { return (__half)function##f((float)a); } \
  LOCKSTEP_DEVICE __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
#endif
LOCKSTEP_HALF_FUNCTION(sqrt, sqrt)
LOCKSTEP_HALF_FUNCTION(rsqrt, rsqrt)
LOCKSTEP_HALF_FUNCTION(exp, exp)
LOCKSTEP_HALF_FUNCTION(exp2, exp2)
LOCKSTEP_HALF_FUNCTION(exp10, exp10)
LOCKSTEP_HALF_FUNCTION(log, log)
LOCKSTEP_HALF_FUNCTION(log2, log2)
LOCKSTEP_HALF_FUNCTION(log10, log10)
LOCKSTEP_HALF_FUNCTION(sin, sin)
LOCKSTEP_HALF_FUNCTION(cos, cos)
LOCKSTEP_HALF_FUNCTION(tanh, tanh)
LOCKSTEP_HALF_FUNCTION(ceil, ceil)
LOCKSTEP_HALF_FUNCTION(floor, floor)
LOCKSTEP_HALF_FUNCTION(rint, rint)
LOCKSTEP_HALF_FUNCTION(trunc, trunc)
#undef LOCKSTEP_HALF_FUNCTION
LOCKSTEP_ANY __half hrcp(__half a) { return (__half)1 / a; }
LOCKSTEP_ANY __half2 h2rcp(__half2 a) { return {hrcp(a.x), hrcp(a.y)}; }
LOCKSTEP_DEVICE __half htanh_approx(__half a) { return htanh(a); }
LOCKSTEP_DEVICE __half2 h2tanh_approx(__half2 a) { return h2tanh(a); }

// ---- Loads, shuffles, atomics.
LOCKSTEP_HALF_LANES(__half, unsigned short)
LOCKSTEP_HALF_LANES(__half2, unsigned int)
LOCKSTEP_HALF_ATOMICS(__half, __half2, "f16", 600, 700)
