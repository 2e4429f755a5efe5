// CUDA's and HIP's bfloat16: the upper half of a float. Arithmetic is a float's, rounded to nearest even. Sources: "CUDA Math
// API", Bfloat16 Precision Intrinsics; HIP's documentation of its bfloat16 functions.
#pragma once
#include "lockstep/atomic_halves.h"
#include "lockstep/rounding.h"

#define LOCKSTEP_MEMBER inline __attribute__((host, device, always_inline, nodebug))
struct alignas(2) lockstep_bfloat16 {
  unsigned short bits;

  lockstep_bfloat16() = default;
  LOCKSTEP_MEMBER lockstep_bfloat16(float value) {
    const unsigned int word = __builtin_bit_cast(unsigned int, value);
    const bool is_nan = (word & 0x7FFFFFFF) > 0x7F800000;
    bits = (unsigned short)(is_nan ? 0x7FFF : (word + 0x7FFF + (word >> 16 & 1)) >> 16);
  }
  LOCKSTEP_MEMBER lockstep_bfloat16(double value) : lockstep_bfloat16(odd(value)) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(int value) : lockstep_bfloat16((double)value) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(unsigned int value) : lockstep_bfloat16((double)value) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(short value) : lockstep_bfloat16((float)value) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(unsigned short value) : lockstep_bfloat16((float)value) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(unsigned long long value) : lockstep_bfloat16(odd(value)) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(long long value)
      : lockstep_bfloat16(value < 0 ? -odd(0 - (unsigned long long)value) : odd((unsigned long long)value)) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(unsigned long value) : lockstep_bfloat16((unsigned long long)value) {}
  LOCKSTEP_MEMBER lockstep_bfloat16(long value) : lockstep_bfloat16((long long)value) {}
  // The float beside a double that is none, of two the one with an odd last bit: rounded again, it is rounded once.
  static LOCKSTEP_MEMBER float odd(double value) {
    const float near = (float)value;
    const unsigned int word = __builtin_bit_cast(unsigned int, near);
    if (value != value || (double)near == value || (word & 1) != 0) return near;
    const bool below = __builtin_fabs((double)near) < __builtin_fabs(value);
    return __builtin_bit_cast(float, below ? word + 1 : word - 1);
  }
  // Integers that double does not hold: their low bits count as one bit.
  static LOCKSTEP_MEMBER float odd(unsigned long long value) {
    const bool large = value >> 53 != 0;
    return odd(large ? (double)(value >> 16 << 16 | ((value & 0xFFFF) != 0 ? 0x8000u : 0u)) : (double)value);
  }
  LOCKSTEP_MEMBER operator float() const { return __builtin_bit_cast(float, (unsigned int)bits << 16); }
};
struct alignas(4) lockstep_bfloat162 {
  lockstep_bfloat16 x, y;
  lockstep_bfloat162() = default;
  LOCKSTEP_MEMBER lockstep_bfloat162(lockstep_bfloat16 x, lockstep_bfloat16 y) : x(x), y(y) {}
};
#undef LOCKSTEP_MEMBER

// ---- Bits, and halves of pairs.
LOCKSTEP_ANY unsigned short __bfloat16_as_ushort(lockstep_bfloat16 a) { return a.bits; }
LOCKSTEP_ANY short __bfloat16_as_short(lockstep_bfloat16 a) { return (short)a.bits; }
LOCKSTEP_ANY lockstep_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __builtin_bit_cast(lockstep_bfloat16, a); }
LOCKSTEP_ANY lockstep_bfloat16 __short_as_bfloat16(short a) { return __builtin_bit_cast(lockstep_bfloat16, a); }
LOCKSTEP_ANY lockstep_bfloat162 __halves2bfloat162(lockstep_bfloat16 a, lockstep_bfloat16 b) { return {a, b}; }
LOCKSTEP_ANY lockstep_bfloat162 make_bfloat162(lockstep_bfloat16 a, lockstep_bfloat16 b) { return {a, b}; }
LOCKSTEP_ANY lockstep_bfloat162 __bfloat162bfloat162(lockstep_bfloat16 a) { return {a, a}; }
LOCKSTEP_ANY lockstep_bfloat16 __low2bfloat16(lockstep_bfloat162 a) { return a.x; }
LOCKSTEP_ANY lockstep_bfloat16 __high2bfloat16(lockstep_bfloat162 a) { return a.y; }
LOCKSTEP_ANY lockstep_bfloat162 __low2bfloat162(lockstep_bfloat162 a) { return {a.x, a.x}; }
LOCKSTEP_ANY lockstep_bfloat162 __high2bfloat162(lockstep_bfloat162 a) { return {a.y, a.y}; }
LOCKSTEP_ANY lockstep_bfloat162 __lows2bfloat162(lockstep_bfloat162 a, lockstep_bfloat162 b) { return {a.x, b.x}; }
LOCKSTEP_ANY lockstep_bfloat162 __highs2bfloat162(lockstep_bfloat162 a, lockstep_bfloat162 b) { return {a.y, b.y}; }
LOCKSTEP_ANY lockstep_bfloat162 __lowhigh2highlow(lockstep_bfloat162 a) { return {a.y, a.x}; }
LOCKSTEP_ANY float __low2float(lockstep_bfloat162 a) { return (float)a.x; }
LOCKSTEP_ANY float __high2float(lockstep_bfloat162 a) { return (float)a.y; }

// ---- Arithmetic.
#define LOCKSTEP_T lockstep_bfloat16
#define LOCKSTEP_T2 lockstep_bfloat162
#define LOCKSTEP_NAN __ushort_as_bfloat16(0x7FFF)
#define LOCKSTEP_SUM(a, b) lockstep_bfloat16((float)a + (float)b)
#define LOCKSTEP_DIFFERENCE(a, b) lockstep_bfloat16((float)a - (float)b)
#define LOCKSTEP_PRODUCT(a, b) lockstep_bfloat16((float)a * (float)b)
#define LOCKSTEP_QUOTIENT(a, b) lockstep_bfloat16((float)a / (float)b)
LOCKSTEP_ANY lockstep_bfloat16 __hfma(lockstep_bfloat16 a, lockstep_bfloat16 b, lockstep_bfloat16 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  lockstep_bfloat16 result;  // rounded once
  __asm__("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return result;
#else
  return lockstep_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
#endif
}
LOCKSTEP_ANY lockstep_bfloat16 __hneg(lockstep_bfloat16 a) { return lockstep_bfloat16(-(float)a); }
LOCKSTEP_ANY lockstep_bfloat16 __habs(lockstep_bfloat16 a) { return lockstep_bfloat16(__builtin_fabsf((float)a)); }
LOCKSTEP_ANY lockstep_bfloat16 __hmax(lockstep_bfloat16 a, lockstep_bfloat16 b) {
  return lockstep_bfloat16(__builtin_fmaxf((float)a, (float)b));
}
LOCKSTEP_ANY lockstep_bfloat16 __hmin(lockstep_bfloat16 a, lockstep_bfloat16 b) {
  return lockstep_bfloat16(__builtin_fminf((float)a, (float)b));
}
// The arithmetic of a type of 16 bits by that of floats.
#define LOCKSTEP_BY_FLOAT(T, sign)                                                         \
  LOCKSTEP_ANY T operator sign(T a, T b) { return T((float)a sign(float) b); }             \
  LOCKSTEP_ANY T& operator sign##=(T& a, T b) { return a = a sign b; }
#define LOCKSTEP_ALL_BY_FLOAT(T) \
  LOCKSTEP_BY_FLOAT(T, +) LOCKSTEP_BY_FLOAT(T, -) LOCKSTEP_BY_FLOAT(T, *) LOCKSTEP_BY_FLOAT(T, /)
LOCKSTEP_ALL_BY_FLOAT(lockstep_bfloat16)
LOCKSTEP_ANY lockstep_bfloat16 operator+(lockstep_bfloat16 a) { return a; }
LOCKSTEP_ANY lockstep_bfloat16 operator-(lockstep_bfloat16 a) { return __hneg(a); }
LOCKSTEP_ANY lockstep_bfloat16& operator++(lockstep_bfloat16& a) { return a += lockstep_bfloat16(1.0f); }
LOCKSTEP_ANY lockstep_bfloat16& operator--(lockstep_bfloat16& a) { return a -= lockstep_bfloat16(1.0f); }
#include "lockstep/half_arithmetic.h"

// ---- Conversions.
LOCKSTEP_ANY lockstep_bfloat16 __float2bfloat16(float a) { return lockstep_bfloat16(a); }
LOCKSTEP_ANY lockstep_bfloat16 __double2bfloat16(double a) { return lockstep_bfloat16(a); }
LOCKSTEP_ANY float __bfloat162float(lockstep_bfloat16 a) { return (float)a; }
LOCKSTEP_ANY lockstep_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {lockstep_bfloat16(a), lockstep_bfloat16(b)};
}
LOCKSTEP_ANY lockstep_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
LOCKSTEP_ANY lockstep_bfloat162 __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
LOCKSTEP_ANY float2 __bfloat1622float2(lockstep_bfloat162 a) { return {(float)a.x, (float)a.y}; }
// The odd float beside an exact value (lockstep_bfloat16::odd) lies on the same side of every bfloat16 as the value.
LOCKSTEP_ANY lockstep_bfloat16 lockstep_bfloat_towards(lockstep_towards towards, float exact) {
  return lockstep_round_from<unsigned short, lockstep_bfloat16, float>(towards, exact);
}
LOCKSTEP_ANY float lockstep_beside(float a) { return a; }
LOCKSTEP_ANY float lockstep_beside(double a) { return lockstep_bfloat16::odd(a); }
LOCKSTEP_ANY float lockstep_beside(unsigned long long a) { return lockstep_bfloat16::odd(a); }
LOCKSTEP_ANY float lockstep_beside(long long a) {
  return a < 0 ? -lockstep_beside(0 - (unsigned long long)a) : lockstep_beside((unsigned long long)a);
}
#define LOCKSTEP_FROM(name, T, Wide)                                                                             \
  LOCKSTEP_ANY lockstep_bfloat16 __##name##2bfloat16_rn(T a) { return lockstep_bfloat16(a); }                    \
  LOCKSTEP_ANY lockstep_bfloat16 __##name##2bfloat16_rz(T a) {                                                   \
    return lockstep_bfloat_towards(lockstep_towards::zero, lockstep_beside((Wide)a));                            \
  }                                                                                                              \
  LOCKSTEP_ANY lockstep_bfloat16 __##name##2bfloat16_ru(T a) {                                                   \
    return lockstep_bfloat_towards(lockstep_towards::above, lockstep_beside((Wide)a));                           \
  }                                                                                                              \
  LOCKSTEP_ANY lockstep_bfloat16 __##name##2bfloat16_rd(T a) {                                                   \
    return lockstep_bfloat_towards(lockstep_towards::below, lockstep_beside((Wide)a));                           \
  }
LOCKSTEP_FROM(float, float, float)
LOCKSTEP_FROM(short, short, float)
LOCKSTEP_FROM(ushort, unsigned short, float)
LOCKSTEP_FROM(int, int, double)
LOCKSTEP_FROM(uint, unsigned int, double)
LOCKSTEP_FROM(ll, long long, long long)
LOCKSTEP_FROM(ull, unsigned long long, unsigned long long)
#undef LOCKSTEP_FROM
#define LOCKSTEP_TO(name, T)                                                                                     \
  LOCKSTEP_ANY T __bfloat162##name##_rn(lockstep_bfloat16 a) { return lockstep_saturated<T>(__builtin_rintf(a)); }  \
  LOCKSTEP_ANY T __bfloat162##name##_rz(lockstep_bfloat16 a) { return lockstep_saturated<T>(__builtin_truncf(a)); } \
  LOCKSTEP_ANY T __bfloat162##name##_ru(lockstep_bfloat16 a) { return lockstep_saturated<T>(__builtin_ceilf(a)); }  \
  LOCKSTEP_ANY T __bfloat162##name##_rd(lockstep_bfloat16 a) { return lockstep_saturated<T>(__builtin_floorf(a)); }
LOCKSTEP_TO(short, short)
LOCKSTEP_TO(ushort, unsigned short)
LOCKSTEP_TO(int, int)
LOCKSTEP_TO(uint, unsigned int)
LOCKSTEP_TO(ll, long long)
LOCKSTEP_TO(ull, unsigned long long)
#undef LOCKSTEP_TO

// ---- Mathematics: the function of floats, rounded.
#define LOCKSTEP_BFLOAT_FUNCTION(name)                                                                      \
  LOCKSTEP_DEVICE lockstep_bfloat16 h##name(lockstep_bfloat16 a) { return lockstep_bfloat16(name##f((float)a)); } \
  LOCKSTEP_DEVICE lockstep_bfloat162 h2##name(lockstep_bfloat162 a) { return {h##name(a.x), h##name(a.y)}; }
LOCKSTEP_BFLOAT_FUNCTION(sqrt)
LOCKSTEP_BFLOAT_FUNCTION(rsqrt)
LOCKSTEP_BFLOAT_FUNCTION(exp)
LOCKSTEP_BFLOAT_FUNCTION(exp2)
LOCKSTEP_BFLOAT_FUNCTION(exp10)
LOCKSTEP_BFLOAT_FUNCTION(log)
LOCKSTEP_BFLOAT_FUNCTION(log2)
LOCKSTEP_BFLOAT_FUNCTION(log10)
LOCKSTEP_BFLOAT_FUNCTION(sin)
LOCKSTEP_BFLOAT_FUNCTION(cos)
LOCKSTEP_BFLOAT_FUNCTION(tanh)
LOCKSTEP_BFLOAT_FUNCTION(ceil)
LOCKSTEP_BFLOAT_FUNCTION(floor)
LOCKSTEP_BFLOAT_FUNCTION(rint)
LOCKSTEP_BFLOAT_FUNCTION(trunc)
#undef LOCKSTEP_BFLOAT_FUNCTION
LOCKSTEP_ANY lockstep_bfloat16 hrcp(lockstep_bfloat16 a) { return lockstep_bfloat16(1.0f / (float)a); }
LOCKSTEP_ANY lockstep_bfloat162 h2rcp(lockstep_bfloat162 a) { return {hrcp(a.x), hrcp(a.y)}; }

// ---- Loads, shuffles, atomics.
LOCKSTEP_HALF_LANES(lockstep_bfloat16, unsigned short)
LOCKSTEP_HALF_LANES(lockstep_bfloat162, unsigned int)
LOCKSTEP_HALF_ATOMICS(lockstep_bfloat16, lockstep_bfloat162, "bf16", 900, 900)
