// Ten more kernels with parameters; spaces2.py makes one module for each configuration.
#include "applications.h"

#ifdef TRANSPOSE  // tiles of T x T by T x R items, through local memory or not, PAD words a row
KERNEL transpose(float* R out, const float* R in, u32 n) {
  const u32 lx = TID % T, ly = TID / T, bx = BID % (n / T) * T, by = BID / (n / T) * T;
#if LOCAL
  SHARED float tile[T][T + PAD];
#pragma unroll
  for (u32 j = 0; j < T; j += ROWS) tile[ly + j][lx] = in[(by + ly + j) * n + bx + lx];
  SYNC;
#pragma unroll
  for (u32 j = 0; j < T; j += ROWS) out[(bx + ly + j) * n + by + lx] = tile[lx][ly + j];
#else
#pragma unroll
  for (u32 j = 0; j < T; j += ROWS) out[(bx + lx) * n + by + ly + j] = in[(by + ly + j) * n + bx + lx];
#endif
}
#endif

#ifdef REDUCE  // a grid-stride sum, VEC floats a load, UNROLL loads a turn, then a tree through local memory or the warp
KERNEL reduce(float* R out, const float* R in, u32 n) {
  SHARED float part[ITEMS];
  float sum[UNROLL] = {};
  const u32 step = GDIM * ITEMS;
  for (u32 i = BID * ITEMS + TID; i < n / VEC; i += step * UNROLL)
#pragma unroll
    for (u32 k = 0; k < UNROLL; ++k)
      if (i + k * step < n / VEC) {
        float v[VEC];
        __builtin_memcpy(v, __builtin_assume_aligned(in + (i + k * step) * VEC, VEC * 4), sizeof v);
        for (u32 j = 0; j < VEC; ++j) sum[k] += v[j];
      }
  float s = 0;
  for (u32 k = 0; k < UNROLL; ++k) s += sum[k];
#if WARP
  s = warp_sum(s);
  if (TID % 32 == 0) part[TID / 32] = s;
  SYNC;
  if (TID < 32) {
    s = warp_sum(TID < ITEMS / 32 ? part[TID] : 0);
    if (TID == 0) addf(out, s);
  }
#else
  part[TID] = s;
  SYNC;
  for (u32 k = ITEMS / 2; k > 0; k /= 2) {
    if (TID < k) part[TID] += part[TID + k];
    SYNC;
  }
  if (TID == 0) addf(out, part[0]);
#endif
}
#endif

#ifdef STENCIL  // seven points over n x n x DEPTH, BX x BY items marching over CHUNK planes
KERNEL stencil(float* R out, const float* R in, u32 n) {
  const u32 lx = TID % BX, ly = TID / BX, per = (n - 2) / BX, x = BID % per * BX + lx + 1, rest = BID / per, rows = (n - 2) / BY;
  const u32 y = rest % rows * BY + ly + 1, z0 = rest / rows * CHUNK + 1, plane = n * n, at = y * n + x;
  float below = in[(z0 - 1) * plane + at], here = in[z0 * plane + at];
#if LOCAL
  SHARED float tile[BY + 2][BX + 2];
#endif
#pragma unroll 1
  for (u32 z = z0; z < z0 + CHUNK; ++z) {
    const float above = in[(z + 1) * plane + at];
#if LOCAL
    SYNC;
    tile[ly + 1][lx + 1] = here;
    if (lx == 0) tile[ly + 1][0] = in[z * plane + at - 1];
    if (lx == BX - 1) tile[ly + 1][BX + 1] = in[z * plane + at + 1];
    if (ly == 0) tile[0][lx + 1] = in[z * plane + at - n];
    if (ly == BY - 1) tile[BY + 1][lx + 1] = in[z * plane + at + n];
    SYNC;
    const float around = tile[ly + 1][lx] + tile[ly + 1][lx + 2] + tile[ly][lx + 1] + tile[ly + 2][lx + 1];
#else
    const float around = in[z * plane + at - 1] + in[z * plane + at + 1] + in[z * plane + at - n] + in[z * plane + at + n];
#endif
    out[z * plane + at] = here * 0.4f + (around + above + below) * 0.1f;
    below = here, here = above;
  }
}
#endif

#ifdef NBODY  // BODIES bodies an item against all n, tiles of ITEMS bodies in local memory or not, UNROLL at a time
KERNEL nbody(float* R out, const float* R in, u32 n) {
  const f4* body = (const f4*)in;
  f4 me[BODIES], force[BODIES] = {};
#pragma unroll
  for (u32 k = 0; k < BODIES; ++k) me[k] = body[(BID * BODIES + k) * ITEMS + TID];
#if LOCAL
  SHARED f4 tile[ITEMS];
#endif
  for (u32 j = 0; j < n; j += ITEMS) {
#if LOCAL
    SYNC;
    tile[TID] = body[j + TID];
    SYNC;
#endif
#pragma unroll UNROLL
    for (u32 i = 0; i < ITEMS; ++i) {
#if LOCAL
      const f4 other = tile[i];
#else
      const f4 other = body[j + i];
#endif
#pragma unroll
      for (u32 k = 0; k < BODIES; ++k) {
        const float dx = other.x - me[k].x, dy = other.y - me[k].y, dz = other.z - me[k].z;
        const float r = rsq(dx * dx + dy * dy + dz * dz + 1e-3f), f = other.w * r * r * r;
        force[k].x += dx * f, force[k].y += dy * f, force[k].z += dz * f;
      }
    }
  }
#pragma unroll
  for (u32 k = 0; k < BODIES; ++k) ((f4*)out)[(BID * BODIES + k) * ITEMS + TID] = force[k];
}
#endif

#ifdef HISTOGRAM  // 256 bins of n words, COPIES of the bins in local memory, VEC words a load
KERNEL histogram(u32* R out, const u32* R in, u32 n) {
  SHARED u32 bins[COPIES][257];
  for (u32 i = TID; i < COPIES * 257; i += ITEMS) bins[i / 257][i % 257] = 0;
  SYNC;
  u32* mine = bins[TID % COPIES];
  for (u32 i = BID * ITEMS + TID; i < n / VEC; i += GDIM * ITEMS) {
    u32 v[VEC];
    __builtin_memcpy(v, __builtin_assume_aligned(in + i * VEC, VEC * 4), sizeof v);
    for (u32 j = 0; j < VEC; ++j)
#pragma unroll
      for (u32 b = 0; b < BYTES; ++b) add(&mine[v[j] >> b * 8 & 255], 1);
  }
  SYNC;
  for (u32 i = TID; i < 256; i += ITEMS) {
    u32 s = 0;
    for (u32 c = 0; c < COPIES; ++c) s += bins[c][i];
    if (s) add(out + i, s);
  }
}
#endif

#ifdef MATVEC  // LANES lanes a row, VEC floats a load, ROWS rows beside each other
KERNEL matvec(float* R out, const float* R in, u32 n) {
  const u32 lane = TID % LANES, row = (BID * (ITEMS / LANES) + TID / LANES) * ROWS;
  const float* x = in + n * n;
  float sum[ROWS] = {};
#pragma unroll UNROLL
  for (u32 i = lane * VEC; i < n; i += LANES * VEC) {
    float v[VEC];
    __builtin_memcpy(v, __builtin_assume_aligned(x + i, VEC * 4), sizeof v);
#pragma unroll
    for (u32 r = 0; r < ROWS; ++r) {
      float a[VEC];
      __builtin_memcpy(a, __builtin_assume_aligned(in + (row + r) * n + i, VEC * 4), sizeof a);
      for (u32 j = 0; j < VEC; ++j) sum[r] += a[j] * v[j];
    }
  }
#pragma unroll
  for (u32 r = 0; r < ROWS; ++r) {
    for (u32 s = LANES / 2; s > 0; s /= 2) sum[r] += bfly(sum[r], s);
    if (lane == 0) out[row + r] = sum[r];
  }
}
#endif

#ifdef SCAN  // inclusive sums of a group's EACH * ITEMS words: warps by shuffles, or steps through local memory
KERNEL scan(u32* R out, const u32* R in, u32 n) {
  const u32 at = (BID * ITEMS + TID) * EACH;
  u32 v[EACH];
  __builtin_memcpy(v, __builtin_assume_aligned(in + at, EACH > 4 ? 16 : EACH * 4), sizeof v);
  for (u32 k = 1; k < EACH; ++k) v[k] += v[k - 1];
  u32 sum = v[EACH - 1];
#if WARP
  SHARED u32 warps[32];
  for (u32 s = 1; s < 32; s *= 2) {
    const u32 other = up(sum, s);
    if (TID % 32 >= s) sum += other;
  }
  if (TID % 32 == 31) warps[TID / 32] = sum;
  SYNC;
  if (TID < 32) {
    u32 w = TID < ITEMS / 32 ? warps[TID] : 0;
    for (u32 s = 1; s < 32; s *= 2) {
      const u32 other = up(w, s);
      if (TID >= s) w += other;
    }
    warps[TID] = w;
  }
  SYNC;
  if (TID >= 32) sum += warps[TID / 32 - 1];
#else
  SHARED u32 sums[2][ITEMS];
  u32 now = 0;
  sums[0][TID] = sum;
  for (u32 s = 1; s < ITEMS; s *= 2) {
    SYNC;
    sum = sums[now][TID] + (TID >= s ? sums[now][TID - s] : 0);
    now ^= 1;
    sums[now][TID] = sum;
  }
#endif
  const u32 before = sum - v[EACH - 1];
  for (u32 k = 0; k < EACH; ++k) v[k] += before;
  __builtin_memcpy(__builtin_assume_aligned(out + at, EACH > 4 ? 16 : EACH * 4), v, sizeof v);
}
#endif

#ifdef TENSOR  // half by half into float, tiles of BM x BN x BK in local memory, WM x WN a warp
KERNEL tensor(float* R out, const u32* R in, u32 n) {
  constexpr u32 WIDE = BN / WN, ITEMS = BM / WM * WIDE * 32, LINE = BK / 2 + PAD;  // words of two halves
  __attribute__((shared, aligned(16))) static u32 a[BM][LINE], b[BN][LINE];
  const u32 lane = TID % 32, warp = TID / 32, wm = warp / WIDE * WM, wn = warp % WIDE * WN, bm = BID / (n / BN) * BM, bn = BID % (n / BN) * BN;
  float c[WM / 16][WN / 8][4] = {};
  for (u32 k = 0; k < n / 2; k += BK / 2) {
#pragma unroll
    for (u32 i = TID * 4; i < BM * BK / 2; i += ITEMS * 4) *(u4*)&a[i / (BK / 2)][i % (BK / 2)] = *(const u4*)(in + (bm + i / (BK / 2)) * (n / 2) + k + i % (BK / 2));
#pragma unroll
    for (u32 i = TID * 4; i < BN * BK / 2; i += ITEMS * 4) *(u4*)&b[i / (BK / 2)][i % (BK / 2)] = *(const u4*)(in + (bn + i / (BK / 2)) * (n / 2) + k + i % (BK / 2));
    SYNC;
#pragma unroll
    for (u32 kk = 0; kk < BK / 2; kk += 8) {
      u32 p[WM / 16][4], q[WN / 8][2];
#pragma unroll
      for (u32 i = 0; i < WM / 16; ++i)
#pragma unroll
        for (u32 j = 0; j < 4; ++j) p[i][j] = a[wm + i * 16 + lane / 4 + j % 2 * 8][kk + lane % 4 + j / 2 * 4];
#pragma unroll
      for (u32 i = 0; i < WN / 8; ++i)
#pragma unroll
        for (u32 j = 0; j < 2; ++j) q[i][j] = b[wn + i * 8 + lane / 4][kk + lane % 4 + j * 4];
#pragma unroll
      for (u32 i = 0; i < WM / 16; ++i)
#pragma unroll
        for (u32 j = 0; j < WN / 8; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(c[i][j][0]), "+f"(c[i][j][1]), "+f"(c[i][j][2]), "+f"(c[i][j][3])
                       : "r"(p[i][0]), "r"(p[i][1]), "r"(p[i][2]), "r"(p[i][3]), "r"(q[j][0]), "r"(q[j][1]));
    }
    SYNC;
  }
#pragma unroll
  for (u32 i = 0; i < WM / 16; ++i)
#pragma unroll
    for (u32 j = 0; j < WN / 8; ++j)
#pragma unroll
      for (u32 h = 0; h < 2; ++h)
        *(f2*)(out + (bm + wm + i * 16 + lane / 4 + h * 8) * n + bn + wn + j * 8 + lane % 4 * 2) = f2{c[i][j][h * 2], c[i][j][h * 2 + 1]};
}
#endif

#ifdef SPMV  // rows of 4 to 35 elements at hashed columns, LANES lanes a row
KERNEL spmv(float* R out, const u32* R in, u32 n) {
  const u32 row = BID * (ITEMS / LANES) + TID / LANES, lane = TID % LANES;
  const u32 begin = row * 36, count = 4 + in[row] % 32;
  float sum = 0;
#pragma unroll UNROLL
  for (u32 i = lane; i < count; i += LANES) sum += (float)(in[begin + i] & 255) * (float)in[in[begin + i] >> 8 & (n - 1)];
  for (u32 s = LANES / 2; s > 0; s /= 2) sum += bfly(sum, s);
  if (lane == 0) out[row] = sum;
}
#endif

#ifdef MANDELBROT  // groups of BX x BY, EACH points an item, side by side or BX apart
KERNEL mandelbrot(u32* R out, const u32* R in, u32 n) {
  const u32 per = n / (BX * EACH), gx = BID % per * BX * EACH, y = BID / per * BY + TID / BX;
  for (u32 k = 0; k < EACH; ++k) {
    const u32 x = gx + (APART ? TID % BX + k * BX : TID % BX * EACH + k);
    const float cx = x * 3.0f / n - 2.2f, cy = y * 2.4f / n - 1.2f;
    float a = 0, b = 0;
    u32 i = 0;
    for (; i < 128; ++i) {
      const float aa = a * a, bb = b * b;
      if (aa + bb > 4) break;
      b = 2 * a * b + cy, a = aa - bb + cx;
    }
    out[y * n + x] = i;
  }
}
#endif
