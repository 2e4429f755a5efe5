// Loads, shuffles and atomic sums of types of 16 bits and of pairs of them. Source: "CUDA C++ Programming Guide", Atomic Functions,
// Warp Shuffle Functions.
#pragma once

// Of a word whose part at `shift` is T: tried until nobody else has changed the word.
template <class T, class Bits>
static __device__ inline __attribute__((always_inline, nodebug)) T lockstep_add_within(unsigned int* word, int shift, T v) {
  unsigned int before = *(volatile unsigned int*)word;
  for (;;) {
    const T old = __builtin_bit_cast(T, (Bits)(before >> shift));
    const unsigned int sum = __builtin_bit_cast(Bits, (T)(old + v)), part = (unsigned int)(Bits)~(Bits)0 << shift;
    const unsigned int seen = atomicCAS(word, before, (before & ~part) | sum << shift);
    if (seen == before) return old;
    before = seen;
  }
}
template <class T>
LOCKSTEP_DEVICE T lockstep_add_half(T* p, T v) {
  const unsigned long long at = (unsigned long long)p;
  return lockstep_add_within<T, unsigned short>((unsigned int*)(at & ~3ull), (int)(at & 2) * 8, v);
}

// From sm_60 (pairs) and sm_70 on (halves; bfloat16 from sm_90 on) NVIDIA has an instruction.
#if defined(__CUDA_ARCH__)
#define LOCKSTEP_ADD_ONE(T, type, arch)                                                                        \
  LOCKSTEP_DEVICE T atomicAdd(T* p, T v) {                                                                     \
    if constexpr (__CUDA_ARCH__ >= arch) {                                                                     \
      unsigned short old;                                                                                      \
      __asm__ volatile("atom.add.noftz." type " %0, [%1], %2;"                                                 \
                       : "=h"(old)                                                                             \
                       : "l"(p), "h"(__builtin_bit_cast(unsigned short, v))                                    \
                       : "memory");                                                                            \
      return __builtin_bit_cast(T, old);                                                                       \
    } else {                                                                                                   \
      return lockstep_add_half(p, v);                                                                          \
    }                                                                                                          \
  }
#define LOCKSTEP_ADD_PAIR(T2, type, arch)                                                                      \
  LOCKSTEP_DEVICE T2 atomicAdd(T2* p, T2 v) {                                                                  \
    if constexpr (__CUDA_ARCH__ >= arch) {                                                                     \
      unsigned int old;                                                                                        \
      __asm__ volatile("atom.add.noftz." type "x2 %0, [%1], %2;"                                               \
                       : "=r"(old)                                                                             \
                       : "l"(p), "r"(__builtin_bit_cast(unsigned int, v))                                      \
                       : "memory");                                                                            \
      return __builtin_bit_cast(T2, old);                                                                      \
    } else {                                                                                                   \
      return lockstep_add_within<T2, unsigned int>((unsigned int*)p, 0, v);                                    \
    }                                                                                                          \
  }
#else
#define LOCKSTEP_ADD_ONE(T, type, arch) \
  LOCKSTEP_DEVICE T atomicAdd(T* p, T v) { return lockstep_add_half(p, v); }
#define LOCKSTEP_ADD_PAIR(T2, type, arch) \
  LOCKSTEP_DEVICE T2 atomicAdd(T2* p, T2 v) { return lockstep_add_within<T2, unsigned int>((unsigned int*)p, 0, v); }
#endif
#define LOCKSTEP_HALF_ATOMICS(T, T2, type, arch_of_pairs, arch_of_one) \
  LOCKSTEP_ADD_ONE(T, type, arch_of_one)                               \
  LOCKSTEP_ADD_PAIR(T2, type, arch_of_pairs)                           \
  LOCKSTEP_DEVICE T unsafeAtomicAdd(T* p, T v) { return atomicAdd(p, v); } \
  LOCKSTEP_DEVICE T2 unsafeAtomicAdd(T2* p, T2 v) { return atomicAdd(p, v); }

// On AMD __ldg and the shuffles take values of any type.
#if !defined(__CUDA_ARCH__)
#define LOCKSTEP_HALF_LANES(T, Bits)
#else
#if __CUDA_ARCH__ >= 320
#define LOCKSTEP_HALF_LOAD(T, Bits) \
  LOCKSTEP_DEVICE T __ldg(const T* p) { return __builtin_bit_cast(T, __ldg((const Bits*)p)); }
#else
#define LOCKSTEP_HALF_LOAD(T, Bits) \
  LOCKSTEP_DEVICE T __ldg(const T* p) { return *p; }
#endif
#define LOCKSTEP_MOVED(T, Bits, name, By)                                                            \
  LOCKSTEP_DEVICE T name(unsigned int mask, T v, By by, int width = warpSize) {                      \
    const unsigned int word = __builtin_bit_cast(Bits, v);                                           \
    return __builtin_bit_cast(T, (Bits)name(mask, word, by, width));                                 \
  }
#define LOCKSTEP_MOVED_WITHOUT_MASK(T, Bits, name, By)                                               \
  LOCKSTEP_DEVICE T name(T v, By by, int width = warpSize) {                                         \
    const unsigned int word = __builtin_bit_cast(Bits, v);                                           \
    return __builtin_bit_cast(T, (Bits)name((int)word, by, width));                                  \
  }
#if __CUDA_ARCH__ >= 700
#define LOCKSTEP_HALF_LANES(T, Bits)                          \
  LOCKSTEP_HALF_LOAD(T, Bits)                                 \
  LOCKSTEP_MOVED(T, Bits, __shfl_sync, int)                   \
  LOCKSTEP_MOVED(T, Bits, __shfl_up_sync, unsigned int)       \
  LOCKSTEP_MOVED(T, Bits, __shfl_down_sync, unsigned int)     \
  LOCKSTEP_MOVED(T, Bits, __shfl_xor_sync, int)
#elif __CUDA_ARCH__ >= 300
#define LOCKSTEP_HALF_LANES(T, Bits)                                 \
  LOCKSTEP_HALF_LOAD(T, Bits)                                        \
  LOCKSTEP_MOVED(T, Bits, __shfl_sync, int)                          \
  LOCKSTEP_MOVED(T, Bits, __shfl_up_sync, unsigned int)              \
  LOCKSTEP_MOVED(T, Bits, __shfl_down_sync, unsigned int)            \
  LOCKSTEP_MOVED(T, Bits, __shfl_xor_sync, int)                      \
  LOCKSTEP_MOVED_WITHOUT_MASK(T, Bits, __shfl, int)                  \
  LOCKSTEP_MOVED_WITHOUT_MASK(T, Bits, __shfl_up, unsigned int)      \
  LOCKSTEP_MOVED_WITHOUT_MASK(T, Bits, __shfl_down, unsigned int)    \
  LOCKSTEP_MOVED_WITHOUT_MASK(T, Bits, __shfl_xor, int)
#else
#define LOCKSTEP_HALF_LANES(T, Bits) LOCKSTEP_HALF_LOAD(T, Bits)
#endif
#endif
