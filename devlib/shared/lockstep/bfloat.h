// CUDA's and HIP's bfloat16: the upper half of a float. Arithmetic is a float's, rounded to nearest even. Sources: "CUDA Math
// API", Bfloat16 Precision Intrinsics; HIP's hip_bf16.h.
#pragma once

struct alignas(2) lockstep_bfloat16 {
  unsigned short bits;

  lockstep_bfloat16() = default;
  inline __attribute__((host, device, always_inline)) lockstep_bfloat16(float value) {
    const unsigned int word = __builtin_bit_cast(unsigned int, value);
    const bool is_nan = (word & 0x7FFFFFFF) > 0x7F800000;
    bits = (unsigned short)(is_nan ? 0x7FFF : (word + 0x7FFF + (word >> 16 & 1)) >> 16);
  }
  inline __attribute__((host, device, always_inline)) lockstep_bfloat16(double value) : lockstep_bfloat16(odd(value)) {}
  inline __attribute__((host, device, always_inline)) lockstep_bfloat16(int value) : lockstep_bfloat16((double)value) {}
  // The float beside a double that is none, of two the one with an odd last bit: rounded again, it is rounded once.
  static inline __attribute__((host, device, always_inline)) float odd(double value) {
    const float near = (float)value;
    const unsigned int word = __builtin_bit_cast(unsigned int, near);
    if (value != value || (double)near == value || (word & 1) != 0) return near;
    const bool below = __builtin_fabs((double)near) < __builtin_fabs(value);
    return __builtin_bit_cast(float, below ? word + 1 : word - 1);
  }
  inline __attribute__((host, device, always_inline)) operator float() const { return __builtin_bit_cast(float, (unsigned int)bits << 16); }
};
struct alignas(4) lockstep_bfloat162 {
  lockstep_bfloat16 x, y;
};

#define LOCKSTEP_BFLOAT(name, expression)                                                  \
  LOCKSTEP_ANY lockstep_bfloat16 name(lockstep_bfloat16 one, lockstep_bfloat16 other) {    \
    const float a = one, b = other;                                                        \
    return lockstep_bfloat16(expression);                                                  \
  }                                                                                        \
  LOCKSTEP_ANY lockstep_bfloat162 name##2(lockstep_bfloat162 a, lockstep_bfloat162 b) {    \
    return {name(a.x, b.x), name(a.y, b.y)};                                               \
  }
LOCKSTEP_BFLOAT(__hadd, a + b)
LOCKSTEP_BFLOAT(__hsub, a - b)
LOCKSTEP_BFLOAT(__hmul, a * b)
LOCKSTEP_BFLOAT(__hmax, __builtin_fmaxf(a, b))
LOCKSTEP_BFLOAT(__hmin, __builtin_fminf(a, b))
#undef LOCKSTEP_BFLOAT
#define LOCKSTEP_BFLOAT(sign)                                                                                    \
  LOCKSTEP_ANY lockstep_bfloat16 operator sign(lockstep_bfloat16 a, lockstep_bfloat16 b) {                       \
    return lockstep_bfloat16((float)a sign(float) b);                                                            \
  }                                                                                                              \
  LOCKSTEP_ANY lockstep_bfloat16& operator sign##=(lockstep_bfloat16& a, lockstep_bfloat16 b) { return a = a sign b; }
LOCKSTEP_BFLOAT(+)
LOCKSTEP_BFLOAT(-)
LOCKSTEP_BFLOAT(*)
LOCKSTEP_BFLOAT(/)
#undef LOCKSTEP_BFLOAT
LOCKSTEP_ANY lockstep_bfloat16 __hdiv(lockstep_bfloat16 a, lockstep_bfloat16 b) { return a / b; }
LOCKSTEP_ANY lockstep_bfloat16 __hneg(lockstep_bfloat16 a) { return lockstep_bfloat16(-(float)a); }
LOCKSTEP_ANY lockstep_bfloat16 __habs(lockstep_bfloat16 a) { return lockstep_bfloat16(__builtin_fabsf((float)a)); }
LOCKSTEP_ANY lockstep_bfloat16 __hfma(lockstep_bfloat16 a, lockstep_bfloat16 b, lockstep_bfloat16 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  lockstep_bfloat16 result;  // rounded once
  __asm__("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return result;
#else
  return lockstep_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
#endif
}
LOCKSTEP_ANY lockstep_bfloat162 __hfma2(lockstep_bfloat162 a, lockstep_bfloat162 b, lockstep_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
LOCKSTEP_ANY bool __heq(lockstep_bfloat16 a, lockstep_bfloat16 b) { return (float)a == (float)b; }
LOCKSTEP_ANY bool __hlt(lockstep_bfloat16 a, lockstep_bfloat16 b) { return (float)a < (float)b; }
LOCKSTEP_ANY bool __hgt(lockstep_bfloat16 a, lockstep_bfloat16 b) { return (float)a > (float)b; }
LOCKSTEP_ANY bool __hle(lockstep_bfloat16 a, lockstep_bfloat16 b) { return (float)a <= (float)b; }
LOCKSTEP_ANY bool __hge(lockstep_bfloat16 a, lockstep_bfloat16 b) { return (float)a >= (float)b; }
LOCKSTEP_ANY bool __hisnan(lockstep_bfloat16 a) { return (float)a != (float)a; }

LOCKSTEP_ANY lockstep_bfloat16 __float2bfloat16(float a) { return lockstep_bfloat16(a); }
LOCKSTEP_ANY lockstep_bfloat16 __double2bfloat16(double a) { return lockstep_bfloat16(a); }
LOCKSTEP_ANY lockstep_bfloat16 __float2bfloat16_rn(float a) { return lockstep_bfloat16(a); }
LOCKSTEP_ANY float __bfloat162float(lockstep_bfloat16 a) { return (float)a; }
LOCKSTEP_ANY lockstep_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {lockstep_bfloat16(a), lockstep_bfloat16(b)};
}
LOCKSTEP_ANY lockstep_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
LOCKSTEP_ANY lockstep_bfloat162 __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
LOCKSTEP_ANY lockstep_bfloat162 __bfloat162bfloat162(lockstep_bfloat16 a) { return {a, a}; }
LOCKSTEP_ANY lockstep_bfloat162 __halves2bfloat162(lockstep_bfloat16 a, lockstep_bfloat16 b) { return {a, b}; }
LOCKSTEP_ANY float2 __bfloat1622float2(lockstep_bfloat162 a) { return {(float)a.x, (float)a.y}; }
LOCKSTEP_ANY float __low2float(lockstep_bfloat162 a) { return (float)a.x; }
LOCKSTEP_ANY float __high2float(lockstep_bfloat162 a) { return (float)a.y; }
LOCKSTEP_ANY lockstep_bfloat16 __low2bfloat16(lockstep_bfloat162 a) { return a.x; }
LOCKSTEP_ANY lockstep_bfloat16 __high2bfloat16(lockstep_bfloat162 a) { return a.y; }
