// Kernels as applications have them, written when the model stood: none of its figures was made of one. Launches: fresh.py
#include "applications.h"

// ---- rows
KERNEL rms_norm(f4* R out, const f4* R in, u32 n) {  // a row a group of 256, float4, weights
  SHARED float part[8];
  const u32 n4 = n / 4;
  const f4* row = in + BID * n4;
  float s = 0;
  for (u32 i = TID; i < n4; i += BDIM) { const f4 v = row[i]; s += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
  s = warp_sum(s);
  if (TID % 32 == 0) part[TID / 32] = s;
  SYNC;
  s = TID % 32 < 8 ? part[TID % 32] : 0;
  s = warp_sum(s);
  const float scale = rsq(s / n + 1e-6f);
  for (u32 i = TID; i < n4; i += BDIM) out[BID * n4 + i] = row[i] * scale * in[i];
}
KERNEL softmax_warp(float* R out, const float* R in, u32 n) {  // rows of 128 a warp, in registers
  const u32 row = BID * (BDIM / 32) + TID / 32, lane = TID % 32;
  if (row >= n) return;
  float v[4], top = -1e30f, sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = in[row * 128 + k * 32 + lane];
#pragma unroll
  for (int k = 0; k < 4; ++k) top = maxf(top, v[k]);
  top = warp_max(top);
#pragma unroll
  for (int k = 0; k < 4; ++k) { v[k] = expf_(v[k] - top); sum += v[k]; }
  sum = warp_sum(sum);
#pragma unroll
  for (int k = 0; k < 4; ++k) out[row * 128 + k * 32 + lane] = v[k] / sum;
}
KERNEL argmax_rows(u32* R out, const float* R in, u32 n) {  // a row a group of 128
  SHARED float best[128];
  SHARED u32 where[128];
  float b = -1e30f;
  u32 at = 0;
  for (u32 i = TID; i < n; i += 128) { const float v = in[BID * n + i]; if (v > b) { b = v; at = i; } }
  best[TID] = b;
  where[TID] = at;
  SYNC;
  for (u32 s = 64; s > 0; s /= 2) {
    if (TID < s && best[TID + s] > best[TID]) { best[TID] = best[TID + s]; where[TID] = where[TID + s]; }
    SYNC;
  }
  if (TID == 0) out[BID] = where[0];
}
KERNEL batchnorm_stats(f2* R out, const float* R in, u32 hw) {  // a channel a group, over 32 images of 128 channels
  SHARED float ps[8], pq[8];
  float s = 0, q = 0;
  for (u32 b = 0; b < 32; ++b)
    for (u32 i = TID; i < hw; i += BDIM) { const float v = in[(b * GDIM + BID) * hw + i]; s += v; q += v * v; }
  s = warp_sum(s); q = warp_sum(q);
  if (TID % 32 == 0) { ps[TID / 32] = s; pq[TID / 32] = q; }
  SYNC;
  if (TID == 0) {
    for (u32 k = 1; k < 8; ++k) { s += ps[k]; q += pq[k]; }
    const float mean = s / (32 * hw);
    f2 o; o.x = mean; o.y = q / (32 * hw) - mean * mean;
    out[BID] = o;
  }
}
// ---- elementwise
KERNEL bias_gelu(f4* R out, const f4* R in, u32 n) {  // n float4, 256 float4 of bias
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  const f4 v = in[i] + in[i % 256];
  f4 o;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float x = v[k], u = 0.79788456f * (x + 0.044715f * x * x * x), e = expf_(2 * u);
    o[k] = 0.5f * x * (1 + (1 - fdiv(2, e + 1)));
  }
  out[i] = o;
}
KERNEL adam(float* R p, float* R m, float* R v, const float* R g, u32 n) {
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  const float gi = g[i], mi = 0.9f * m[i] + 0.1f * gi, vi = 0.999f * v[i] + 0.001f * gi * gi;
  m[i] = mi;
  v[i] = vi;
  p[i] -= 1e-3f * (mi / 0.9f) / (__nvvm_sqrt_rn_f(vi / 0.99f) + 1e-8f);
}
// ---- images
KERNEL rgba_to_yuv420(u8* R out, const c4* R in, u32 w) {  // a work-item 2 x 2 pixels
  const u32 i = BID * BDIM + TID, hw = w / 2, x = i % hw, y = i / hw, size = w * w;
  int su = 0, sv = 0;
#pragma unroll
  for (u32 dy = 0; dy < 2; ++dy)
#pragma unroll
    for (u32 dx = 0; dx < 2; ++dx) {
      const u32 at = (2 * y + dy) * w + 2 * x + dx;
      const c4 p = in[at];
      const int r = p.x, g = p.y, b = p.z;
      out[at] = (u8)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
      su += -38 * r - 74 * g + 112 * b;
      sv += 112 * r - 94 * g - 18 * b;
    }
  out[size + y * hw + x] = (u8)((su >> 10) + 128);
  out[size + size / 4 + y * hw + x] = (u8)((sv >> 10) + 128);
}
KERNEL resize_rgb(u8* R out, const u8* R in, u32 ow) {  // 2560 x 1440 to ow x (9/16 ow), bytes
  const u32 iw = 2560, ih = 1440, oh = ow * 9 / 16, x = BID * 32 + TID, y = BIDY * 8 + TIDY;
  if (x >= ow || y >= oh) return;
  const float fx = (x + 0.5f) * iw / ow - 0.5f, fy = (y + 0.5f) * ih / oh - 0.5f;
  const int x0 = (int)maxf(fx, 0), y0 = (int)maxf(fy, 0);
  const int x1 = x0 + 1 < (int)iw ? x0 + 1 : x0, y1 = y0 + 1 < (int)ih ? y0 + 1 : y0;
  const float ax = fx - x0, ay = fy - y0;
  for (int c = 0; c < 3; ++c) {
    const float a = in[(y0 * iw + x0) * 3 + c], b = in[(y0 * iw + x1) * 3 + c], d = in[(y1 * iw + x0) * 3 + c], e = in[(y1 * iw + x1) * 3 + c];
    const float t = a + (b - a) * ax, u = d + (e - d) * ax;
    out[(y * ow + x) * 3 + c] = (u8)(t + (u - t) * ay + 0.5f);
  }
}
KERNEL depthwise3(float* R out, const float* R in, u32 side) {  // channels in y, 3 x 3, padded
  const u32 i = BID * BDIM + TID, c = BIDY;
  if (i >= side * side) return;
  const int x = i % side, y = i / side;
  const float* plane = in + c * side * side;
  const float* w = in + 9 * c;
  float s = 0;
#pragma unroll
  for (int ky = -1; ky <= 1; ++ky)
#pragma unroll
    for (int kx = -1; kx <= 1; ++kx) {
      const int xx = x + kx, yy = y + ky;
      if (xx >= 0 && xx < (int)side && yy >= 0 && yy < (int)side) s += plane[yy * side + xx] * w[(ky + 1) * 3 + kx + 1];
    }
  out[c * side * side + i] = maxf(s, 0);
}
KERNEL conv3_direct(float* R out, const float* R in, u32 channels) {  // 64 x 64, 8 outputs a work-item
  SHARED float w[8 * 9];
  const u32 x = BID % 2 * 32 + TID % 32, y = BID / 2 * 8 + TID / 32, oc = BIDY * 8;
  float acc[8] = {};
  for (u32 ic = 0; ic < channels; ++ic) {
    SYNC;
    if (TID < 72) w[TID] = in[(oc + TID / 9) * channels * 9 + ic * 9 + TID % 9];
    SYNC;
    const float* p = in + ic * 66 * 66 + y * 66 + x;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const float v = p[k / 3 * 66 + k % 3];
#pragma unroll
      for (int o = 0; o < 8; ++o) acc[o] += v * w[o * 9 + k];
    }
  }
#pragma unroll
  for (int o = 0; o < 8; ++o) out[(oc + o) * 4096 + y * 64 + x] = acc[o];
}
// ---- scans and sorts
INLINE u32 block_scan(u32 v, u32* part, u32* total) {  // 256 work-items, exclusive
  const u32 lane = TID % 32, warp = TID / 32;
  u32 x = v;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) { const u32 y = up(x, d); if (lane >= d) x += y; }
  if (lane == 31) part[warp] = x;
  SYNC;
  if (warp == 0) {
    u32 s = lane < 8 ? part[lane] : 0;
#pragma unroll
    for (u32 d = 1; d < 8; d *= 2) { const u32 y = up(s, d); if (lane >= d) s += y; }
    if (lane < 8) part[lane] = s;
  }
  SYNC;
  *total = part[7];
  return x - v + (warp ? part[warp - 1] : 0);
}
KERNEL scan_sums(u32* R out, const u4* R in, u32) {  // kernel 1 of 3: sums of 2048
  SHARED u32 part[8];
  const u4 a = in[BID * 512 + TID], b = in[BID * 512 + 256 + TID];
  u32 v = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w, total;
  block_scan(v, part, &total);
  if (TID == 0) out[BID] = total;
}
KERNEL scan_top(u32* out, const u32* R in, u32 n) {  // kernel 2 of 3: one group
  SHARED u32 part[8];
  u32 carry = 0;
  for (u32 i = 0; i < n; i += 256) {
    u32 total;
    const u32 e = block_scan(in[i + TID], part, &total);
    out[i + TID] = e + carry;
    carry += total;
    SYNC;
  }
}
KERNEL scan_apply(u4* R out, const u4* R in, u32) {  // kernel 3 of 3
  SHARED u32 part[8];
  u4 a = in[BID * 512 + 2 * TID], b = in[BID * 512 + 2 * TID + 1];
  u32 total, e = block_scan(a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w, part, &total) + ((const u32*)in)[BID];
  u4 p, q;
  p.x = e; p.y = p.x + a.x; p.z = p.y + a.y; p.w = p.z + a.z;
  q.x = p.w + a.w; q.y = q.x + b.x; q.z = q.y + b.y; q.w = q.z + b.z;
  out[BID * 512 + 2 * TID] = p;
  out[BID * 512 + 2 * TID + 1] = q;
}

KERNEL radix_count(u32* R out, const u32* R in, u32 shift) {  // 16 digits, a tile of 2048, counts a column
  SHARED u32 bins[16];
  if (TID < 16) bins[TID] = 0;
  SYNC;
#pragma unroll
  for (int k = 0; k < 8; ++k) add(&bins[in[BID * 2048 + k * 256 + TID] >> shift & 15], 1);
  SYNC;
  if (TID < 16) out[TID * GDIM + BID] = bins[TID];
}
KERNEL radix_scatter(u32* R out, const u32* R in, u32 shift) {  // ranks by votes; places as equally full digits have them
  SHARED u32 counts[8][16], bases[16];
  const u32 lane = TID % 32, warp = TID / 32;
  if (TID < 16) bases[TID] = TID * (GDIM * 512 / 16) * 4 / 4 + BID * 32;
  for (u32 k = 0; k < 2; ++k) {
    if (TID < 128) counts[TID / 16][TID % 16] = 0;
    SYNC;
    const u32 key = in[BID * 512 + k * 256 + TID], digit = key >> shift & 15;
    u32 same = ~0u;
#pragma unroll
    for (int b = 0; b < 4; ++b) { const bool bit = digit >> b & 1; const u32 m = ballot(bit); same &= bit ? m : ~m; }
    const u32 rank = popc(same & ((1u << lane) - 1));
    if (rank == 0) counts[warp][digit] = popc(same);
    SYNC;
    if (TID < 16) {
      u32 sum = bases[TID];
#pragma unroll
      for (int w = 0; w < 8; ++w) { const u32 c = counts[w][TID]; counts[w][TID] = sum; sum += c; }
      bases[TID] = sum;
    }
    SYNC;
    out[counts[warp][digit] + rank] = key;
    SYNC;
  }
}
KERNEL merge_path(u32* R out, const u32* R in, u32 n) {  // two sorted arrays of n, 8 results a work-item
  const u32 *a = in, *b = in + n / 2, diagonal = (BID * BDIM + TID) * 8;
  u32 low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1; else high = middle;
  }
  u32 i = low, j = diagonal - low;
  for (u32 k = 0; k < 8; ++k) {
    const bool take_a = j >= n || (i < n && a[i] <= b[j]);
    out[diagonal + k] = take_a ? a[i++] : b[j++];
  }
}
KERNEL compact_block(u32* R out, const u32* R in, u32* R counter, u32 n) {  // block scan, one atomic a group
  SHARED u32 part[8];
  SHARED u32 base;
  const u32 i = BID * 256 + TID, v = in[i];
  const bool keep = (v & 7) < 3;
  u32 total;
  const u32 at = block_scan(keep, part, &total);
  if (TID == 0) base = add(counter, total) & (n - 1);
  SYNC;
  if (keep) out[base + at] = v;
}
// ---- graphs, sparse
KERNEL bfs_csr(u32* out, const u32* R in, u32 n) {  // level-synchronous; degrees 0 to 15
  const u32 v = BID * BDIM + TID;
  if (v >= n) return;
  if ((in[v + n] & 3) == 0) {
    const u32 begin = v * 8 + (in[v] >> 28), end = (v + 1) * 8 + (in[v + 1] >> 28);
    for (u32 e = begin; e < end; ++e) {
      const u32 to = in[2 * n + e] & (n - 1);
      if (out[to] == 0) out[to] = 2;
    }
  }
}
KERNEL spmv_csr_vector(double* R out, const double* R val, const u32* R col, u32 n) {  // a warp a row, f64, 32 to 95 entries
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  const u32 begin = row * 64 + (row * 2654435761u >> 27), end = (row + 1) * 64 + ((row + 1) * 2654435761u >> 27);
  double s = 0;
  for (u32 k = begin + lane; k < end; k += 32) s += val[k] * val[col[k] & (n - 1)];
#pragma unroll
  for (u32 d = 16; d > 0; d >>= 1) {
    const u64 bits = __builtin_bit_cast(u64, s);
    const u64 other = (u64)(u32)__nvvm_shfl_sync_down_i32(-1, (u32)bits, d, 31) | (u64)(u32)__nvvm_shfl_sync_down_i32(-1, (u32)(bits >> 32), d, 31) << 32;
    s += __builtin_bit_cast(double, other);
  }
  if (lane == 0) out[row] = s;
}
KERNEL lj_neighbours(f4* R out, const f4* R pos, const u32* R list, u32 n) {  // 64 neighbours an atom near by
  const u32 i = BID * BDIM + TID;
  const f4 me = pos[i];
  f4 f = 0.0f;
  for (u32 k = 0; k < 64; ++k) {
    const u32 j = (i + (list[k * n + i] & 4095)) & (n - 1);
    const f4 p = pos[j];
    const float dx = me.x - p.x, dy = me.y - p.y, dz = me.z - p.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < 0.4f) {
      const float inv = 1.0f / r2, r6 = inv * inv * inv, s = inv * r6 * (1.5f * r6 - 2.0f);
      f.x += dx * s; f.y += dy * s; f.z += dz * s;
    }
  }
  out[i] = f;
}
KERNEL hash_insert(u2* table, const u32* R in, u32 mask) {
  const u32 key = in[BID * BDIM + TID] | 1;
  u32 slot = (key * 0x9e3779b1u >> 7) & mask;
  for (;;) {
    const u32 old = cas((u32*)&table[slot], 0, key);
    if (old == 0 || old == key) { ((u32*)&table[slot])[1] = TID; return; }
    slot = (slot + 1) & mask;
  }
}
KERNEL hash_lookup(u32* R out, const u32* R in, const u2* R table, u32 mask) {
  const u32 i = BID * BDIM + TID, key = in[i + (i & 1) * 4194304] | 1;
  u32 slot = (key * 0x9e3779b1u >> 7) & mask, found = ~0u;
  for (;;) {
    const u2 e = table[slot];
    if (e.x == key) { found = e.y; break; }
    if (e.x == 0) break;
    slot = (slot + 1) & mask;
  }
  out[i] = found;
}
KERNEL embedding_bag(f4* R out, const f4* R table, const u32* R index, u32 rows) {  // 16 rows of 256 floats summed, a group of 64 a bag
  f4 s = 0.0f;
  for (u32 k = 0; k < 16; ++k) s += table[(u64)(index[BID * 16 + k] & (rows - 1)) * 64 + TID];
  out[BID * 64 + TID] = s;
}
// ---- linear algebra
KERNEL lu16(float* R out, const float* R in, u32) {  // a matrix of 16 x 16 a group of 16 x 16
  SHARED float a[16][17];
  const u32 x = TID, y = TIDY;
  a[y][x] = in[BID * 256 + y * 16 + x] + (x == y ? 16.0f : 0.0f);
  SYNC;
  for (u32 k = 0; k < 15; ++k) {
    if (x == k && y > k) a[y][k] /= a[k][k];
    SYNC;
    if (x > k && y > k) a[y][x] -= a[y][k] * a[k][x];
    SYNC;
  }
  out[BID * 256 + y * 16 + x] = a[y][x];
}
KERNEL inverse4(f4* R out, const f4* R in, u32) {  // 4 x 4 a work-item, Gauss-Jordan in registers
  const u32 i = BID * BDIM + TID;
  float a[4][8];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const f4 v = in[i * 4 + r];
#pragma unroll
    for (int c = 0; c < 4; ++c) { a[r][c] = v[c] + (r == c ? 4.0f : 0.0f); a[r][c + 4] = r == c; }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float inv = 1.0f / a[k][k];
#pragma unroll
    for (int c = 0; c < 8; ++c) a[k][c] *= inv;
#pragma unroll
    for (int r = 0; r < 4; ++r)
      if (r != k) {
        const float f = a[r][k];
#pragma unroll
        for (int c = 0; c < 8; ++c) a[r][c] -= f * a[k][c];
      }
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) { f4 v; v.x = a[r][4]; v.y = a[r][5]; v.z = a[r][6]; v.w = a[r][7]; out[i * 4 + r] = v; }
}
KERNEL thomas(float* out, const float* R in, u32 n, u32 rows) {  // tridiagonal, a system a work-item, interleaved
  const u32 i = BID * BDIM + TID;
  const float *a = in, *b = in + n * rows, *c = in + 2 * n * rows, *d = in + 3 * n * rows;
  float* cp = out + n * rows;
  float pc = c[i] / (b[i] + 3), pd = d[i] / (b[i] + 3);
  cp[i] = pc;
  out[i] = pd;
  for (u32 k = 1; k < rows; ++k) {
    const u32 at = k * n + i;
    const float m = 1.0f / (b[at] + 3 - a[at] * pc);
    pc = c[at] * m;
    pd = (d[at] - a[at] * pd) * m;
    cp[at] = pc;
    out[at] = pd;
  }
  for (int k = rows - 2; k >= 0; --k) {
    const u32 at = k * n + i;
    pd = out[at] - cp[at] * pd;
    out[at] = pd;
  }
}
KERNEL red_black(float* u, const float* R f, u32 n) {  // red points of n x n in place
  const u32 x = 2 * (BID * 32 + TID) + 1, y = BIDY * 8 + TIDY + 1, xx = x + (y & 1);
  if (xx >= n - 1 || y >= n - 1) return;
  const u32 i = y * n + xx;
  u[i] += 1.2f * 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i] - 4 * u[i]);
}
KERNEL gemv_columns(float* R y, const float* R a, const float* R x, u32 n) {  // y += A^T x, 64 rows a group of 256 columns
  const u32 j = BID * 256 + TID;
  float s = 0;
  for (u32 i = BIDY * 64; i < BIDY * 64 + 64; ++i) s += a[i * n + j] * x[i];
  addf(&y[j], s);
}
KERNEL gemm_dp4a(int* R out, const int* R a, const int* R b, u32 n) {  // n x n bytes, tiles of 32 x 32, 1 x 4 a work-item
  SHARED int ta[32][9], tb[32][9];
  const u32 k4 = n / 4, tx = TID % 32, ty = TID / 32;
  int acc[4] = {};
  for (u32 k0 = 0; k0 < k4; k0 += 8) {
    ta[TID / 8][TID % 8] = a[(BIDY * 32 + TID / 8) * k4 + k0 + TID % 8];
    tb[TID / 8][TID % 8] = b[(BID * 32 + TID / 8) * k4 + k0 + TID % 8];
    SYNC;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const int q = tb[tx][k];
#pragma unroll
      for (int r = 0; r < 4; ++r) asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(acc[r]) : "r"(ta[ty + 8 * r][k]), "r"(q));
    }
    SYNC;
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) out[(BIDY * 32 + ty + 8 * r) * n + BID * 32 + tx] = acc[r];
}
KERNEL nchw_to_nhwc(float* R out, const float* R in, u32 hw) {  // 64 channels, tiles of 32 x 32, images in z as y
  SHARED float t[32][33];
  const u32 base = BIDY / 2 * 64 * hw, c0 = BIDY % 2 * 32, p0 = BID * 32, x = TID % 32, y = TID / 32;
#pragma unroll
  for (u32 k = 0; k < 32; k += 8) if (p0 + x < hw) t[y + k][x] = in[base + (c0 + y + k) * hw + p0 + x];
  SYNC;
#pragma unroll
  for (u32 k = 0; k < 32; k += 8) if (p0 + y + k < hw) out[base + (p0 + y + k) * 64 + c0 + x] = t[x][y + k];
}
KERNEL stencil_plane(float* R out, const float* R in, u32 n) {  // 7 points, 32 x 8 columns, the plane in shared memory, 64 deep
  SHARED float t[10][34];
  const u32 tx = TID, ty = TIDY, x = BID % (n / 32) * 32 + tx, y = BID / (n / 32) * 8 + ty, z0 = BIDY * 64;
  const u32 plane = n * n;
  u32 i = z0 * plane + y * n + x;
  float below = z0 ? in[i - plane] : 0, here = in[i], above;
  for (u32 z = z0; z < z0 + 64; ++z) {
    above = z + 1 < n ? in[i + plane] : 0;
    SYNC;
    t[ty + 1][tx + 1] = here;
    if (tx == 0) t[ty + 1][0] = x ? in[i - 1] : 0;
    if (tx == 31) t[ty + 1][33] = x + 1 < n ? in[i + 1] : 0;
    if (ty == 0) t[0][tx + 1] = y ? in[i - n] : 0;
    if (ty == 7) t[9][tx + 1] = y + 1 < n ? in[i + n] : 0;
    SYNC;
    out[i] = 0.4f * here + 0.1f * (below + above + t[ty][tx + 1] + t[ty + 2][tx + 1] + t[ty + 1][tx] + t[ty + 1][tx + 2]);
    below = here;
    here = above;
    i += plane;
  }
}
KERNEL attention_decode(float* R out, const float* R q, const float* R kv, u32 n) {  // a head of 64 a group of 128, one query, n keys
  SHARED float score[1024], part[4], qs[64];
  const float *keys = kv + (u64)BID * n * 128, *values = keys + n * 64;
  const u32 lane = TID % 32, warp = TID / 32;
  if (TID < 64) qs[TID] = q[BID * 64 + TID] * 0.125f;
  SYNC;
  const float q0 = qs[lane], q1 = qs[lane + 32];
  float top = -1e30f;
  for (u32 k = warp; k < n; k += 4) {
    const float s = warp_sum(q0 * keys[k * 64 + lane] + q1 * keys[k * 64 + 32 + lane]);
    if (lane == 0) score[k] = s;
    top = maxf(top, s);
  }
  if (lane == 0) part[warp] = top;
  SYNC;
  top = maxf(maxf(part[0], part[1]), maxf(part[2], part[3]));
  SYNC;
  float sum = 0;
  for (u32 k = TID; k < n; k += 128) { const float e = expf_(score[k] - top); score[k] = e; sum += e; }
  sum = warp_sum(sum);
  if (lane == 0) part[warp] = sum;
  SYNC;
  sum = part[0] + part[1] + part[2] + part[3];
  float acc = 0;
  const u32 d = TID % 64;
  for (u32 k = TID / 64; k < n; k += 2) acc += score[k] * values[k * 64 + d];
  SYNC;
  if (TID >= 64) qs[d] = acc;
  SYNC;
  if (TID < 64) out[BID * 64 + d] = (acc + qs[d]) / sum;
}
KERNEL attention_flash(f4* R out, const f4* R q, const f4* R kv, u32 n) {  // a query a work-item, head of 32, tiles of 32 keys
  SHARED f4 ks[32][8], vs[32][8];
  const u32 i = BID * 64 + TID, head = BIDY;
  f4 me[8], acc[8];
#pragma unroll
  for (int d = 0; d < 8; ++d) { me[d] = q[(head * n + i) * 8 + d]; acc[d] = 0.0f; }
  float top = -1e30f, sum = 0;
  for (u32 k0 = 0; k0 < n; k0 += 32) {
    SYNC;
    for (u32 t = TID; t < 256; t += 64) { ks[t / 8][t % 8] = kv[(head * n + k0) * 8 + t]; vs[t / 8][t % 8] = kv[((head + GDIM) * n + k0) * 8 + t]; }
    SYNC;
    for (u32 k = 0; k < 32; ++k) {
      float s = 0;
#pragma unroll
      for (int d = 0; d < 8; ++d) { const f4 p = me[d] * ks[k][d]; s += p.x + p.y + p.z + p.w; }
      const float higher = maxf(top, s), scale = expf_(top - higher), e = expf_(s - higher);
      sum = sum * scale + e;
      top = higher;
#pragma unroll
      for (int d = 0; d < 8; ++d) acc[d] = acc[d] * scale + vs[k][d] * e;
    }
  }
  const float inv = 1.0f / sum;
#pragma unroll
  for (int d = 0; d < 8; ++d) out[(head * n + i) * 8 + d] = acc[d] * inv;
}
// ---- others
KERNEL fft_radix4(f2* R out, const f2* R in, u32) {  // 1024 points, 256 work-items, Stockham
  SHARED float re[1024], im[1024];
  float xr[4], xi[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) { const f2 v = in[BID * 1024 + k * 256 + TID]; xr[k] = v.x; xi[k] = v.y; }
  for (u32 ns = 1; ns < 1024; ns *= 4) {
    const u32 j = TID % ns;
    const float angle = -6.28318531f * j / (4 * ns);
#pragma unroll
    for (int k = 1; k < 4; ++k) {
      const float c = __nvvm_cos_approx_ftz_f(angle * k), s = __nvvm_sin_approx_ftz_f(angle * k), t = xr[k];
      xr[k] = t * c - xi[k] * s;
      xi[k] = t * s + xi[k] * c;
    }
    const float ar = xr[0] + xr[2], ai = xi[0] + xi[2], br = xr[0] - xr[2], bi = xi[0] - xi[2];
    const float cr = xr[1] + xr[3], ci = xi[1] + xi[3], dr = xi[1] - xi[3], di = xr[3] - xr[1];
    const u32 to = TID / ns * ns * 4 + j;
    SYNC;
    re[to] = ar + cr; im[to] = ai + ci;
    re[to + ns] = br + dr; im[to + ns] = bi + di;
    re[to + 2 * ns] = ar - cr; im[to + 2 * ns] = ai - ci;
    re[to + 3 * ns] = br - dr; im[to + 3 * ns] = bi - di;
    SYNC;
#pragma unroll
    for (int k = 0; k < 4; ++k) { xr[k] = re[k * 256 + TID]; xi[k] = im[k * 256 + TID]; }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) { f2 v; v.x = xr[k]; v.y = xi[k]; out[BID * 1024 + k * 256 + TID] = v; }
}
KERNEL smith_waterman(u32* R out, const u8* R in, u32 n) {  // a pair a group of 128, anti-diagonals, n columns
  SHARED int h[3][129];
  SHARED u8 b[1024];
  for (u32 i = TID; i < n; i += 128) b[i] = in[BID * 2048 + 128 + i] & 3;
  const u8 a = in[BID * 2048 + TID] & 3;
  h[0][TID + 1] = h[1][TID + 1] = h[2][TID + 1] = 0;
  if (TID == 0) h[0][0] = h[1][0] = h[2][0] = 0;
  int best = 0;
  u32 now = 2, before = 1, older = 0;
  SYNC;
  for (u32 d = 0; d < n + 127; ++d) {
    const int j = (int)d - (int)TID;
    int s = 0;
    if (j >= 0 && j < (int)n) {
      s = h[older][TID] + (a == b[j] ? 3 : -2);
      const int l = h[before][TID + 1] - 2, u = h[before][TID] - 2;
      s = s > l ? s : l;
      s = s > u ? s : u;
      s = s > 0 ? s : 0;
    }
    h[now][TID + 1] = s;
    best = best > s ? best : s;
    SYNC;
    const u32 t = older; older = before; before = now; now = t;
  }
  for (u32 s = 16; s > 0; s >>= 1) { const int o = __nvvm_shfl_sync_bfly_i32(-1, best, s, 31); best = best > o ? best : o; }
  if (TID % 32 == 0) out[BID * 4 + TID / 32] = best;
}
KERNEL kmeans_update(float* R sums, u32* R counts, const float* R in, u32 n) {  // 8 dimensions, 32 centres: nearest, then atomics in shared memory
  SHARED float centre[32][8], sum[32][8];
  SHARED u32 count[32];
  centre[TID / 8][TID % 8] = in[TID];
  sum[TID / 8][TID % 8] = 0;
  if (TID < 32) count[TID] = 0;
  SYNC;
  const u32 i = BID * 256 + TID;
  float p[8];
#pragma unroll
  for (int d = 0; d < 8; ++d) p[d] = in[d * n + i];
  float least = 1e30f;
  u32 best = 0;
  for (u32 c = 0; c < 32; ++c) {
    float far = 0;
#pragma unroll
    for (int d = 0; d < 8; ++d) { const float t = p[d] - centre[c][d]; far += t * t; }
    if (far < least) { least = far; best = c; }
  }
#pragma unroll
  for (int d = 0; d < 8; ++d) addf(&sum[best][d], p[d]);
  add(&count[best], 1);
  SYNC;
  addf(&sums[TID], sum[TID / 8][TID % 8]);
  if (TID < 32) add(&counts[TID], count[TID]);
}
KERNEL asian_option(float* R out, const u32*, u32 steps) {  // xorwow, Box-Muller
  SHARED float part[8];
  u32 id = BID * 256 + TID, s[5] = {id * 747796405u + 1, id ^ 0x9e3779b9u, 362436069u, 521288629u, 88675123u}, weyl = 6615241u;
  float price = 100, sum = 0;
  for (u32 k = 0; k < steps; ++k) {
    float z[2];
    u32 r[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      u32 t = s[0] ^ s[0] >> 2;
      s[0] = s[1]; s[1] = s[2]; s[2] = s[3]; s[3] = s[4];
      s[4] = s[4] ^ s[4] << 4 ^ t ^ t << 1;
      weyl += 362437u;
      r[h] = s[4] + weyl;
    }
    const float u = r[0] * 2.3283064e-10f + 1.1641532e-10f, v = r[1] * 1.4629181e-9f;
    const float m = __nvvm_sqrt_rn_f(-1.3862944f * __nvvm_lg2_approx_ftz_f(u));
    z[0] = m * __nvvm_cos_approx_ftz_f(v);
    z[1] = m * __nvvm_sin_approx_ftz_f(v);
#pragma unroll
    for (int h = 0; h < 2; ++h) { price *= expf_(0.0001f + 0.02f * z[h]); sum += price; }
  }
  float pay = maxf(sum / (2 * steps) - 100, 0);
  pay = warp_sum(pay);
  if (TID % 32 == 0) part[TID / 32] = pay;
  SYNC;
  if (TID == 0) { for (int k = 1; k < 8; ++k) pay += part[k]; out[BID] = pay; }
}
KERNEL bvh_walk(u32* R out, const f4* R nodes, u32 depth_nodes) {  // a stack in local memory; a heap of boxes
  const u32 i = BID * BDIM + TID;
  const f4 o = nodes[1048576 + 2 * (i / 32)], dd = nodes[1048576 + 2 * i + 1];
  const float ix = fdiv(1, dd.x * 0.3f + 0.4f), iy = fdiv(1, dd.y * 0.3f + 0.5f), iz = fdiv(1, dd.z * 0.3f + 0.6f);
  u32 stack[24], top = 0, hits = 0;
  stack[top++] = 1;
  while (top > 0) {
    const u32 node = stack[--top];
    const f4 lo = nodes[2 * node], size = nodes[2 * node + 1];
    const float x0 = (lo.x - 0.4f - o.x) * ix, x1 = x0 + (size.x * 0.45f + 0.65f) * ix, y0 = (lo.y - 0.4f - o.y) * iy, y1 = y0 + (size.y * 0.45f + 0.65f) * iy;
    const float z0 = (lo.z - 0.4f - o.z) * iz, z1 = z0 + (size.z * 0.45f + 0.65f) * iz;
    const float near = maxf(maxf(minf(x0, x1), minf(y0, y1)), maxf(minf(z0, z1), 0)), far = minf(minf(maxf(x0, x1), maxf(y0, y1)), maxf(z0, z1));
    if (near <= far) {
      if (2 * node >= depth_nodes) ++hits;
      else { stack[top++] = 2 * node; stack[top++] = 2 * node + 1; }
    }
  }
  out[i] = hits;
}
#define QUARTER(a, b, c, d) a += b; d = rotl(d ^ a, 16); c += d; b = rotl(b ^ c, 12); a += b; d = rotl(d ^ a, 8); c += d; b = rotl(b ^ c, 7);
KERNEL chacha20(u4* R out, const u4* R in, u32 key) {  // a block of 64 bytes a work-item
  const u32 i = BID * BDIM + TID;
  u32 s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key, key ^ 1, key ^ 2, key ^ 3, key ^ 4, key ^ 5, key ^ 6, key ^ 7, i, 0, 17, 23}, x[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) x[k] = s[k];
  for (int r = 0; r < 10; ++r) {
    QUARTER(x[0], x[4], x[8], x[12]) QUARTER(x[1], x[5], x[9], x[13]) QUARTER(x[2], x[6], x[10], x[14]) QUARTER(x[3], x[7], x[11], x[15])
    QUARTER(x[0], x[5], x[10], x[15]) QUARTER(x[1], x[6], x[11], x[12]) QUARTER(x[2], x[7], x[8], x[13]) QUARTER(x[3], x[4], x[9], x[14])
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    u4 w; w.x = x[4 * k] + s[4 * k]; w.y = x[4 * k + 1] + s[4 * k + 1]; w.z = x[4 * k + 2] + s[4 * k + 2]; w.w = x[4 * k + 3] + s[4 * k + 3];
    out[i * 4 + k] = in[i * 4 + k] ^ w;
  }
}
KERNEL murmur_strings(u32* R out, const u8* R in, u32 longest) {  // strings of 1 to `longest` bytes, by bytes
  const u32 i = BID * BDIM + TID, length = (i * 2654435761u >> 8) % longest + 1;
  const u8* p = in + i * longest;
  u32 h = 0x9747b28c, k = 0;
  for (; k + 4 <= length; k += 4) {
    u32 w = p[k] | p[k + 1] << 8 | p[k + 2] << 16 | (u32)p[k + 3] << 24;
    h = rotl(h ^ rotl(w * 0xcc9e2d51u, 15) * 0x1b873593u, 13) * 5 + 0xe6546b64u;
  }
  u32 w = 0;
  for (u32 t = k; t < length; ++t) w |= p[t] << 8 * (t - k);
  h ^= rotl(w * 0xcc9e2d51u, 15) * 0x1b873593u;
  h ^= length; h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u;
  out[i] = h ^ h >> 16;
}
KERNEL lorenz_rk4(double* R out, const double*, u32 steps) {  // f64, Runge and Kutta
  const u32 i = BID * BDIM + TID;
  double x = 1 + i * 1e-6, y = 1, z = 1, t = 0.001;
  for (u32 k = 0; k < steps; ++k) {
    double sx = 0, sy = 0, sz = 0, ax = x, ay = y, az = z;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const double dx = 10 * (ay - ax), dy = ax * (28 - az) - ay, dz = ax * ay - 2.6666666666 * az, w = q == 0 || q == 3 ? t / 6 : t / 3, n = q == 2 ? t : t / 2;
      sx += w * dx; sy += w * dy; sz += w * dz;
      ax = x + n * dx; ay = y + n * dy; az = z + n * dz;
    }
    x += sx; y += sy; z += sz;
  }
  out[i] = x + y + z;
}
KERNEL fir64(float* R out, const float* R in, const float* R taps, u32 n) {  // 64 taps, taps by global loads, samples in shared memory
  SHARED float t[256 + 63];
  const u32 i = BID * 256 + TID;
  t[TID] = in[i];
  if (TID < 63) t[256 + TID] = in[i + 256];
  SYNC;
  float s = 0;
  for (u32 k = 0; k < 64; ++k) s += t[TID + k] * taps[k];
  out[i] = s;
}
KERNEL half2_mlp(u32* R out, const u32* R in, u32 n) {  // pairs of halves: 3 fused multiply-adds and a maximum, 4 words a work-item
  const u32 i = BID * BDIM + TID;
#pragma unroll
  for (u32 k = 0; k < 4; ++k) {
    u32 v = in[i + k * n] & 0x3fff3fff;
    for (int q = 0; q < 3; ++q) asm("fma.rn.f16x2 %0, %0, %1, %2;\n max.f16x2 %0, %0, %3;" : "+r"(v) : "r"(0x38003800u), "r"(0xb400b400u + q), "r"(0u));
    out[i + k * n] = v;
  }
}
KERNEL nothing(u32* out) {}
