// What stores and reductions cost a multiprocessor, 32 warps that do nothing else: whole lines, records of S
// elements a store each, single words of sectors and of lines.
#include "applications.h"
template <class T, int S>
INLINE void fill(T* out, u32 turns) {
  u32 v = BID * BDIM + TID;
  for (u32 t = 0; t < turns; ++t) {
    T* const at = out + ((u64)(t * GDIM + BID) * BDIM + TID) * S;
#pragma unroll
    for (int s = 0; s < S; ++s) at[s] = (T)(v + s);
  }
}
#define ONE(T, S) KERNEL fill_##T##_##S(T* out, u32 n) { fill<T, S>(out, n); }
ONE(u32, 1) ONE(u32, 2) ONE(u32, 4) ONE(u32, 8) ONE(u64, 1) ONE(u64, 4) ONE(f4, 1) ONE(f4, 2)
KERNEL fill_u8(u8* out, u32 n) { fill<u8, 1>(out, n); }
KERNEL spread(u32* out, u32 n) { for (u32 t = 0; t < n; ++t) out[((t * GDIM + BID) * BDIM + TID) * 8] = t; }
KERNEL spread32(u32* out, u32 n) { for (u32 t = 0; t < n; ++t) out[((t * GDIM + BID) * BDIM + TID) * 32] = t; }
KERNEL reds(u32* out, u32 n) { for (u32 t = 0; t < n; ++t) add(&out[((t * GDIM + BID) * BDIM + TID) * 8], t); }
KERNEL reds1(u32* out, u32 n) { for (u32 t = 0; t < n; ++t) add(&out[(t * GDIM + BID) * BDIM + TID], t); }
