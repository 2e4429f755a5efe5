// What the kernels of fresh4.cu and fresh5.cu have in common.
#pragma once
#include "applications.h"

INLINE float sqrtf_(float x) { return __nvvm_sqrt_rn_f(x); }
INLINE float logf_(float x) { return __nvvm_lg2_approx_ftz_f(x) * 0.69314718f; }
INLINE float sinf_(float x) { return __nvvm_sin_approx_ftz_f(x); }
INLINE float cosf_(float x) { return __nvvm_cos_approx_ftz_f(x); }
INLINE float absf(float x) { return __builtin_fabsf(x); }
INLINE float idxf(float x, u32 l) { return __builtin_bit_cast(float, idx(__builtin_bit_cast(u32, x), l)); }
INLINE u32 mini(u32 a, u32 b) { return a < b ? a : b; }
INLINE u32 mulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
INLINE u32 mix(u32 h) { h ^= h >> 16; h *= 0x7feb352du; h ^= h >> 15; h *= 0x846ca68bu; return h ^ h >> 16; }
INLINE float unit(u32 h) { return ((h >> 8) + 0.5f) * 5.9604645e-8f; }
INLINE u32 local_address(const void* p) { return (u32)(u64)(const __attribute__((address_space(3))) void*)p; }
INLINE f2 halves(u32 v) {
  f2 r;
  asm("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }" : "=f"(r.x), "=f"(r.y) : "r"(v & 0x3bff3bff));
  return r;
}
INLINE u32 pack(f2 v) { u32 o; asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o) : "f"(v.y), "f"(v.x)); return o; }
INLINE f2 cmul(f2 a, f2 b) { f2 r; r.x = a.x * b.x - a.y * b.y; r.y = a.x * b.y + a.y * b.x; return r; }
INLINE float dot3(f4 a, f4 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
typedef unsigned short u16;
#define GDIMY __nvvm_read_ptx_sreg_nctaid_y()
