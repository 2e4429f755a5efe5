// CUDA's and HIP's half-precision type and its functions, over clang's _Float16. Sources: "CUDA Math API", Half Precision
// Intrinsics; HIP's hip_fp16.h.
#pragma once

typedef _Float16 __half;
typedef _Float16 half;
struct alignas(4) __half2 {
  _Float16 x, y;
};
typedef __half2 half2;

#define LOCKSTEP_HALF(name, expression) \
  LOCKSTEP_ANY __half name(__half a, __half b) { return expression; }
#define LOCKSTEP_HALF2(name, scalar) \
  LOCKSTEP_ANY __half2 name(__half2 a, __half2 b) { return {scalar(a.x, b.x), scalar(a.y, b.y)}; }
LOCKSTEP_HALF(__hadd, a + b)
LOCKSTEP_HALF(__hsub, a - b)
LOCKSTEP_HALF(__hmul, a * b)
LOCKSTEP_HALF(__hdiv, a / b)
LOCKSTEP_HALF(__hmax, a > b || b != b ? a : b)
LOCKSTEP_HALF(__hmin, a < b || b != b ? a : b)
LOCKSTEP_HALF2(__hadd2, __hadd)
LOCKSTEP_HALF2(__hsub2, __hsub)
LOCKSTEP_HALF2(__hmul2, __hmul)
LOCKSTEP_HALF2(__h2div, __hdiv)
LOCKSTEP_HALF2(__hmax2, __hmax)
LOCKSTEP_HALF2(__hmin2, __hmin)
#undef LOCKSTEP_HALF
#undef LOCKSTEP_HALF2
LOCKSTEP_ANY __half __hneg(__half a) { return -a; }
LOCKSTEP_ANY __half2 __hneg2(__half2 a) { return {_Float16(-a.x), _Float16(-a.y)}; }
LOCKSTEP_ANY __half __habs(__half a) { return __builtin_fabsf16(a); }
LOCKSTEP_ANY __half __hfma(__half a, __half b, __half c) { return __builtin_fmaf16(a, b, c); }
LOCKSTEP_ANY __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
LOCKSTEP_ANY bool __heq(__half a, __half b) { return a == b; }
LOCKSTEP_ANY bool __hne(__half a, __half b) { return a != b; }
LOCKSTEP_ANY bool __hlt(__half a, __half b) { return a < b; }
LOCKSTEP_ANY bool __hle(__half a, __half b) { return a <= b; }
LOCKSTEP_ANY bool __hgt(__half a, __half b) { return a > b; }
LOCKSTEP_ANY bool __hge(__half a, __half b) { return a >= b; }
LOCKSTEP_ANY bool __hisnan(__half a) { return a != a; }

LOCKSTEP_ANY __half __float2half(float a) { return (__half)a; }
LOCKSTEP_ANY __half __float2half_rn(float a) { return (__half)a; }
LOCKSTEP_ANY float __half2float(__half a) { return (float)a; }
LOCKSTEP_ANY __half __int2half_rn(int a) { return (__half)a; }
LOCKSTEP_ANY int __half2int_rz(__half a) { return (int)a; }
LOCKSTEP_ANY int __half2int_rn(__half a) { return (int)__builtin_rintf16(a); }
LOCKSTEP_ANY __half2 __floats2half2_rn(float a, float b) { return {(__half)a, (__half)b}; }
LOCKSTEP_ANY __half2 __float2half2_rn(float a) { return {(__half)a, (__half)a}; }
LOCKSTEP_ANY __half2 __halves2half2(__half a, __half b) { return {a, b}; }
LOCKSTEP_ANY __half2 __half2half2(__half a) { return {a, a}; }
LOCKSTEP_ANY __half2 make_half2(__half a, __half b) { return {a, b}; }
LOCKSTEP_ANY __half __low2half(__half2 a) { return a.x; }
LOCKSTEP_ANY __half __high2half(__half2 a) { return a.y; }
LOCKSTEP_ANY float __low2float(__half2 a) { return (float)a.x; }
LOCKSTEP_ANY float __high2float(__half2 a) { return (float)a.y; }
LOCKSTEP_ANY float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
LOCKSTEP_ANY __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
LOCKSTEP_ANY __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
LOCKSTEP_ANY __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
LOCKSTEP_ANY __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }

// On AMD by its device library, on NVIDIA by the function of floats, rounded.
#if defined(__AMDGCN__)
#define LOCKSTEP_HALF_FUNCTION(name, function)                          \
  extern "C" __device__ _Float16 __ocml_##function##_f16(_Float16);      \
  LOCKSTEP_DEVICE __half name(__half a) { return __ocml_##function##_f16(a); }
#else
#define LOCKSTEP_HALF_FUNCTION(name, function) \
  LOCKSTEP_DEVICE __half name(__half a) { return (__half)function##f((float)a); }
#endif
LOCKSTEP_HALF_FUNCTION(hsqrt, sqrt)
LOCKSTEP_HALF_FUNCTION(hrsqrt, rsqrt)
LOCKSTEP_HALF_FUNCTION(hexp, exp)
LOCKSTEP_HALF_FUNCTION(hexp2, exp2)
LOCKSTEP_HALF_FUNCTION(hexp10, exp10)
LOCKSTEP_HALF_FUNCTION(hlog, log)
LOCKSTEP_HALF_FUNCTION(hlog2, log2)
LOCKSTEP_HALF_FUNCTION(hlog10, log10)
LOCKSTEP_HALF_FUNCTION(hsin, sin)
LOCKSTEP_HALF_FUNCTION(hcos, cos)
LOCKSTEP_HALF_FUNCTION(hceil, ceil)
LOCKSTEP_HALF_FUNCTION(hfloor, floor)
LOCKSTEP_HALF_FUNCTION(hrint, rint)
LOCKSTEP_HALF_FUNCTION(htrunc, trunc)
#undef LOCKSTEP_HALF_FUNCTION
LOCKSTEP_ANY __half hrcp(__half a) { return (__half)1 / a; }
