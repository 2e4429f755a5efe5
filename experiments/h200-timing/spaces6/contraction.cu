// A contraction of tensors of f64 with parameters, as coupled-cluster codes have them: C[a,b,c,d] = sum over e, f of A[a,e,b,f] B[d,f,c,e], the
// first index fastest; a, b, c, d of 32, e of 16, f of 12. contraction.py writes the list of its instances, contraction.inc.
//   BA BB BC BD  a group's tile        RA RB RC RD  a work-item's part of it     TE TF  indices summed at once
//   MODE  0: straight into shared memory, 1: the next tile held in registers, 2: that and two buffers, one barrier
//   VEC   doubles a load of global memory    PAD  doubles behind a row of shared memory    STEP  summed indices unrolled    ORDER  which groups are neighbours
#include "applications.h"

constexpr u32 N = 32, NE = 16, NF = 12;

template <u32 V> struct Several;
template <> struct Several<1> { typedef double type; };
template <> struct Several<2> { typedef double type __attribute__((ext_vector_type(2))); };

template <u32 BA, u32 BB, u32 BC, u32 BD, u32 RA, u32 RB, u32 RC, u32 RD, u32 TE, u32 TF, u32 MODE, u32 VEC, u32 PAD, u32 STEP, u32 ORDER>
INLINE void contract(double* R out, const double* R a, const double* R b) {
  constexpr u32 BM = BA * BB, BN = BC * BD, KT = TE * TF, ITEMS = BM * BN / (RA * RB * RC * RD), STEPS = NE / TE * (NF / TF), BUFFERS = MODE == 2 ? 2 : 1;
  constexpr u32 LA = KT * BM / (ITEMS * VEC), LB = KT * BN / (ITEMS * VEC);
  static_assert(LA * ITEMS * VEC == KT * BM && LB * ITEMS * VEC == KT * BN && LA > 0 && LB > 0);
  typedef typename Several<VEC>::type Quad;
  __attribute__((shared, aligned(16))) static double as[BUFFERS][KT][BM + PAD], bs[BUFFERS][KT][BN + PAD];
  const u32 t = TID, ta = t % (BA / RA), tb = t / (BA / RA) % (BB / RB), tc = t / (BA / RA * (BB / RB)) % (BC / RC), td = t / (BA / RA * (BB / RB) * (BC / RC));
  constexpr u32 GA = N / BA, GB = N / BB, GC = N / BC, GD = N / BD;
  u32 g = BID, a0, b0, c0, d0;
  if (ORDER == 0) { a0 = g % GA * BA; g /= GA; b0 = g % GB * BB; g /= GB; c0 = g % GC * BC; d0 = g / GC * BD; }
  else { d0 = g % GD * BD; g /= GD; c0 = g % GC * BC; g /= GC; b0 = g % GB * BB; a0 = g / GB * BA; }
  Quad qa[LA], qb[LB];
  const auto fetch = [&](u32 s) {
    const u32 e0 = s % (NE / TE) * TE, f0 = s / (NE / TE) * TF;
#pragma unroll
    for (u32 j = 0; j < LA; ++j) {
      const u32 i = (t + j * ITEMS) * VEC, k = i / BM;
      qa[j] = *(const Quad*)&a[a0 + i % BA + N * (e0 + k % TE + NE * (b0 + i / BA % BB + N * (f0 + k / TE)))];
    }
#pragma unroll
    for (u32 j = 0; j < LB; ++j) {
      const u32 i = (t + j * ITEMS) * VEC, k = i / BN;
      qb[j] = *(const Quad*)&b[d0 + i % BD + N * (f0 + k / TE + NF * (c0 + i / BD % BC + N * (e0 + k % TE)))];
    }
  };
  const auto keep = [&](u32 buffer) {
#pragma unroll
    for (u32 j = 0; j < LA; ++j) { const u32 i = (t + j * ITEMS) * VEC; *(Quad*)&as[buffer][i / BM][i % BM] = qa[j]; }
#pragma unroll
    for (u32 j = 0; j < LB; ++j) { const u32 i = (t + j * ITEMS) * VEC; *(Quad*)&bs[buffer][i / BN][i % BN] = qb[j]; }
  };
  double c[RB][RA][RC][RD] = {};
  const auto sum = [&](u32 buffer) {
#pragma unroll STEP
    for (u32 k = 0; k < KT; ++k) {
      double p[RB][RA], q[RC][RD];
#pragma unroll
      for (u32 i = 0; i < RB; ++i)
#pragma unroll
        for (u32 j = 0; j < RA; ++j) p[i][j] = as[buffer][k][(tb * RB + i) * BA + ta * RA + j];
#pragma unroll
      for (u32 i = 0; i < RC; ++i)
#pragma unroll
        for (u32 j = 0; j < RD; ++j) q[i][j] = bs[buffer][k][(tc * RC + i) * BD + td * RD + j];
#pragma unroll
      for (u32 i = 0; i < RB; ++i)
#pragma unroll
        for (u32 j = 0; j < RA; ++j)
#pragma unroll
          for (u32 k2 = 0; k2 < RC; ++k2)
#pragma unroll
            for (u32 l = 0; l < RD; ++l) c[i][j][k2][l] += p[i][j] * q[k2][l];
    }
  };
  if (MODE == 0) {
#pragma unroll 1
    for (u32 s = 0; s < STEPS; ++s) {
      fetch(s);
      keep(0);
      SYNC;
      sum(0);
      SYNC;
    }
  } else if (MODE == 1) {
    fetch(0);
#pragma unroll 1
    for (u32 s = 0; s < STEPS; ++s) {
      keep(0);
      SYNC;
      if (s + 1 < STEPS) fetch(s + 1);
      sum(0);
      SYNC;
    }
  } else {
    fetch(0);
    keep(0);
    SYNC;
#pragma unroll 1
    for (u32 s = 0; s < STEPS; ++s) {
      if (s + 1 < STEPS) fetch(s + 1);
      sum(s & (BUFFERS - 1));
      if (s + 1 < STEPS) keep(s + 1 & (BUFFERS - 1));
      SYNC;
    }
  }
#pragma unroll
  for (u32 l = 0; l < RD; ++l)
#pragma unroll
    for (u32 k = 0; k < RC; ++k)
#pragma unroll
      for (u32 i = 0; i < RB; ++i)
#pragma unroll
        for (u32 j = 0; j < RA; ++j)
          out[a0 + ta * RA + j + N * (b0 + tb * RB + i + N * (c0 + tc * RC + k + N * (d0 + td * RD + l)))] = c[i][j][k][l];
}
#define INSTANCE(name, items, ...) \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(items))) void name(double* R out, const double* R a, const double* R b) { contract<__VA_ARGS__>(out, a, b); }
#include "contraction.inc"
