// Kernels as applications have them, a seventh round
#include "applications2.h"

INLINE double bfly64(double x, u32 m) {
  const u64 b = __builtin_bit_cast(u64, x);
  const u32 lo = (u32)__nvvm_shfl_sync_bfly_i32(-1, (u32)b, m, 31), hi = (u32)__nvvm_shfl_sync_bfly_i32(-1, (u32)(b >> 32), m, 31);
  return __builtin_bit_cast(double, (u64)hi << 32 | lo);
}
INLINE int imin(int a, int b) { return a < b ? a : b; }
INLINE int imax(int a, int b) { return a > b ? a : b; }
INLINE u32 bits(float x) { return __builtin_bit_cast(u32, x); }
INLINE float fbits(u32 x) { return __builtin_bit_cast(float, x); }
#define BDIMY __nvvm_read_ptx_sreg_ntid_y()
#define UNROLL _Pragma("unroll")

// ---- dense matrices and vectors (PolyBench, Rodinia)
// y = alpha A x + beta B x: 32 rows a group of 32 x 8, tiles of both matrices turned in shared memory
KERNEL gesummv_tile(float* R y, const float* R a, const float* R b, const float* R x, u32 n, float alpha, float beta) {
  SHARED float ta[32][33], tb[32][33], xs[32];
  const u32 tx = TID, ty = TIDY, row0 = BID * 32;
  float sa = 0, sb = 0;
  for (u32 k0 = 0; k0 < n; k0 += 32) {
    for (u32 r = ty; r < 32; r += 8) {
      ta[r][tx] = a[(row0 + r) * n + k0 + tx];
      tb[r][tx] = b[(row0 + r) * n + k0 + tx];
    }
    if (ty == 0) xs[tx] = x[k0 + tx];
    SYNC;
    UNROLL for (u32 j = 0; j < 4; ++j) {
      const float v = xs[ty * 4 + j];
      sa += ta[tx][ty * 4 + j] * v;
      sb += tb[tx][ty * 4 + j] * v;
    }
    SYNC;
  }
  ta[ty][tx] = alpha * sa + beta * sb;
  SYNC;
  if (ty == 0) {
    float s = 0;
    for (u32 k = 0; k < 8; ++k) s += ta[k][tx];
    y[row0 + tx] = s;
  }
}
// y1 += A x1 and y2 += A^T x2 from one reading of A: a strip of 32 columns and so many tiles of 32 rows a group
KERNEL mvt_both(float* y1, float* y2, const float* a, const float* x1, const float* x2, int n, int tiles) {
  SHARED float t[32][33], part[8][32];
  const int tx = TID, ty = TIDY, col = BID * 32, first = BIDY * tiles * 32;
  float down = 0;
  for (int k = 0; k < tiles; ++k) {
    const int row = first + k * 32;
    for (int r = ty; r < 32; r += 8) {
      const float v = a[(row + r) * n + col + tx];
      t[r][tx] = v;
      down += v * x2[row + r];
    }
    SYNC;
    float s = 0;
    for (int j = 0; j < 4; ++j) s += t[tx][ty * 4 + j] * x1[col + ty * 4 + j];
    part[ty][tx] = s;
    SYNC;
    if (ty == 0) {
      for (int j = 1; j < 8; ++j) s += part[j][tx];
      addf(&y1[row + tx], s);
    }
    SYNC;
  }
  part[ty][tx] = down;
  SYNC;
  if (ty == 0) {
    for (int j = 1; j < 8; ++j) down += part[j][tx];
    addf(&y2[col + tx], down);
  }
}
// classical Gram and Schmidt: four directions taken out of a column, a column a group of 256
KERNEL gs_project(float* R out, const float* R a, const float* R q, u32 n) {
  SHARED float part[4][8];
  const float* c = a + BID * n;
  float d[4] = {};
  for (u32 i = TID; i < n; i += 256) {
    const float v = c[i];
    UNROLL for (u32 k = 0; k < 4; ++k) d[k] += v * q[k * n + i];
  }
  UNROLL for (u32 k = 0; k < 4; ++k) {
    d[k] = warp_sum(d[k]);
    if (TID % 32 == 0) part[k][TID / 32] = d[k];
  }
  SYNC;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    d[k] = 0;
    for (u32 w = 0; w < 8; ++w) d[k] += part[k][w];
    d[k] = fdiv(d[k], (float)n);
  }
  for (u32 i = TID; i < n; i += 256) {
    float v = c[i];
    UNROLL for (u32 k = 0; k < 4; ++k) v -= d[k] * q[k * n + i];
    out[BID * n + i] = v;
  }
}
// sum over p of A[r][q][p] C[p][s]: eight rows of 128 a group of 128, tiles of 32 rows of C in shared memory
KERNEL doitgen_rows(float* R out, const float* R a, const float* R c4, u32 np) {
  SHARED float rows[8][32], t[32][128];
  const u32 s = TID, row = BID * 8;
  float sum[8] = {};
  for (u32 p0 = 0; p0 < np; p0 += 32) {
    for (u32 i = TID; i < 256; i += 128) rows[i / 32][i % 32] = a[(row + i / 32) * np + p0 + i % 32];
    for (u32 p = 0; p < 32; ++p) t[p][s] = c4[(p0 + p) * 128 + s];
    SYNC;
    UNROLL for (u32 p = 0; p < 32; ++p) {
      const float v = t[p][s];
      UNROLL for (u32 r = 0; r < 8; ++r) sum[r] += rows[r][p] * v;
    }
    SYNC;
  }
  for (u32 r = 0; r < 8; ++r) out[(row + r) * 128 + s] = sum[r];
}
// Rodinia's lud, second kernel: blocks of 16 right of and below the diagonal one, half a warp each, to another array
KERNEL lud_perimeter(float* out, float* a, int n, int offset) {
  SHARED float dia[16][16], row[16][16], col[16][16];
  float* m = a + BIDY * n * n;
  float* o = out + BIDY * n * n;
  const int t = TID & 15, far = offset + (BID + 1) * 16;
  if (TID < 16) {
    for (int i = 0; i < 8; ++i) dia[i][t] = m[(offset + i) * n + offset + t];
    for (int i = 0; i < 16; ++i) row[i][t] = m[(offset + i) * n + far + t];
  } else {
    for (int i = 8; i < 16; ++i) dia[i][t] = m[(offset + i) * n + offset + t];
    for (int i = 0; i < 16; ++i) col[i][t] = m[(far + i) * n + offset + t];
  }
  SYNC;
  if (TID < 16) {
    for (int i = 1; i < 16; ++i)
      for (int j = 0; j < i; ++j) row[i][t] -= dia[i][j] * row[j][t];
  } else {
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < i; ++j) col[t][i] -= col[t][j] * dia[j][i];
      col[t][i] /= dia[i][i] + 1;
    }
  }
  SYNC;
  if (TID < 16)
    for (int i = 1; i < 16; ++i) o[(offset + i) * n + far + t] = row[i][t];
  else
    for (int i = 0; i < 16; ++i) o[(far + i) * n + offset + t] = col[i][t];
}
// activations of f32 by 4-bit weights with a scale each 32: tiles of 32 x 64, 32 deep, weights made floats in shared memory, 4 x 4 a work-item
KERNEL gemm_w4_tile(float* R out, const float* R x, const u32* R wq, const float* R scale, u32 n, u32 k) {
  SHARED float xs[32][33], ws[32][64];
  const u32 t = TID, tx = t % 16, ty = t / 16, n0 = BID * 64, m0 = BIDY * 32;
  float c[4][4] = {};
  for (u32 k0 = 0; k0 < k; k0 += 32) {
    UNROLL for (u32 i = t; i < 1024; i += 128) xs[i / 32][i % 32] = x[(m0 + i / 32) * k + k0 + i % 32];
    UNROLL for (u32 i = t; i < 256; i += 128) {
      const u32 col = i % 64, part = i / 64, q = wq[(n0 + col) * (k / 8) + k0 / 8 + part];
      const float s = scale[(n0 + col) * (k / 32) + k0 / 32];
      UNROLL for (u32 e = 0; e < 8; ++e) ws[part * 8 + e][col] = ((int)(q >> e * 4 & 15) - 8) * s;
    }
    SYNC;
    UNROLL for (u32 kk = 0; kk < 32; ++kk) {
      float p[4];
      UNROLL for (u32 i = 0; i < 4; ++i) p[i] = xs[ty * 4 + i][kk];
      const f4 q = *(const f4*)&ws[kk][tx * 4];
      UNROLL for (u32 i = 0; i < 4; ++i) UNROLL for (u32 j = 0; j < 4; ++j) c[i][j] += p[i] * q[j];
    }
    SYNC;
  }
  UNROLL for (u32 i = 0; i < 4; ++i) {
    f4 v;
    UNROLL for (u32 j = 0; j < 4; ++j) v[j] = c[i][j];
    *(f4*)&out[(m0 + ty * 4 + i) * n + n0 + tx * 4] = v;
  }
}
// products of rows of signs: differing bits counted, tiles of 32 x 32 by 16 words, 2 x 2 a work-item
KERNEL xnor_gemm(int* R out, const u32* R a, const u32* R b, u32 n, u32 words) {
  SHARED u32 ta[32][17], tb[32][17];
  const u32 tx = TID, ty = TIDY, t = ty * 16 + tx, row = BIDY * 32, col = BID * 32;
  u32 d[2][2] = {};
  for (u32 k = 0; k < words; k += 16) {
    for (u32 i = t; i < 512; i += 256) {
      ta[i / 16][i % 16] = a[(row + i / 16) * words + k + i % 16];
      tb[i / 16][i % 16] = b[(col + i / 16) * words + k + i % 16];
    }
    SYNC;
    UNROLL for (u32 j = 0; j < 16; ++j) {
      const u32 p = ta[ty][j], q = ta[ty + 16][j], r = tb[tx][j], s = tb[tx + 16][j];
      d[0][0] += popc(p ^ r); d[0][1] += popc(p ^ s); d[1][0] += popc(q ^ r); d[1][1] += popc(q ^ s);
    }
    SYNC;
  }
  for (u32 i = 0; i < 2; ++i)
    for (u32 j = 0; j < 2; ++j) out[(row + ty + i * 16) * n + col + tx + j * 16] = (int)(words * 32) - 2 * (int)d[i][j];
}
// singular values of 32 x 16 by one-sided Jacobi: eight pairs of columns at once, a pair a warp, a row a lane, a barrier a round
KERNEL svd_jacobi(float* R out, const float* R in, u32 sweeps) {
  SHARED float m[16][32];
  const u32 lane = TID % 32, warp = TID / 32;
  for (u32 i = TID; i < 512; i += 256) m[i / 32][i % 32] = in[BID * 512 + i] - 0.5f;
  SYNC;
  for (u32 s = 0; s < sweeps * 15; ++s) {
    const u32 round = s % 15;
    // a tournament: column 15 stays, the others go round
    const u32 p = warp == 0 ? 15 : (round + warp) % 15, q = (round + 15 - warp) % 15;
    const float a = m[p][lane], b = m[q][lane], aa = warp_sum(a * a), bb = warp_sum(b * b), ab = warp_sum(a * b);
    if (ab * ab > 1e-12f * aa * bb) {
      const float z = fdiv(bb - aa, 2 * ab), t = fdiv(z < 0 ? -1.0f : 1.0f, absf(z) + sqrtf_(1 + z * z)), c = rsq(1 + t * t);
      m[p][lane] = c * a - c * t * b;
      m[q][lane] = c * t * a + c * b;
    }
    SYNC;
  }
  for (u32 k = warp; k < 16; k += 8) {
    const float v = m[k][lane], s = warp_sum(v * v);
    if (lane == 0) out[BID * 16 + k] = sqrtf_(s);
  }
}
// conjugate gradients to their end within a group: Poisson's equation on 16 x 16 points, two sums over the group a step
KERNEL cg_block(float* out, const float* rhs, int steps, float tolerance) {
  SHARED float p[18][18], part[2][8];
  const int t = TID, x = t % 16, y = t / 16;
  for (int i = t; i < 18 * 18; i += 256) p[i / 18][i % 18] = 0;
  float r = rhs[BID * 256 + t] - 0.5f, sol = 0, rr = warp_sum(r * r);
  if (t % 32 == 0) part[0][t / 32] = rr;
  SYNC;
  p[y + 1][x + 1] = r;
  rr = 0;
  for (int w = 0; w < 8; ++w) rr += part[0][w];
  SYNC;
  for (int s = 0; s < steps && rr > tolerance; ++s) {
    const float c = p[y + 1][x + 1], q = 4.05f * c - p[y][x + 1] - p[y + 2][x + 1] - p[y + 1][x] - p[y + 1][x + 2];
    float d = warp_sum(c * q);
    if (t % 32 == 0) part[1][t / 32] = d;
    SYNC;
    d = 0;
    for (int w = 0; w < 8; ++w) d += part[1][w];
    const float alpha = rr / d;
    sol += alpha * c;
    r -= alpha * q;
    float fresh = warp_sum(r * r);
    if (t % 32 == 0) part[0][t / 32] = fresh;
    SYNC;
    fresh = 0;
    for (int w = 0; w < 8; ++w) fresh += part[0][w];
    p[y + 1][x + 1] = r + fresh / rr * c;
    rr = fresh;
    SYNC;
  }
  out[BID * 256 + t] = sol;
}
// rows of 1 to 15 entries by merging rows' ends with entries: eight steps of the merge a work-item, parts of rows added
INLINE u32 row_end(const u32* R h, u32 r) { return (r + 1) * 8 + (h[r] & 7); }
KERNEL spmv_merge(float* y, const float* R value, const u32* R hash, const float* R x, u32 rows, u32 mask) {
  const u32 entries = rows * 8, total = rows + entries, d = (BID * BDIM + TID) * 8;
  if (d >= total) return;
  u32 lo = d > entries ? d - entries : 0, hi = d < rows ? d : rows;
  while (lo < hi) {
    const u32 mid = (lo + hi) / 2;
    if (row_end(hash, mid) <= d - mid - 1) lo = mid + 1; else hi = mid;
  }
  u32 row = lo, e = d - lo;
  float s = 0;
  for (u32 k = 0; k < 8 && row < rows; ++k) {
    if (e < entries && e < row_end(hash, row)) {
      s += value[e] * x[hash[e + rows] & mask];
      ++e;
    } else {
      addf(&y[row], s);
      s = 0;
      ++row;
    }
  }
  if (row < rows) addf(&y[row], s);
}
// ---- differential equations and grids
// a step of fdtd-2d, electric and magnetic fields at once in tiles of 32 x 8, borders made twice, wrapped
KERNEL fdtd2d_tile(float* R ex2, float* R ey2, float* R hz2, const float* R ex, const float* R ey, const float* R hz, u32 n) {
  SHARED float h[10][34], sx[8][33], sy[9][32];
  const u32 tx = TID, ty = TIDY, t = ty * 32 + tx, x0 = BID * 32, y0 = BIDY * 8, mask = n - 1;
  for (u32 i = t; i < 340; i += 256) {
    const u32 r = i / 34, c = i % 34;
    h[r][c] = hz[((y0 + r - 1) & mask) * n + ((x0 + c - 1) & mask)];
  }
  SYNC;
  for (u32 i = t; i < 8 * 33; i += 256) {
    const u32 r = i / 33, c = i % 33;
    sx[r][c] = ex[(y0 + r) * n + ((x0 + c) & mask)] - 0.5f * (h[r + 1][c + 1] - h[r + 1][c]);
  }
  for (u32 i = t; i < 9 * 32; i += 256) {
    const u32 r = i / 32, c = i % 32;
    sy[r][c] = ey[((y0 + r) & mask) * n + x0 + c] - 0.5f * (h[r + 1][c + 1] - h[r][c + 1]);
  }
  SYNC;
  const u32 at = (y0 + ty) * n + x0 + tx;
  ex2[at] = sx[ty][tx];
  ey2[at] = sy[ty][tx];
  hz2[at] = h[ty + 1][tx + 1] - 0.7f * (sx[ty][tx + 1] - sx[ty][tx] + sy[ty + 1][tx] - sy[ty][tx]);
}
// bending of a plate: thirteen points in f64, tiles of 32 x 8 with a rim of two, wrapped
KERNEL plate13(double* R out, const double* R in, int n) {
  SHARED double t[12][36];
  const int tx = TID, ty = TIDY, x0 = BID * 32 - 2, y0 = BIDY * 8 - 2, mask = n - 1;
  for (int i = ty * 32 + tx; i < 12 * 36; i += 256) t[i / 36][i % 36] = in[((y0 + i / 36) & mask) * n + ((x0 + i % 36) & mask)];
  SYNC;
  const int x = tx + 2, y = ty + 2;
  const double near = t[y][x - 1] + t[y][x + 1] + t[y - 1][x] + t[y + 1][x], aslant = t[y - 1][x - 1] + t[y - 1][x + 1] + t[y + 1][x - 1] + t[y + 1][x + 1],
               far = t[y][x - 2] + t[y][x + 2] + t[y - 2][x] + t[y + 2][x];
  out[(y0 + y) * n + x0 + x] = t[y][x] - 0.01 * (20 * t[y][x] - 8 * near + 2 * aslant + far);
}
// Runge, Kutta and Fehlberg with steps of its own length, two coupled oscillators a work-item
INLINE void slope(float* d, const float* s, float mu) {
  d[0] = s[1];
  d[1] = mu * (1 - s[0] * s[0]) * s[1] - s[0] + 0.1f * s[2];
  d[2] = s[3];
  d[3] = 0.5f * mu * (1 - s[2] * s[2]) * s[3] - s[2] + 0.1f * s[0];
}
KERNEL rkf45_pairs(float* out, const float* in, int n, int most) {
  const float b[5][5] = {{0.25f}, {0.09375f, 0.28125f}, {0.87938097f, -3.2771961f, 3.3208921f}, {2.0324074f, -8.0f, 7.1734893f, -0.20589669f}, {-0.2962963f, 2.0f, -1.3816764f, 0.4529727f, -0.275f}};
  const float w4[6] = {0.11574074f, 0, 0.5489279f, 0.5353314f, -0.2f, 0}, w5[6] = {0.11851852f, 0, 0.5189864f, 0.50613149f, -0.18f, 0.03636364f};
  const int i = BID * BDIM + TID;
  if (i >= n) return;
  const float mu = 0.5f + 7.5f * in[i];
  float s[4] = {2 * in[i + n], 0, -2 * in[i + 2 * n], 0.5f}, t = 0, h = 0.1f;
  for (int step = 0; step < most && t < 6.0f; ++step) {
    float k[6][4];
    slope(k[0], s, mu);
    UNROLL for (int j = 0; j < 5; ++j) {
      float v[4];
      UNROLL for (int c = 0; c < 4; ++c) {
        float a = 0;
        UNROLL for (int l = 0; l <= j; ++l) a += b[j][l] * k[l][c];
        v[c] = s[c] + h * a;
      }
      slope(k[j + 1], v, mu);
    }
    float error = 1e-9f, next[4];
    UNROLL for (int c = 0; c < 4; ++c) {
      float a = 0, e = 0;
      UNROLL for (int l = 0; l < 6; ++l) { a += w5[l] * k[l][c]; e += (w5[l] - w4[l]) * k[l][c]; }
      next[c] = s[c] + h * a;
      error = maxf(error, absf(h * e));
    }
    if (error <= 1e-4f) {
      t += h;
      UNROLL for (int c = 0; c < 4; ++c) s[c] = next[c];
    }
    h *= minf(4.0f, maxf(0.1f, 0.9f * exp2f_(0.2f * __nvvm_lg2_approx_ftz_f(1e-4f / error))));
  }
  for (int c = 0; c < 4; ++c) out[c * n + i] = s[c];
}
// Robertson's reactions, backward Euler in f64, Newton's steps by Cramer's rule until near
KERNEL stiff_euler64(double* R out, const float* R in, u32 steps) {
  const u32 i = BID * BDIM + TID;
  double a = 1, b = 0, c = 0, h = 1e-4 * (1 + in[i]);
  const double k1 = 0.04, k2 = 3e7, k3 = 1e4;
  for (u32 s = 0; s < steps; ++s) {
    double x = a, y = b, z = c;
    for (u32 it = 0; it < 6; ++it) {
      const double f0 = x - a + h * (k1 * x - k3 * y * z), f1 = y - b - h * (k1 * x - k3 * y * z - k2 * y * y), f2 = z - c - h * k2 * y * y;
      const double j00 = 1 + h * k1, j01 = -h * k3 * z, j02 = -h * k3 * y, j10 = -h * k1, j11 = 1 + h * (k3 * z + 2 * k2 * y), j12 = h * k3 * y, j21 = -2 * h * k2 * y;
      const double m0 = j11 - j12 * j21, m1 = j10, m2 = j10 * j21, det = 1 / (j00 * m0 - j01 * m1 + j02 * m2);
      const double dx = (f0 * m0 - j01 * (f1 - j12 * f2) + j02 * (f1 * j21 - j11 * f2)) * det, dy = (j00 * (f1 - j12 * f2) - f0 * m1 + j02 * (j10 * f2)) * det, dz = f2 - j21 * dy;
      x -= dx; y -= dy; z -= dz;
      const double e = __builtin_fabs(dx) + __builtin_fabs(dy) * 1e3;
      if (e < 1e-9) break;
    }
    a = x; b = y; c = z;
    h *= 1.4;
  }
  out[i] = a + 2 * b + 3 * c;
}
// potentials at points of a lattice from the charges of the 27 bins about them, 4 charges a bin; 8 x 8 x 8 points a group of 128, cut off
KERNEL cutcp_bins(float* R out, const f4* R atoms, u32 bins, float cut2) {
  SHARED f4 a[12];
  const u32 t = TID, x = t % 8, y = t / 8 % 8, z = t / 64, cx = BID % bins, cy = BID / bins % bins, cz = BID / (bins * bins);
  const float inv = 1 / cut2;
  float v[4] = {};
  for (u32 k = 0; k < 9; ++k) {
    if (t < 12) {
      const u32 bx = (cx + bins - 1 + t / 4) % bins, by = (cy + bins - 1 + k % 3) % bins, bz = (cz + bins - 1 + k / 3) % bins;
      f4 p = atoms[((bz * bins + by) * bins + bx) * 4 + t % 4];
      p.x = p.x * 8 + t / 4 * 8.0f - 8; p.y = p.y * 8 + k % 3 * 8.0f - 8; p.z = p.z * 8 + k / 3 * 8.0f - 8;
      a[t] = p;
    }
    SYNC;
    for (u32 j = 0; j < 12; ++j) {
      const f4 p = a[j];
      const float dx = p.x - x, dy = p.y - y, r0 = dx * dx + dy * dy;
      if (r0 < cut2) {
        UNROLL for (u32 e = 0; e < 4; ++e) {
          const float dz = p.z - (z + e * 2), r = r0 + dz * dz;
          if (r < cut2) { const float s = 1 - r * inv; v[e] += p.w * rsq(r + 1e-6f) * s * s; }
        }
      }
    }
    SYNC;
  }
  for (u32 e = 0; e < 4; ++e) out[BID * 512 + (z + e * 2) * 64 + y * 8 + x] = v[e];
}
// an American put by implicit steps, each relaxed red and black until all of 128 prices are near
KERNEL psor_american(float* out, const float* in, int steps, int sweeps) {
  SHARED float v[130], b[130];
  const int t = TID + 1;
  const float sigma = 0.1f + 0.4f * in[BID], s = 100 * expf_((t - 64) * 0.02f), pay = maxf(100 - s, 0), dt = 0.01f, a = 0.5f * sigma * sigma * dt * 2500, drift = (0.03f - 0.5f * sigma * sigma) * dt * 25;
  const float up = -a - drift, down = -a + drift, mid = 1 / (1 + 2 * a + 0.03f * dt);
  v[t] = pay;
  if (t == 1) { v[0] = pay; v[129] = 0; }
  SYNC;
  for (int k = 0; k < steps; ++k) {
    b[t] = v[t];
    SYNC;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      float change = 0;
      for (int colour = 0; colour < 2; ++colour) {
        if ((t & 1) == colour) {
          const float old = v[t], gs = (b[t] - down * v[t - 1] - up * v[t + 1]) * mid, now = maxf(pay, old + 1.2f * (gs - old));
          change = absf(now - old);
          v[t] = now;
        }
        SYNC;
      }
      if (__nvvm_bar0_popc(change > 1e-3f) == 0) break;
    }
  }
  out[BID * 128 + t - 1] = v[t];
}
// hexahedra's volumes: eight corners in f64 by places, as LULESH has them
KERNEL hex_volume(double* R out, const double* R px, const double* R py, const double* R pz, const u32* R corner, u32 n, u32 mask) {
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  double x[8], y[8], z[8];
  for (u32 k = 0; k < 8; ++k) {
    const u32 at = (i + (corner[k * n + i] & 1023)) & mask;
    x[k] = px[at]; y[k] = py[at]; z[k] = pz[at];
  }
#define TRIPLE(a1, a2, a3, b1, b2, b3, c1, c2, c3) ((a1) * ((b2) * (c3) - (b3) * (c2)) + (b1) * ((c2) * (a3) - (c3) * (a2)) + (c1) * ((a2) * (b3) - (a3) * (b2)))
#define D(v, a, b) (v[a] - v[b])
  const double volume = TRIPLE(D(x, 3, 1) + D(x, 7, 2), D(x, 6, 3), D(x, 2, 0), D(y, 3, 1) + D(y, 7, 2), D(y, 6, 3), D(y, 2, 0), D(z, 3, 1) + D(z, 7, 2), D(z, 6, 3), D(z, 2, 0)) +
                        TRIPLE(D(x, 4, 3) + D(x, 5, 7), D(x, 6, 4), D(x, 7, 0), D(y, 4, 3) + D(y, 5, 7), D(y, 6, 4), D(y, 7, 0), D(z, 4, 3) + D(z, 5, 7), D(z, 6, 4), D(z, 7, 0)) +
                        TRIPLE(D(x, 1, 4) + D(x, 2, 5), D(x, 6, 1), D(x, 5, 0), D(y, 1, 4) + D(y, 2, 5), D(y, 6, 1), D(y, 5, 0), D(z, 1, 4) + D(z, 2, 5), D(z, 6, 1), D(z, 5, 0));
  double longest = 0;
  for (u32 k = 0; k < 4; ++k) {
    const double dx = x[k] - x[k + 4], dy = y[k] - y[k + 4], dz = z[k] - z[k + 4], l = dx * dx + dy * dy + dz * dz;
    if (l > longest) longest = l;
  }
  out[i] = volume * (1.0 / 12.0);
  out[n + i] = 4 * volume / __nvvm_sqrt_rn_d(longest + 1e-30);
}
// orbitals of an electron from cubic splines in three directions: value, slope and curvature; 128 orbitals a group, 64 rows of them
KERNEL bspline_orbitals(float* R out, const float* R coef, const f4* R pos, u32 grid) {
  SHARED float w[3][3][4];
  const f4 p = pos[BID];
  if (TID < 12) {
    const u32 d = TID / 4, k = TID % 4;
    const float u = p[d] * (grid - 4), t = u - __builtin_floorf(u);
    const float c[4][4] = {{-1, 3, -3, 1}, {3, -6, 0, 4}, {-3, 3, 3, 1}, {1, 0, 0, 0}};
    w[0][d][k] = (((c[k][0] * t + c[k][1]) * t + c[k][2]) * t + c[k][3]) * 0.16666667f;
    w[1][d][k] = ((3 * c[k][0] * t + 2 * c[k][1]) * t + c[k][2]) * 0.16666667f;
    w[2][d][k] = (6 * c[k][0] * t + 2 * c[k][1]) * 0.16666667f;
  }
  SYNC;
  const u32 ix = (u32)(p.x * (grid - 4)), iy = (u32)(p.y * (grid - 4)), iz = (u32)(p.z * (grid - 4));
  float v = 0, gx = 0, gy = 0, gz = 0, lap = 0;
  for (u32 i = 0; i < 4; ++i)
    for (u32 j = 0; j < 4; ++j) {
      const float* c = coef + (((ix + i) * grid + iy + j) * grid + iz) * 128 + TID;
      float s = 0, d = 0, dd = 0;
      UNROLL for (u32 k = 0; k < 4; ++k) { const float q = c[k * 128]; s += w[0][2][k] * q; d += w[1][2][k] * q; dd += w[2][2][k] * q; }
      const float a = w[0][0][i], b = w[0][1][j];
      v += a * b * s; gx += w[1][0][i] * b * s; gy += a * w[1][1][j] * s; gz += a * b * d;
      lap += (w[2][0][i] * b + a * w[2][1][j]) * s + a * b * dd;
    }
  float* o = out + BID * 640 + TID;
  o[0] = v; o[128] = gx; o[256] = gy; o[384] = gz; o[512] = lap;
}
// ---- pictures and sound
// Gauss's blur of bytes, eleven taps along and then down within one kernel, tiles of 32 x 16, edges held
KERNEL gauss_fused(u8* R out, const u8* R in, int w, int h) {
  SHARED float t[26][43], u[26][32];
  const float g[6] = {0.19947f, 0.17603f, 0.12099f, 0.06476f, 0.02700f, 0.00877f};
  const int tx = TID, ty = TIDY, x0 = BID * 32, y0 = BIDY * 16;
  for (int i = ty * 32 + tx; i < 26 * 42; i += 256) {
    const int r = i / 42, c = i % 42, y = imin(imax(y0 + r - 5, 0), h - 1), x = imin(imax(x0 + c - 5, 0), w - 1);
    t[r][c] = in[y * w + x];
  }
  SYNC;
  for (int r = ty; r < 26; r += 8) {
    float s = g[0] * t[r][tx + 5];
    UNROLL for (int k = 1; k < 6; ++k) s += g[k] * (t[r][tx + 5 - k] + t[r][tx + 5 + k]);
    u[r][tx] = s;
  }
  SYNC;
  for (int r = ty; r < 16; r += 8) {
    float s = g[0] * u[r + 5][tx];
    UNROLL for (int k = 1; k < 6; ++k) s += g[k] * (u[r + 5 - k][tx] + u[r + 5 + k][tx]);
    out[(y0 + r) * w + x0 + tx] = (u8)(s + 0.5f);
  }
}
// Harris's corners: gradients of a tile, their products over 5 x 5, the response; 16 x 16 points a group
KERNEL harris_tile(float* R out, const u8* R in, int w, int h) {
  SHARED float t[22][23], xx[20][21], xy[20][21], yy[20][21];
  const int tx = TID, ty = TIDY, id = ty * 16 + tx, x0 = BID * 16 - 3, y0 = BIDY * 16 - 3;
  for (int i = id; i < 22 * 22; i += 256) {
    const int y = imin(imax(y0 + i / 22, 0), h - 1), x = imin(imax(x0 + i % 22, 0), w - 1);
    t[i / 22][i % 22] = in[y * w + x] * 0.0039215686f;
  }
  SYNC;
  for (int i = id; i < 400; i += 256) {
    const int r = i / 20, c = i % 20;
    const float dx = t[r][c + 2] - t[r][c] + 2 * (t[r + 1][c + 2] - t[r + 1][c]) + t[r + 2][c + 2] - t[r + 2][c];
    const float dy = t[r + 2][c] - t[r][c] + 2 * (t[r + 2][c + 1] - t[r][c + 1]) + t[r + 2][c + 2] - t[r][c + 2];
    xx[r][c] = dx * dx; xy[r][c] = dx * dy; yy[r][c] = dy * dy;
  }
  SYNC;
  float a = 0, b = 0, c = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) { a += xx[ty + j][tx + i]; b += xy[ty + j][tx + i]; c += yy[ty + j][tx + i]; }
  out[(y0 + 3 + ty) * w + x0 + 3 + tx] = a * c - b * b - 0.04f * (a + c) * (a + c);
}
// a half step of Zhang and Suen's thinning, a byte a work-item, left early where nothing is set
KERNEL zhang_thin(u8* out, const u8* in, int w, int h, int odd) {
  const int x = BID * BDIM + TID, y = BIDY * BDIMY + TIDY;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const u8* p = in + y * w + x;
  if (p[0] < 128) { out[y * w + x] = 0; return; }
  const int n = p[-w] >> 7, ne = p[1 - w] >> 7, e = p[1] >> 7, se = p[w + 1] >> 7, s = p[w] >> 7, sw = p[w - 1] >> 7, we = p[-1] >> 7, nw = p[-w - 1] >> 7;
  const int count = n + ne + e + se + s + sw + we + nw;
  u8 keep = 255;
  if (count >= 2 && count <= 6) {
    const int turns = (!n && ne) + (!ne && e) + (!e && se) + (!se && s) + (!s && sw) + (!sw && we) + (!we && nw) + (!nw && n);
    if (turns == 1) {
      const int a = odd ? n * e * we : n * e * s, b = odd ? n * s * we : e * s * we;
      if (a == 0 && b == 0) keep = 0;
    }
  }
  out[y * w + x] = keep;
}
// a lens straightened: places bent by their distance from the middle, sixteen points by Catmull and Rom
INLINE void catmull(float* w, float t) {
  w[0] = t * (-0.5f + t * (1 - 0.5f * t));
  w[1] = 1 + t * t * (1.5f * t - 2.5f);
  w[2] = t * (0.5f + t * (2 - 1.5f * t));
  w[3] = t * t * (0.5f * t - 0.5f);
}
KERNEL remap_bicubic(float* R out, const float* R in, int w, int h, float bend) {
  const int x = BID * 32 + TID, y = BIDY * 8 + TIDY;
  const float cx = x - 0.5f * w, cy = y - 0.5f * h, f = 1 + bend * (cx * cx + cy * cy) * fdiv(4, (float)w * w), px = cx * f + 0.5f * w, py = cy * f + 0.5f * h, bx = __builtin_floorf(px), by = __builtin_floorf(py);
  float u[4], v[4], s = 0;
  catmull(u, px - bx);
  catmull(v, py - by);
  const int x0 = (int)bx - 1, y0 = (int)by - 1;
  UNROLL for (int j = 0; j < 4; ++j) {
    const float* row = in + imin(imax(y0 + j, 0), h - 1) * w;
    float t = 0;
    UNROLL for (int i = 0; i < 4; ++i) t += u[i] * row[imin(imax(x0 + i, 0), w - 1)];
    s += v[j] * t;
  }
  out[y * w + x] = s;
}
// four second-order filters one behind the other, a channel a work-item
KERNEL iir_biquads(float* y, const float* x, const float* coefficient, int channels, int n) {
  const int c = BID * BDIM + TID;
  if (c >= channels) return;
  float b0[4], b1[4], a1[4], a2[4], s1[4] = {}, s2[4] = {};
  for (int k = 0; k < 4; ++k) {
    b0[k] = coefficient[k * 4]; b1[k] = coefficient[k * 4 + 1];
    a1[k] = -0.9f * coefficient[k * 4 + 2]; a2[k] = 0.5f * coefficient[k * 4 + 3];
  }
  for (int t = 0; t < n; ++t) {
    float v = x[t * channels + c];
    for (int k = 0; k < 4; ++k) {
      const float o = b0[k] * v + s1[k];
      s1[k] = b1[k] * v - a1[k] * o + s2[k];
      s2[k] = b0[k] * v - a2[k] * o;
      v = o;
    }
    y[t * channels + c] = v;
  }
}
// ---- learning
// depthwise 7 x 7 of channels last: a channel a work-item, four points along a row at once, padded
KERNEL depthwise7_nhwc(float* R out, const float* R in, const float* R weight, int c, int hw) {
  const int ch = TID, per = hw / 4, x0 = BID % per * 4, y = BID / per, image = BIDY * hw * hw;
  float s[4] = {};
  for (int j = 0; j < 7; ++j) {
    const int r = y + j - 3;
    if (r < 0 || r >= hw) continue;
    float v[10];
    UNROLL for (int i = 0; i < 10; ++i) { const int q = x0 + i - 3; v[i] = q >= 0 && q < hw ? in[(image + r * hw + q) * c + ch] : 0.0f; }
    UNROLL for (int i = 0; i < 7; ++i) {
      const float k = weight[(j * 7 + i) * c + ch];
      UNROLL for (int e = 0; e < 4; ++e) s[e] += k * v[i + e];
    }
  }
  UNROLL for (int e = 0; e < 4; ++e) out[(image + y * hw + x0 + e) * c + ch] = s[e];
}
// Lion's step on bf16 pairs: sign of a mean of gradient and momentum, weights decayed, eight numbers a work-item
INLINE u32 bf16_pair(float lo, float hi) { return (bits(lo) + 0x8000u) >> 16 | ((bits(hi) + 0x8000u) & 0xffff0000u); }
KERNEL lion_bf16(u4* weight, u4* moment, const u4* gradient, u32 n, float rate) {
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  u4 w = weight[i], m = moment[i];
  const u4 g = gradient[i];
  UNROLL for (u32 k = 0; k < 4; ++k) {
    float p[2], q[2];
    UNROLL for (u32 e = 0; e < 2; ++e) {
      const float wf = e ? fbits(w[k] & 0xffff0000u) : fbits(w[k] << 16), mf = e ? fbits(m[k] & 0xffff0000u) : fbits(m[k] << 16), gf = e ? fbits(g[k] & 0xffff0000u) : fbits(g[k] << 16);
      const float c = 0.9f * mf + 0.1f * gf;
      p[e] = wf - rate * ((c > 0 ? 1.0f : c < 0 ? -1.0f : 0.0f) + 0.1f * wf);
      q[e] = 0.99f * mf + 0.01f * gf;
    }
    w[k] = bf16_pair(p[0], p[1]);
    m[k] = bf16_pair(q[0], q[1]);
  }
  weight[i] = w;
  moment[i] = m;
}
// a grid of hashes: eight corners of a level's cell, two features each, trilinear; a level in y
KERNEL ngp_hashgrid(f2* R out, const f2* R table, const f4* R pos, u32 n, u32 size) {
  const u32 i = BID * BDIM + TID, level = BIDY;
  if (i >= n) return;
  const float scale = 16 * exp2f_(level * 0.45f);
  const f4 p = pos[i] * scale;
  const float bx = __builtin_floorf(p.x), by = __builtin_floorf(p.y), bz = __builtin_floorf(p.z), fx = p.x - bx, fy = p.y - by, fz = p.z - bz;
  const u32 x = (u32)bx, y = (u32)by, z = (u32)bz;
  f2 s; s = 0.0f;
  UNROLL for (u32 k = 0; k < 8; ++k) {
    const u32 h = ((x + (k & 1)) ^ (y + (k >> 1 & 1)) * 2654435761u ^ (z + (k >> 2)) * 805459861u) & (size - 1);
    const float w = (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy) * (k & 4 ? fz : 1 - fz);
    s += table[level * size + h] * w;
  }
  out[level * n + i] = s;
}
// a transposed convolution of 4 x 4, stride 2: 2 x 2 points of an output channel a work-item, four input channels at once in shared memory
KERNEL convt4_s2(float* R out, const float* R in, const float* R weight, int hw, int cin) {
  SHARED float t[4][18][19], w[4][16];
  const int tx = TID, ty = TIDY, id = ty * 16 + tx, per = hw / 16, x0 = BID % per * 16, y0 = BID / per * 16, co = BIDY;
  float s[2][2] = {};
  for (int c0 = 0; c0 < cin; c0 += 4) {
    for (int i = id; i < 4 * 324; i += 256) {
      const int c = i / 324, r = i % 324 / 18, q = i % 18, y = y0 + r - 1, x = x0 + q - 1;
      t[c][r][q] = y >= 0 && y < hw && x >= 0 && x < hw ? in[((c0 + c) * hw + y) * hw + x] : 0.0f;
    }
    if (id < 64) w[id / 16][id % 16] = weight[(co * cin + c0) * 16 + id];
    SYNC;
    UNROLL for (int c = 0; c < 4; ++c)
      UNROLL for (int j = 0; j < 2; ++j)
        UNROLL for (int i = 0; i < 2; ++i)
          UNROLL for (int b = 0; b < 2; ++b)
            UNROLL for (int a = 0; a < 2; ++a) s[j][i] += t[c][ty + j + b][tx + i + a] * w[c][(3 - j - 2 * b) * 4 + 3 - i - 2 * a];
    SYNC;
  }
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) out[(co * hw * 2 + (y0 + ty) * 2 + j) * hw * 2 + (x0 + tx) * 2 + i] = s[j][i];
}
// retention by chunks of 32 tokens: products within a chunk and through a state of 32 x 32, a head a group of 256
KERNEL retention_chunk(float* R out, const float* R q, const float* R k, const float* R v, u32 n, float decay) {
  SHARED float tq[32][33], tk[32][33], tv[32][33], p[32][33], state[32][33];
  const u32 x = TID % 32, y = TID / 32, head = BID * n * 32;
  const float l = __nvvm_lg2_approx_ftz_f(decay);
  UNROLL for (u32 j = 0; j < 4; ++j) state[y + 8 * j][x] = 0;
  for (u32 t0 = 0; t0 < n; t0 += 32) {
    UNROLL for (u32 j = 0; j < 4; ++j) {
      const u32 r = y + 8 * j, at = head + (t0 + r) * 32 + x;
      tq[r][x] = q[at]; tk[r][x] = k[at]; tv[r][x] = v[at];
    }
    SYNC;
    UNROLL for (u32 j = 0; j < 4; ++j) {
      const u32 r = y + 8 * j;
      float s = 0;
      for (u32 d = 0; d < 32; ++d) s += tq[r][d] * tk[x][d];
      p[r][x] = x <= r ? s * exp2f_(l * (r - x)) : 0.0f;
    }
    SYNC;
    float o[4], next[4];
    UNROLL for (u32 j = 0; j < 4; ++j) {
      const u32 r = y + 8 * j;
      float s = 0, c = 0, u = 0;
      for (u32 d = 0; d < 32; ++d) {
        s += p[r][d] * tv[d][x];
        c += tq[r][d] * state[d][x];
        u += tk[d][r] * exp2f_(l * (31 - d)) * tv[d][x];
      }
      o[j] = s + c * exp2f_(l * (r + 1));
      next[j] = state[r][x] * exp2f_(l * 32) + u;
    }
    SYNC;
    UNROLL for (u32 j = 0; j < 4; ++j) { out[head + (t0 + y + 8 * j) * 32 + x] = o[j]; state[y + 8 * j][x] = next[j]; }
    SYNC;
  }
}
// ---- sums, sorting, graphs
// the greatest difference of two long arrays, quads, an atomic maximum a group
KERNEL linf_diff(u32* result, const f4* R a, const f4* R b, u32 n) {
  SHARED float part[8];
  float m = 0;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const f4 d = a[i] - b[i];
    m = maxf(maxf(m, absf(d.x)), maxf(absf(d.y), maxf(absf(d.z), absf(d.w))));
  }
  m = warp_max(m);
  if (TID % 32 == 0) part[TID / 32] = m;
  SYNC;
  if (TID == 0) {
    for (u32 k = 1; k < BDIM / 32; ++k) m = maxf(m, part[k]);
    __nvvm_atom_max_gen_ui(result, bits(m));
  }
}
// Longstaff and Schwartz: sums of powers of prices in the money and of what is paid, f64, added by one atomic a sum and group
KERNEL lsm_regress(double* sums, const float* R spot, const float* R paid, u32 n, float strike) {
  SHARED double part[8][11];
  double s[11] = {};
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const float x = spot[i];
    if (x < strike) {
      const double y = paid[i], x1 = x, x2 = x1 * x1, x3 = x2 * x1;
      s[0] += 1; s[1] += x1; s[2] += x2; s[3] += x3; s[4] += x2 * x2; s[5] += x2 * x3; s[6] += x3 * x3;
      s[7] += y; s[8] += x1 * y; s[9] += x2 * y; s[10] += x3 * y;
    }
  }
  UNROLL for (u32 k = 0; k < 11; ++k) {
    for (u32 m = 16; m > 0; m /= 2) s[k] += bfly64(s[k], m);
    if (TID % 32 == 0) part[TID / 32][k] = s[k];
  }
  SYNC;
  if (TID < 11) {
    double v = 0;
    for (u32 w = 0; w < 8; ++w) v += part[w][TID];
    __nvvm_atom_add_gen_d(&sums[TID], v);
  }
}
// 1024 keys a group of 256: four sorted in registers, then runs merged by their diagonals in shared memory, a barrier a doubling
KERNEL mergesort_block(u32* out, const u32* in) {
  SHARED u32 s[1024];
  u32 k[4];
  const u32 t = TID;
  UNROLL for (u32 i = 0; i < 4; ++i) k[i] = in[BID * 1024 + t * 4 + i];
  UNROLL for (u32 r = 0; r < 4; ++r)
    UNROLL for (u32 i = r & 1; i + 1 < 4; i += 2)
      if (k[i] > k[i + 1]) { const u32 v = k[i]; k[i] = k[i + 1]; k[i + 1] = v; }
  for (u32 run = 4; run < 1024; run *= 2) {
    SYNC;
    UNROLL for (u32 i = 0; i < 4; ++i) s[t * 4 + i] = k[i];
    SYNC;
    const u32 first = t * 4 / (run * 2) * (run * 2), d = t * 4 - first;
    const u32 *a = s + first, *b = a + run;
    u32 lo = d > run ? d - run : 0, hi = d < run ? d : run;
    while (lo < hi) {
      const u32 mid = (lo + hi) / 2;
      if (a[mid] <= b[d - 1 - mid]) lo = mid + 1; else hi = mid;
    }
    u32 i = lo, j = d - lo;
    UNROLL for (u32 e = 0; e < 4; ++e) {
      const bool left = j >= run || (i < run && a[i] <= b[j]);
      k[e] = left ? a[i++] : b[j++];
    }
  }
  UNROLL for (u32 i = 0; i < 4; ++i) out[BID * 1024 + t * 4 + i] = k[i];
}
// vertices of less than k neighbours taken away: their neighbours' counts lowered, those that fall to k queued
KERNEL kcore_peel(u32* left, u32* queue, u32* tail, const u32* degree, const u32* adjacent, u32 n, u32 k) {
  const u32 v = BID * BDIM + TID;
  if (v >= n) return;
  const u32 d = degree[v] & 31;
  if (d >= k) return;
  for (u32 e = 0; e < d; ++e) {
    const u32 u = adjacent[v * 32 + e] & (n - 1);
    if ((degree[u] & 31) < k) continue;
    const u32 old = add(&left[u], -1u);
    if ((old & 15) == 0) queue[add(tail, 1) & (n - 1)] = u;
  }
}
// triangles by bits: neighbours of a vertex marked in 4096 bits of shared memory, 32 neighbours' 32 neighbours looked up; four vertices a group of 128
KERNEL tri_bitmap(u32* R out, const u32* R adjacent, u32 n) {
  SHARED u32 mark[128];
  SHARED u32 total;
  const u32 lane = TID % 32, warp = TID / 32;
  if (TID == 0) total = 0;
  for (u32 r = 0; r < 4; ++r) {
    const u32 v = (BID * 4 + r) & (n - 1);
    mark[TID] = 0;
    SYNC;
    if (TID < 64) { const u32 u = adjacent[v * 64 + TID] & 4095; __nvvm_atom_or_gen_i((int*)&mark[u / 32], 1 << u % 32); }
    SYNC;
    u32 found = 0;
    for (u32 e = warp; e < 32; e += 4) {
      const u32 u = adjacent[v * 64 + e] & (n - 1), w = adjacent[u * 64 + lane] & 4095;
      found += mark[w / 32] >> w % 32 & 1;
    }
    if (found) add(&total, found);
    SYNC;
  }
  if (TID == 0) out[BID] = total;
}
// ---- bytes
// pieces of a file cut where a hash of the last 32 bytes ends in zeros, a stretch of bytes a work-item
KERNEL rabin_chunks(u32* R out, const u8* R data, u32 length) {
  const u32 i = BID * BDIM + TID;
  const u8* p = data + i * length;
  u32 h = 0, cuts = 0, last = 0, power = 1;
  for (u32 k = 0; k < 32; ++k) power *= 0x08104225u;
  for (u32 k = 0; k < length; ++k) {
    h = h * 0x08104225u + p[k] + 1;
    if (k >= 32) h -= (p[k - 32] + 1) * power;
    if ((h >> 26) == 0 && k - last >= 48) {
      ++cuts;
      out[i * 8 + (cuts & 7)] = k;
      last = k;
    }
  }
  out[i * 8] = cuts << 16 | last;
}
// Blowfish, blocks of 64 bits, its four tables in shared memory
KERNEL blowfish_ecb(u2* R out, const u2* R in, const u32* R key, u32 n) {
  SHARED u32 s[4][256], p[18];
  for (u32 i = TID; i < 1024; i += BDIM) s[i / 256][i % 256] = key[i];
  if (TID < 18) p[TID] = key[1024 + TID];
  SYNC;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u2 v = in[i];
    u32 l = v.x, r = v.y;
    UNROLL for (u32 k = 0; k < 16; k += 2) {
      l ^= p[k];
      r ^= ((s[0][l >> 24] + s[1][l >> 16 & 255]) ^ s[2][l >> 8 & 255]) + s[3][l & 255];
      r ^= p[k + 1];
      l ^= ((s[0][r >> 24] + s[1][r >> 16 & 255]) ^ s[2][r >> 8 & 255]) + s[3][r & 255];
    }
    u2 o; o.x = r ^ p[17]; o.y = l ^ p[16];
    out[i] = o;
  }
}
KERNEL nothing(u32* out) {}
