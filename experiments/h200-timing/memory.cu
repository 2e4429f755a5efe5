// Microbenchmarks of the memory system under load. Sizes and launches: memory.py.
#include "memory_kernels.h"

// n words, of which the groups share all: each line is read by one group a turn.
KERNEL read_shared_out(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  for (u32 t = 0; t < turns; ++t)
    for (u32 i = (GROUP * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 16) {
      sum += load4(in + i);
      if (i + GROUPS * ITEMS * 4 < n) sum += load4(in + i + GROUPS * ITEMS * 4);
      if (i + GROUPS * ITEMS * 8 < n) sum += load4(in + i + GROUPS * ITEMS * 8);
      if (i + GROUPS * ITEMS * 12 < n) sum += load4(in + i + GROUPS * ITEMS * 12);
    }
  if (sum == 0x12345) out[GROUP] = sum;
}
// n words, all of which each group reads, each beginning elsewhere.
KERNEL read_all(u32* out, const u32* in, u32 n, u32 steps) {
  u32 sum = 0, at = (GROUP * 7919u * ITEMS + ITEM) * 4;
  for (u32 t = 0; t < steps; t += 4)
    for (u32 j = 0; j < 4; ++j) {
      sum += load4(in + (at & (n - 1)));
      at += ITEMS * 4;
    }
  if (sum == 0x12345) out[GROUP] = sum;
}
KERNEL write4(u32* out, const u32* in, u32 n, u32 turns) {
  for (u32 t = 0; t < turns; ++t)
    for (u32 i = (GROUP * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 4) store4(out + i, t);
}
KERNEL copy4(u32* out, const u32* in, u32 n, u32 turns) {
  for (u32 t = 0; t < turns; ++t)
    for (u32 i = (GROUP * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 4) store4(out + i, load4(in + i));
}
// 4 bytes at every stride-th word of n: each work-item `steps` of them.
KERNEL read_stride(u32* out, const u32* in, u32 n, u32 stride, u32 steps) {
  u32 sum = 0, at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < steps; t += 4)
    for (u32 j = 0; j < 4; ++j, at += GROUPS * ITEMS) sum += load(in + (at * stride & (n - 1)));
  if (sum == 0x12345) out[GROUP] = sum;
}
KERNEL write_stride(u32* out, const u32* in, u32 n, u32 stride, u32 steps) {
  u32 at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < steps; ++t, at += GROUPS * ITEMS) out[at * stride & (n - 1)] = t;
}
KERNEL read_random(u32* out, const u32* in, u32 n, u32 stride, u32 steps) {
  u32 sum = 0, at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < steps; t += 4)
    for (u32 j = 0; j < 4; ++j, at += GROUPS * ITEMS) sum += load(in + (mix(at) & (n - 1)));
  if (sum == 0x12345) out[GROUP] = sum;
}
KERNEL write_random(u32* out, const u32* in, u32 n, u32 stride, u32 steps) {
  u32 at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < steps; ++t, at += GROUPS * ITEMS) out[mix(at) & (n - 1)] = t;
}
KERNEL add_random(u32* out, const u32* in, u32 n, u32 stride, u32 steps) {
  u32 at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < steps; ++t, at += GROUPS * ITEMS)
    __atomic_fetch_add(out + (mix(at) & (n - 1)), 1u, __ATOMIC_RELAXED);
}
// Rows of 4 KB written or read by column, as a transposition without local memory does.
KERNEL write_columns(u32* out, const u32* in, u32 n, u32 row, u32 steps) {
  const u32 x = ITEM & 31, y = ITEM >> 5, across = row / 32;
  const u32 bx = GROUP % across * 32, by = GROUP / across * 32;
  for (u32 j = 0; j < 32; j += ITEMS / 32) out[((bx + x) * row + by + y + j) & (n - 1)] = j;
}
KERNEL read_columns(u32* out, const u32* in, u32 n, u32 row, u32 steps) {
  u32 sum = 0;
  const u32 x = ITEM & 31, y = ITEM >> 5, across = row / 32;
  const u32 bx = GROUP % across * 32, by = GROUP / across * 32;
  for (u32 j = 0; j < 32; j += ITEMS / 32) sum += load(in + (((bx + x) * row + by + y + j) & (n - 1)));
  if (sum == 0x12345) out[GROUP] = sum;
}
// One work-item a group: cycles to each of `steps` lines, `stride` words apart, the second time round.
KERNEL line_latency(u32* out, const u32* in, u32 n, u32 stride, u32 steps) {
  u32 where;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(where));
  u32 bad = 0;
  for (u32 turn = 0; turn < 2; ++turn)
    for (u32 i = 0; i < steps; ++i) {
      const u32 begin = __nvvm_read_ptx_sreg_clock();
      u32 value = load(in + ((i * stride + bad) & (n - 1)));
      asm volatile("" : "+r"(value)::"memory");
      bad = value == 0x7654321 ? 1 : 0;
      const u32 end = bad + __nvvm_read_ptx_sreg_clock();
      out[where * steps + i] = end - begin;
    }
}
// Groups that end at once, and groups that stay for `cycles`.
KERNEL nothing(u32* out, const u32* in, u32 n) {
  if (n == 0x12345) out[0] = 1;
}
KERNEL stay(u32* out, const u32* in, u32 cycles) {
  const u32 begin = __nvvm_read_ptx_sreg_clock();
  while (__nvvm_read_ptx_sreg_clock() - begin < cycles) {
  }
  if (cycles == 0x12345) out[0] = 1;
}
// A load and a store each, as short kernels have them.
KERNEL once(u32* out, const u32* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  out[i & (n - 1)] = in[i & (n - 1)] + 1;
}
// Atomics of whole lines: a warp takes one of `lines` lines, `stride` words apart, its lanes the words of the line.
KERNEL add_lines(u32* out, const u32* in, u32 lines, u32 stride, u32 steps) {
  const u32 lane = ITEM & 31, warp = (GROUP * ITEMS + ITEM) >> 5;
  for (u32 t = 0; t < steps; ++t) __atomic_fetch_add(out + (mix(warp * steps + t) & (lines - 1)) * stride + lane, 1u, __ATOMIC_RELAXED);
}
// Atomics of single lanes: each lane takes one of n words; one lane a warp where `alone` is 31.
KERNEL add_words(u32* out, const u32* in, u32 n, u32 alone, u32 steps) {
  u32 at = GROUP * ITEMS + ITEM;
  if ((ITEM & alone) != 0) return;
  for (u32 t = 0; t < steps; ++t, at += GROUPS * ITEMS) __atomic_fetch_add(out + (mix(at) & (n - 1)), 1u, __ATOMIC_RELAXED);
}
// The same with the old value needed.
KERNEL take_words(u32* out, const u32* in, u32 n, u32 alone, u32 steps) {
  u32 at = GROUP * ITEMS + ITEM, sum = 0;
  if ((ITEM & alone) != 0) return;
  for (u32 t = 0; t < steps; ++t, at += GROUPS * ITEMS) sum += __atomic_fetch_add(out + 65536 + (mix(at) & (n - 1)), 1u, __ATOMIC_RELAXED);
  out[GROUP & 1023] = sum;
}
// Rows of `row` words, a warp each, all of them at the same place of their rows at the same time.
KERNEL read_rows(u32* out, const u32* in, u32 n, u32 row, u32 steps) {
  u32 sum = 0, at = ((GROUP * ITEMS + ITEM) >> 5) * row + (ITEM & 31);
  for (u32 t = 0; t < steps; t += 4)
    for (u32 j = 0; j < 4; ++j, at += 32) sum += load(in + (at & (n - 1)));
  if (sum == 0x12345) out[GROUP] = sum;
}
