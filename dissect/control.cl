// Barriers, divergence, launches.
#include "repeat.h"

#define BARRIERS(NAME, BODY) \
  __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void NAME(__global uint* out, uint rounds) { \
    __local uint word; \
    word = 0; \
    NOT_UNROLLED \
    for (uint round = 0; round < rounds; ++round) { \
      BODY \
    } \
    out[get_global_id(0)] = word; \
  }
BARRIERS(barrier_short, SHORT(barrier(CLK_LOCAL_MEM_FENCE);))
BARRIERS(barrier_long, LONG(barrier(CLK_LOCAL_MEM_FENCE);))

// Work-items take `ways` ways, neighbours different ones; each way is 64 multiply-adds.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void diverge(__global float* out,
                                                                          __global const float* in, uint ways,
                                                                          uint rounds) {
  const uint item = get_local_id(0);
  const float a = in[0] + 1.0f, b = in[1];
  float x = in[item];
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    NOT_UNROLLED
    for (uint way = 0; way < ways; ++way) {
      if ((item & (ways - 1)) == way) {
        R64(x = fma(x, a, b);)
      }
    }
  }
  out[get_global_id(0)] = x;
}

__kernel void nothing(__global uint* out) {}
