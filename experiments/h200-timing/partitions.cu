// What the second level of two partitions keeps, by who reads and writes what. Sizes and launches: partitions.py.
#include "memory_kernels.h"

static __attribute__((device)) inline u32 below(u32 x, u32 n) { return (u64)x * n >> 32; }

// n words, each line of one group a turn; in the next turn of the `step`-th group behind it.
KERNEL reads(u32* out, const u32* in, u32 n, u32 turns, u32 step) {
  u32 sum = 0, who = GROUP;
  const u32 all = GROUPS * ITEMS * 4;
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = (who * ITEMS + ITEM) * 4; i < n; i += all * 4) {
      sum += load4(in + i);
      if (i + all < n) sum += load4(in + i + all);
      if (i + all * 2 < n) sum += load4(in + i + all * 2);
      if (i + all * 3 < n) sum += load4(in + i + all * 3);
    }
    who += step;
    if (who >= GROUPS) who -= GROUPS;
  }
  if (sum == 0x12345) out[GROUP] = sum;
}
KERNEL writes(u32* out, const u32* in, u32 n, u32 turns, u32 step) {
  u32 who = GROUP;
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = (who * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 4) store4(out + i, t);
    who += step;
    if (who >= GROUPS) who -= GROUPS;
  }
}
KERNEL copies(u32* out, const u32* in, u32 n, u32 turns, u32 step) {
  u32 who = GROUP;
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = (who * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 4) store4(out + i, load4(in + i));
    who += step;
    if (who >= GROUPS) who -= GROUPS;
  }
}
KERNEL updates(u32* out, const u32* in, u32 n, u32 turns, u32 step) {
  u32 who = GROUP;
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = (who * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 4) store4(out + i, load4(out + i) + 1);
    who += step;
    if (who >= GROUPS) who -= GROUPS;
  }
}
KERNEL random_reads(u32* out, const u32* in, u32 n, u32 turns, u32 step) {
  u32 sum = 0, at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < turns; t += 4)
    for (u32 j = 0; j < 4; ++j, at += GROUPS * ITEMS) sum += load(in + below(mix(at), n));
  if (sum == 0x12345) out[GROUP] = sum;
}
KERNEL random_writes(u32* out, const u32* in, u32 n, u32 turns, u32 step) {
  u32 at = GROUP * ITEMS + ITEM;
  for (u32 t = 0; t < turns; ++t, at += GROUPS * ITEMS) out[below(mix(at), n)] = t;
}
// One multiprocessor: latencies of 4096 dependent loads of random lines of n words, by 16 cycles, to out[slot * 256 + bin].
// Before that its group reads all of them `turns` times.
KERNEL probe(u32* out, const u32* in, u32 n, u32 turns, u32 target, u32 slot) {
  __attribute__((shared)) static u32 bins[256];
  u32 where, sum = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(where));
  if (where != target) return;
  if (ITEM < 256) bins[ITEM] = 0;
  for (u32 t = 0; t < turns; ++t)
    for (u32 i = ITEM * 4; i < n; i += ITEMS * 4) sum += load4(in + i);
  asm volatile("bar.sync 0;" ::: "memory");
  if (ITEM == 0) {
    u32 bad = 0;
    for (u32 i = 0; i < 4096; ++i) {
      const u32* at = in + below(mix(i * 7 + bad), n / 32) * 32;
      const u32 begin = __nvvm_read_ptx_sreg_clock();
      u32 value = load(at);
      asm volatile("" : "+r"(value)::"memory");
      bad = value == 0x7654321 ? 1 : 0;
      const u32 end = bad + __nvvm_read_ptx_sreg_clock();
      const u32 bin = (end - begin) / 16;
      bins[bin < 255 ? bin : 255] += 1;
    }
  }
  asm volatile("bar.sync 0;" ::: "memory");
  if (ITEM < 256) out[slot * 256 + ITEM] = bins[ITEM];
  if (sum == 0x12345) out[GROUP] = sum;
}
