// What reductions cost one multiprocessor: lanes a stride of words apart, at random words of 128 KB (mixed) and of 4 KB (few).
#include "applications.h"
template <class T> INLINE void addt(T* p, T v);
template <> INLINE void addt<u32>(u32* p, u32 v) { add(p, v); }
template <> INLINE void addt<float>(float* p, float v) { addf(p, v); }
template <class T, int stride> INLINE void reds(T* out, u32 n) { for (u32 t = 0; t < n; ++t) addt(&out[((t * GDIM + BID) * BDIM + TID) * stride & 0xfffffff], (T)t); }
#define K(T, s) KERNEL reds_##T##_##s(T* out, u32 n) { reds<T, s>(out, n); }
K(u32, 1) K(u32, 2) K(u32, 4) K(u32, 8) K(u32, 16) K(u32, 32) K(float, 1) K(float, 8) K(float, 16) K(float, 32)
KERNEL mixed(float* out, u32 n) { u32 x = TID * 2654435761u + BID; for (u32 t = 0; t < n; ++t) { x = x * 1664525u + 1013904223u; addf(&out[x >> 17], 1.0f); } }
KERNEL few(float* out, u32 n) { u32 x = TID * 2654435761u + BID; for (u32 t = 0; t < n; ++t) { x = x * 1664525u + 1013904223u; addf(&out[x >> 22], 1.0f); } }
