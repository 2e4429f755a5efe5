// Chains of loads through global memory, and loads and stores side by side.
#include "repeat.h"

// Element i lies at i % inner * inner_stride + i / inner * outer_stride and holds the address of the next one. The elements
// of a page, as many as `page`, come one after the other in an order that looks random (a linear congruence of full
// period), then those of the next page; the last page's last leads to the first. inner and page are powers of two.
#define PLACE(i) ((ulong)((i) & (inner - 1)) * inner_stride + (ulong)((i) / inner) * outer_stride)
__kernel void link(__global char* memory, uint count, uint page, uint inner, uint inner_stride, uint outer_stride) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    const uint in_page = (i * 1664525u + 1013904223u) & (page - 1);
    const uint begin = i & ~(page - 1);
    const uint next = in_page != 0 ? begin + in_page : begin + page == count ? 0 : begin + page;
    *(__global ulong*)(memory + PLACE(i)) = (ulong)(memory + PLACE(next));
  }
}

// Reads each of them: a cache may have no more of a line than what was stored in it.
__kernel void sweep(__global char* memory, __global uint* out, uint count, uint inner, uint inner_stride,
                    uint outer_stride) {
  uint sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum ^= *(__global uint*)(memory + PLACE(i));
  out[get_global_id(0)] = sum;
}

// Every word holds its own place.
__kernel void own_places(__global uint* memory, uint count) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) memory[i] = i * 4;
}

// One step after the other, 64 a round. Where a work-item begins depends on its number, so that no compiler takes
// the way of loads that are the same for a whole wave.
__kernel void chase(__global char* memory, __global ulong* out, ulong start, uint rounds) {
  const __global char* p = memory + start + get_local_id(0);
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R64(p = (const __global char*)*(const __global ulong*)p;)
  }
  out[get_global_id(0)] = (ulong)p;
}

// The same from the address space of constants, at a place that is the same for all work-items.
__kernel void chase_constant(__constant char* memory, __global ulong* out, uint rounds) {
  __constant char* p = memory;
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R64(p = (__constant char*)*(__constant ulong*)p;)
  }
  out[get_global_id(0)] = (ulong)p;
}

#define STEP(p) p = *(const __global uint*)(memory + p);

// Four chains in each work-item, all within `mask` bytes: with every word holding its own place, the same words again and
// again. 64 loads a round.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void gather(__global const char* memory,
                                                                         __global uint* out, uint start,
                                                                         uint lane_stride, uint mask, uint rounds) {
  const uint first = start + get_local_id(0) * lane_stride;
  uint p0 = first & mask, p1 = (first + 1024) & mask, p2 = (first + 2048) & mask, p3 = (first + 3072) & mask;
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R16(STEP(p0) STEP(p1) STEP(p2) STEP(p3))
  }
  out[get_global_id(0)] = p0 + p1 + p2 + p3;
}

// Each group reads its own `mask` + 1 elements of 16 bytes over and over, 8 loads a round.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void read_own(__global const uint4* memory,
                                                                           __global uint* out, uint mask, uint rounds) {
  // Places in bytes, so that an address is a sum of 32 bits: the arithmetic is not to be what limits.
  const __global char* const own = (const __global char*)(memory + (ulong)get_group_id(0) * (mask + 1));
  uint at = get_local_id(0) * 16;
  uint4 sum = (uint4)(0);
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R8(sum ^= *(const __global uint4*)(own + (at & mask << 4)); at += GROUP * 16;)
    __asm__ volatile("" ::: "memory");
  }
  out[get_global_id(0)] = sum.x ^ sum.y ^ sum.z ^ sum.w;
}

// The same for parts of any number of elements, at least a group's. `apart` elements lie between two groups' parts; where
// they share one (0), each begins `spread` elements behind the one before it.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void read_part(__global const uint4* memory,
                                                                            __global uint* out, uint elements,
                                                                            uint apart, uint spread, uint rounds) {
  const __global char* const own = (const __global char*)(memory + (ulong)get_group_id(0) * apart);
  const uint bytes = elements * 16;
  uint at = (get_local_id(0) + get_group_id(0) * spread) * 16;
  uint4 sum = (uint4)(0);
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R8(sum ^= *(const __global uint4*)(own + at); at += GROUP * 16; at = min(at, at - bytes);)
    __asm__ volatile("" ::: "memory");
  }
  out[get_global_id(0)] = sum.x ^ sum.y ^ sum.z ^ sum.w;
}

// All groups together go through memory from element `first` on, 8 elements of 16 bytes for each work-item a round.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void stream_read(__global const uint4* memory,
                                                                              __global uint* out, uint first,
                                                                              uint rounds) {
  const __global uint4* p = memory + first + get_global_id(0);
  const uint all = get_global_size(0);
  uint4 sum = (uint4)(0);
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R8(sum ^= *p; p += all;)
  }
  out[get_global_id(0)] = sum.x ^ sum.y ^ sum.z ^ sum.w;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void stream_write(__global uint4* memory,
                                                                               __global uint* out, uint first,
                                                                               uint rounds) {
  __global uint4* p = memory + first + get_global_id(0);
  const uint all = get_global_size(0);
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R8(*p = (uint4)(round); p += all;)
  }
}

// From the first half of what the launch touches to the second.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void stream_copy(__global uint4* memory,
                                                                              __global uint* out, uint first,
                                                                              uint rounds) {
  const uint all = get_global_size(0);
  __global uint4* from = memory + first + get_global_id(0);
  __global uint4* to = from + (ulong)all * rounds * 4;
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    const uint4 a = from[0], b = from[all], c = from[2 * all], d = from[3 * all];
    to[0] = a;
    to[all] = b;
    to[2 * all] = c;
    to[3 * all] = d;
    from += 4 * all;
    to += 4 * all;
  }
}

// Words that lie 1 << shift bytes apart, `mask` + 1 of them, each work-item another one: 8 loads a round.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void strided(__global const char* memory,
                                                                          __global uint* out, uint shift, uint skew,
                                                                          uint mask, uint rounds) {
  uint i = get_global_id(0);
  uint sum = 0;
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    R8(sum ^= *(const __global uint*)(memory + ((i & mask) << shift) + (i & mask) * skew); i += GROUP * 3;)
    __asm__ volatile("" ::: "memory");
  }
  out[get_global_id(0)] = sum;
}
