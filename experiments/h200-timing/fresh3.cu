// Kernels as applications have them, a third round
#include "applications.h"

INLINE float sqrtf_(float x) { return __nvvm_sqrt_rn_f(x); }
INLINE float logf_(float x) { return __nvvm_lg2_approx_ftz_f(x) * 0.69314718f; }
INLINE u32 mulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
INLINE u64 mulhi64(u64 a, u64 b) { return __nvvm_mulhi_ull(a, b); }
INLINE u64 rotl64(u64 x, u32 k) { return x << k | x >> (64 - k); }
INLINE f2 halves(u32 v) {
  f2 r;
  asm("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }" : "=f"(r.x), "=f"(r.y) : "r"(v & 0x3bff3bff));
  return r;
}
INLINE u32 pack(f2 v) { u32 o; asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o) : "f"(v.y), "f"(v.x)); return o; }
INLINE double idxd(double x, u32 l) {
  const u64 b = __builtin_bit_cast(u64, x);
  return __builtin_bit_cast(double, (u64)idx((u32)b, l) | (u64)idx((u32)(b >> 32), l) << 32);
}
typedef unsigned short u16;
typedef short i16;
typedef short s8v __attribute__((ext_vector_type(8)));

// ---- Rodinia's and Parboil's kinds
KERNEL srad_coeff(float* R d, float* R c, const float* R image, u32 n) {  // four derivatives and the diffusion coefficient, 16 x 16
  const u32 x = BID * 16 + TID, y = BIDY * 16 + TIDY, i = y * n + x, size = n * n;
  const float j = image[i] + 0.1f, inv = 1.0f / j;
  const float dn = image[y ? i - n : i] + 0.1f - j, ds = image[y + 1 < n ? i + n : i] + 0.1f - j;
  const float dw = image[x ? i - 1 : i] + 0.1f - j, de = image[x + 1 < n ? i + 1 : i] + 0.1f - j;
  const float g2 = (dn * dn + ds * ds + dw * dw + de * de) * inv * inv, l = (dn + ds + dw + de) * inv;
  const float num = 0.5f * g2 - 0.0625f * l * l, den = 1 + 0.25f * l, q = num / (den * den);
  const float k = 1.0f / (1.0f + (q - 0.05f) / (0.05f * 1.05f));
  c[i] = k < 0 ? 0 : k > 1 ? 1 : k;
  d[i] = dn; d[i + size] = ds; d[i + 2 * size] = dw; d[i + 3 * size] = de;
}
KERNEL pathfinder(int* R out, const int* R wall, const int* R src, u32 cols, u32 rows) {  // rows of the cheapest path, ghost zones
  SHARED int prev[256], result[256];
  const int x = (int)(BID * (256 - 2 * rows) + TID) - (int)rows;
  const bool inside = x >= 0 && x < (int)cols;
  if (inside) prev[TID] = src[x] & 15;
  SYNC;
  bool computed = false;
  for (u32 i = 0; i < rows; ++i) {
    computed = false;
    if (TID > i && TID < 255 - i && inside) {
      const int l = prev[x > 0 ? TID - 1 : TID], m = prev[TID], r = prev[x + 1 < (int)cols ? TID + 1 : TID];
      const int s = l < m ? l : m;
      result[TID] = (s < r ? s : r) + (wall[i * cols + x] & 15);
      computed = true;
    }
    SYNC;
    if (computed) prev[TID] = result[TID];
    SYNC;
  }
  if (computed) out[x] = result[TID];
}
KERNEL lavamd(f4* R force, const f4* R pos, const float* R charge, u32 side) {  // boxes of 100 particles and their 27 neighbours, a group of 128 a box
  SHARED f4 mine[100], other[100];
  SHARED float q[100];
  const int bx = BID % side, by = BID / side % side, bz = BID / side / side;
  if (TID < 100) mine[TID] = pos[BID * 100 + TID];
  f4 s = 0.0f;
  for (int k = 0; k < 27; ++k) {
    const int x = bx + k % 3 - 1, y = by + k / 3 % 3 - 1, z = bz + k / 9 - 1;
    if (x < 0 || y < 0 || z < 0 || x >= (int)side || y >= (int)side || z >= (int)side) continue;
    const u32 b = (z * side + y) * side + x;
    if (TID < 100) { other[TID] = pos[b * 100 + TID]; q[TID] = charge[b * 100 + TID]; }
    SYNC;
    if (TID < 100) {
      const f4 p = mine[TID];
      for (u32 j = 0; j < 100; ++j) {
        const f4 o = other[j];
        const float r2 = p.w + o.w - (p.x * o.x + p.y * o.y + p.z * o.z), v = expf_(-0.5f * r2), f = 2 * v * q[j];
        s.w += q[j] * v;
        s.x += f * (p.x - o.x); s.y += f * (p.y - o.y); s.z += f * (p.z - o.z);
      }
    }
    SYNC;
  }
  if (TID < 100) force[BID * 100 + TID] = s;
}
KERNEL pgain_dist(float* R work, u8* R change, const float* R coord, const u32* R assign, u32 n, u32 dim) {  // streamcluster: is a new centre nearer
  SHARED float c[64];
  if (TID < dim) c[TID] = coord[TID * n + 77];
  SYNC;
  const u32 i = BID * BDIM + TID;
  float d = 0;
  for (u32 k = 0; k < dim; ++k) { const float t = coord[k * n + i] - c[k]; d += t * t; }
  const float now = coord[dim * n + i] * 10;
  if (d < now) { change[i] = 1; work[i * 17 + 16] += d - now; }
  else work[i * 17 + (assign[i] & 15)] += now - d;
}
KERNEL particle_find(float* R xj, const float* R cdf, const float* R x, u32 n) {  // particle filter: each particle walks the distribution from its begin
  const u32 i = BID * BDIM + TID;
  const float u = i + 0.5f;
  u32 at = n - 1;
  for (u32 k = 0; k < n; ++k)
    if (k + cdf[k] >= u) { at = k; break; }
  xj[i] = x[at];
}
struct State { float d, mx, my, mz, e; };
INLINE State state_of(const float* R v, u32 n, u32 i) { State s = {v[i] + 0.5f, v[n + i], v[2 * n + i], v[3 * n + i], v[4 * n + i] + 4}; return s; }
KERNEL euler_flux(float* R out, const float* R v, const float* R normal, const u32* R near, u32 n) {  // Rodinia's CFD: fluxes of tetrahedra over 4 faces
  const u32 i = BID * BDIM + TID;
  const State a = state_of(v, n, i);
  const float ai = 1 / a.d, ax = a.mx * ai, ay = a.my * ai, az = a.mz * ai, a2 = ax * ax + ay * ay + az * az, ap = 0.4f * (a.e - 0.5f * a.d * a2), as = sqrtf_(a2) + sqrtf_(1.4f * ap * ai);
  float f[5] = {};
#pragma unroll
  for (u32 k = 0; k < 4; ++k) {
    const u32 h = near[k * n + i];
    const float nx = normal[k * n + i], ny = normal[(4 + k) * n + i] - 0.5f, nz = normal[(8 + k) * n + i] - 0.5f;
    if ((h & 127) == 0) { f[1] += nx * ap; f[2] += ny * ap; f[3] += nz * ap; continue; }  // a wall
    const State b = state_of(v, n, (i + (h >> 8 & 1023)) & (n - 1));
    const float bi = 1 / b.d, bx = b.mx * bi, by = b.my * bi, bz = b.mz * bi, b2 = bx * bx + by * by + bz * bz, bp = 0.4f * (b.e - 0.5f * b.d * b2), bs = sqrtf_(b2) + sqrtf_(1.4f * bp * bi);
    const float len = sqrtf_(nx * nx + ny * ny + nz * nz), w = -len * 0.2f * 0.5f * (as + bs);
    const float va = 0.5f * (nx * ax + ny * ay + nz * az), vb = 0.5f * (nx * bx + ny * by + nz * bz), p = 0.5f * (ap + bp);
    f[0] += w * (a.d - b.d) + va * a.d + vb * b.d;
    f[1] += w * (a.mx - b.mx) + va * a.mx + vb * b.mx + nx * p;
    f[2] += w * (a.my - b.my) + va * a.my + vb * b.my + ny * p;
    f[3] += w * (a.mz - b.mz) + va * a.mz + vb * b.mz + nz * p;
    f[4] += w * (a.e - b.e) + va * (a.e + ap) + vb * (b.e + bp);
  }
#pragma unroll
  for (u32 k = 0; k < 5; ++k) out[k * n + i] = f[k];
}
KERNEL btree_warp(u32* R out, const u32* R query, const u32* R keys, u32 depth) {  // nodes of 32 keys, a query a warp, votes
  const u32 w = (BID * BDIM + TID) / 32, lane = TID % 32, q = query[w];
  u32 node = 0, slot = 0;
  for (u32 d = 0; d < depth; ++d) {
    slot = popc(ballot(keys[node * 32 + lane] <= q));
    slot = slot > 31 ? 31 : slot;
    if (d + 1 < depth) node = node * 32 + slot + 1;
  }
  if (lane == 0) out[w] = node * 32 + slot;
}
KERNEL tpacf(u32* R out, const float* R x, u32 n, u32 m) {  // angles of pairs: binary search of the bin, a histogram a warp
  SHARED u32 bins[8][32];
  SHARED float edge[32], px[256], py[256], pz[256];
  if (TID < 32) edge[TID] = 2.2f - 0.09f * TID;
  bins[TID / 32][TID % 32] = 0;
  const u32 i = BID * 256 + TID;
  const float ax = x[i], ay = x[n + i], az = x[2 * n + i];
  for (u32 k0 = 0; k0 < m; k0 += 256) {
    SYNC;
    px[TID] = x[k0 + TID]; py[TID] = x[n + k0 + TID]; pz[TID] = x[2 * n + k0 + TID];
    SYNC;
    for (u32 k = 0; k < 256; ++k) {
      const float dot = ax * px[k] + ay * py[k] + az * pz[k];
      u32 lo = 0, hi = 31;
      while (hi > lo + 1) { const u32 mid = (lo + hi) / 2; if (dot >= edge[mid]) hi = mid; else lo = mid; }
      add(&bins[TID / 32][dot >= edge[lo] ? lo : hi], 1);
    }
  }
  SYNC;
  if (TID < 32) {
    u32 s = 0;
    for (u32 w = 0; w < 8; ++w) s += bins[w][TID];
    add(&out[TID], s);
  }
}
KERNEL motion_sad(u2* R out, const u8* R now, const u8* R before, u32 w, u32 h) {  // blocks of 16 x 16, 256 vectors, one a work-item
  SHARED u8 cur[256], win[32][32];
  SHARED u32 best[8];
  const int x0 = (int)(BID * 16) - 8, y0 = (int)(BIDY * 16) - 8;
  cur[TID] = now[(BIDY * 16 + TID / 16) * w + BID * 16 + TID % 16];
  for (u32 k = TID; k < 1024; k += 256) {
    int x = x0 + (int)(k % 32), y = y0 + (int)(k / 32);
    x = x < 0 ? 0 : x >= (int)w ? w - 1 : x;
    y = y < 0 ? 0 : y >= (int)h ? h - 1 : y;
    win[k / 32][k % 32] = before[y * w + x];
  }
  SYNC;
  const u32 vx = TID % 16, vy = TID / 16;
  u32 s = 0;
  for (u32 y = 0; y < 16; ++y)
#pragma unroll
    for (u32 x = 0; x < 16; ++x) asm("sad.u32 %0, %1, %2, %0;" : "+r"(s) : "r"((u32)cur[y * 16 + x]), "r"((u32)win[vy + y][vx + x]));
  const u32 m = __nvvm_redux_sync_umin(s << 8 | TID, -1);
  if (TID % 32 == 0) best[TID / 32] = m;
  SYNC;
  if (TID == 0) {
    u32 b = best[0];
    for (u32 k = 1; k < 8; ++k) b = best[k] < b ? best[k] : b;
    u2 o; o.x = b & 255; o.y = b >> 8;
    out[BIDY * GDIM + BID] = o;
  }
}
// ---- sparse, elements, lattices
KERNEL symgs_colour(double* x, const double* R val, const u32* R col, const double* R rhs, u32 side, u32 colour) {  // HPCG: rows of one of 8 colours, 27 entries, in place
  const u32 i = BID * BDIM + TID, h = side / 2, n = side * side * side;
  const u32 r = ((i / h / h * 2 + (colour >> 2)) * side + i / h % h * 2 + (colour >> 1 & 1)) * side + i % h * 2 + (colour & 1);
  double s = rhs[r];
  for (u32 k = 0; k < 27; ++k) {
    if (k == 13) continue;  // the diagonal
    const int off = (int)(k % 3) - 1 + ((int)(k / 3 % 3) - 1) * (int)side + ((int)(k / 9) - 1) * (int)(side * side);
    const u32 c = ((r + off) & (n - 1)) ^ (col[k * n + r] & 8);
    s -= val[k * n + r] * x[c];
  }
  x[r] += s / 26.0;
}
KERNEL sell_spmv(double* R y, const double* R val, const u32* R col, const double* R x, u32 n) {  // SELL-32, slices 8 to 39 wide
  const u32 r = BID * BDIM + TID, slice = r / 32, width = 8 + (slice * 2654435761u >> 27);
  u32 at = slice * 1280 + r % 32;
  double s = 0;
  for (u32 k = 0; k < width; ++k, at += 32) s += val[at] * x[(r + (col[at] & 8191)) & (n - 1)];
  y[r] = s;
}
KERNEL bsr_spmv(float* R y, const float* R val, const u32* R col, const float* R x, u32 n) {  // 4 x 4 blocks, a row of blocks a warp, two blocks at once
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32, count = 8 + (row * 2654435761u >> 28), first = row * 24;
  float s = 0;
  for (u32 b = lane / 16; b < count; b += 2) {
    const u32 c = (row + (col[first + b] & 4095)) & (n - 1);
    s += val[(first + b) * 16 + lane % 16] * x[c * 4 + lane % 4];
  }
  s += bfly(s, 16);
  s += bfly(s, 2);
  s += bfly(s, 1);
  if (lane < 16 && lane % 4 == 0) y[row * 4 + lane / 4] = s;
}
KERNEL fem_tets(double* R res, const f4* R node, const u4* R element, u32 n) {  // a tetrahedron a work-item: gradients, stiffness times u, added by f64 atomics
  const u32 e = BID * BDIM + TID;
  const u4 id = (e / 4 + (element[e] & 2047)) & (n - 1);
  const f4 p0 = node[id.x], p1 = node[id.y], p2 = node[id.z], p3 = node[id.w];
  const f4 a = p1 - p0, b = p2 - p0, c = p3 - p0;
  const float cx = b.y * c.z - b.z * c.y, cy = b.z * c.x - b.x * c.z, cz = b.x * c.y - b.y * c.x;
  const float dx = c.y * a.z - c.z * a.y, dy = c.z * a.x - c.x * a.z, dz = c.x * a.y - c.y * a.x;
  const float ex = a.y * b.z - a.z * b.y, ey = a.z * b.x - a.x * b.z, ez = a.x * b.y - a.y * b.x;
  const float det = a.x * cx + a.y * cy + a.z * cz, inv = 1 / (6 * (__builtin_fabsf(det) + 1e-4f));
  const float gx = cx * a.w + dx * b.w + ex * c.w, gy = cy * a.w + dy * b.w + ey * c.w, gz = cz * a.w + dz * b.w + ez * c.w;
  const float r1 = (cx * gx + cy * gy + cz * gz) * inv, r2 = (dx * gx + dy * gy + dz * gz) * inv, r3 = (ex * gx + ey * gy + ez * gz) * inv;
  __nvvm_atom_add_gen_d(&res[id.x], -(double)(r1 + r2 + r3));
  __nvvm_atom_add_gen_d(&res[id.y], r1);
  __nvvm_atom_add_gen_d(&res[id.z], r2);
  __nvvm_atom_add_gen_d(&res[id.w], r3);
}
KERNEL sem_gradient(double* R out, const double* R u, const double* R geo, const double* R deriv, u32 elements) {  // elements of 8^3 points, 8 x 8 work-items, planes
  SHARED double d[8][9], s[8][8][8], r[8][9], t[8][9];
  const u32 i = TID % 8, j = TID / 8, base = BID * 512, n = elements * 512;
  d[j][i] = deriv[TID] + 0.1;
#pragma unroll
  for (u32 k = 0; k < 8; ++k) s[k][j][i] = u[base + k * 64 + TID];
  SYNC;
  double w[8] = {};
  for (u32 k = 0; k < 8; ++k) {
    double ur = 0, us = 0, ut = 0;
#pragma unroll
    for (u32 m = 0; m < 8; ++m) { ur += d[i][m] * s[k][j][m]; us += d[j][m] * s[k][m][i]; ut += d[k][m] * s[m][j][i]; }
    const u32 g = base + k * 64 + TID;
    const double a = geo[g], b = geo[n + g], c = geo[2 * n + g], e = geo[3 * n + g], f = geo[4 * n + g], h = geo[5 * n + g];
    r[j][i] = a * ur + b * us + c * ut;
    t[j][i] = b * ur + e * us + f * ut;
    const double z = c * ur + f * us + h * ut;
    SYNC;
#pragma unroll
    for (u32 m = 0; m < 8; ++m) w[m] += d[k][m] * z;
    double q = 0;
#pragma unroll
    for (u32 m = 0; m < 8; ++m) q += d[m][i] * r[j][m] + d[m][j] * t[m][i];
    out[base + k * 64 + TID] = q;
    SYNC;
  }
#pragma unroll
  for (u32 k = 0; k < 8; ++k) out[base + k * 64 + TID] += w[k];
}
KERNEL dslash(f2* R out, const f2* R link, const f2* R in, u32 lx, u32 lt) {  // staggered: 8 neighbours of a site, 3 x 3 complex links; 2^lx cubed by 2^lt
  const u32 i = BID * BDIM + TID, v = 1u << (3 * lx + lt);
  f2 s[3];
#pragma unroll
  for (int a = 0; a < 3; ++a) s[a] = 0.0f;
  for (u32 mu = 0; mu < 4; ++mu) {
    const u32 shift = mu * lx, mask = ((1u << (mu == 3 ? lt : lx)) - 1) << shift;
    const u32 fwd = (i & ~mask) | ((i + (1u << shift)) & mask), bwd = (i & ~mask) | ((i - (1u << shift)) & mask);
    f2 p[3], q[3];
#pragma unroll
    for (int a = 0; a < 3; ++a) { p[a] = in[a * v + fwd]; q[a] = in[a * v + bwd]; }
#pragma unroll
    for (int a = 0; a < 3; ++a)
#pragma unroll
      for (int b = 0; b < 3; ++b) {
        const f2 m = link[(mu * 9 + a * 3 + b) * v + i], c = link[(mu * 9 + b * 3 + a) * v + bwd];
        s[a].x += m.x * p[b].x - m.y * p[b].y - c.x * q[b].x - c.y * q[b].y;
        s[a].y += m.x * p[b].y + m.y * p[b].x - c.x * q[b].y + c.y * q[b].x;
      }
  }
#pragma unroll
  for (int a = 0; a < 3; ++a) out[a * v + i] = s[a];
}
KERNEL potrf_warp(double* R out, const double* R in, u32) {  // Cholesky of 32 x 32 in f64, a matrix a warp, a row a lane in registers
  const u32 lane = TID % 32;
  const u64 base = (u64)((BID * BDIM + TID) / 32) * 1024;
  double a[32];
#pragma unroll
  for (u32 k = 0; k < 32; ++k) a[k] = in[base + k * 32 + lane] + (k == lane ? 40.0 : 0.5);
#pragma unroll
  for (u32 k = 0; k < 32; ++k) {
    const double root = __nvvm_sqrt_rn_d(idxd(a[k], k));
    a[k] /= root;
#pragma unroll
    for (u32 j = k + 1; j < 32; ++j) a[j] -= a[k] * idxd(a[k], j);
  }
#pragma unroll
  for (u32 k = 0; k < 32; ++k) if (k <= lane) out[base + k * 32 + lane] = a[k];
}
KERNEL mg_restrict(double* R out, const double* R in, u32 n) {  // full weighting of (2 n)^3 to n^3, 27 points, wrapped
  const u32 x = BID * 32 + TID, y = BIDY % (n / 8) * 8 + TIDY, z = BIDY / (n / 8), f = 2 * n;
  double s[4] = {};
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) s[dx * dx + dy * dy + dz * dz] += in[(((2 * z + dz) & (f - 1)) * f + ((2 * y + dy) & (f - 1))) * f + ((2 * x + dx) & (f - 1))];
  out[(z * n + y) * n + x] = 0.125 * s[0] + 0.0625 * s[1] + 0.03125 * s[2] + 0.015625 * s[3];
}
INLINE float weno(float a, float b, float c, float d, float e) {
  const float p = a - 2 * b + c, q = a - 4 * b + 3 * c, r = b - 2 * c + d, s = b - d, t = c - 2 * d + e, u = 3 * c - 4 * d + e;
  const float b0 = 1.0833333f * p * p + 0.25f * q * q + 1e-6f, b1 = 1.0833333f * r * r + 0.25f * s * s + 1e-6f, b2 = 1.0833333f * t * t + 0.25f * u * u + 1e-6f;
  const float w0 = 0.1f / (b0 * b0), w1 = 0.6f / (b1 * b1), w2 = 0.3f / (b2 * b2);
  return (w0 * (2 * a - 7 * b + 11 * c) + w1 * (5 * c - b + 2 * d) + w2 * (2 * c + 5 * d - e)) / (6 * (w0 + w1 + w2));
}
KERNEL weno5(float* R out, const float* R in, u32 n) {  // Burgers' flux through the upper face of each cell, along y, rows of n
  const u32 x = BID * BDIM + TID, y = BIDY + 2, i = y * n + x;
  float v[6];
#pragma unroll
  for (u32 k = 0; k < 6; ++k) v[k] = in[i + k * n - 2 * n];
  const float a = 1.0f, l = weno(v[0], v[1], v[2], v[3], v[4]), r = weno(v[5], v[4], v[3], v[2], v[1]);
  out[i] = 0.25f * (l * l + r * r) - 0.5f * a * (r - l);
}
KERNEL pic_deposit(float* grid, const float* R p, u32 n, u32 side) {  // charges of particles anywhere to the 4 points about them
  const u32 i = BID * BDIM + TID;
  const float x = p[i] * (side - 1), y = p[n + i] * (side - 1);
  const u32 cx = (u32)x, cy = (u32)y, at = cy * side + cx;
  const float fx = x - cx, fy = y - cy, q = p[2 * n + i];
  addf(&grid[at], q * (1 - fx) * (1 - fy));
  addf(&grid[at + 1], q * fx * (1 - fy));
  addf(&grid[at + side], q * (1 - fx) * fy);
  addf(&grid[at + side + 1], q * fx * fy);
}
// ---- graphs
KERNEL sssp_relax(u32* R next, const u32* R dist, const u32* R edges, const u32* R weight, u32 n) {  // a vertex a work-item, a quarter active, few of large degree
  const u32 v = BID * BDIM + TID, h = v * 2654435761u, d = dist[v];
  if (d & 3) return;
  const u32 degree = (h >> 26) == 0 ? 128 : 1 + (h >> 20 & 7), first = v * 8;
  for (u32 k = 0; k < degree; ++k) {
    const u32 to = edges[first + k] & (n - 1), alt = (d >> 2) + (weight[first + k] >> 8);
    if (alt < dist[to]) __nvvm_atom_min_gen_ui(&next[to], alt);
  }
}
KERNEL cc_jump(u32* R root, const u32* R parent, u32) {  // each vertex follows its parents, lower ones, to the root
  const u32 v = BID * BDIM + TID;
  u32 p = v;
  while (p > 15) p = mulhi(parent[p], p);
  root[v] = p;
}
// ---- learning
KERNEL group_norm(u4* R out, const u4* R in, const f2* R scale, u32 n) {  // f16, a group of channels of n * 8 halves a group of 256
  SHARED f2 part[8];
  const u4* p = in + (u64)BID * n;
  float s = 0, q = 0;
  for (u32 i = TID; i < n; i += 256) {
    const u4 v = p[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) { const f2 h = halves(v[k]); s += h.x + h.y; q += h.x * h.x + h.y * h.y; }
  }
  s = warp_sum(s); q = warp_sum(q);
  if (TID % 32 == 0) { part[TID / 32].x = s; part[TID / 32].y = q; }
  SYNC;
  s = q = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) { s += part[k].x; q += part[k].y; }
  const float mean = s / (n * 8), dev = rsq(q / (n * 8) - mean * mean + 1e-5f);
  for (u32 i = TID; i < n; i += 256) {
    const u4 v = p[i];
    const f2 g = scale[BID % 32 * 8 + i * 8 / n];
    u4 o;
#pragma unroll
    for (int k = 0; k < 4; ++k) o[k] = pack((halves(v[k]) - mean) * (dev * g.x) + g.y);
    out[(u64)BID * n + i] = o;
  }
}
KERNEL swiglu_half(u4* R out, const u4* R in, const u4* R residual, u32 n) {  // silu(gate) * up + residual, 8 halves a work-item, a token in y
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  const u4 g = in[BIDY * 2 * n + i], u = in[BIDY * 2 * n + n + i], r = residual[BIDY * n + i];
  u4 o;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    f2 a = halves(g[k]);
    a.x = fdiv(a.x, 1 + expf_(-a.x));
    a.y = fdiv(a.y, 1 + expf_(-a.y));
    o[k] = pack(a * halves(u[k]) + halves(r[k]));
  }
  out[BIDY * n + i] = o;
}
KERNEL paged_attention(float* R out, const float* R q, const u2* R keys, const u16* R values, const u32* R table, u32 blocks) {  // a head of 128 a group of 128; pages of 16 tokens by a table, 256 to 767 tokens
  SHARED float score[768], part[4];
  const u32 head = BID, seq = BIDY, lane = TID % 32, warp = TID / 32, length = 256 + (table[seq * 64] & 511);
  const f4 mine = ((const f4*)q)[(seq * GDIM + head) * 32 + lane];
  float m = -1e30f;
  for (u32 t = warp; t < length; t += 4) {
    const u32 page = table[seq * 64 + t / 16] >> 7 & (blocks - 1);
    const u2 k = keys[((page * GDIM + head) * 16 + t % 16) * 32 + lane];
    const f2 a = halves(k.x), b = halves(k.y);
    const float s = warp_sum(mine.x * a.x + mine.y * a.y + mine.z * b.x + mine.w * b.y) * 0.088f;
    if (lane == 0) score[t] = s;
    m = maxf(m, s);
  }
  if (lane == 0) part[warp] = m;
  SYNC;
  m = maxf(maxf(part[0], part[1]), maxf(part[2], part[3]));
  float sum = 0;
  for (u32 t = TID; t < length; t += 128) { const float e = expf_(score[t] - m); score[t] = e; sum += e; }
  sum = warp_sum(sum);
  SYNC;
  if (lane == 0) part[warp] = sum;
  SYNC;
  const float inv = fdiv(1, part[0] + part[1] + part[2] + part[3]);
  float acc = 0;
  for (u32 t = 0; t < length; ++t) {
    const u32 page = table[seq * 64 + t / 16] >> 7 & (blocks - 1);
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"((u16)(values[((page * GDIM + head) * 16 + t % 16) * 128 + TID] & 0x3bff)));
    acc += score[t] * v;
  }
  out[(seq * GDIM + head) * 128 + TID] = acc * inv;
}
KERNEL moe_gate(u2* R choice, f2* R weight, u32* R counts, const float* R logits, u32) {  // 64 experts, a token a warp, two best and their places
  const u32 t = (BID * BDIM + TID) / 32, lane = TID % 32;
  float a = logits[t * 64 + lane], b = logits[t * 64 + 32 + lane];
  const float m = warp_max(maxf(a, b)), sum = warp_sum(expf_(a - m) + expf_(b - m));
  u32 e[2];
  float p[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const float best = warp_max(maxf(a, b));
    const u32 low = ballot(a == best), high = ballot(b == best);
    e[k] = low ? __builtin_ctz(low) : 32 + __builtin_ctz(high);
    p[k] = fdiv(expf_(best - m), sum);
    if (e[k] == lane) a = -1e30f;
    if (e[k] == lane + 32) b = -1e30f;
  }
  if (lane < 2) {
    const u32 which = lane ? e[1] : e[0], place = add(&counts[which], 1);
    u2 c; c.x = which; c.y = place;
    choice[t * 2 + lane] = c;
    f2 w; w.x = fdiv(lane ? p[1] : p[0], p[0] + p[1]); w.y = 0;
    weight[t * 2 + lane] = w;
  }
}
KERNEL maxpool3(float* R out, u32* R where, const float* R in, u32 side) {  // 3 x 3, stride 2, padded, with places; channels in y
  const u32 o = side / 2, i = BID * BDIM + TID;
  if (i >= o * o) return;
  const int x = i % o * 2 - 1, y = i / o * 2 - 1;
  const float* p = in + (u64)BIDY * side * side;
  float best = -1e30f;
  u32 at = 0;
  for (int yy = y < 0 ? 0 : y; yy < y + 3 && yy < (int)side; ++yy)
    for (int xx = x < 0 ? 0 : x; xx < x + 3 && xx < (int)side; ++xx) {
      const float v = p[yy * side + xx];
      if (v > best) { best = v; at = yy * side + xx; }
    }
  out[BIDY * o * o + i] = best;
  where[BIDY * o * o + i] = at;
}
KERNEL bilinear_bwd(float* grad, const float* R dy, u32 side) {  // gradient of an upsampling by two, atomics; channels in y
  const u32 big = side * 2, i = BID * BDIM + TID, x = i % big, y = i / big;
  const float sx = maxf(0, (x + 0.5f) * 0.5f - 0.5f), sy = maxf(0, (y + 0.5f) * 0.5f - 0.5f), g = dy[BIDY * big * big + i];
  const u32 x0 = (u32)sx, y0 = (u32)sy, dx = x0 + 1 < side ? 1 : 0, step = y0 + 1 < side ? side : 0;
  const float fx = sx - x0, fy = sy - y0;
  float* p = grad + BIDY * side * side + y0 * side + x0;
  addf(p, g * (1 - fx) * (1 - fy));
  addf(p + dx, g * fx * (1 - fy));
  addf(p + step, g * (1 - fx) * fy);
  addf(p + step + dx, g * fx * fy);
}
INLINE u32 nearest(const float* code, float x) {
  u32 lo = 0;
#pragma unroll
  for (u32 s = 128; s > 0; s /= 2) if (code[lo + s] <= x) lo += s;
  return lo < 255 && code[lo + 1] - x < x - code[lo] ? lo + 1 : lo;
}
KERNEL adam8(float* R pout, u32* R state, float* R top, const float* R p, const float* R g, const u32* R m8, const u32* R v8, u32 n) {  // 8-bit states in blocks of 1024, a code of 256 values, new scales
  SHARED float code[256], pm[8], pv[8];
  const float c = (TID - 127.5f) * (1 / 127.5f);
  code[TID] = c * __builtin_fabsf(c);
  SYNC;
  const u32 i = BID * 256 + TID;
  const f4 grad = ((const f4*)g)[i];
  f4 w = ((const f4*)p)[i];
  const u32 mb = m8[i], vb = v8[i];
  float m[4], v[4], xm = 0, xv = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    m[k] = 0.9f * code[mb >> 8 * k & 255] + 0.1f * grad[k];
    v[k] = 0.99f * __builtin_fabsf(code[vb >> 8 * k & 255]) + 0.01f * grad[k] * grad[k];
    w[k] -= 1e-3f * m[k] / (sqrtf_(v[k]) + 1e-8f);
    xm = maxf(xm, __builtin_fabsf(m[k]));
    xv = maxf(xv, v[k]);
  }
  ((f4*)pout)[i] = w;
  xm = warp_max(xm); xv = warp_max(xv);
  if (TID % 32 == 0) { pm[TID / 32] = xm; pv[TID / 32] = xv; }
  SYNC;
#pragma unroll
  for (int k = 0; k < 8; ++k) { xm = maxf(xm, pm[k]); xv = maxf(xv, pv[k]); }
  const float im = 1 / (xm + 1e-12f), iv = 1 / (xv + 1e-12f);
  u32 qm = 0, qv = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) { qm |= nearest(code, m[k] * im) << 8 * k; qv |= nearest(code, v[k] * iv) << 8 * k; }
  state[i] = qm;
  state[n + i] = qv;
  if (TID == 0) { top[2 * BID] = xm; top[2 * BID + 1] = xv; }
}
KERNEL imma_gemm(u32* R c, const u4* R a, const u4* R b, u32 n, u32 k) {  // s8, 64 x 64 tiles, 4 warps of 32 x 32, 64 deep, results scaled to bytes
  SHARED u4 as[64][5], bs[64][5];  // 64 bytes and 16 of padding a row
  const u32 lane = TID % 32, warp = TID / 32, wr = warp / 2 * 32 + lane / 4, wc = warp % 2 * 32 + lane / 4, q = lane % 4;
  int acc[2][4][4] = {};
  for (u32 k0 = 0; k0 < k; k0 += 64) {
#pragma unroll
    for (u32 t = 0; t < 2; ++t) {
      const u32 r = (TID + t * 128) / 4;
      as[r][TID % 4] = a[((BIDY * 64 + r) * k + k0) / 16 + TID % 4];
      bs[r][TID % 4] = b[((BID * 64 + r) * k + k0) / 16 + TID % 4];
    }
    SYNC;
#pragma unroll
    for (u32 h = 0; h < 16; h += 8) {
      u32 fb[4][2];
#pragma unroll
      for (int j = 0; j < 4; ++j) { const u32* p = (const u32*)bs[wc + j * 8]; fb[j][0] = p[h + q]; fb[j][1] = p[h + 4 + q]; }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const u32 *p = (const u32*)as[wr + i * 16], *o = (const u32*)as[wr + i * 16 + 8];
        const u32 f0 = p[h + q], f1 = o[h + q], f2 = p[h + 4 + q], f3 = o[h + 4 + q];
#pragma unroll
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+r"(acc[i][j][0]), "+r"(acc[i][j][1]), "+r"(acc[i][j][2]), "+r"(acc[i][j][3]) : "r"(f0), "r"(f1), "r"(f2), "r"(f3), "r"(fb[j][0]), "r"(fb[j][1]));
      }
    }
    SYNC;
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        u32 o = 0;
#pragma unroll
        for (int e = 0; e < 2; ++e) { int v = (int)((float)acc[i][j][h * 2 + e] * 1e-3f); v = v < -128 ? -128 : v > 127 ? 127 : v; o |= (u32)(v & 255) << 8 * e; }
        ((u16*)c)[((BIDY * 64 + wr + i * 16 + h * 8) * n + BID * 64 + warp % 2 * 32 + j * 8 + q * 2) / 2] = (u16)o;
      }
}
KERNEL hgemv(float* R y, const u4* R w, const u4* R x, u32 k8) {  // f16 by pairs, rows of 8 k8, a row a warp
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  float acc = 0;
  for (u32 i = lane; i < k8; i += 32) {
    const u4 a = w[row * k8 + i] & 0x3bff3bffu, b = x[i] & 0x3bff3bffu;
    u32 s = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) asm("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(s) : "r"(a[k]), "r"(b[k]));
    float lo, hi;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }" : "=f"(lo), "=f"(hi) : "r"(s));
    acc += lo + hi;
  }
  acc = warp_sum(acc);
  if (lane == 0) y[row] = acc;
}
KERNEL gumbel_sample(u32* R out, const float* R logits, u32 n, u32 seed) {  // a word of n by the Gumbel trick, a sequence a group of 512
  SHARED u64 best[16];
  float top = -1e30f;
  u32 at = 0;
  for (u32 i = TID; i < n; i += 512) {
    u32 h = (BID * n + i) * 0x9e3779b1u ^ seed;
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    const float u = ((h >> 8) + 0.5f) * 5.9604645e-8f, v = logits[BID * n + i] * 1.4f - logf_(-logf_(u));
    if (v > top) { top = v; at = i; }
  }
  const u32 b = __builtin_bit_cast(u32, top);
  u64 key = (u64)(b & 0x80000000u ? ~b : b | 0x80000000u) << 32 | at;
#pragma unroll
  for (u32 s = 16; s > 0; s /= 2) {
    const u64 o = (u64)(u32)__nvvm_shfl_sync_bfly_i32(-1, (u32)key, s, 31) | (u64)(u32)__nvvm_shfl_sync_bfly_i32(-1, (u32)(key >> 32), s, 31) << 32;
    key = o > key ? o : key;
  }
  if (TID % 32 == 0) best[TID / 32] = key;
  SYNC;
  if (TID == 0) {
    for (u32 k = 1; k < 16; ++k) key = best[k] > key ? best[k] : key;
    out[BID] = (u32)key;
  }
}
KERNEL forest(float* R out, const u2* R nodes, const float* R rows, u32 trees) {  // 32 features a row, trees of 1023 nodes, a row a work-item
  const u32 r = BID * BDIM + TID;
  float s = 0;
  for (u32 t = 0; t < trees; ++t) {
    u32 at = 0;
    u2 d = nodes[t * 1023];
    while (at < 511) {
      const float threshold = (d.y >> 8) * 5.9604645e-8f;
      at = 2 * at + 1 + (rows[r * 32 + (d.x & 31)] > threshold);
      d = nodes[t * 1023 + at];
    }
    s += (int)d.y;
  }
  out[r] = s;
}
// ---- tables of data
KERNEL join_probe(u2* R out, u32* R counter, const u32* R probe, const u32* R heads, const u32* R keys, const u32* R next, u32 n) {  // chains to lower entries, matches by an atomic counter
  const u32 i = BID * BDIM + TID, k = probe[i];
  u32 j = heads[(k * 0x9e3779b1u >> 3) & (n - 1)] & (n - 1);
  while (j) {
    if (((keys[j] ^ k) & 127) == 0) {
      u2 o; o.x = i; o.y = j;
      out[add(counter, 1) & (n - 1)] = o;
    }
    const u32 to = next[j];
    if ((to >> 8 & 3) == 0) break;
    j = mulhi(to, j);
  }
}
KERNEL group_agg(float* R sums, u32* R counts, const u32* R key, const float* R value, u32 n) {  // up to 576 groups, skewed: a table in shared memory, then global atomics
  SHARED u32 tag[1024], many[1024];
  SHARED float total[1024];
  for (u32 k = TID; k < 1024; k += 256) { tag[k] = ~0u; many[k] = 0; total[k] = 0; }
  SYNC;
  for (u32 i = BID * 4096 + TID; i < BID * 4096 + 4096 && i < n; i += 256) {
    const u32 h = key[i], g = h >> 31 ? h & 63 : 64 + (h & 511);
    u32 at = g * 0x9e3779b1u >> 22;
    while (true) {
      const u32 old = cas(&tag[at], ~0u, g);
      if (old == ~0u || old == g) break;
      at = (at + 1) & 1023;
    }
    addf(&total[at], value[i]);
    add(&many[at], 1);
  }
  SYNC;
  for (u32 k = TID; k < 1024; k += 256)
    if (tag[k] != ~0u) { addf(&sums[tag[k]], total[k]); add(&counts[tag[k]], many[k]); }
}
KERNEL dict_decode(u64* R out, const u32* R in, const u64* R dict, u32) {  // codes of 11 bits, a dictionary of 2048 words of 8 bytes
  const u32 i = BID * BDIM + TID, bit = i * 11, w = bit / 32, s = bit % 32;
  const u64 v = (u64)in[w] | (u64)in[w + 1] << 32;
  out[i] = dict[(u32)(v >> s) & 2047];
}
KERNEL like_scan(u32* R out, const u8* R text, u32) {  // LIKE '%abc%db%': strings of 8 to 39 letters of 4, 40 bytes apart
  const u32 i = BID * BDIM + TID, length = 8 + (i * 2654435761u >> 27);
  const u8* s = text + i * 40;
  u32 k = 0;
  bool hit = false;
  for (; k + 3 <= length; ++k)
    if ((s[k] & 3) == 0 && (s[k + 1] & 3) == 1 && (s[k + 2] & 3) == 2) { hit = true; break; }
  if (hit) {
    hit = false;
    for (k += 3; k + 2 <= length; ++k)
      if ((s[k] & 3) == 3 && (s[k + 1] & 3) == 1) { hit = true; break; }
  }
  const u32 votes = ballot(hit);
  if (TID % 32 == 0) out[i / 32] = votes;
}
KERNEL tpch_q6(double* R out, const u32* R date, const float* R column, u32 n) {  // filter and sum, grid stride, f64
  SHARED double part[8];
  double s = 0;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u32 d = date[i] & 2047;
    const float c = column[i];
    if (d >= 731 && d < 1096 && c >= 0.45f && c <= 0.72f && column[n + i] < 0.48f) s += (double)column[2 * n + i] * c;
  }
#pragma unroll
  for (u32 k = 16; k > 0; k /= 2) s += idxd(s, TID % 32 ^ k);
  if (TID % 32 == 0) part[TID / 32] = s;
  SYNC;
  if (TID == 0) {
    for (u32 k = 1; k < 8; ++k) s += part[k];
    __nvvm_atom_add_gen_d(out, s);
  }
}
// ---- images
KERNEL nlm(u8* R out, const u8* R in, u32 n) {  // non-local means: 7 x 7 places, patches of 3 x 3, 16 x 16 tiles with a border of 4
  SHARED float t[24][25];
  const int x0 = (int)(BID * 16) - 4, y0 = (int)(BIDY * 16) - 4;
  for (u32 k = TID; k < 576; k += 256) {
    int x = x0 + (int)(k % 24), y = y0 + (int)(k / 24);
    x = x < 0 ? 0 : x >= (int)n ? n - 1 : x;
    y = y < 0 ? 0 : y >= (int)n ? n - 1 : y;
    t[k / 24][k % 24] = in[y * n + x];
  }
  SYNC;
  const u32 lx = TID % 16 + 4, ly = TID / 16 + 4;
  float p[3][3], s = 0, w = 0;
#pragma unroll
  for (int y = 0; y < 3; ++y)
#pragma unroll
    for (int x = 0; x < 3; ++x) p[y][x] = t[ly + y - 1][lx + x - 1];
  for (int dy = -3; dy <= 3; ++dy)
    for (int dx = -3; dx <= 3; ++dx) {
      float d = 0;
#pragma unroll
      for (int y = 0; y < 3; ++y)
#pragma unroll
        for (int x = 0; x < 3; ++x) { const float e = t[ly + dy + y - 1][lx + dx + x - 1] - p[y][x]; d += e * e; }
      const float g = exp2f_(-0.0001f * d);
      s += g * t[ly + dy][lx + dx];
      w += g;
    }
  out[(BIDY * 16 + ly - 4) * n + BID * 16 + lx - 4] = (u8)fdiv(s, w);
}
INLINE u32 find(volatile u32* l, u32 x) { while (l[x] != x) x = l[x]; return x; }
INLINE void unite(u32* l, u32 a, u32 b) {  // hangs the higher root under the lower
  while (true) {
    a = find(l, a); b = find(l, b);
    if (a == b) return;
    const u32 hi = a > b ? a : b, lo = a > b ? b : a, old = __nvvm_atom_min_gen_ui(&l[hi], lo);
    if (old == hi) return;
    a = old; b = lo;
  }
}
KERNEL ccl_tile(u32* R out, const u8* R in, u32 n) {  // connected components of a tile of 32 x 8, union and find in shared memory
  SHARED u32 label[256];
  SHARED u8 colour[256];
  const u32 x = TID % 32, y = TID / 32, i = (BIDY * 8 + y) * n + BID * 32 + x;
  label[TID] = TID;
  colour[TID] = in[i] > 110;
  SYNC;
  const u8 c = colour[TID];
  if (x && colour[TID - 1] == c) unite(label, TID, TID - 1);
  if (y && colour[TID - 32] == c) unite(label, TID, TID - 32);
  SYNC;
  const u32 root = find(label, TID);
  out[i] = c ? (BIDY * 8 + root / 32) * n + BID * 32 + root % 32 + 1 : 0;
}
INLINE void dct8(float (&v)[8]) {  // Arai, Agui and Nakajima
  const float a = v[0] + v[7], b = v[1] + v[6], c = v[2] + v[5], d = v[3] + v[4], e = v[3] - v[4], f = v[2] - v[5], g = v[1] - v[6], h = v[0] - v[7];
  const float p = a + d, q = b + c, r = b - c, s = a - d, z = (r + s) * 0.70710678f;
  v[0] = p + q; v[4] = p - q; v[2] = s + z; v[6] = s - z;
  const float k = e + f, l = f + g, m = g + h, o = (k - m) * 0.38268343f, t = 0.5411961f * k + o, u = 1.306563f * m + o, w = l * 0.70710678f, y = h + w, j = h - w;
  v[5] = j + t; v[3] = j - t; v[1] = y + u; v[7] = y - u;
}
KERNEL jpeg_dct(i16* R out, const u8* R in, const float* R quant, u32 n) {  // 32 blocks of 8 x 8 a group, a row and then a column a work-item, zigzag
  static const __attribute__((constant)) u8 zigzag[64] = {0, 1, 5, 6, 14, 15, 27, 28, 2, 4, 7, 13, 16, 26, 29, 42, 3, 8, 12, 17, 25, 30, 41, 43, 9, 11, 18, 24, 31, 40, 44, 53,
    10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38, 46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57, 58, 62, 63};
  SHARED float t[32][8][9];
  SHARED i16 z[32][64];
  const u32 b = TID / 8, r = TID % 8, block = BID * 32 + b, x = block % (n / 8) * 8, y = block / (n / 8) * 8;
  const u2 p = *(const u2*)&in[(y + r) * n + x];
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = (float)(p[k / 4] >> k % 4 * 8 & 255) - 128;
  dct8(v);
#pragma unroll
  for (int k = 0; k < 8; ++k) t[b][r][k] = v[k];
  __nvvm_bar_warp_sync(-1);
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = t[b][k][r];
  dct8(v);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int q;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(q) : "f"(v[k] * quant[k * 8 + r]));
    z[b][zigzag[k * 8 + r]] = (i16)q;
  }
  __nvvm_bar_warp_sync(-1);
  ((s8v*)out)[block * 8 + r] = *(const s8v*)&z[b][r * 8];
}
KERNEL demosaic(u32* R out, const u8* R in, u32 n) {  // Bayer's RGGB, bilinear, a byte to four
  const u32 x = BID * 32 + TID + 1, y = BIDY * 8 + TIDY + 1, i = y * n + x;
  if (x + 1 >= n || y + 1 >= n) return;
  const u32 c = in[i], l = in[i - 1], r = in[i + 1], u = in[i - n], d = in[i + n];
  const u32 cross = (l + r + u + d) / 4, corners = (in[i - n - 1] + in[i - n + 1] + in[i + n - 1] + in[i + n + 1]) / 4u, h = (l + r) / 2, v = (u + d) / 2;
  u32 red, green, blue;
  if (y & 1) {
    if (x & 1) { red = corners; green = cross; blue = c; }
    else { red = v; green = c; blue = h; }
  } else {
    if (x & 1) { red = h; green = c; blue = v; }
    else { red = c; green = cross; blue = corners; }
  }
  out[i] = red | green << 8 | blue << 16 | 255u << 24;
}
KERNEL hough_vote(u32* acc, const u8* R in, u32 n) {  // a sixteenth of the points vote for 180 lines, global atomics
  SHARED f2 cs[180];
  if (TID < 180) { cs[TID].x = __nvvm_cos_approx_ftz_f(TID * 0.0174533f); cs[TID].y = __nvvm_sin_approx_ftz_f(TID * 0.0174533f); }
  SYNC;
  const u32 x = BID * 32 + TID % 32, y = BIDY * 8 + TID / 32;
  if (in[y * n + x] < 240) return;
  for (u32 k = 0; k < 180; ++k) {
    const int rho = (int)(x * cs[k].x + y * cs[k].y) + (int)n;
    add(&acc[k * 4 * n + rho], 1);
  }
}
KERNEL dither_wave(u8* R out, const u8* R in, u32 n) {  // Floyd and Steinberg: 64 rows a group, a row a work-item, two points behind the row above
  SHARED float err[64][5];
  for (u32 k = 0; k < 5; ++k) err[TID][k] = 0;
  const u32 row = BID * 64 + TID;
  float left = 0;
  for (u32 s = 0; s < n + 128; ++s) {
    SYNC;
    const int x = (int)s - 2 * (int)TID;
    if (x >= 0 && x < (int)n) {
      float v = in[row * n + x] + 0.4375f * left;
      if (TID) v += 0.0625f * (x ? err[TID - 1][(x - 1) & 3] : 0.0f) + 0.3125f * err[TID - 1][x & 3] + 0.1875f * (x + 1 < (int)n ? err[TID - 1][(x + 1) & 3] : 0.0f);
      const bool white = v > 127;
      left = white ? v - 255 : v;
      err[TID][x & 3] = left;
      out[row * n + x] = white ? 255 : 0;
    }
  }
}
KERNEL perlin(float* R out, const u32* R hash, u32 n) {  // gradient noise, 4 octaves, a table of 256 in shared memory
  SHARED u32 perm[256];
  perm[TID] = hash[TID] & 255;
  SYNC;
  const u32 i = BID * 256 + TID;
  float x = (i % n) * 0.031f, y = (i / n) * 0.027f, z = 0.37f, amp = 1, s = 0;
  for (u32 o = 0; o < 4; ++o) {
    const int ix = (int)x, iy = (int)y, iz = (int)z;
    const float fx = x - ix, fy = y - iy, fz = z - iz;
    const float u = fx * fx * fx * (fx * (fx * 6 - 15) + 10), v = fy * fy * fy * (fy * (fy * 6 - 15) + 10), w = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
    float c[8];
#pragma unroll
    for (u32 k = 0; k < 8; ++k) {
      const float dx = fx - (k & 1), dy = fy - (k >> 1 & 1), dz = fz - (k >> 2);
      const u32 h = perm[(perm[(perm[(ix + (k & 1)) & 255] + iy + (k >> 1 & 1)) & 255] + iz + (k >> 2)) & 255] & 15;
      const float a = h < 8 ? dx : dy, b = h < 4 ? dy : h == 12 || h == 14 ? dx : dz;
      c[k] = (h & 1 ? -a : a) + (h & 2 ? -b : b);
    }
#pragma unroll
    for (u32 k = 0; k < 4; ++k) c[k] = c[2 * k] + u * (c[2 * k + 1] - c[2 * k]);
    c[0] += v * (c[1] - c[0]);
    c[2] += v * (c[3] - c[2]);
    s += amp * (c[0] + w * (c[2] - c[0]));
    amp *= 0.5f; x *= 2; y *= 2; z *= 2;
  }
  out[i] = s;
}
KERNEL mc_classify(u32* R verts, u32* R full, const float* R vol, const u8* R table, u32 n) {  // marching cubes: the case of each cell and its number of vertices
  const u32 x = BID * 32 + TID, y = BIDY % (n / 8) * 8 + TIDY, z = BIDY / (n / 8), i = (z * n + y) * n + x;
  const u32 dx = x + 1 < n ? 1 : 0, dy = y + 1 < n ? n : 0, dz = z + 1 < n ? n * n : 0;
  u32 c = vol[i] < 0.2f;
  c |= (u32)(vol[i + dx] < 0.2f) << 1 | (u32)(vol[i + dx + dy] < 0.2f) << 2 | (u32)(vol[i + dy] < 0.2f) << 3;
  c |= (u32)(vol[i + dz] < 0.2f) << 4 | (u32)(vol[i + dx + dz] < 0.2f) << 5 | (u32)(vol[i + dx + dy + dz] < 0.2f) << 6 | (u32)(vol[i + dy + dz] < 0.2f) << 7;
  const u32 count = table[c] & 15;
  verts[i] = count;
  full[i] = count > 0;
}
KERNEL jump_flood(u32* R out, const u32* R in, u32 n, u32 step) {  // Voronoi: the nearest of the seeds that 9 points know
  const int x = BID * 32 + TID, y = BIDY * 8 + TIDY;
  u32 best = ~0u, nearest = 1u << 31;
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = x + dx * (int)step, py = y + dy * (int)step;
      if (px < 0 || py < 0 || px >= (int)n || py >= (int)n) continue;
      const u32 s = in[py * n + px];
      if ((s & 3) == 0) continue;  // none known yet
      const int sx = (s >> 4 & 4095) - x, sy = (s >> 18 & 4095) - y;
      const u32 d = sx * sx + sy * sy;
      if (d < nearest) { nearest = d; best = s; }
    }
  out[y * n + x] = best;
}
// ---- codes, chances, prices
KERNEL keccak(u64* R out, const u64* R in, u32 n) {  // SHA-3's permutation of 1600 bits over a block of 136 bytes a work-item
  static const __attribute__((constant)) u64 rc[24] = {0x1, 0x8082, 0x800000000000808a, 0x8000000080008000, 0x808b, 0x80000001, 0x8000000080008081, 0x8000000000008009, 0x8a, 0x88, 0x80008009, 0x8000000a,
    0x8000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x80000001, 0x8000000080008008};
  const u32 turn[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
  const u32 lane[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
  const u32 i = BID * BDIM + TID;
  u64 s[25] = {};
#pragma unroll
  for (u32 k = 0; k < 17; ++k) s[k] = in[k * n + i];
#pragma unroll 1
  for (u32 r = 0; r < 24; ++r) {
    u64 c[5];
#pragma unroll
    for (u32 k = 0; k < 5; ++k) c[k] = s[k] ^ s[k + 5] ^ s[k + 10] ^ s[k + 15] ^ s[k + 20];
#pragma unroll
    for (u32 k = 0; k < 25; ++k) s[k] ^= c[(k + 4) % 5] ^ rotl64(c[(k + 1) % 5], 1);
    u64 t = s[1];
#pragma unroll
    for (u32 k = 0; k < 24; ++k) { const u64 v = s[lane[k]]; s[lane[k]] = rotl64(t, turn[k]); t = v; }
#pragma unroll
    for (u32 y = 0; y < 25; y += 5) {
#pragma unroll
      for (u32 k = 0; k < 5; ++k) c[k] = s[y + k];
#pragma unroll
      for (u32 k = 0; k < 5; ++k) s[y + k] ^= ~c[(k + 1) % 5] & c[(k + 2) % 5];
    }
    s[0] ^= rc[r];
  }
#pragma unroll
  for (u32 k = 0; k < 4; ++k) out[k * n + i] = s[k];
}
KERNEL rc4(u32* R out, const u32* R keys, u32) {  // a key of 16 bytes a work-item: 256 bytes of state in local memory, 32 bytes made
  const u32 i = BID * BDIM + TID;
  u8 s[256];
  const u4 key = ((const u4*)keys)[i];
  for (u32 k = 0; k < 256; ++k) s[k] = (u8)k;
  u32 j = 0;
  for (u32 k = 0; k < 256; ++k) {
    const u32 w = (k & 8) ? (k & 4 ? key.w : key.z) : (k & 4 ? key.y : key.x);
    const u8 v = s[k];
    j = (j + v + (w >> (k & 3) * 8)) & 255;
    s[k] = s[j];
    s[j] = v;
  }
  j = 0;
  u32 word = 0;
  for (u32 k = 1; k <= 32; ++k) {
    const u8 v = s[k];
    j = (j + v) & 255;
    const u8 w = s[j];
    s[k] = w;
    s[j] = v;
    word = word >> 8 | (u32)s[(v + w) & 255] << 24;
    if (k % 4 == 0) out[i * 8 + k / 4 - 1] = word;
  }
}
INLINE u64 mont(u64 a, u64 b, u64 n, u64 inv) {
  const u64 lo = a * b, hi = mulhi64(a, b), m = mulhi64(lo * inv, n);
  return hi >= m ? hi - m : hi - m + n;
}
KERNEL modexp64(u64* R out, const u64* R base, const u64* R exponent, u32) {  // Montgomery's products of 64 bits, bits of the exponent from the low end
  const u64 n = 0xffffffffffffffc5ull;
  u64 inv = n;
  for (u32 k = 0; k < 5; ++k) inv *= 2 - n * inv;
  const u32 i = BID * BDIM + TID;
  u64 b = base[i] % n, r = 59, e = exponent[i] >> (i & 15);  // 59 is 2^64 mod n
  b = mont(b, 59 * 59, n, inv);
  while (e) {
    if (e & 1) r = mont(r, b, n, inv);
    b = mont(b, b, n, inv);
    e >>= 1;
  }
  out[i] = mont(r, 1, n, inv);
}
KERNEL binomial(float* R out, const f4* R in, u32 steps) {  // an option a group of 256, the tree's level in shared memory, a barrier a step
  SHARED float v[2][1025];
  const f4 o = in[BID];
  const float s = 5 + 25 * o.x, k = 1 + 99 * o.y, t = 0.25f + 9 * o.z, dt = t / steps, vs = 0.3f * sqrtf_(dt), up = expf_(vs), dn = expf_(-vs), g = expf_(0.02f * dt);
  const float pu = fdiv(g - dn, up - dn) / g, pd = 1 / g - pu;
  for (u32 i = TID; i <= steps; i += 256) v[0][i] = maxf(0, s * expf_(vs * (2.0f * i - steps)) - k);
  SYNC;
  u32 from = 0;
  for (u32 n = steps; n > 0; --n) {
    for (u32 i = TID; i < n; i += 256) v[from ^ 1][i] = pu * v[from][i + 1] + pd * v[from][i];
    from ^= 1;
    SYNC;
  }
  if (TID == 0) out[BID] = v[from][0];
}
KERNEL libor(float* R out, const float* R z, u32 paths) {  // 80 rates in local memory, 40 steps, then the swaptions' value
  const u32 i = BID * BDIM + TID;
  float l[80];
  for (u32 k = 0; k < 80; ++k) l[k] = 0.05f;
  for (u32 n = 0; n < 40; ++n) {
    const float root = 0.5f * (z[n * paths + i] - 0.5f);
    float v = 0;
    for (u32 k = n + 1; k < 80; ++k) {
      const float lam = k - n < 40 ? 0.2f : 0.15f, con = 0.25f * lam;
      v += fdiv(con * l[k], 1 + 0.25f * l[k]);
      l[k] *= expf_(con * v + lam * (root - 0.125f * lam));
    }
  }
  float b = 1, s = 0, pay = 0;
  u32 m = 0;
  for (u32 n = 40; n < 80; ++n) {
    b = fdiv(b, 1 + 0.25f * l[n]);
    s += 0.25f * b;
    if (n % 8 == 7) { ++m; pay += maxf(0, b + (0.04f + 0.002f * m) * s - 1); }
  }
  for (u32 n = 0; n < 40; ++n) pay = fdiv(pay, 1 + 0.25f * l[n]);
  out[i] = pay;
}
INLINE u32 twist(u32 a, u32 b, u32 m) { const u32 y = (a & 0x80000000u) | (b & 0x7fffffffu); return m ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0); }
KERNEL mt_group(u32* R out, u32 rounds) {  // MT19937: a state of 624 words a group of 256, in three parts a round
  SHARED u32 s[624];
  if (TID == 0) { u32 x = 5489 + BID; for (u32 k = 0; k < 624; ++k) { s[k] = x; x = 1812433253u * (x ^ x >> 30) + k + 1; } }
  SYNC;
  for (u32 r = 0; r < rounds; ++r) {
    for (u32 part = 0; part < 3; ++part) {
      const u32 i = part * 227 + TID;
      u32 v = 0;
      const bool on = TID < 227 && i < 624;
      if (on) v = twist(s[i], s[i == 623 ? 0 : i + 1], s[i < 227 ? i + 397 : i - 227]);
      SYNC;
      if (on) s[i] = v;
      SYNC;
    }
    for (u32 i = TID; i < 624; i += 256) {
      u32 y = s[i];
      y ^= y >> 11; y ^= y << 7 & 0x9d2c5680u; y ^= y << 15 & 0xefc60000u; y ^= y >> 18;
      out[(r * GDIM + BID) * 624 + i] = y;
    }
  }
}
KERNEL myers64(u32* R out, const u4* R pattern, const u4* R text, u32) {  // edit distance of 64 letters against 256 of 2 bits, bits in parallel
  const u32 i = BID * BDIM + TID;
  u64 peq[4] = {};
  const u4 p = pattern[i];
#pragma unroll
  for (u32 w = 0; w < 4; ++w)
    for (u32 k = 0; k < 16; ++k) peq[p[w] >> 2 * k & 3] |= 1ull << (w * 16 + k);
  u64 pv = ~0ull, mv = 0;
  u32 score = 64, best = 64;
  for (u32 q = 0; q < 4; ++q) {
    const u4 t = text[i * 4 + q];
#pragma unroll
    for (u32 w = 0; w < 4; ++w)
      for (u32 k = 0; k < 16; ++k) {
        const u64 eq = peq[t[w] >> 2 * k & 3], xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
        u64 ph = mv | ~(xh | pv), mh = pv & xh;
        score += (u32)(ph >> 63) - (u32)(mh >> 63);
        ph <<= 1;
        mh <<= 1;
        pv = mh | ~(xv | ph);
        mv = ph & xv;
        best = score < best ? score : best;
      }
  }
  out[i] = best;
}
KERNEL knn8(u32* R out, const f4* R query, const f4* R ref, u32 n) {  // the 8 nearest of n points, tiles in shared memory, a sorted list by insertion
  SHARED f4 t[128];
  const u32 i = BID * 128 + TID;
  const f4 p = query[i];
  float d[8];
  u32 w[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) { d[k] = 1e30f; w[k] = 0; }
  for (u32 k0 = 0; k0 < n; k0 += 128) {
    SYNC;
    t[TID] = ref[k0 + TID];
    SYNC;
    for (u32 k = 0; k < 128; ++k) {
      const f4 o = t[k] - p;
      const float r = o.x * o.x + o.y * o.y + o.z * o.z + o.w * o.w;
      if (r < d[7]) {
        d[7] = r; w[7] = k0 + k;
#pragma unroll
        for (int j = 7; j > 0; --j)
          if (d[j] < d[j - 1]) { const float a = d[j]; d[j] = d[j - 1]; d[j - 1] = a; const u32 b = w[j]; w[j] = w[j - 1]; w[j - 1] = b; }
      }
    }
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = w[k];
}
KERNEL nothing(u32* out) {}
