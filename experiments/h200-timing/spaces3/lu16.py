#!/usr/bin/env python3
"""Writes lu16.cu and its jobs: LU decompositions, without pivots, of many 16 x 16 matrices in place, L work-items a matrix.

    python3 lu16.py FOLDER [small]"""
import itertools
import sys

from common import K, M, choose, kernel, write

TEXT = r'''
// Matrices lie row by row, one behind the other; 16 is added to every diagonal element.
// OWN 0: a work-item has rows l, l + L, ...; 1: columns. HOW 0: registers, read from and written to global memory by their owners,
// 1: registers, global memory through shared memory (matrices PITCH words apart), 2: shared memory all along.
// UNROLL 0: the elimination's loop is rolled (registers become local memory).
template <u32 L, u32 T, u32 OWN, u32 HOW, u32 V, u32 PITCH, u32 UNROLL>
INLINE void lu(float* R out, const float* R in) {
  constexpr u32 MATRICES = T / L, S = 16 / L;
  const u32 l = TID % L, mine = TID / L;
  const u64 base = (u64)BID * MATRICES * 256;
  float* s = 0;
  if constexpr (HOW > 0) {
    SHARED float stage[MATRICES * PITCH];
    for (u32 i = TID * V; i < MATRICES * 256; i += T * V) {
      float t[V];
      ld<V>(t, in + base + i);
      st<V>(stage + i / 256 * PITCH + i % 256, t);
    }
    SYNC;
    s = stage + mine * PITCH;
  }
  if constexpr (HOW < 2) {
    const float* g = in + base + mine * 256;
    float a[S][16];  // a row or a column each
#pragma unroll
    for (u32 r = 0; r < S; ++r) {
      const u32 own = r * L + l;
      if constexpr (OWN == 0) {
#pragma unroll
        for (u32 j = 0; j < 16; j += V) ld<V>(&a[r][j], (HOW ? s : g) + own * 16 + j);
      } else {
#pragma unroll
        for (u32 j = 0; j < 16; ++j) a[r][j] = (HOW ? s : g)[j * 16 + own];
      }
#pragma unroll
      for (u32 j = 0; j < 16; ++j) if (j == own) a[r][j] += 16.0f;
    }
    const auto step = [&](u32 k) {
      if constexpr (OWN == 0) {
        float p[16];
#pragma unroll
        for (u32 j = 0; j < 16; ++j) if (j >= k) p[j] = L == 1 ? a[k / L][j] : from<L>(a[k / L][j], k % L);
        const float inv = rcp(p[k]);
#pragma unroll
        for (u32 r = 0; r < S; ++r) {
          if (r * L + L - 1 <= k) continue;
          const bool below = r * L + l > k;
          const float f = below ? a[r][k] * inv : 0.0f;
          a[r][k] = below ? f : a[r][k];
#pragma unroll
          for (u32 j = 0; j < 16; ++j) if (j > k) a[r][j] -= f * p[j];
        }
      } else {
        const float inv = rcp(L == 1 ? a[k / L][k] : from<L>(a[k / L][k], k % L));
        float f[16];
#pragma unroll
        for (u32 i = 0; i < 16; ++i) {
          if (i <= k) continue;
          f[i] = a[k / L][i] * inv;
          if (l == k % L) a[k / L][i] = f[i];
          if (L > 1) f[i] = from<L>(f[i], k % L);
        }
#pragma unroll
        for (u32 r = 0; r < S; ++r) {
          if (r * L + L - 1 <= k) continue;
          const float top = r * L + l > k ? a[r][k] : 0.0f;
#pragma unroll
          for (u32 i = 0; i < 16; ++i) if (i > k) a[r][i] -= f[i] * top;
        }
      }
    };
    if constexpr (UNROLL) {
#pragma unroll
      for (u32 k = 0; k < 15; ++k) step(k);
    } else {
#pragma unroll 1
      for (u32 k = 0; k < 15; ++k) step(k);
    }
    float* o = out + base + mine * 256;
#pragma unroll
    for (u32 r = 0; r < S; ++r) {
      const u32 own = r * L + l;
      if constexpr (OWN == 0) {
#pragma unroll
        for (u32 j = 0; j < 16; j += V) st<V>((HOW ? s : o) + own * 16 + j, &a[r][j]);
      } else {
#pragma unroll
        for (u32 j = 0; j < 16; ++j) (HOW ? s : o)[j * 16 + own] = a[r][j];
      }
    }
  } else {
#pragma unroll
    for (u32 r = 0; r < S; ++r) s[(r * L + l) * 17] += 16.0f;
    warp_sync();
    const auto step = [&](u32 k) {
      const float inv = rcp(s[k * 17]);
      if constexpr (OWN == 0) {
        for (u32 i = l; i < 16; i += L) {
          if (i <= k) continue;
          const float f = s[i * 16 + k] * inv;
          s[i * 16 + k] = f;
          for (u32 j = k + 1; j < 16; ++j) s[i * 16 + j] -= f * s[k * 16 + j];
        }
      } else {
        for (u32 i = l; i < 16; i += L) if (i > k) s[i * 16 + k] *= inv;
        warp_sync();
        for (u32 j = l; j < 16; j += L) {
          if (j <= k) continue;
          const float top = s[k * 16 + j];
          for (u32 i = k + 1; i < 16; ++i) s[i * 16 + j] -= s[i * 16 + k] * top;
        }
      }
      warp_sync();
    };
    if constexpr (UNROLL) {
#pragma unroll
      for (u32 k = 0; k < 15; ++k) step(k);
    } else {
#pragma unroll 1
      for (u32 k = 0; k < 15; ++k) step(k);
    }
  }
  if constexpr (HOW > 0) {
    SYNC;
    float* stage = s - mine * PITCH;
    for (u32 i = TID * V; i < MATRICES * 256; i += T * V) {
      float t[V];
      ld<V>(t, stage + i / 256 * PITCH + i % 256);
      st<V>(out + base + i, t);
    }
  }
}
'''
MATRICES = 512 if "small" in sys.argv else 32 * K


def configurations():
    for l, t, own, how, v, pad, unroll, b in itertools.product((1, 2, 4, 8, 16), (32, 64, 128, 256, 512), (0, 1), (0, 1, 2), (1, 2, 4), (0, 1, 4, 16), (0, 1), (0, 1)):
        if (pad if how == 0 else t // l * (256 + pad) * 4 > 48 * 1024 or pad % v):
            continue
        if own and how == 0 and v > 1 or how == 2 and (b or l == 1 and unroll):
            continue
        if not unroll and (how < 2 and l not in (4, 16) or b or how == 2 and v == 2):
            continue
        if how == 0 and not unroll and v == 2:
            continue
        # b: registers kept to what a thousand work-items a multiprocessor have (64 each; 40 each for 8 and 16 work-items a matrix)
        yield l, t, own, how, v, pad, unroll, min(32, (1024 if l < 8 else 1536) // t) if b else 0


def main():
    kernels, launches = [], []
    pool = list(configurations())
    kinds = sorted({(c[0], c[3]) for c in pool})
    for c in [c for kind in kinds for c in choose([c for c in pool if (c[0], c[3]) == kind], 10, sum(kind))]:
        l, t, own, how, v, pad, unroll, b = c
        name = f"lu16_l{l}_t{t}_o{own}_h{how}_v{v}_p{pad}_u{unroll}_b{b}"
        kernels.append(f"{kernel(t, b)} {name}(float* R out, const float* R in) {{ lu<{l}, {t}, {own}, {how}, {v}, {256 + pad}, {unroll}>(out, in); }}")
        launches.append((name.replace("_", "."), name, (MATRICES * l // t, 1), (t, 1), ("@out", "@unit")))
    write("lu16", TEXT, kernels, {"out": (MATRICES * 1024, "zero"), "unit": (MATRICES * 1024, "unit")}, [], launches, "out", lambda label: MATRICES * 256)


main()
