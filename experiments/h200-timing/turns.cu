// Which warps go first where many want the same: each notes its clock nine times, eight stretches of n turns apart.
// Launches, and what is made of the notes: turns.py.
#include "applications.h"
INLINE u32 clk() { u32 c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }
#define NOTED(BODY)                                                                     \
  u32 at[9];                                                                            \
  SYNC;                                                                                 \
  at[0] = clk();                                                                        \
  _Pragma("unroll") for (u32 s = 0; s < 8; ++s) {                                       \
    _Pragma("unroll 1") for (u32 i = 0; i < n; ++i) { BODY }                            \
    at[s + 1] = clk();                                                                  \
  }                                                                                     \
  if (TID % 32 == 0) {                                                                  \
    u32 sm, warp;                                                                       \
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));                                     \
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));                                 \
    u32* o = out + (BID * (BDIM / 32) + TID / 32) * 12;                                 \
    o[0] = sm, o[1] = warp;                                                             \
    _Pragma("unroll") for (u32 s = 0; s < 9; ++s) o[2 + s] = at[s];                     \
  }
#define FMA(x) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
KERNEL chain(u32* R out, const u32* R in, u32 n) {
  float a = TID;
  NOTED(FMA(a) FMA(a) FMA(a) FMA(a) FMA(a) FMA(a) FMA(a) FMA(a))
  if (a == 1.5f) out[0] = 1;
}
KERNEL wide(u32* R out, const u32* R in, u32 n) {
  float a = TID, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
  NOTED(FMA(a) FMA(b) FMA(c) FMA(d) FMA(e) FMA(f) FMA(g) FMA(h))
  if (a + b + c + d + e + f + g + h == 1.5f) out[0] = 1;
}
KERNEL mufu(u32* R out, const u32* R in, u32 n) {
  float a = TID, b = a + 1;
  NOTED(asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a)); asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(b));)
  if (a + b == 1.5f) out[0] = 1;
}
KERNEL shared(u32* R out, const u32* R in, u32 n) {
  SHARED u32 w[1024];
  w[TID] = TID;
  u32 a = TID;
  NOTED(a = ((volatile u32*)w)[a]; a = ((volatile u32*)w)[a];)
  if (a == 1u << 31) out[0] = 1;
}
KERNEL shared4(u32* R out, const u32* R in, u32 n) {
  SHARED u32 w[2048];
  w[TID] = TID;
  SYNC;
  u32 a = TID, b = 0;
  NOTED(b += ((volatile u32*)w)[a] + ((volatile u32*)w)[a + 32] + ((volatile u32*)w)[a + 64] + ((volatile u32*)w)[a + 96];)
  if (b == 1u << 31) out[0] = 1;
}
KERNEL l1(u32* R out, const u32* R in, u32 n) {
  u32 a = TID & 31, b = 0;
  NOTED(b += a; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(in + (a & 255) * 32 + TID % 32) : "memory");)
  if (b == 1u << 31) out[0] = 1;
}
KERNEL l2(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  NOTED(b += a; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(in + (a * 32 & 0x3fffff) + TID % 32) : "memory"); a = a + b;)
  if (b == 1u << 31) out[0] = 1;
}
KERNEL mixed(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  float f = TID;
  NOTED(b += a; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(in + (a & 0x1fffff)) : "memory"); a = a + b;
        FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f))
  if (b == 1u << 31 || f == 1.5f) out[0] = 1;
}
KERNEL barrier(u32* R out, const u32* R in, u32 n) {
  float f = TID;
  NOTED(FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) SYNC;)
  if (f == 1.5f) out[0] = 1;
}
KERNEL barrier_l2(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  float f = TID;
  NOTED(b += a; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(in + (a & 0x1fffff)) : "memory"); a = a + b;
        FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) SYNC;)
  if (b == 1u << 31 || f == 1.5f) out[0] = 1;
}
#define FMA8 FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f) FMA(f)
#define WIDE8 FMA(f) FMA(g) FMA(h) FMA(k) FMA(f) FMA(g) FMA(h) FMA(k)
#define WALK u32 x; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(in + (a & 0x3fffff)) : "memory"); a += 32768 + (x >> 31); b += x;
KERNEL walk(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  NOTED(WALK)
  if (b == 1u << 31) out[0] = 1;
}
KERNEL walk_fma(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  float f = TID, g = f + 1, h = f + 2, k = f + 3;
  NOTED(WALK WIDE8 WIDE8 WIDE8 WIDE8 WIDE8)
  if (b == 1u << 31 || f + g + h + k == 1.5f) out[0] = 1;
}
KERNEL walk_fma_barrier(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  float f = TID, g = f + 1, h = f + 2, k = f + 3;
  NOTED(WALK WIDE8 WIDE8 WIDE8 WIDE8 WIDE8 SYNC;)
  if (b == 1u << 31 || f + g + h + k == 1.5f) out[0] = 1;
}
KERNEL walk_chain(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  float f = TID;
  NOTED(WALK FMA8 FMA8 FMA8 FMA8 FMA8)
  if (b == 1u << 31 || f == 1.5f) out[0] = 1;
}
KERNEL walk_store(u32* R out, const u32* R in, u32 n) {
  u32 a = BID * BDIM + TID, b = 0;
  float f = TID, g = f + 1, h = f + 2, k = f + 3;
  NOTED(WALK WIDE8 WIDE8 ((volatile u32*)out)[0x200000 + (a & 0x3fffff)] = x; SYNC; WIDE8)
  if (b == 1u << 31 || f + g + h + k == 1.5f) out[0] = 1;
}
