// The device language of HIP (and of CUDA source compiled for AMD) for clang alone, without an installed HIP: what kernels
// find in AMD's hip_runtime.h. Mathematics and <cmath> come with clang (__clang_hip_runtime_wrapper.h, over AMD's device
// library); the rest is here. Source: "HIP C++ language extensions" of the HIP documentation.
#pragma once
#include "lockstep/vector_types.h"
#include "lockstep/rounding.h"

// Nobody but the device sees such a variable: there is no host program, whose pointer to it would have to be set.
#undef __managed__
#define __managed__ __attribute__((device))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define LOCKSTEP_BOUNDS_1(items) __attribute__((amdgpu_flat_work_group_size(1, items)))
#define LOCKSTEP_BOUNDS_2(items, waves) LOCKSTEP_BOUNDS_1(items) __attribute__((amdgpu_waves_per_eu(waves)))
#define LOCKSTEP_BOUNDS(items, waves, chosen, ...) chosen
#define __launch_bounds__(...) \
  LOCKSTEP_BOUNDS(__VA_ARGS__, LOCKSTEP_BOUNDS_2, LOCKSTEP_BOUNDS_1, LOCKSTEP_BOUNDS_1)(__VA_ARGS__)

#define LOCKSTEP_DEVICE static __device__ inline __attribute__((always_inline, nodebug))

// ---- Where a work-item is.
extern "C" {
__device__ size_t __ockl_get_local_size(unsigned int);
__device__ size_t __ockl_get_num_groups(unsigned int);
__device__ int __ockl_wfany_i32(int);
__device__ int __ockl_wfall_i32(int);
}

#define LOCKSTEP_NODEBUG __device__ __attribute__((always_inline, nodebug))
#define LOCKSTEP_INDEX(name, value_x, value_y, value_z)                                 \
  struct lockstep_##name {                                                              \
    __declspec(property(get = get_x)) unsigned int x;                                   \
    __declspec(property(get = get_y)) unsigned int y;                                   \
    __declspec(property(get = get_z)) unsigned int z;                                   \
    LOCKSTEP_NODEBUG static inline unsigned int get_x() { return value_x; }                   \
    LOCKSTEP_NODEBUG static inline unsigned int get_y() { return value_y; }                   \
    LOCKSTEP_NODEBUG static inline unsigned int get_z() { return value_z; }                   \
    __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }        \
    __device__ operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }      \
  };                                                                                    \
  static __device__ constexpr lockstep_##name name;

LOCKSTEP_INDEX(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
               __builtin_amdgcn_workitem_id_z())
LOCKSTEP_INDEX(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
               __builtin_amdgcn_workgroup_id_z())
LOCKSTEP_INDEX(blockDim, (unsigned int)__ockl_get_local_size(0), (unsigned int)__ockl_get_local_size(1),
               (unsigned int)__ockl_get_local_size(2))
LOCKSTEP_INDEX(gridDim, (unsigned int)__ockl_get_num_groups(0), (unsigned int)__ockl_get_num_groups(1),
               (unsigned int)__ockl_get_num_groups(2))
#undef LOCKSTEP_INDEX
#undef LOCKSTEP_NODEBUG


#if defined(__HIP_DEVICE_COMPILE__)
static constexpr int warpSize = __AMDGCN_WAVEFRONT_SIZE;
#else
static constexpr int warpSize = 64;
#endif

LOCKSTEP_DEVICE unsigned int __lane_id() {
  const unsigned int low = __builtin_amdgcn_mbcnt_lo(~0u, 0u);
  return warpSize == 32 ? low : __builtin_amdgcn_mbcnt_hi(~0u, low);
}

// ---- Barriers and fences.
LOCKSTEP_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
LOCKSTEP_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
LOCKSTEP_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
LOCKSTEP_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
// Lanes of a wave need no barrier; the compiler must still not move memory accesses across.
LOCKSTEP_DEVICE void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

// ---- Integers.
LOCKSTEP_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
LOCKSTEP_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
LOCKSTEP_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
LOCKSTEP_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
LOCKSTEP_DEVICE int __ffs(unsigned int x) { return __builtin_ffs((int)x); }
LOCKSTEP_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
LOCKSTEP_DEVICE int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
LOCKSTEP_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
LOCKSTEP_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
LOCKSTEP_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
LOCKSTEP_DEVICE int __mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
LOCKSTEP_DEVICE unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xFFFFFF) * (y & 0xFFFFFF); }
LOCKSTEP_DEVICE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
LOCKSTEP_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y) {
  return (unsigned int)((unsigned long long)x * y >> 32);
}
LOCKSTEP_DEVICE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
LOCKSTEP_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
LOCKSTEP_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
  return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
LOCKSTEP_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}
LOCKSTEP_DEVICE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
LOCKSTEP_DEVICE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
LOCKSTEP_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y) >> 1);
}
LOCKSTEP_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
LOCKSTEP_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int select) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i)
    result |= (unsigned int)(bytes >> (select >> (4 * i) & 7) * 8 & 0xFF) << (8 * i);
  return result;
}
#include "lockstep/simd_in_a_word.h"
LOCKSTEP_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
LOCKSTEP_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
LOCKSTEP_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
LOCKSTEP_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
// HIP: fields of bits, of the lower five or six bits of `at` and `width`; of no bits it is 0, and nothing is put in.
#define LOCKSTEP_FIELDS(T, suffix, bits)                                                                              \
  LOCKSTEP_DEVICE T lockstep_field_mask_##suffix(unsigned int width) { return ((T)1 << (width & (bits - 1))) - 1; }   \
  LOCKSTEP_DEVICE T __bitextract_##suffix(T x, unsigned int at, unsigned int width) {                                 \
    return x >> (at & (bits - 1)) & lockstep_field_mask_##suffix(width);                                              \
  }                                                                                                                   \
  LOCKSTEP_DEVICE T __bitinsert_##suffix(T x, T field, unsigned int at, unsigned int width) {                         \
    const T mask = lockstep_field_mask_##suffix(width);                                                               \
    return (x & ~(mask << (at & (bits - 1)))) | (field & mask) << (at & (bits - 1));                                  \
  }
LOCKSTEP_FIELDS(unsigned int, u32, 32)
LOCKSTEP_FIELDS(unsigned long long, u64, 64)
#undef LOCKSTEP_FIELDS
// The lowest bit that is set, or -1.
LOCKSTEP_DEVICE int __lastbit_u32_u32(unsigned int x) { return x == 0 ? -1 : __builtin_ctz(x); }
LOCKSTEP_DEVICE int __lastbit_u32_u64(unsigned long long x) { return x == 0 ? -1 : __builtin_ctzll(x); }
// The offset-th bit of the mask that is set from `base` on upwards (offset 1 is the first), or downwards where it is negative; of offset
// 0 base itself. No such bit: all bits.
LOCKSTEP_DEVICE unsigned int __fns32(unsigned long long bits, unsigned int base, int offset) {
  const unsigned int mask = (unsigned int)bits;
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~0u;
  int left = offset < 0 ? -offset : offset;
  for (int i = (int)base; i >= 0 && i < 32; i += offset < 0 ? -1 : 1)
    if ((mask >> i & 1) != 0 && --left == 0) return (unsigned int)i;
  return ~0u;
}
LOCKSTEP_DEVICE int __fns64(unsigned long long mask, unsigned int base, int offset) {
  if (offset == 0) return base < 64 && (mask >> base & 1) != 0 ? (int)base : -1;
  int left = offset < 0 ? -offset : offset;
  for (int i = (int)base; i >= 0 && i < 64; i += offset < 0 ? -1 : 1)
    if ((mask >> i & 1) != 0 && --left == 0) return i;
  return -1;
}
LOCKSTEP_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) { return __fns32(mask, base, offset); }

// ---- Bits as numbers, and conversions. _rn rounds to nearest even, _rz to zero, _ru up, _rd down.
#define LOCKSTEP_CAST(name, R, T) \
  LOCKSTEP_DEVICE R name(T x) { return __builtin_bit_cast(R, x); }
LOCKSTEP_CAST(__float_as_int, int, float)
LOCKSTEP_CAST(__float_as_uint, unsigned int, float)
LOCKSTEP_CAST(__int_as_float, float, int)
LOCKSTEP_CAST(__uint_as_float, float, unsigned int)
LOCKSTEP_CAST(__double_as_longlong, long long, double)
LOCKSTEP_CAST(__longlong_as_double, double, long long)
#undef LOCKSTEP_CAST
LOCKSTEP_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
LOCKSTEP_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
LOCKSTEP_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}
#define LOCKSTEP_TO_INTEGER(name, R, T, suffix)                                             \
  LOCKSTEP_DEVICE R name##_rn(T x) { return (R)__builtin_rint##suffix(x); }                 \
  LOCKSTEP_DEVICE R name##_rz(T x) { return (R)x; }                                         \
  LOCKSTEP_DEVICE R name##_ru(T x) { return (R)__builtin_ceil##suffix(x); }                 \
  LOCKSTEP_DEVICE R name##_rd(T x) { return (R)__builtin_floor##suffix(x); }
LOCKSTEP_TO_INTEGER(__float2int, int, float, f)
LOCKSTEP_TO_INTEGER(__float2uint, unsigned int, float, f)
LOCKSTEP_TO_INTEGER(__float2ll, long long, float, f)
LOCKSTEP_TO_INTEGER(__float2ull, unsigned long long, float, f)
LOCKSTEP_TO_INTEGER(__double2int, int, double, )
LOCKSTEP_TO_INTEGER(__double2uint, unsigned int, double, )
LOCKSTEP_TO_INTEGER(__double2ll, long long, double, )
LOCKSTEP_TO_INTEGER(__double2ull, unsigned long long, double, )
#undef LOCKSTEP_TO_INTEGER
#define LOCKSTEP_FROM(name, R, T, rounded)                                                                \
  LOCKSTEP_DEVICE R name##_rn(T x) { return (R)x; }                                                       \
  LOCKSTEP_DEVICE R name##_rz(T x) { return rounded(lockstep_towards::zero, x); }                         \
  LOCKSTEP_DEVICE R name##_ru(T x) { return rounded(lockstep_towards::above, x); }                        \
  LOCKSTEP_DEVICE R name##_rd(T x) { return rounded(lockstep_towards::below, x); }
LOCKSTEP_FROM(__int2float, float, int, (lockstep_round_from<unsigned int, float, double>))
LOCKSTEP_FROM(__uint2float, float, unsigned int, (lockstep_round_from<unsigned int, float, double>))
LOCKSTEP_FROM(__double2float, float, double, (lockstep_round_from<unsigned int, float, double>))
LOCKSTEP_FROM(__ll2float, float, long long, (lockstep_round_integer<unsigned int, float>))
LOCKSTEP_FROM(__ull2float, float, unsigned long long, (lockstep_round_integer<unsigned int, float>))
LOCKSTEP_FROM(__ll2double, double, long long, (lockstep_round_integer<unsigned long long, double>))
LOCKSTEP_FROM(__ull2double, double, unsigned long long,
              (lockstep_round_integer<unsigned long long, double>))
#undef LOCKSTEP_FROM
LOCKSTEP_DEVICE double __int2double_rn(int x) { return (double)x; }
LOCKSTEP_DEVICE double __uint2double_rn(unsigned int x) { return (double)x; }
#include "lockstep/directed_arithmetic.h"

// ---- Atomics: relaxed, seen by the whole device; the _system forms by the host too, the _block forms by the group.
#define LOCKSTEP_ATOMIC(name, function, T)                                                                        \
  LOCKSTEP_DEVICE T name(T* p, T v) { return function(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }        \
  LOCKSTEP_DEVICE T name##_system(T* p, T v) {                                                                    \
    return function(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);                                           \
  }                                                                                                               \
  LOCKSTEP_DEVICE T name##_block(T* p, T v) {                                                                     \
    return function(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);                                        \
  }
#define LOCKSTEP_ATOMIC_INTEGERS(name, function)      \
  LOCKSTEP_ATOMIC(name, function, int)                \
  LOCKSTEP_ATOMIC(name, function, unsigned int)       \
  LOCKSTEP_ATOMIC(name, function, unsigned long)      \
  LOCKSTEP_ATOMIC(name, function, unsigned long long) \
  LOCKSTEP_ATOMIC(name, function, long long)
LOCKSTEP_ATOMIC_INTEGERS(atomicAdd, __hip_atomic_fetch_add)
LOCKSTEP_ATOMIC(atomicAdd, __hip_atomic_fetch_add, float)
LOCKSTEP_ATOMIC(atomicAdd, __hip_atomic_fetch_add, double)
LOCKSTEP_ATOMIC_INTEGERS(lockstep_subtract, __hip_atomic_fetch_sub)
LOCKSTEP_ATOMIC_INTEGERS(atomicAnd, __hip_atomic_fetch_and)
LOCKSTEP_ATOMIC_INTEGERS(atomicOr, __hip_atomic_fetch_or)
LOCKSTEP_ATOMIC_INTEGERS(atomicXor, __hip_atomic_fetch_xor)
LOCKSTEP_ATOMIC_INTEGERS(atomicMin, __hip_atomic_fetch_min)
LOCKSTEP_ATOMIC_INTEGERS(atomicMax, __hip_atomic_fetch_max)
LOCKSTEP_ATOMIC(atomicMin, __hip_atomic_fetch_min, float)
LOCKSTEP_ATOMIC(atomicMax, __hip_atomic_fetch_max, float)
LOCKSTEP_ATOMIC(atomicMin, __hip_atomic_fetch_min, double)
LOCKSTEP_ATOMIC(atomicMax, __hip_atomic_fetch_max, double)
LOCKSTEP_ATOMIC_INTEGERS(atomicExch, __hip_atomic_exchange)
LOCKSTEP_ATOMIC(atomicExch, __hip_atomic_exchange, float)
LOCKSTEP_ATOMIC(atomicExch, __hip_atomic_exchange, double)
#undef LOCKSTEP_ATOMIC_INTEGERS
#undef LOCKSTEP_ATOMIC
#define LOCKSTEP_ATOMIC_SUB(T)                                                            \
  LOCKSTEP_DEVICE T atomicSub(T* p, T v) { return lockstep_subtract(p, v); }              \
  LOCKSTEP_DEVICE T atomicSub_block(T* p, T v) { return lockstep_subtract_block(p, v); }  \
  LOCKSTEP_DEVICE T atomicSub_system(T* p, T v) { return lockstep_subtract_system(p, v); }
LOCKSTEP_ATOMIC_SUB(int)
LOCKSTEP_ATOMIC_SUB(unsigned int)
LOCKSTEP_ATOMIC_SUB(unsigned long)
LOCKSTEP_ATOMIC_SUB(unsigned long long)
LOCKSTEP_DEVICE float atomicSub(float* p, float v) { return atomicAdd(p, -v); }
LOCKSTEP_DEVICE double atomicSub(double* p, double v) { return atomicAdd(p, -v); }
#undef LOCKSTEP_ATOMIC_SUB
#define LOCKSTEP_ATOMIC_CAS_OF(name, T, scope)                                                               \
  LOCKSTEP_DEVICE T name(T* p, T expected, T v) {                                                            \
    __hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);        \
    return expected;                                                                                         \
  }
#define LOCKSTEP_ATOMIC_CAS(T)                                                       \
  LOCKSTEP_ATOMIC_CAS_OF(atomicCAS, T, __HIP_MEMORY_SCOPE_AGENT)                     \
  LOCKSTEP_ATOMIC_CAS_OF(atomicCAS_block, T, __HIP_MEMORY_SCOPE_WORKGROUP)           \
  LOCKSTEP_ATOMIC_CAS_OF(atomicCAS_system, T, __HIP_MEMORY_SCOPE_SYSTEM)
LOCKSTEP_ATOMIC_CAS(int)
LOCKSTEP_ATOMIC_CAS(unsigned int)
LOCKSTEP_ATOMIC_CAS(unsigned long)
LOCKSTEP_ATOMIC_CAS(unsigned long long)
LOCKSTEP_ATOMIC_CAS(long long)
LOCKSTEP_ATOMIC_CAS(float)
LOCKSTEP_ATOMIC_CAS(double)
#undef LOCKSTEP_ATOMIC_CAS
#undef LOCKSTEP_ATOMIC_CAS_OF
LOCKSTEP_DEVICE float unsafeAtomicAdd(float* p, float v) { return atomicAdd(p, v); }
LOCKSTEP_DEVICE double unsafeAtomicAdd(double* p, double v) { return atomicAdd(p, v); }
LOCKSTEP_DEVICE float safeAtomicAdd(float* p, float v) { return atomicAdd(p, v); }
LOCKSTEP_DEVICE double safeAtomicAdd(double* p, double v) { return atomicAdd(p, v); }
LOCKSTEP_DEVICE void atomicAddNoRet(float* p, float v) { atomicAdd(p, v); }
#define LOCKSTEP_ATOMIC_COUNT(name, builtin)                                       \
  LOCKSTEP_DEVICE unsigned int name(unsigned int* p, unsigned int limit) {         \
    return builtin(p, limit, __ATOMIC_RELAXED, "agent");                           \
  }                                                                                \
  LOCKSTEP_DEVICE unsigned int name##_block(unsigned int* p, unsigned int limit) { \
    return builtin(p, limit, __ATOMIC_RELAXED, "workgroup");                       \
  }                                                                                \
  LOCKSTEP_DEVICE unsigned int name##_system(unsigned int* p, unsigned int limit) { \
    return builtin(p, limit, __ATOMIC_RELAXED, "");                                \
  }
LOCKSTEP_ATOMIC_COUNT(atomicInc, __builtin_amdgcn_atomic_inc32)
LOCKSTEP_ATOMIC_COUNT(atomicDec, __builtin_amdgcn_atomic_dec32)
#undef LOCKSTEP_ATOMIC_COUNT

// ---- Between the lanes of a wave. `width` is a power of two: parts of the wave of so many lanes, each by itself.
LOCKSTEP_DEVICE int lockstep_from_lane(int lane, int value) {
#if defined(__GFX6__) || defined(__GFX7__)
  int result = 0;  // these have no ds_bpermute
  for (int i = 0; i < 64; ++i) {
    const int there = __builtin_amdgcn_readlane(value, i);
    if (i == lane) result = there;
  }
  return result;
#else
  return __builtin_amdgcn_ds_bpermute(lane << 2, value);
#endif
}
#define LOCKSTEP_SHUFFLE(name, S, lane_expression)                                                      \
  LOCKSTEP_DEVICE int lockstep_lane_of_##name(S by, int width) {                                        \
    const int self = (int)__lane_id();                                                                  \
    return lane_expression;                                                                             \
  }                                                                                                     \
  template <class T>                                                                                    \
  static __device__ inline __attribute__((always_inline)) T name(T value, S by, int width = warpSize) { \
    static_assert(sizeof(T) <= 8 && (sizeof(T) == 8 || sizeof(T) <= 4), #name " takes values of up to 8 bytes"); \
    const int lane = lockstep_lane_of_##name(by, width);                                                \
    int words[(sizeof(T) + 3) / 4] = {};                                                                \
    __builtin_memcpy(words, &value, sizeof(T));                                                         \
    for (int& word : words) word = lockstep_from_lane(lane, word);                                      \
    __builtin_memcpy(&value, words, sizeof(T));                                                         \
    return value;                                                                                       \
  }                                                                                                     \
  template <class T>                                                                                    \
  static __device__ inline __attribute__((always_inline)) T name##_sync(unsigned long long, T value, S by,  \
                                                                        int width = warpSize) {         \
    return name(value, by, width);                                                                      \
  }
LOCKSTEP_SHUFFLE(__shfl, int, (by & (width - 1)) + (self & ~(width - 1)))
LOCKSTEP_SHUFFLE(__shfl_up, unsigned int, self - (int)by < (self & ~(width - 1)) ? self : self - (int)by)
LOCKSTEP_SHUFFLE(__shfl_down, unsigned int, (self & (width - 1)) + (int)by >= width ? self : self + (int)by)
LOCKSTEP_SHUFFLE(__shfl_xor, int, (self ^ by) >= ((self + width) & ~(width - 1)) ? self : self ^ by)
#undef LOCKSTEP_SHUFFLE

LOCKSTEP_DEVICE unsigned long long __ballot(int predicate) {
#if defined(__HIP_DEVICE_COMPILE__) && __AMDGCN_WAVEFRONT_SIZE == 32
  return __builtin_amdgcn_ballot_w32(predicate != 0);
#else
  return __builtin_amdgcn_ballot_w64(predicate != 0);
#endif
}
LOCKSTEP_DEVICE unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
LOCKSTEP_DEVICE unsigned long long __activemask() { return __ballot(1); }
LOCKSTEP_DEVICE int __any(int predicate) { return __ockl_wfany_i32(predicate); }
LOCKSTEP_DEVICE int __all(int predicate) { return __ockl_wfall_i32(predicate); }
LOCKSTEP_DEVICE unsigned long long __ballot_sync(unsigned long long mask, int predicate) {
  return __ballot(predicate) & mask;
}
LOCKSTEP_DEVICE int __any_sync(unsigned long long mask, int predicate) { return (__ballot(predicate) & mask) != 0; }
LOCKSTEP_DEVICE int __all_sync(unsigned long long mask, int predicate) {
  return (__ballot(predicate) & mask) == (__activemask() & mask);
}

// Lanes with the same bits: a round for each value, in which all lanes take part.
template <class T>
static __device__ inline unsigned long long __match_any(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any takes values of 4 or 8 bytes");
  int words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
  unsigned long long mine = 0;
  for (unsigned long long left = __activemask(); left != 0;) {
    const int first = __builtin_ctzll(left);
    bool same = true;
    for (int word : words) same &= word == __builtin_amdgcn_readlane(word, first);
    const unsigned long long lanes = __ballot(same);
    if (same) mine = lanes;
    left &= ~lanes;
  }
  return mine;
}
template <class T>
static __device__ inline unsigned long long __match_all(T value, int* same) {
  const unsigned long long lanes = __match_any(value);
  *same = lanes == __activemask();
  return *same ? lanes : 0;
}
// Of the lanes that are there, those of the mask count.
template <class T>
static __device__ inline unsigned long long __match_any_sync(unsigned long long mask, T value) {
  return __match_any(value) & mask;
}
template <class T>
static __device__ inline unsigned long long __match_all_sync(unsigned long long mask, T value, int* same) {
  const unsigned long long members = __activemask() & mask, lanes = __match_any(value) & mask;
  *same = lanes == members;
  return *same ? lanes : 0;
}

// Sums and the like of the members that are there, by one round for each of them, as the shuffles are not bound to a mask.
#define LOCKSTEP_REDUCE(name, T, start, step)                                           \
  LOCKSTEP_DEVICE T name(unsigned long long mask, T value) {                            \
    T all = start;                                                                      \
    for (unsigned long long left = __activemask() & mask; left != 0; left &= left - 1) { \
      const T one = (T)__builtin_amdgcn_readlane((int)value, __builtin_ctzll(left));    \
      all = step;                                                                       \
    }                                                                                   \
    return all;                                                                         \
  }
LOCKSTEP_REDUCE(__reduce_add_sync, int, 0, (int)((unsigned int)all + (unsigned int)one))
LOCKSTEP_REDUCE(__reduce_add_sync, unsigned int, 0, all + one)
LOCKSTEP_REDUCE(__reduce_min_sync, int, 0x7FFFFFFF, one < all ? one : all)
LOCKSTEP_REDUCE(__reduce_min_sync, unsigned int, ~0u, one < all ? one : all)
LOCKSTEP_REDUCE(__reduce_max_sync, int, -0x7FFFFFFF - 1, one > all ? one : all)
LOCKSTEP_REDUCE(__reduce_max_sync, unsigned int, 0, one > all ? one : all)
LOCKSTEP_REDUCE(__reduce_and_sync, unsigned int, ~0u, all & one)
LOCKSTEP_REDUCE(__reduce_or_sync, unsigned int, 0, all | one)
LOCKSTEP_REDUCE(__reduce_xor_sync, unsigned int, 0, all ^ one)
#undef LOCKSTEP_REDUCE

// AMD's own moves between lanes. The address is four times the lane; patterns of swizzle and dpp are the instructions', and constants.
LOCKSTEP_DEVICE int __hip_ds_bpermute(int index, int value) { return lockstep_from_lane(index >> 2 & (warpSize - 1), value); }
LOCKSTEP_DEVICE float __hip_ds_bpermutef(int index, float value) {
  return __builtin_bit_cast(float, __hip_ds_bpermute(index, __builtin_bit_cast(int, value)));
}
#if !defined(__GFX6__) && !defined(__GFX7__)
LOCKSTEP_DEVICE int __hip_ds_permute(int index, int value) { return __builtin_amdgcn_ds_permute(index, value); }
LOCKSTEP_DEVICE float __hip_ds_permutef(int index, float value) {
  return __builtin_bit_cast(float, __hip_ds_permute(index, __builtin_bit_cast(int, value)));
}
#define __hip_move_dpp(value, control, rows, banks, bound) \
  __hip_move_dpp_N<(control), (rows), (banks), (bound)>((value))
template <int control, int rows, int banks, bool bound>
LOCKSTEP_DEVICE int __hip_move_dpp_N(int value) {
  return __builtin_amdgcn_mov_dpp(value, control, rows, banks, bound);
}
#endif
#define __hip_ds_swizzle(value, pattern) __hip_ds_swizzle_N<(pattern)>((value))
#define __hip_ds_swizzlef(value, pattern) __hip_ds_swizzlef_N<(pattern)>((value))
template <int pattern>
LOCKSTEP_DEVICE int __hip_ds_swizzle_N(int value) {
  return __builtin_amdgcn_ds_swizzle(value, pattern);
}
template <int pattern>
LOCKSTEP_DEVICE float __hip_ds_swizzlef_N(float value) {
  return __builtin_bit_cast(float, __hip_ds_swizzle_N<pattern>(__builtin_bit_cast(int, value)));
}

LOCKSTEP_DEVICE int __syncthreads_count(int predicate) {
  __shared__ int count;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) count = 0;
  __syncthreads();
  if (predicate) __hip_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  return count;
}
LOCKSTEP_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
LOCKSTEP_DEVICE int __syncthreads_and(int predicate) { return __syncthreads_count(predicate == 0) == 0; }

// ---- Time, loads, output.
LOCKSTEP_DEVICE long long clock64() { return (long long)__builtin_readcyclecounter(); }
LOCKSTEP_DEVICE long long clock() { return clock64(); }
LOCKSTEP_DEVICE long long wall_clock64() { return (long long)__builtin_readsteadycounter(); }
template <class T>
static __device__ inline T __ldg(const T* p) {
  return *p;
}
#include "lockstep/loads.h"
// Products of parts of words, added up; saturated where that is asked for.
template <class S>
LOCKSTEP_DEVICE S lockstep_dot_end(long long sum, bool saturate) {
  const long long low = (S)-1 < 0 ? -0x80000000ll : 0, high = (S)-1 < 0 ? 0x7FFFFFFFll : 0xFFFFFFFFll;
  return (S)(!saturate ? sum : sum < low ? low : sum > high ? high : sum);
}
LOCKSTEP_DEVICE int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
  return lockstep_dot_end<int>((long long)a.x * b.x + (long long)a.y * b.y + c, saturate);
}
LOCKSTEP_DEVICE unsigned int amd_mixed_dot(ushort2 a, ushort2 b, unsigned int c, bool saturate) {
  return lockstep_dot_end<unsigned int>((long long)a.x * b.x + (long long)a.y * b.y + c, saturate);
}
LOCKSTEP_DEVICE int amd_mixed_dot(char4 a, char4 b, int c, bool saturate) {
  return lockstep_dot_end<int>((long long)c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, saturate);
}
LOCKSTEP_DEVICE unsigned int amd_mixed_dot(uchar4 a, uchar4 b, unsigned int c, bool saturate) {
  return lockstep_dot_end<unsigned int>((long long)c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, saturate);
}
// Eight values of four bits each.
LOCKSTEP_DEVICE int amd_mixed_dot(int a, int b, int c, bool saturate) {
  long long sum = c;
  for (int i = 0; i < 32; i += 4) sum += (long long)((int)((unsigned int)a << (28 - i)) >> 28) * ((int)((unsigned int)b << (28 - i)) >> 28);
  return lockstep_dot_end<int>(sum, saturate);
}
LOCKSTEP_DEVICE unsigned int amd_mixed_dot(unsigned int a, unsigned int b, unsigned int c, bool saturate) {
  long long sum = c;
  for (int i = 0; i < 32; i += 4) sum += (a >> i & 15) * (b >> i & 15);
  return lockstep_dot_end<unsigned int>(sum, saturate);
}
// Which memory a pointer is into. Address ranges tell local and private memory from the rest.
LOCKSTEP_DEVICE unsigned int __isShared(const void* p) {
  return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)p);
}
LOCKSTEP_DEVICE unsigned int __isLocal(const void* p) {
  return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)p);
}
LOCKSTEP_DEVICE unsigned int __isGlobal(const void* p) { return !__isShared(p) && !__isLocal(p); }
// A wait that ends early is one: s_sleep, of 64 clocks.
LOCKSTEP_DEVICE void __nanosleep(unsigned int) { __builtin_amdgcn_s_sleep(1); }
LOCKSTEP_DEVICE void __brkpt() { __builtin_trap(); }
#define __prof_trigger(counter) ((void)(counter))  // counters of events that nobody reads
// Calls are turned into records of the launch's printf buffer before the device library is linked.
__device__ int printf(const char* format, ...) __asm__("printf");

#include "lockstep/language.h"
LOCKSTEP_DEVICE void abort() { __builtin_trap(); }
LOCKSTEP_DEVICE void __trap() { __builtin_trap(); }
