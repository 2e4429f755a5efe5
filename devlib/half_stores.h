// Stores of halves with a named rounding. libclc's directed ones make a zero of what is less than half of the least half.
// Before this: OVER. BITS(x) makes the bits of a half of one F.
#pragma once
#define HALF_STORES(F, rounding, BITS)          \
  HALF_STORES_IN(F, rounding, BITS, __private)  \
  HALF_STORES_IN(F, rounding, BITS, __local)    \
  HALF_STORES_IN(F, rounding, BITS, __global)
#define HALF_STORES_IN(F, rounding, BITS, S)                                                                   \
  OVER void vstore_half##rounding(F x, size_t offset, S half* p) { ((S ushort*)p)[offset] = BITS(x); }         \
  HALF_STORES_OF(F, rounding, BITS, S, 2, 2) HALF_STORES_OF(F, rounding, BITS, S, 3, 4)                        \
  HALF_STORES_OF(F, rounding, BITS, S, 4, 4) HALF_STORES_OF(F, rounding, BITS, S, 8, 8)                        \
  HALF_STORES_OF(F, rounding, BITS, S, 16, 16)
#define HALF_STORES_OF(F, rounding, BITS, S, n, room)                                                          \
  OVER void vstore_half##n##rounding(F##n x, size_t offset, S half* p) {                                       \
    volatile S ushort* q = (volatile S ushort*)p + n * offset;                                                 \
    for (int i = 0; i < n; ++i) q[i] = BITS(x[i]);                                                             \
  }                                                                                                            \
  OVER void vstorea_half##n##rounding(F##n x, size_t offset, S half* p) {                                      \
    S ushort* q = (S ushort*)p + room * offset;                                                                \
    for (int i = 0; i < n; ++i) q[i] = BITS(x[i]);                                                             \
  }
