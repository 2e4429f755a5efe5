// Local memory whose every word holds its own place, in bytes: a chain of reads, each at the place that the one
// before it gave, reads the same words again and again, and which words that are is the first place's choice.
#include "repeat.h"

#if WIDTH == 4
#define T uint
#define NEXT(v) (v)
#elif WIDTH == 8
#define T uint2
#define NEXT(v) ((v).x + (v).y)
#else
#define T uint4
#define NEXT(v) ((v).x + (v).y + ((v).z + (v).w))
#endif

#define READ(p) { const T v = *(const __local T*)(memory + p); p = NEXT(v); }
#define ONE_READ READ(p0)
#define FOUR_READS READ(p0) READ(p1) READ(p2) READ(p3)

// Work-item i begins at byte i * stride; its chains lie a group's bytes apart where there is room for it.
#define PLACES \
  __local char memory[BYTES] __attribute__((aligned(16))); \
  const uint item = get_local_id(0); \
  for (uint at = item * 4; at < BYTES; at += GROUP * 4) \
    *(__local uint*)(memory + at) = at % WIDTH == 0 ? at : 0; \
  barrier(CLK_LOCAL_MEM_FENCE); \
  uint p0 = item * stride % BYTES; \
  uint p1 = (p0 + GROUP * stride) % BYTES, p2 = (p1 + GROUP * stride) % BYTES, p3 = (p2 + GROUP * stride) % BYTES;

#define KERNEL(NAME, BODY) \
  __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void NAME(__global uint* out, uint rounds, \
                                                                         uint stride) { \
    PLACES \
    const T v = (T)(rounds); \
    NOT_UNROLLED \
    for (uint round = 0; round < rounds; ++round) { \
      BODY \
    } \
    barrier(CLK_LOCAL_MEM_FENCE); \
    out[get_global_id(0)] = p0 + p1 + p2 + p3 + *(__local uint*)(memory + p0); \
  }

KERNEL(latency_short, SHORT(ONE_READ))
KERNEL(latency_long, LONG(ONE_READ))
KERNEL(read_short, SHORT(FOUR_READS))
KERNEL(read_long, LONG(FOUR_READS))

// Nothing may be known of memory between two rounds of stores, or all but the last ones were left out.
#define WRITE(p) *(__local T*)(memory + p) = v;
#define FOUR_WRITES WRITE(p0) WRITE(p1) WRITE(p2) WRITE(p3) __asm__ volatile("" ::: "memory");
KERNEL(write_short, SHORT(FOUR_WRITES))
KERNEL(write_long, LONG(FOUR_WRITES))
