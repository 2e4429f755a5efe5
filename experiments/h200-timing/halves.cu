// What a second level of two halves keeps of data that each group reads its own part of, turn by turn: in one launch, with all
// groups waiting for each other between turns, or in launches behind each other. Sizes and launches: halves.py.
#include "memory_kernels.h"

static __attribute__((device)) inline u32 reads(const u32* in, u32 n) {
  u32 sum = 0;
  const u32 all = GROUPS * ITEMS * 4;
  for (u32 i = (GROUP * ITEMS + ITEM) * 4; i < n; i += all * 4) {
    sum += load4(in + i);
    if (i + all < n) sum += load4(in + i + all);
    if (i + all * 2 < n) sum += load4(in + i + all * 2);
    if (i + all * 3 < n) sum += load4(in + i + all * 3);
  }
  return sum;
}
KERNEL turns_apart(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  for (u32 t = 0; t < turns; ++t) sum += reads(in, n);
  if (sum == 0x12345) out[GROUP] = sum;
}
// out[65536]: how many groups have arrived, ever; all of the launch are resident.
KERNEL turns_together(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  u32* arrived = out + 65536;
  for (u32 t = 0; t < turns; ++t) {
    sum += reads(in, n);
    asm volatile("bar.sync 0;" ::: "memory");
    if (ITEM == 0) {
      u32 before, now;
      asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(arrived) : "memory");
      const u32 all = (before / GROUPS + 1) * GROUPS;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
      } while (now < all);
    }
    asm volatile("bar.sync 0;" ::: "memory");
  }
  if (sum == 0x12345) out[GROUP] = sum;
}
// Each group reads 8 KB of every 64th of the data, which its number modulo `parts` says (gpu-benches, gpu-l2-cache).
KERNEL parts64(double* sink, const double* from, int parts) {
  double sum = 0;
  const u32 group = GROUP, item = ITEM;
#pragma unroll
  for (int i = 0; i < 64; ++i) sum += from[1024 * parts * i + (int)(group % parts) * 1024 + (int)item];
  sum *= 1.3;
  if (item > 1233 || sum == 23.12) sink[item] += sum;
}
