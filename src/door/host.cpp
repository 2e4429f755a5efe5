#include "door/host.h"

#ifndef LOCKSTEP_HOST_LEVEL
#define LOCKSTEP_HOST_LEVEL ""
#endif

extern "C" bool lockstep_host_is_able() {
#ifdef LOCKSTEP_HOST_IS_V3
  __builtin_cpu_init();
  // The levels of the x86-64 psABI: version 3 is version 2 and these. MOVBE, F16C and LZCNT came no later
  // than AVX2 in every processor that has it.
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") &&
         __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

extern "C" const char* lockstep_host_level() {
  return LOCKSTEP_HOST_LEVEL;
}
