// What clang's CUDA intrinsics expect of NVIDIA's header of this name: lanes with equal values, from sm_70 on.
#pragma once

#define LOCKSTEP_MATCH(T, I, suffix)                                                          \
  LOCKSTEP_DEVICE unsigned int __match_any_sync(unsigned int mask, T value) {                 \
    return __nvvm_match_any_sync_##suffix(mask, __builtin_bit_cast(I, value));                \
  }                                                                                           \
  LOCKSTEP_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int* same) {      \
    return __nvvm_match_all_sync_##suffix##p(mask, __builtin_bit_cast(I, value), same);       \
  }
LOCKSTEP_MATCH(int, unsigned int, i32)
LOCKSTEP_MATCH(unsigned int, unsigned int, i32)
LOCKSTEP_MATCH(float, unsigned int, i32)
LOCKSTEP_MATCH(long, unsigned long long, i64)
LOCKSTEP_MATCH(unsigned long, unsigned long long, i64)
LOCKSTEP_MATCH(long long, unsigned long long, i64)
LOCKSTEP_MATCH(unsigned long long, unsigned long long, i64)
LOCKSTEP_MATCH(double, unsigned long long, i64)
#undef LOCKSTEP_MATCH
