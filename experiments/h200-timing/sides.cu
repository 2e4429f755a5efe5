// In which order sides of a wave go on whose lanes leave loops that yield: each lane writes down when it goes round a loop (1), when it comes behind
// it (2) and when it gives a lock back (3). Eight waits for nobody: as many turns as `turns` says; three locks.
#include "applications2.h"
struct Log { u4* at; };
INLINE u32 clock_() { u32 c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }
INLINE u32 mask_() { u32 m; asm volatile("activemask.b32 %0;" : "=r"(m) :: "memory"); return m; }
INLINE void event(Log& log, u32 what) { u4 e; e.x = clock_(); e.y = mask_(); e.z = what; e.w = 1; asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" :: "l"(log.at), "r"(e.x), "r"(e.y), "r"(e.z), "r"(e.w) : "memory"); ++log.at; }
INLINE u32 gcas(u32* p, u32 c, u32 v) { u32 r; asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(c), "r"(v) : "memory"); return r; }
INLINE u32 gexch(u32* p, u32 v) { u32 r; asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory"); return r; }
// Goes round until it has counted to t.
template <bool marks>
INLINE void round_(Log& log, u32* cell, u32 t, u32 stage) {
  u32 c = 0;
  while (true) {
    if (marks) event(log, stage << 8 | 1);
    const u32 old = gcas(cell, c, c + 1);
    if (old + 1 == t) break;
    c = old + 1;
  }
}
template <bool marks, bool sync>
INLINE void stages(u4* out, const u32* turns, u32* cells) {
  const u32 lane = TID % 32;
  Log log{out + lane * 256};
  for (u32 k = 0; k < 3; ++k) *(volatile u32*)(cells + 32 * k + lane) = 0;
  event(log, 0);
  round_<marks>(log, cells + lane, turns[lane], 1);
  event(log, 1 << 8 | 2);
  round_<marks>(log, cells + 32 + lane, turns[32 + lane], 2);
  event(log, 2 << 8 | 2);
  round_<marks>(log, cells + 64 + lane, turns[64 + lane], 3);
  event(log, 3 << 8 | 2);
  if (sync) __nvvm_bar_warp_sync(-1);
  event(log, 4 << 8 | 2);
}
KERNEL marked(u4* out, const u32* turns, u32* cells) { stages<true, true>(out, turns, cells); }
KERNEL plain(u4* out, const u32* turns, u32* cells) { stages<false, true>(out, turns, cells); }
KERNEL open(u4* out, const u32* turns, u32* cells) { stages<true, false>(out, turns, cells); }
KERNEL rolled(u4* out, const u32* turns, u32* cells) {
  const u32 lane = TID % 32;
  Log log{out + lane * 256};
  for (u32 k = 0; k < 3; ++k) *(volatile u32*)(cells + 32 * k + lane) = 0;
  event(log, 0);
#pragma clang loop unroll(disable)
  for (u32 s = 0; s < 3; ++s) {
    round_<true>(log, cells + s * 32 + lane, turns[s * 32 + lane], s + 1);
    event(log, (s + 1) << 8 | 2);
  }
  event(log, 4 << 8 | 2);
}
// Behind the first loop a branch parts lanes by their number.
KERNEL branch(u4* out, const u32* turns, u32* cells) {
  const u32 lane = TID % 32;
  Log log{out + lane * 256};
  for (u32 k = 0; k < 3; ++k) *(volatile u32*)(cells + 32 * k + lane) = 0;
  event(log, 0);
  round_<true>(log, cells + lane, turns[lane], 1);
  event(log, 1 << 8 | 2);
  if (lane & 1) { event(log, 2 << 8 | 2); gexch(cells + 64 + lane, 1); event(log, 3 << 8 | 2); }
  event(log, 4 << 8 | 2);
  __nvvm_bar_warp_sync(-1);
  event(log, 5 << 8 | 2);
}
// One lock for all lanes.
template <u32 times, bool roll>
INLINE void locks(u4* out, u32* lock) {
  const u32 lane = TID % 32;
  Log log{out + lane * 256};
  event(log, 0);
  const auto once = [&](u32 s) {
    while (gcas(lock, 0, 1) != 0) {}
    event(log, s << 8 | 2);
    u32 v = *(volatile u32*)(lock + 32);
    *(volatile u32*)(lock + 32) = v + 1;
    gexch(lock, 0);
    event(log, s << 8 | 3);
  };
  if (roll) {
#pragma clang loop unroll(disable)
    for (u32 s = 1; s <= times; ++s) once(s);
  } else {
    once(1);
    if (times > 1) once(2);
    if (times > 2) once(3);
  }
  event(log, 4 << 8 | 2);
}
KERNEL lock1(u4* out, const u32*, u32* cells) { locks<1, false>(out, cells); }
KERNEL lock3(u4* out, const u32*, u32* cells) { locks<3, false>(out, cells); }
KERNEL lock_rolled(u4* out, const u32*, u32* cells) { locks<3, true>(out, cells); }
