// What the kernels of fresh.cu and fresh2.cu have in common: short names for CUDA C++ without its headers.
#pragma once
#define KERNEL extern "C" __attribute__((global)) void
#define INLINE static __attribute__((device)) inline
#define SHARED __attribute__((shared)) static
#define TID __nvvm_read_ptx_sreg_tid_x()
#define BID __nvvm_read_ptx_sreg_ctaid_x()
#define BDIM __nvvm_read_ptx_sreg_ntid_x()
#define GDIM __nvvm_read_ptx_sreg_nctaid_x()
#define TIDY __nvvm_read_ptx_sreg_tid_y()
#define BIDY __nvvm_read_ptx_sreg_ctaid_y()
#define SYNC __syncthreads()
#define R __restrict__
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned char u8;
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef u32 u2 __attribute__((ext_vector_type(2)));
typedef u32 u4 __attribute__((ext_vector_type(4)));
typedef u8 c4 __attribute__((ext_vector_type(4)));
INLINE float exp2f_(float x) { return __nvvm_ex2_approx_ftz_f(x); }
INLINE float expf_(float x) { return __nvvm_ex2_approx_ftz_f(x * 1.44269504f); }
INLINE float rsq(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
INLINE float fdiv(float a, float b) { float y; asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b)); return y; }
INLINE float maxf(float a, float b) { return __nvvm_fmax_f(a, b); }
INLINE float minf(float a, float b) { return __nvvm_fmin_f(a, b); }
INLINE float bfly(float x, u32 m) { return __nvvm_shfl_sync_bfly_f32(-1, x, m, 31); }
INLINE u32 up(u32 x, u32 d) { return __nvvm_shfl_sync_up_i32(-1, x, d, 0); }
INLINE u32 idx(u32 x, u32 l) { return __nvvm_shfl_sync_idx_i32(-1, x, l, 31); }
INLINE u32 ballot(bool p) { return __nvvm_vote_ballot_sync(-1, p); }
INLINE u32 popc(u32 x) { return __builtin_popcount(x); }
INLINE u32 add(u32* p, u32 v) { return __nvvm_atom_add_gen_i((int*)p, v); }
INLINE void addf(float* p, float v) { __nvvm_atom_add_gen_f(p, v); }
INLINE u32 cas(u32* p, u32 c, u32 v) { return __nvvm_atom_cas_gen_i((int*)p, c, v); }
INLINE u32 rotl(u32 x, u32 k) { return x << k | x >> (32 - k); }
INLINE float warp_sum(float x) { for (u32 s = 16; s > 0; s >>= 1) x += bfly(x, s); return x; }
INLINE float warp_max(float x) { for (u32 s = 16; s > 0; s >>= 1) x = maxf(x, bfly(x, s)); return x; }
