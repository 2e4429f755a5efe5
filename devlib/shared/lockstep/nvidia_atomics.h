// CUDA's atomic functions: relaxed. Every scope is executed alike, so the _system and _block forms are the plain ones.
#pragma once

#define LOCKSTEP_ATOMIC(name, builtin, T)                                                 \
  LOCKSTEP_DEVICE T name(T* p, T v) { return builtin(p, v, __ATOMIC_RELAXED); }           \
  LOCKSTEP_DEVICE T name##_system(T* p, T v) { return builtin(p, v, __ATOMIC_RELAXED); }  \
  LOCKSTEP_DEVICE T name##_block(T* p, T v) { return builtin(p, v, __ATOMIC_RELAXED); }
#define LOCKSTEP_ATOMIC_INTEGERS(name, builtin)      \
  LOCKSTEP_ATOMIC(name, builtin, int)                \
  LOCKSTEP_ATOMIC(name, builtin, unsigned int)       \
  LOCKSTEP_ATOMIC(name, builtin, long)               \
  LOCKSTEP_ATOMIC(name, builtin, unsigned long)      \
  LOCKSTEP_ATOMIC(name, builtin, long long)          \
  LOCKSTEP_ATOMIC(name, builtin, unsigned long long)
LOCKSTEP_ATOMIC_INTEGERS(atomicAdd, __atomic_fetch_add)
LOCKSTEP_ATOMIC(atomicAdd, __atomic_fetch_add, float)
LOCKSTEP_ATOMIC(atomicAdd, __atomic_fetch_add, double)
LOCKSTEP_ATOMIC_INTEGERS(atomicSub, __atomic_fetch_sub)
LOCKSTEP_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and)
LOCKSTEP_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or)
LOCKSTEP_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor)
LOCKSTEP_ATOMIC_INTEGERS(atomicMin, __atomic_fetch_min)
LOCKSTEP_ATOMIC_INTEGERS(atomicMax, __atomic_fetch_max)
LOCKSTEP_ATOMIC_INTEGERS(atomicExch, __atomic_exchange_n)
#undef LOCKSTEP_ATOMIC_INTEGERS
#undef LOCKSTEP_ATOMIC
#define LOCKSTEP_ATOMIC_EXCHANGE(name)                                                                                  \
  LOCKSTEP_DEVICE float name(float* p, float v) {                                                                       \
    return __builtin_bit_cast(float, __atomic_exchange_n((int*)p, __builtin_bit_cast(int, v), __ATOMIC_RELAXED));       \
  }                                                                                                                     \
  LOCKSTEP_DEVICE double name(double* p, double v) {                                                                    \
    return __builtin_bit_cast(double, __atomic_exchange_n((long long*)p, __builtin_bit_cast(long long, v),              \
                                                          __ATOMIC_RELAXED));                                           \
  }
LOCKSTEP_ATOMIC_EXCHANGE(atomicExch)
LOCKSTEP_ATOMIC_EXCHANGE(atomicExch_system)
LOCKSTEP_ATOMIC_EXCHANGE(atomicExch_block)
#undef LOCKSTEP_ATOMIC_EXCHANGE

#define LOCKSTEP_ATOMIC_CAS(T)                                                                                  \
  LOCKSTEP_DEVICE T atomicCAS(T* p, T expected, T v) {                                                          \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                    \
    return expected;                                                                                            \
  }                                                                                                             \
  LOCKSTEP_DEVICE T atomicCAS_system(T* p, T expected, T v) { return atomicCAS(p, expected, v); }               \
  LOCKSTEP_DEVICE T atomicCAS_block(T* p, T expected, T v) { return atomicCAS(p, expected, v); }
LOCKSTEP_ATOMIC_CAS(int)
LOCKSTEP_ATOMIC_CAS(unsigned int)
LOCKSTEP_ATOMIC_CAS(long)
LOCKSTEP_ATOMIC_CAS(unsigned long)
LOCKSTEP_ATOMIC_CAS(long long)
LOCKSTEP_ATOMIC_CAS(unsigned long long)
#undef LOCKSTEP_ATOMIC_CAS
#define LOCKSTEP_ATOMIC_COUNT(name, builtin)                                                            \
  LOCKSTEP_DEVICE unsigned int name(unsigned int* p, unsigned int limit) { return builtin(p, limit); }  \
  LOCKSTEP_DEVICE unsigned int name##_system(unsigned int* p, unsigned int limit) { return builtin(p, limit); } \
  LOCKSTEP_DEVICE unsigned int name##_block(unsigned int* p, unsigned int limit) { return builtin(p, limit); }
LOCKSTEP_ATOMIC_COUNT(atomicInc, __nvvm_atom_inc_gen_ui)
LOCKSTEP_ATOMIC_COUNT(atomicDec, __nvvm_atom_dec_gen_ui)
#undef LOCKSTEP_ATOMIC_COUNT
