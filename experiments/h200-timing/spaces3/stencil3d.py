#!/usr/bin/env python3
"""Writes stencil3d.cu and its jobs: a step of the wave equation, 25 points (radius 4) in 3D, marching along z.

    python3 stencil3d.py FOLDER [small]"""
import itertools
import sys

from common import M, choose, kernel, write

TEXT = r'''
// A group has a tile of BX * V by BY * WY points and walks over ZC planes. u is padded: 4 rows and planes and 32 columns on every side.
// MODE 0: every neighbour from global memory. 1: the column along z in registers. 2: that, and the plane with its rim in shared memory,
// 3: as 2 with two planes in turn, so that one barrier a plane is enough.
template <u32 MODE, u32 BX, u32 BY, u32 V, u32 WY, u32 ZC, u32 UZ>
INLINE void stencil(float* R out, const float* R u, const float* R prev, u32 nx, u32 ny, u32 nz) {
  constexpr u32 TX = BX * V, TY = BY * WY, SP = TX + 8, T = BX * BY;
  const float c0 = -8.54166f, c1 = 1.6f, c2 = -0.2f, c3 = 0.0253968f, c4 = -0.00178571f;
  const u32 yt = ny / TY, y0 = BIDY % yt * TY, z0 = BIDY / yt * ZC, x0 = BID * TX, tx = TID, ty = TIDY;
  const u32 P = nx + 64, PP = P * (ny + 8);
  const float* at = u + (z0 + 4) * PP + (y0 + ty + 4) * P + x0 + tx * V + 32;
  const float* old = prev + (z0 * ny + y0 + ty) * nx + x0 + tx * V;
  float* to = out + (z0 * ny + y0 + ty) * nx + x0 + tx * V;
  const float* corner = u + (z0 + 4) * PP + (y0 + 4) * P + x0 + 32;
  float q[9][WY][V];
  if constexpr (MODE > 0) {
#pragma unroll
    for (u32 k = 0; k < 8; ++k)
#pragma unroll
      for (u32 w = 0; w < WY; ++w) ld<V>(q[k][w], at + (int)k * (int)PP - 4 * (int)PP + (int)(w * BY * P));
  }
#pragma unroll UZ
  for (u32 z = 0; z < ZC; ++z) {
    float* s = 0;
    if constexpr (MODE > 0) {
#pragma unroll
      for (u32 w = 0; w < WY; ++w) ld<V>(q[8][w], at + 4 * PP + w * BY * P);
    }
    if constexpr (MODE > 1) {
      SHARED float plane[MODE == 3 ? 2 : 1][(TY + 8) * SP];
      s = plane[MODE == 3 ? z & 1 : 0];
#pragma unroll
      for (u32 w = 0; w < WY; ++w) st<V>(s + (ty + w * BY + 4) * SP + tx * V + 4, q[4][w]);
      const u32 t = ty * BX + tx;
      for (u32 i = t; i < 8 * TX; i += T) {
        const u32 row = i / TX, col = i % TX, y = row < 4 ? row : row + TY;
        s[y * SP + col + 4] = corner[(int)(y * P) - 4 * (int)P + (int)col];
      }
      for (u32 i = t; i < 8 * TY; i += T) {
        const u32 row = i / 8, c = i % 8, col = c < 4 ? c : c + TX;
        s[(row + 4) * SP + col] = corner[(int)(row * P + col) - 4];
      }
      SYNC;
    }
#pragma unroll
    for (u32 w = 0; w < WY; ++w) {
      const float* p = at + w * BY * P;
      const float* l = s + (ty + w * BY + 4) * SP + tx * V + 4;
      float before[V], result[V], xs[V + 8];
      ld<V>(before, old + w * BY * nx);
#pragma unroll
      for (u32 c = 0; c < 8 / V + 1; ++c) {
        if constexpr (MODE > 1) ld<V>(xs + c * V, l + (int)(c * V) - 4);
        else ld<V>(xs + c * V, p + (int)(c * V) - 4);
      }
#pragma unroll
      for (u32 v = 0; v < V; ++v) result[v] = c0 * 3 * xs[v + 4];
#pragma unroll
      for (int r = 1; r <= 4; ++r) {
        const float c = r == 1 ? c1 : r == 2 ? c2 : r == 3 ? c3 : c4;
        float n[V], o[V], a[V], b[V];
        if constexpr (MODE > 1) { ld<V>(n, l - r * (int)SP); ld<V>(o, l + r * (int)SP); }
        else { ld<V>(n, p - r * (int)P); ld<V>(o, p + r * (int)P); }
        if constexpr (MODE > 0) {
#pragma unroll
          for (u32 v = 0; v < V; ++v) { a[v] = q[4 - r][w][v]; b[v] = q[4 + r][w][v]; }
        } else { ld<V>(a, p - r * (int)PP); ld<V>(b, p + r * (int)PP); }
#pragma unroll
        for (u32 v = 0; v < V; ++v) result[v] += c * (xs[v + 4 - r] + xs[v + 4 + r] + n[v] + o[v] + a[v] + b[v]);
      }
#pragma unroll
      for (u32 v = 0; v < V; ++v) result[v] = 2 * xs[v + 4] - before[v] + 0.1f * result[v];
      st<V>(to + w * BY * nx, result);
    }
    if constexpr (MODE == 2) SYNC;
    if constexpr (MODE > 0) {
#pragma unroll
      for (u32 k = 0; k < 8; ++k)
#pragma unroll
        for (u32 w = 0; w < WY; ++w)
#pragma unroll
          for (u32 v = 0; v < V; ++v) q[k][w][v] = q[k + 1][w][v];
    }
    at += PP; corner += PP; old += nx * ny; to += nx * ny;
  }
}
'''
SMALL = "small" in sys.argv
NX, NY, NZ = (256, 64, 96) if SMALL else (256, 256, 96)


def configurations():
    for m, bx, by, v, w, z, u, b in itertools.product((0, 1, 2, 3), (4, 16, 32, 64, 128, 256), (1, 2, 4, 8, 16), (1, 2, 4), (1, 2, 4), (6, 24, 96), (1, 2, 8), (0, 1)):
        t = bx * by
        if not 64 <= t <= 512 or bx * v > 256 or v * w > 4:
            continue
        if m == 0 and u > 1 or bx == 4 and (v == 2 or z == 6):
            continue
        # b: registers kept to those of 1536 work-items a multiprocessor (40 each)
        if (m > 1) * (by * w + 8) * (bx * v + 8) * 4 * (m - 1) > 48 * 1024:
            continue
        yield m, bx, by, v, w, z, u, 1536 // t if b else 0


def main():
    kernels, launches = [], []
    pool = list(configurations())
    for c in choose([c for c in pool if not c[7]], 112) + choose([c for c in pool if c[7]], 32):
        m, bx, by, v, w, z, u, b = c
        name = f"stencil3d_m{m}_x{bx}_y{by}_v{v}_w{w}_z{z}_u{u}_b{b}"
        kernels.append(f"{kernel(bx * by, b)} {name}(float* R out, const float* R u, const float* R prev, u32 nx, u32 ny, u32 nz) "
                       f"{{ stencil<{m}, {bx}, {by}, {v}, {w}, {z}, {u}>(out, u, prev, nx, ny, nz); }}")
        launches.append((name.replace("_", "."), name, (NX // (bx * v), NY // (by * w) * (NZ // z)), (bx, by), ("@out", "@unit", "@prev", NX, NY, NZ)))
    write("stencil3d", TEXT, kernels, {"out": (NX * NY * NZ * 4, "zero"), "unit": ((NX + 64) * (NY + 8) * (NZ + 8) * 4, "unit"),
                                       "prev": (NX * NY * NZ * 4, "unit")}, [], launches, "out", lambda label: NX * NY * NZ)


main()
