// What a turn of a loop that yields costs, by who else is there: alone, beside lanes that wait, beside others that go round a loop of their own.
#include "applications2.h"
INLINE u32 clock_() { u32 c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }
INLINE u32 scas(u32* p, u32 c, u32 v) { u32 r; asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "r"(local_address(p)), "r"(c), "r"(v) : "memory"); return r; }
INLINE void spin(u32* cell, u32 t) { u32 c = 0; while (true) { const u32 old = scas(cell, c, c + 1); if (old + 1 == t) break; c = old + 1; } }
INLINE u32 vload(u32 p) { u32 r; asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r) : "r"(p) : "memory"); return r; }
INLINE u32 pload(u32 p) { u32 r; asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(p)); return r; }
// A ring of places: as many loads behind one another.
#define RING SHARED u32 ring[2048]; for (u32 k = TID; k < 2048; k += BDIM) ring[k] = local_address(ring) + (k == 2047 ? k : k + 1) * 4; SYNC; const u32 lane = TID % 32; const u32 last = local_address(ring) + 2047 * 4; const u32 begin = clock_();
#define BEGIN SHARED u32 cells[1024]; u32* cell = cells + TID; *cell = 0; const u32 lane = TID % 32; __nvvm_bar_warp_sync(-1); const u32 begin = clock_();
#define END __nvvm_bar_warp_sync(-1); out[BID * BDIM + TID] = clock_() - begin;
KERNEL conv(u32* R out, u32 n) { BEGIN spin(cell, n); END }
KERNEL wait1(u32* R out, u32 n) { BEGIN spin(cell, lane == 0 ? 1 : n); END }
KERNEL wait31(u32* R out, u32 n) { BEGIN spin(cell, lane == 31 ? n : 1); END }
KERNEL two(u32* R out, u32 n) { BEGIN if (lane < 16) { spin(cell, n); cell[0] = 1; } else { spin(cell, n); cell[0] = 2; } END }
KERNEL four(u32* R out, u32 n) { BEGIN if (lane < 8) { spin(cell, n); cell[0] = 1; } else if (lane < 16) { spin(cell, n); cell[0] = 2; } else if (lane < 24) { spin(cell, n); cell[0] = 3; } else { spin(cell, n); cell[0] = 4; } END }
KERNEL leave(u32* R out, u32 n) { BEGIN spin(cell, n * lane + 1); END }
KERNEL behind(u32* R out, u32 n) { BEGIN spin(cell, n * lane + 1); cell[0] = 0; spin(cell, 2); END }
KERNEL rounds(u32* R out, u32 n) { BEGIN 
#pragma clang loop unroll(disable)
  for (u32 k = 0; k < n; ++k) { cell[0] = 0; spin(cell, lane % 4 + 1); } END }
#define CHASE(load, turns) { u32 at = last - (turns) * 4; while (true) { const u32 next = load(at); if (next == at) break; at = next; } }
KERNEL straight(u32* R out, u32 n) {
  BEGIN u32 c = 0;
#pragma clang loop unroll(disable)
  for (u32 k = 0; k < n; ++k) {
#pragma unroll
    for (u32 j = 0; j < 10; ++j) c = scas(cell, c, c + 1) + 1;
  }
  END out[c & 1] += 0;
}
KERNEL vconv(u32* R out, u32 n) { RING CHASE(vload, n) END }
KERNEL vwait1(u32* R out, u32 n) { RING CHASE(vload, lane == 0 ? 0 : n) END }
KERNEL vwait31(u32* R out, u32 n) { RING CHASE(vload, lane == 31 ? n : 0) END }
KERNEL pconv(u32* R out, u32 n) { RING CHASE(pload, n) END }
KERNEL pwait1(u32* R out, u32 n) { RING CHASE(pload, lane == 0 ? 0 : n) END }
KERNEL pleave(u32* R out, u32 n) { RING CHASE(pload, n * lane) END }
KERNEL vleave(u32* R out, u32 n) { RING CHASE(vload, n * lane) END }
KERNEL vtwo(u32* R out, u32 n) { RING if (lane < 16) { CHASE(vload, n) ring[lane] = 1; } else { CHASE(vload, n) ring[lane] = 2; } END }
KERNEL ptwo(u32* R out, u32 n) { RING if (lane < 16) { CHASE(pload, n) ring[lane] = 1; } else { CHASE(pload, n) ring[lane] = 2; } END }
KERNEL vsplit(u32* R out, u32 n) { RING if (lane < 16) { CHASE(vload, n) ring[lane] = 1; } END }
KERNEL vexit(u32* R out, u32 n) { RING if (lane < 16) { CHASE(vload, n) out[lane + BID * BDIM] = clock_() - begin; } }
