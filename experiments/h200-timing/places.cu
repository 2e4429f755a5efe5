// Which multiprocessor each group of a launch comes to, launch by launch. Sizes and launches: places.py.
#include "memory_kernels.h"

// Reads n words and notes its multiprocessor: of the launch-th launch of a buffer at out[launch * GROUPS + GROUP], behind
// 65536 counters of launches.
KERNEL places(u32* out, const u32* in, u32 n) {
  u32 sum = 0, where;
  for (u32 i = (GROUP * ITEMS + ITEM) * 4; i < n; i += GROUPS * ITEMS * 4) sum += load4(in + i);
  if (ITEM == 0) {
    asm volatile("mov.u32 %0, %%smid;" : "=r"(where));
    const u32 launch = out[GROUP]++;
    out[65536 + launch * GROUPS + GROUP] = where;
  }
  if (sum == 0x12345) out[GROUP] = sum;
}
// One word an item and a multiply-add chain of `turns`, so that groups end at about the same time.
KERNEL busy(u32* out, const u32* in, u32 turns) {
  u32 x = GROUP, where;
  for (u32 i = 0; i < turns; ++i) asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
  if (ITEM == 0) {
    asm volatile("mov.u32 %0, %%smid;" : "=r"(where));
    const u32 launch = out[GROUP]++;
    out[65536 + launch * GROUPS + GROUP] = where;
  }
  if (x == 0x12345) out[GROUP] = x;
}
// Which half of the second level each multiprocessor is in: cycles of dependent atomics on a word of each of 16 blocks of 4 KB.
static __attribute__((device)) inline u32 clk() { u32 c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }
KERNEL sides(u32* out, u32* data) {
  u32 smid, v = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
  for (u32 a = 0; a < 16; ++a) {
    u32* p = data + a * 1024;
    u32 t0 = 0;
    for (u32 turn = 0; turn < 2; ++turn) {
      t0 = clk();
      for (u32 k = 0; k < 16; ++k) asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(p + (v & 1)), "r"(0u) : "memory");
      t0 = clk() - t0;
    }
    out[smid * 16 + a] = t0 / 16 + v;
  }
}
