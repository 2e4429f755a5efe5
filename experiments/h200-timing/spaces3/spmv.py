#!/usr/bin/env python3
"""Writes spmv.cu and its jobs: y = A x, A of 128K irregular rows in CSR form (empty stretches, short rows, a few of hundreds), made by two
launches before the timed ones.

    python3 spmv.py FOLDER [small]"""
import itertools
import sys

from common import K, M, choose, kernel, write

TEXT = r'''
INLINE u32 length(u32 r) {
  const u32 h = mix(r + 77), u = h & 1023, v = h >> 10;
  const u32 l = u < 512 ? 4 + v % 8 : u < 960 ? 8 + v % 32 : u < 1016 ? 48 + v % 64 : 128 + v % 256;
  return (r >> 6 & 15) == 7 ? v % 2 : mix(r >> 9) % 8 == 0 ? 2 * l : l;
}
KERNEL1(1024) make_rows(u32* R ptr, u32 n) {  // one group
  SHARED u32 sums[1024];
  const u32 each = n / 1024;
  u32 s = 0;
  for (u32 r = TID * each; r < (TID + 1) * each; ++r) s += length(r);
  sums[TID] = s;
  SYNC;
  u32 at = 0;
  for (u32 t = 0; t < TID; ++t) at += sums[t];
  for (u32 r = TID * each; r < (TID + 1) * each; ++r) { ptr[r] = at; at += length(r); }
  if (TID == 1023) ptr[n] = at;
}
KERNEL1(256) make_columns(u32* R col, const u32* R ptr, u32 n) {  // half near the diagonal, half anywhere
  const u32 r = BID * 256 + TID;
  for (u32 k = ptr[r]; k < ptr[r + 1]; ++k) {
    const u32 h = mix(k * 3 + 5);
    col[k] = (h & 1 ? r + (h >> 8 & 255) - 128 : h >> 3) & (n - 1);
  }
}
// TPR work-items have a row; RPG times T / TPR rows a group, STRIDED: that lie a grid apart.
// HOW 0: each its elements in turn, V at once, 1: the group's products through CH places of shared memory, 2: as 0, x near the diagonal kept in
// shared memory.
template <u32 HOW, u32 TPR, u32 T, u32 RPG, u32 V, u32 U, bool STRIDED>
INLINE void spmv(float* R y, const u32* R ptr, const u32* R col, const float* R val, const float* R x, u32 n) {
  constexpr u32 ROWS = T / TPR, CH = T * U;
  const u32 lane = TID % TPR, mine = TID / TPR;
  float* near = 0;
  const u32 low = BID * RPG * ROWS - 128;
  if constexpr (HOW == 1) { SHARED float products[CH]; near = products; }
  if constexpr (HOW == 2) {
    SHARED float window[ROWS * RPG + 256];
    near = window;
    for (u32 i = TID; i < ROWS * RPG + 256; i += T) near[i] = x[(low + i) & (n - 1)];
    SYNC;
  }
#pragma unroll 1
  for (u32 g = 0; g < RPG; ++g) {
    const u32 row0 = (STRIDED ? g * GDIM + BID : BID * RPG + g) * ROWS, row = row0 + mine, begin = ptr[row], end = ptr[row + 1];
    float s = 0;
    if constexpr (HOW == 1) {
      const u32 last = ptr[row0 + ROWS];
      for (u32 c0 = ptr[row0]; c0 < last; c0 += CH) {
        SYNC;
#pragma unroll
        for (u32 k = 0; k < U; ++k) {
          const u32 i = k * T + TID;
          if (c0 + i < last) near[i] = val[c0 + i] * x[col[c0 + i]];
        }
        SYNC;
        const u32 a = begin > c0 ? begin : c0, b = end < c0 + CH ? end : c0 + CH;
        for (u32 k = a + lane; k < b; k += TPR) s += near[k - c0];
      }
    } else {
#pragma unroll U
      for (u32 k = begin / V * V + lane * V; k < end; k += TPR * V) {
        u32 c[V];
        float a[V];
        ld<V>(c, col + k);
        ld<V>(a, val + k);
#pragma unroll
        for (u32 v = 0; v < V; ++v) {
          if (V > 1 && (k + v < begin || k + v >= end)) continue;
          if constexpr (HOW == 2) {
            const u32 d = (c[v] - low) & (n - 1);
            s += a[v] * (d < ROWS * RPG + 256 ? near[d] : x[c[v]]);
          } else s += a[v] * x[c[v]];
        }
      }
    }
#pragma unroll
    for (u32 d = TPR / 2; d > 0; d /= 2) s += bfly(s, d);
    if (lane == 0) y[row] = s;
  }
}
'''
N = 16 * K if "small" in sys.argv else 128 * K


def mix(i):
    i = i * 2654435761 & 0xffffffff
    i = (i ^ i >> 15) * 0x85ebca6b & 0xffffffff
    return i ^ i >> 13


def length(r):
    h = mix(r + 77)
    u, v = h & 1023, h >> 10
    l = 4 + v % 8 if u < 512 else 8 + v % 32 if u < 960 else 48 + v % 64 if u < 1016 else 128 + v % 256
    return v % 2 if (r >> 6 & 15) == 7 else 2 * l if mix(r >> 9) % 8 == 0 else l


def configurations():
    for how, tpr, t, g, v, u, strided, b in itertools.product((0, 1, 2), (1, 2, 4, 8, 16, 32), (32, 64, 128, 256, 512, 1024), (1, 4, 16), (1, 2, 4), (1, 2, 4, 8), (0, 1), (0, 1)):
        rows = t // tpr * g
        if how and strided or g == 1 and strided or how == 1 and (v > 1 or t * u > 8192 or b) or how == 2 and (rows + 256 > 12000 or g == 1 and t // tpr < 16):
            continue
        if how != 1 and u == 8 or t == 32 and g == 1 and tpr > 4 or rows > 8192 or tpr == 32 and v == 4:
            continue
        if b and (t < 128 or v * u < 4 or tpr == 1):
            continue
        if how == 0 and tpr == 1 and v * u == 1 and g > 4:  # beyond a millisecond
            continue
        yield how, tpr, t, g, v, u, strided, 2048 // t if b else 0


def main():
    every = sum(map(length, range(N)))
    print("non-zeros", every, "longest row", max(map(length, range(N))))
    kernels, launches = [], []
    pool = list(configurations())
    for how, count in ((0, 76), (1, 36), (2, 36)):
        for c in choose([c for c in pool if c[0] == how], count, how):
            how, tpr, t, g, v, u, strided, b = c
            name = f"spmv_h{how}_p{tpr}_t{t}_g{g}_v{v}_u{u}_s{strided}_b{b}"
            kernels.append(f"{kernel(t, b)} {name}(float* R y, const u32* R ptr, const u32* R col, const float* R val, const float* R x, u32 n) "
                           f"{{ spmv<{how}, {tpr}, {t}, {g}, {v}, {u}, {strided}>(y, ptr, col, val, x, n); }}")
            launches.append((name.replace("_", "."), name, (N * tpr // (t * g), 1), (t, 1), ("@y", "@ptr", "@col", "@unit", "@x", N)))
    count = (every + 1023) // 1024 * 1024
    n = "x:" + N.to_bytes(4, "little").hex()
    prepare = [f"make_rows 1 1 1 1024 1 1 @ptr {n}", f"make_columns {N // 256} 1 1 256 1 1 @col @ptr {n}"]
    write("spmv", TEXT, kernels, {"y": (N * 4, "zero"), "ptr": (N * 4 + 4, "zero"), "col": (count * 4, "zero"), "unit": (count * 4, "unit"), "x": (N * 4, "unit")},
          prepare, launches, "y", lambda label: N)


main()
