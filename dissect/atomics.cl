// Atomic additions of nothing: every word holds its own place, so that what is returned leads to the next addition, at the
// same word. `sharing` neighbouring work-items have one word.
#include "repeat.h"

#define GLOBAL_ADD p = atomic_add((volatile __global uint*)(memory + p), nothing);
#define LOCAL_ADD p = atomic_add((volatile __local uint*)(memory + p), nothing);

#define GLOBAL(NAME, BODY) \
  __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void NAME( \
      __global char* memory, __global uint* out, uint sharing, uint nothing, uint rounds) { \
    uint p = get_global_id(0) / sharing * 4; \
    NOT_UNROLLED \
    for (uint round = 0; round < rounds; ++round) { \
      BODY \
    } \
    out[get_global_id(0)] = p; \
  }
#define LOCAL(NAME, BODY) \
  __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void NAME( \
      __global char* unused, __global uint* out, uint sharing, uint nothing, uint rounds) { \
    __local char memory[GROUP * 4] __attribute__((aligned(16))); \
    const uint item = get_local_id(0); \
    *(__local uint*)(memory + item * 4) = item * 4; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    uint p = item / sharing * 4; \
    NOT_UNROLLED \
    for (uint round = 0; round < rounds; ++round) { \
      BODY \
    } \
    out[get_global_id(0)] = p; \
  }

GLOBAL(global_short, SHORT(GLOBAL_ADD))
GLOBAL(global_long, LONG(GLOBAL_ADD))
LOCAL(local_short, SHORT(LOCAL_ADD))
LOCAL(local_long, LONG(LOCAL_ADD))
