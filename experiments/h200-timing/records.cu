// Which stores of records leave a multiprocessor together: records of S elements of 1 to 16 bytes, a store for
// each, of waves that store all the time (fill), wait between records (gap), or load the record first (copy).
#include "applications.h"
typedef unsigned short u16;

template <class T, int S>
INLINE void fill_records(T* out, u32 turns, u32 gap) {
  u32 v = BID * BDIM + TID;
  for (u32 t = 0; t < turns; ++t) {
    T* const at = out + ((u64)(t * GDIM + BID) * BDIM + TID) * S;
#pragma unroll
    for (int s = 0; s < S; ++s) at[s] = (T)(v + s);
#pragma unroll 1
    for (u32 g = 0; g < gap; ++g) v = v * 1664525u + 1013904223u;
  }
}
template <class T, int S>
INLINE void copy_records(T* out, const T* in) {
  const u64 i = (u64)(BID * BDIM + TID) * S;
  T v[S];
#pragma unroll
  for (int s = 0; s < S; ++s) v[s] = in[i + s];
#pragma unroll
  for (int s = 0; s < S; ++s) out[i + s] = v[s] + (T)1;
}
#define ONE(T, S) \
  KERNEL fill_##T##_##S(T* out, u32 turns, u32 gap) { fill_records<T, S>(out, turns, gap); } \
  KERNEL copy_##T##_##S(T* R out, const T* R in, u32) { copy_records<T, S>(out, in); }
ONE(u8, 3) ONE(u8, 4) ONE(u8, 16)
ONE(u16, 2) ONE(u16, 4) ONE(u16, 16)
ONE(u32, 2) ONE(u32, 3) ONE(u32, 4) ONE(u32, 5) ONE(u32, 6) ONE(u32, 8) ONE(u32, 16)
ONE(u64, 2) ONE(u64, 3) ONE(u64, 4) ONE(u64, 5) ONE(u64, 8)
KERNEL fill_f4_2(f4* out, u32 turns, u32 gap) { fill_records<f4, 2>(out, turns, gap); }
KERNEL fill_f4_4(f4* out, u32 turns, u32 gap) { fill_records<f4, 4>(out, turns, gap); }
KERNEL copy_f4_2(f4* R out, const f4* R in, u32) { copy_records<f4, 2>(out, in); }
KERNEL copy_f4_4(f4* R out, const f4* R in, u32) { copy_records<f4, 4>(out, in); }
