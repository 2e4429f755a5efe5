#!/usr/bin/env python3
"""Writes layernorm.cu and its jobs: y = norm(x + r) * gamma + beta by rows, rows of 256, 1280 and 5120.

    python3 layernorm.py FOLDER [small]"""
import itertools
import sys

from common import K, M, choose, kernel, write

TEXT = r'''
// TPR work-items have a row, RPB rows a group. HOW 0: three passes over global memory (mean, variance, result), 1: two (sum and squares
// together, result), 2: one, the row in registers, 3: one, the row in shared memory.
// BLOCKED: a work-item's columns lie side by side. TREE: sums by a tree in shared memory, not by shuffles.
// x, r, gamma and beta lie behind each other in `in`.
template <u32 TPR, u32 RPB, bool TREE> INLINE float total(float v, u32 t, u32 row) {
  if constexpr (TREE) {
    SHARED float red[RPB * TPR];
    SYNC;
    red[row * TPR + t] = v;
    SYNC;
#pragma unroll 1
    for (u32 d = TPR / 2; d > 0; d /= 2) {
      if (t < d) red[row * TPR + t] += red[row * TPR + t + d];
      SYNC;
    }
    return red[row * TPR];
  } else {
#pragma unroll
    for (u32 d = (TPR < 32 ? TPR : 32) / 2; d > 0; d /= 2) v += bfly(v, d);
    if constexpr (TPR > 32) {
      SHARED float part[RPB][TPR / 32];
      SYNC;
      if (t % 32 == 0) part[row][t / 32] = v;
      SYNC;
      v = 0;
#pragma unroll
      for (u32 w = 0; w < TPR / 32; ++w) v += part[row][w];
    }
    return v;
  }
}
template <u32 COLS, u32 TPR, u32 RPB, u32 V, u32 HOW, bool BLOCKED, bool TREE, u32 U>
INLINE void norm(float* R out, const float* R in, u32 rows) {
  constexpr u32 ITEMS = (COLS + TPR * V - 1) / (TPR * V);
  constexpr bool EXACT = COLS % (TPR * V) == 0;
  const u32 t = TID % TPR, r = TID / TPR, row = BID * RPB + r, size = rows * COLS;
  const float* x = in + row * COLS;
  const float* y = x + size;
  const float* gamma = in + 2 * size;
  const float* beta = gamma + COLS;
  float* o = out + row * COLS;
  const auto column = [&](u32 k) { return BLOCKED ? (t * ITEMS + k) * V : (k * TPR + t) * V; };
  const auto both = [&](float* h, u32 c) {
    float b[V];
    ld<V>(h, x + c);
    ld<V>(b, y + c);
#pragma unroll
    for (u32 v = 0; v < V; ++v) h[v] += b[v];
  };
  const auto put = [&](const float* h, u32 c, float mean, float scale) {
    float g[V], b[V];
    ld<V>(g, gamma + c);
    ld<V>(b, beta + c);
#pragma unroll
    for (u32 v = 0; v < V; ++v) b[v] += (h[v] - mean) * scale * g[v];
    st<V>(o + c, b);
  };
  float mean, scale, s = 0, q = 0;
  if constexpr (HOW == 2) {
    float h[ITEMS][V];
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k) {
      if (EXACT || column(k) < COLS) both(h[k], column(k));
      else
#pragma unroll
        for (u32 v = 0; v < V; ++v) h[k][v] = 0;
#pragma unroll
      for (u32 v = 0; v < V; ++v) s += h[k][v];
    }
    mean = total<TPR, RPB, TREE>(s, t, r) * (1.0f / COLS);
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k)
      if (EXACT || column(k) < COLS)
#pragma unroll
        for (u32 v = 0; v < V; ++v) q += (h[k][v] - mean) * (h[k][v] - mean);
    scale = rsq(total<TPR, RPB, TREE>(q, t, r) * (1.0f / COLS) + 1e-5f);
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k)
      if (EXACT || column(k) < COLS) put(h[k], column(k), mean, scale);
  } else {
    float* keep = 0;
    if constexpr (HOW == 3) {
      SHARED float line[RPB * COLS];
      keep = line + r * COLS;
    }
#pragma unroll U
    for (u32 k = 0; k < ITEMS; ++k) {
      const u32 c = column(k);
      if (!EXACT && c >= COLS) break;
      float h[V];
      both(h, c);
      if constexpr (HOW == 3) st<V>(keep + c, h);
#pragma unroll
      for (u32 v = 0; v < V; ++v) { s += h[v]; if (HOW == 1) q += h[v] * h[v]; }
    }
    mean = total<TPR, RPB, TREE>(s, t, r) * (1.0f / COLS);
    if constexpr (HOW != 1) {
#pragma unroll U
      for (u32 k = 0; k < ITEMS; ++k) {
        const u32 c = column(k);
        if (!EXACT && c >= COLS) break;
        float h[V];
        if constexpr (HOW == 3) ld<V>(h, keep + c);
        else both(h, c);
#pragma unroll
        for (u32 v = 0; v < V; ++v) q += (h[v] - mean) * (h[v] - mean);
      }
    }
    q = total<TPR, RPB, TREE>(q, t, r) * (1.0f / COLS);
    scale = rsq((HOW == 1 ? q - mean * mean : q) + 1e-5f);
#pragma unroll U
    for (u32 k = 0; k < ITEMS; ++k) {
      const u32 c = column(k);
      if (!EXACT && c >= COLS) break;
      float h[V];
      if constexpr (HOW == 3) ld<V>(h, keep + c);
      else both(h, c);
      put(h, c, mean, scale);
    }
  }
}
'''
SMALL = "small" in sys.argv
SIZES = {256: 16 * K, 1280: 4 * K, 5120: 640}
if SMALL:
    SIZES = {256: 256, 1280: 64, 5120: 64}


def configurations(cols):
    for tpr, t, v, how, blocked, tree, u in itertools.product((4, 8, 16, 32, 64, 128, 256, 512, 1024), (64, 128, 256, 512, 1024), (1, 2, 4), (0, 1, 2, 3), (0, 1), (0, 1), (1, 4)):
        rpb, items = t // tpr, -(-cols // (tpr * v))
        if rpb == 0 or rpb > 64 or tpr > cols // v or cols // tpr > {256: 64, 1280: 160, 5120: 320}[cols]:
            continue
        if how == 3 and rpb * cols * 4 + tree * t * 4 + 128 > 48 * 1024 or how == 2 and (u > 1 or items * v > 160) or items < u:
            continue
        if tree and (blocked or tpr < 32 or u > 1):  # the bad ways one at a time
            continue
        if blocked and (items == 1 or tpr > 256):
            continue
        yield tpr, rpb, v, how, blocked, tree, u


def main():
    kernels, launches = [], []
    for cols, rows in SIZES.items():
        for c in choose(configurations(cols), 50, cols):
            tpr, rpb, v, how, blocked, tree, u = c
            name = f"layernorm_{cols}_p{tpr}_r{rpb}_v{v}_h{how}_b{blocked}_t{tree}_u{u}"
            kernels.append(f"{kernel(tpr * rpb, 0)} {name}(float* R out, const float* R in, u32 rows) {{ norm<{cols}, {tpr}, {rpb}, {v}, {how}, {blocked}, {tree}, {u}>(out, in, rows); }}")
            launches.append((name.replace("_", "."), name, (rows // rpb, 1), (tpr * rpb, 1), ("@out", "@unit", rows)))
    words = max(c * r for c, r in SIZES.items())
    write("layernorm", TEXT, kernels, {"out": (words * 4, "zero"), "unit": (words * 8 + 2 * 5120 * 4, "unit")}, [], launches, "out",
          lambda label: int(label.split(".")[1]) * SIZES[int(label.split(".")[1])])


main()
