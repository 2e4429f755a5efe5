// How many cycles a device's own counter sees go by. COUNTER is 0 where the language has none for it.
#include "repeat.h"

#if defined(__NV_CL_C_VERSION) || defined(__NVPTX__)
#define READ(x) __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(x) : : "memory")
#elif defined(__AMDGCN__)
#define READ(x) x = __builtin_readcyclecounter()
#else
#define READ(x) x = 0
#endif

__kernel void count_cycles(__global ulong* cycles, __global const float* in, __global float* out, uint rounds) {
  const float a = in[0] + 1.0f, b = in[1];
  float x = in[get_local_id(0)];
  ulong begin, end;
  READ(begin);
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R64(x = fma(x, a, b);)
  }
  out[get_global_id(0)] = x;
  READ(end);
  cycles[0] = end - begin;
}
