// Loads and stores with a hint for the caches, and products of bytes and half-words, of CUDA C++. Source: "CUDA C++ Programming Guide", Load
// Functions Using Cache Hints, Store Functions Using Cache Hints; "CUDA Math API", Integer Intrinsics.
#pragma once

#if defined(__NVPTX__)
#define LOCKSTEP_LOAD(name, hint)                                                                                \
  template <class T>                                                                                             \
  static __device__ inline T name(const T* p) {                                                                  \
    const size_t at = __cvta_generic_to_global(p);                                                               \
    if constexpr (sizeof(T) == 4) {                                                                              \
      unsigned int x;                                                                                            \
      __asm__ volatile("ld.global." hint ".u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");                       \
      return __builtin_bit_cast(T, x);                                                                           \
    } else if constexpr (sizeof(T) == 8) {                                                                       \
      unsigned long long x;                                                                                      \
      __asm__ volatile("ld.global." hint ".u64 %0, [%1];" : "=l"(x) : "l"(at) : "memory");                       \
      return __builtin_bit_cast(T, x);                                                                           \
    } else if constexpr (sizeof(T) == 16) {                                                                      \
      struct {                                                                                                   \
        unsigned int word[4];                                                                                    \
      } x;                                                                                                       \
      __asm__ volatile("ld.global." hint ".v4.u32 {%0, %1, %2, %3}, [%4];"                                       \
                       : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])                      \
                       : "l"(at)                                                                                 \
                       : "memory");                                                                              \
      return __builtin_bit_cast(T, x);                                                                           \
    } else {                                                                                                     \
      return *p;                                                                                                 \
    }                                                                                                            \
  }
#define LOCKSTEP_STORE(name, hint)                                                                               \
  template <class T>                                                                                             \
  static __device__ inline void name(T* p, T value) {                                                            \
    const size_t at = __cvta_generic_to_global(p);                                                               \
    if constexpr (sizeof(T) == 4) {                                                                              \
      __asm__ volatile("st.global." hint ".u32 [%0], %1;" ::"l"(at), "r"(__builtin_bit_cast(unsigned int, value)) \
                       : "memory");                                                                              \
    } else if constexpr (sizeof(T) == 8) {                                                                       \
      __asm__ volatile("st.global." hint ".u64 [%0], %1;" ::"l"(at),                                             \
                       "l"(__builtin_bit_cast(unsigned long long, value))                                        \
                       : "memory");                                                                              \
    } else {                                                                                                     \
      *p = value;                                                                                                \
    }                                                                                                            \
  }
#else  // AMD's compiler says nothing to caches of values of any type
#define LOCKSTEP_LOAD(name, hint)               \
  template <class T>                            \
  static __device__ inline T name(const T* p) { \
    return *p;                                  \
  }
#define LOCKSTEP_STORE(name, hint)                    \
  template <class T>                                  \
  static __device__ inline void name(T* p, T value) { \
    *p = value;                                       \
  }
#endif
LOCKSTEP_LOAD(__ldcg, "cg")
LOCKSTEP_LOAD(__ldca, "ca")
LOCKSTEP_LOAD(__ldcs, "cs")
LOCKSTEP_LOAD(__ldlu, "lu")
LOCKSTEP_LOAD(__ldcv, "cv")
LOCKSTEP_STORE(__stwb, "wb")
LOCKSTEP_STORE(__stcg, "cg")
LOCKSTEP_STORE(__stcs, "cs")
LOCKSTEP_STORE(__stwt, "wt")
#undef LOCKSTEP_LOAD
#undef LOCKSTEP_STORE

#if defined(__NVPTX__) && __CUDA_ARCH__ >= 610
#define LOCKSTEP_DP4A(T, suffix, byte)                                                                           \
  LOCKSTEP_DEVICE T __dp4a(T a, T b, T c) {                                                                      \
    T sum;                                                                                                       \
    __asm__("dp4a." suffix "." suffix " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));                  \
    return sum;                                                                                                  \
  }
#else
#define LOCKSTEP_DP4A(T, suffix, byte)                                                              \
  LOCKSTEP_DEVICE T __dp4a(T a, T b, T c) {                                                         \
    for (int i = 0; i < 32; i += 8) c += (T)(byte)((unsigned)a >> i) * (T)(byte)((unsigned)b >> i); \
    return c;                                                                                       \
  }
#endif
LOCKSTEP_DP4A(int, "s32", signed char)
LOCKSTEP_DP4A(unsigned int, "u32", unsigned char)
#undef LOCKSTEP_DP4A

// Two half-words of a times the lower (lo) or higher (hi) two bytes of b, added to c.
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 610
#define LOCKSTEP_DP2A(part, from, T, suffix, half, byte)                                                         \
  LOCKSTEP_DEVICE T __dp2a_##part(T a, T b, T c) {                                                               \
    T sum;                                                                                                       \
    __asm__("dp2a." #part "." suffix "." suffix " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));        \
    return sum;                                                                                                  \
  }
#else
#define LOCKSTEP_DP2A(part, from, T, suffix, half, byte)                                     \
  LOCKSTEP_DEVICE T __dp2a_##part(T a, T b, T c) {                                           \
    for (int i = 0; i < 2; ++i)                                                              \
      c += (T)(half)((unsigned)a >> 16 * i) * (T)(byte)((unsigned)b >> (from + 8 * i));      \
    return c;                                                                                \
  }
#endif
LOCKSTEP_DP2A(lo, 0, int, "s32", short, signed char)
LOCKSTEP_DP2A(lo, 0, unsigned int, "u32", unsigned short, unsigned char)
LOCKSTEP_DP2A(hi, 16, int, "s32", short, signed char)
LOCKSTEP_DP2A(hi, 16, unsigned int, "u32", unsigned short, unsigned char)
#undef LOCKSTEP_DP2A
// The same with vectors for the parts.
LOCKSTEP_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
LOCKSTEP_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
LOCKSTEP_DEVICE int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
LOCKSTEP_DEVICE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
  return __dp2a_lo(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
LOCKSTEP_DEVICE int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
LOCKSTEP_DEVICE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
  return __dp2a_hi(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
