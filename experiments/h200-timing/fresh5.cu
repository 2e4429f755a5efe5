// Kernels as applications have them, a fifth round
#include "applications2.h"

INLINE u32 xorl(u32 x, u32 m) { return (u32)__nvvm_shfl_sync_bfly_i32(-1, x, m, 31); }
INLINE u32 maxi(u32 a, u32 b) { return a > b ? a : b; }
INLINE u32 warp_add(u32 x) { for (u32 s = 16; s > 0; s >>= 1) x += xorl(x, s); return x; }
INLINE int dp4s(u32 a, u32 b, int c) { asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b)); return c; }
INLINE u32 pack2(float x, float y) { f2 v; v.x = x; v.y = y; return pack(v); }
INLINE u32 hfma2(u32 a, u32 b, u32 c) { u32 d; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
INLINE float dot4(f4 a, f4 b) { return dot3(a, b) + a.w * b.w; }
#define UNROLL _Pragma("unroll")

// ---- inference
// blocks of 256: two f16 scales, 12 bytes of scales of 8 parts, 128 of nibbles; half a warp a block, a row a warp
KERNEL gemv_q4k(float* R out, const u4* R w, const f4* R x, u32 blocks) {
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32, j = lane % 16, g = j / 4;
  float s = 0;
  for (u32 b = lane / 16; b < blocks; b += 2) {
    const u4* p = w + ((u64)row * blocks + b) * 9;
    const u4 head = p[0];
    const u2 q = ((const u2*)p)[2 + j];
    const f2 d = halves(head.x);
    const u32 sc = (g < 2 ? head.y : head.z) >> g % 2 * 16, mn = head.w >> g * 8;
    float lo = 0, hi = 0, xl = 0, xh = 0;
    UNROLL for (u32 k = 0; k < 2; ++k) {
      const f4 a = x[b * 64 + g * 16 + j % 4 * 2 + k], c = x[b * 64 + g * 16 + 8 + j % 4 * 2 + k];
      UNROLL for (u32 e = 0; e < 4; ++e) { lo += a[e] * (q[k] >> 8 * e & 15); hi += c[e] * (q[k] >> (8 * e + 4) & 15); xl += a[e]; xh += c[e]; }
    }
    s += d.x * ((sc & 63) * lo + (sc >> 8 & 63) * hi) - d.y * ((mn & 15) * xl + (mn >> 4 & 15) * xh);
  }
  s = warp_sum(s);
  if (lane == 0) out[row] = s;
}
// blocks of 34 bytes: f16 scale and 32 of int8, four lanes a block, dp4a, a row a warp
KERNEL gemv_q8(float* R out, const u16* R w, const u32* R x, const float* R xs, u32 blocks) {
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32, e = lane % 4;
  float s = 0;
  for (u32 b = lane / 4; b < blocks; b += 8) {
    const u16* p = w + ((u64)row * blocks + b) * 17;
    const u16* q = p + 1 + e * 4;
    const int d = dp4s(q[0] | (u32)q[1] << 16, x[b * 8 + e * 2], dp4s(q[2] | (u32)q[3] << 16, x[b * 8 + e * 2 + 1], 0));
    s += halves(p[0]).x * xs[b] * d;
  }
  s = warp_sum(s);
  if (lane == 0) out[row] = s;
}
// 32 weights in 8 bytes: four places in a codebook of 256 and their signs, a row a warp
KERNEL gemv_iq2(float* R out, const u2* R w, const u2* R book, const f4* R x, u32 groups) {
  SHARED u2 grid[256];
  for (u32 k = TID; k < 256; k += BDIM) grid[k] = book[k];
  SYNC;
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  float s = 0;
  for (u32 g = lane; g < groups; g += 32) {
    const u2 q = w[(u64)row * groups + g];
    float t = 0;
    UNROLL for (u32 k = 0; k < 4; ++k) {
      const u2 c = grid[q.x >> 8 * k & 255];
      const u32 sign = q.y >> 7 * k;
      UNROLL for (u32 h = 0; h < 2; ++h) {
        const f4 v = x[g * 8 + k * 2 + h];
        UNROLL for (u32 e = 0; e < 4; ++e) { const float m = v[e] * (c[h] >> 8 * e & 63); t += sign >> (h * 4 + e) & 1 ? -m : m; }
      }
    }
    s += t * (0.5f + (q.y >> 28)) * 0.25f;
  }
  s = warp_sum(s);
  if (lane == 0) out[row] = s;
}
// f32 heads of 128, a token a group, halves turned together, angles by exponents and reduced
KERNEL rope_neox(float* R out, const float* R in, const u32* R position, u32 heads) {
  const u32 t = BID, i = TID % 64, pos = position[t] & 4095;
  const float inv = exp2f_(i * -0.20762050f), turns = pos * inv * 0.15915494f, a = (turns - __builtin_floorf(turns)) * 6.2831853f, c = cosf_(a), s = sinf_(a);
  for (u32 h = TID / 64; h < heads; h += BDIM / 64) {
    const u32 at = (t * heads + h) * 128 + i;
    const float x = in[at], y = in[at + 64];
    out[at] = x * c - y * s;
    out[at + 64] = y * c + x * s;
  }
}
// keys and values of a token to its slot of pages of 16, a token a group of 128
KERNEL kv_append(u4* R cache, const u4* R k, const u4* R v, const u32* R slot, u32 slots) {
  const u32 s = slot[BID] & (slots - 1), page = s / 16, at = s % 16;
  cache[((page * 2) * 16 + at) * 128 + TID] = k[BID * 128 + TID];
  cache[((page * 2 + 1) * 16 + at) * 128 + TID] = v[BID * 128 + TID];
}
KERNEL kv_dequant(u4* R out, const u2* R cache, const float* R scale, const u32* R pages, u32 count) {  // pages of 2048 of int8 by a table to f16, a page a group of 256
  const u32 page = pages[BID] & (count - 1);
  const float d = scale[page] * 0.01f;
  const u2 q = cache[page * 256 + TID];
  u4 o;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    const u32 w = q[k / 2] >> k % 2 * 16;
    o[k] = pack2(d * (signed char)w, d * (signed char)(w >> 8));
  }
  out[BID * 256 + TID] = o;
}
KERNEL flash_combine(float* R out, const float* R part, const float* R lse, u32 splits) {  // parts of a head of 128 joined by their logarithms of sums
  SHARED float w[64];
  if (TID < 32) {
    const float a = TID < splits ? lse[BID * splits + TID] * 8 : -1e30f, b = TID + 32 < splits ? lse[BID * splits + TID + 32] * 8 : -1e30f, m = warp_max(maxf(a, b));
    const float p = expf_(a - m), q = expf_(b - m), r = fdiv(1, warp_sum(p + q));
    w[TID] = p * r; w[TID + 32] = q * r;
  }
  SYNC;
  float s = 0;
  for (u32 k = 0; k < splits; ++k) s += w[k] * part[(BID * splits + k) * 128 + TID];
  out[BID * 128 + TID] = s;
}
KERNEL topk_radix(u32* R out, const u32* R in, u32 n) {  // the 64 greatest of a row: four digits by counts in shared memory, then a gather; a row a group of 256
  SHARED u32 bins[256], state[3];
  const u32* p = in + (u64)BID * n;
  if (TID == 0) { state[0] = 0; state[1] = 64; state[2] = 0; }
  for (int shift = 24; shift >= 0; shift -= 8) {
    bins[TID] = 0;
    SYNC;
    const u32 prefix = state[0];
    for (u32 i = TID; i < n; i += 256) { const u32 v = p[i]; if (shift == 24 || v >> (shift + 8) == prefix) add(&bins[v >> shift & 255], 1); }
    SYNC;
    if (TID < 32) {
      u32 c[8], s = 0;
      UNROLL for (u32 k = 0; k < 8; ++k) { c[k] = bins[255 - TID * 8 - k]; s += c[k]; }
      u32 t = s;
      UNROLL for (u32 d = 1; d < 32; d *= 2) { const u32 o = up(t, d); if (TID >= d) t += o; }
      u32 want = state[1], before = t - s;
      if (before < want && t >= want) {
        u32 k = 0;
        while (k < 7 && before + c[k] < want) before += c[k++];
        state[0] = prefix << 8 | (255 - TID * 8 - k);
        state[1] = want - before;
      }
    }
    SYNC;
  }
  const u32 least = state[0];
  for (u32 i = TID; i < n; i += 256) if (p[i] >= least) { const u32 at = add(&state[2], 1); if (at < 64) out[BID * 64 + at] = i; }
}
KERNEL top_p(float* R out, const float* R in, u32 n) {  // a row of up to 8192 kept in shared memory: softmax, then halving for the least probability kept
  SHARED float v[8192], part[8], all[1];
  float m = -1e30f, s = 0;
  for (u32 i = TID; i < n; i += 256) { const float x = in[BID * n + i] * 10; v[i] = x; m = maxf(m, x); }
  m = warp_max(m);
  if (TID % 32 == 0) part[TID / 32] = m;
  SYNC;
  UNROLL for (u32 k = 0; k < 8; ++k) m = maxf(m, part[k]);
  for (u32 i = TID; i < n; i += 256) { const float e = expf_(v[i] - m); v[i] = e; s += e; }
  s = warp_sum(s);
  if (TID == 0) all[0] = 0;
  SYNC;
  if (TID % 32 == 0) addf(&all[0], s);
  SYNC;
  const float want = all[0] * 0.9f;
  float lo = 0, hi = 1;
  for (u32 k = 0; k < 12; ++k) {
    const float mid = 0.5f * (lo + hi);
    float t = 0;
    for (u32 i = TID; i < n; i += 256) t += v[i] >= mid ? v[i] : 0.0f;
    t = warp_sum(t);
    SYNC;
    if (TID % 32 == 0) part[TID / 32] = t;
    SYNC;
    t = 0;
    UNROLL for (u32 j = 0; j < 8; ++j) t += part[j];
    if (t >= want) lo = mid; else hi = mid;
  }
  for (u32 i = TID; i < n; i += 256) out[BID * n + i] = v[i] >= lo ? v[i] : 0.0f;
}
KERNEL moe_align(u32* R order, u32* R ends, const u32* R expert, u32) {  // places of 4096 tokens by 64 experts, counts of experts rounded to 16: a group of 256
  SHARED u32 count[64], base[64];
  if (TID < 64) count[TID] = 0;
  SYNC;
  u32 e[16], rank[16];
  UNROLL for (u32 k = 0; k < 16; ++k) { e[k] = expert[BID * 4096 + k * 256 + TID] >> 9 & 63; rank[k] = add(&count[e[k]], 1); }
  SYNC;
  if (TID < 32) {
    const u32 a = (count[2 * TID] + 15) & ~15u, b = (count[2 * TID + 1] + 15) & ~15u;
    u32 s = a + b;
    UNROLL for (u32 d = 1; d < 32; d *= 2) { const u32 o = up(s, d); if (TID >= d) s += o; }
    base[2 * TID] = s - a - b; base[2 * TID + 1] = s - b;
    ends[BID * 64 + 2 * TID] = s - b; ends[BID * 64 + 2 * TID + 1] = s;
  }
  SYNC;
  UNROLL for (u32 k = 0; k < 16; ++k) order[BID * 5120 + base[e[k]] + rank[k]] = k * 256 + TID;
}
// a token's two experts' rows of 1024 by weights, a token a group of 256
KERNEL moe_combine(f4* R out, const f4* R rows, const u32* R place, const float* R weight, u32 mask) {
  const u32 a = place[2 * BID] & mask, b = place[2 * BID + 1] & mask;
  const float p = weight[2 * BID], q = weight[2 * BID + 1], r = fdiv(1, p + q + 1e-6f);
  out[BID * 256 + TID] = (rows[a * 256 + TID] * p + rows[b * 256 + TID] * q) * r;
}
KERNEL fp8_groups(u32* R out, float* R scale, const f4* R in, u32) {  // groups of 128 to e4m3 with a scale, a group a warp
  const u32 i = BID * BDIM + TID;
  const f4 v = in[i] - 0.5f;
  const float m = warp_max(maxf(maxf(absf(v.x), absf(v.y)), maxf(absf(v.z), absf(v.w)))), r = fdiv(448, m + 1e-8f);
  u16 a, b;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(a) : "f"(v.y * r), "f"(v.x * r));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(b) : "f"(v.w * r), "f"(v.z * r));
  out[i] = a | (u32)b << 16;
  if (TID % 32 == 0) scale[i / 32] = m * 0.0022321429f;
}
// 64 queries of a head of 64 a group of 128, tiles of 64 keys, f16 on tensor cores, a head in y
KERNEL flash_mma(float* R out, const u32* R q, const u32* R k, const u32* R v, u32 n) {
  SHARED __attribute__((aligned(16))) u32 ks[64][36];
  SHARED __attribute__((aligned(16))) u16 vt[64][74];
  const u32 lane = TID % 32, warp = TID / 32, r = lane / 4, c = lane % 4, head = BIDY * n * 32, mask = 0x3bff3bff;
  u32 a[4][4];
  const u32* pq = q + head + (BID * 64 + warp * 16 + r) * 32;
  UNROLL for (u32 t = 0; t < 4; ++t) { a[t][0] = pq[t * 8 + c] & mask; a[t][1] = pq[256 + t * 8 + c] & mask; a[t][2] = pq[t * 8 + c + 4] & mask;
      a[t][3] = pq[256 + t * 8 + c + 4] & mask; }
  float o[8][4] = {}, m0 = -1e30f, m1 = -1e30f, l0 = 0, l1 = 0;
  for (u32 k0 = 0; k0 < n; k0 += 64) {
    SYNC;
    UNROLL for (u32 t = 0; t < 4; ++t) {
      const u32 e = t * 128 + TID, row = e / 8, col = e % 8 * 4;
      *(u4*)&ks[row][col] = *(const u4*)&k[head + (k0 + row) * 32 + col] & mask;
    }
    UNROLL for (u32 t = 0; t < 16; ++t) {
      const u32 e = t * 128 + TID, row = e / 32, col = e % 32, w = v[head + (k0 + row) * 32 + col] & mask;
      vt[2 * col][row] = (u16)w; vt[2 * col + 1][row] = (u16)(w >> 16);
    }
    SYNC;
    float s[8][4];
    UNROLL for (u32 j = 0; j < 8; ++j) {
      s[j][0] = s[j][1] = s[j][2] = s[j][3] = 0;
      UNROLL for (u32 t = 0; t < 4; ++t)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(s[j][0]), "+f"(s[j][1]), "+f"(s[j][2]), "+f"(s[j][3])
                     : "r"(a[t][0]), "r"(a[t][1]), "r"(a[t][2]), "r"(a[t][3]), "r"(ks[j * 8 + r][t * 8 + c]), "r"(ks[j * 8 + r][t * 8 + c + 4]));
    }
    float x0 = m0, x1 = m1;
    UNROLL for (u32 j = 0; j < 8; ++j) { x0 = maxf(x0, maxf(s[j][0], s[j][1])); x1 = maxf(x1, maxf(s[j][2], s[j][3])); }
    x0 = maxf(x0, bfly(x0, 1)); x0 = maxf(x0, bfly(x0, 2));
    x1 = maxf(x1, bfly(x1, 1)); x1 = maxf(x1, bfly(x1, 2));
    const float f0 = exp2f_((m0 - x0) * 0.18f), f1 = exp2f_((m1 - x1) * 0.18f);
    m0 = x0; m1 = x1; l0 *= f0; l1 *= f1;
    UNROLL for (u32 j = 0; j < 8; ++j) {
      s[j][0] = exp2f_((s[j][0] - m0) * 0.18f); s[j][1] = exp2f_((s[j][1] - m0) * 0.18f); s[j][2] = exp2f_((s[j][2] - m1) * 0.18f);
          s[j][3] = exp2f_((s[j][3] - m1) * 0.18f);
      l0 += s[j][0] + s[j][1]; l1 += s[j][2] + s[j][3];
      o[j][0] *= f0; o[j][1] *= f0; o[j][2] *= f1; o[j][3] *= f1;
    }
    UNROLL for (u32 t = 0; t < 4; ++t) {
      const u32 p0 = pack2(s[2 * t][0], s[2 * t][1]), p1 = pack2(s[2 * t][2], s[2 * t][3]), p2 = pack2(s[2 * t + 1][0], s[2 * t + 1][1]),
          p3 = pack2(s[2 * t + 1][2], s[2 * t + 1][3]);
      UNROLL for (u32 j = 0; j < 8; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(o[j][0]), "+f"(o[j][1]), "+f"(o[j][2]), "+f"(o[j][3])
                     : "r"(p0), "r"(p1), "r"(p2), "r"(p3), "r"(*(const u32*)&vt[j * 8 + r][t * 16 + 2 * c]), "r"(*(const u32*)&vt[j * 8 + r][t * 16 + 2 * c + 8]));
    }
  }
  l0 += bfly(l0, 1); l0 += bfly(l0, 2); l1 += bfly(l1, 1); l1 += bfly(l1, 2);
  l0 = fdiv(1, l0); l1 = fdiv(1, l1);
  float* to = out + BIDY * n * 64 + (BID * 64 + warp * 16 + r) * 64 + c * 2;
  UNROLL for (u32 j = 0; j < 8; ++j) {
    f2 p, w; p.x = o[j][0] * l0; p.y = o[j][1] * l0; w.x = o[j][2] * l1; w.y = o[j][3] * l1;
    *(f2*)&to[j * 8] = p; *(f2*)&to[512 + j * 8] = w;
  }
}
// f16, 64 x 64 tiles, 4 warps of 32 x 32, 32 deep, three stages by cp.async, ldmatrix; rows of k halves
KERNEL hgemm_ldm(u32* R c, const u32* R a, const u32* R b, u32 n, u32 k) {
  SHARED __attribute__((aligned(16))) u32 as[3][64][20], bs[3][64][20];
  const u32 lane = TID % 32, warp = TID / 32, wr = warp / 2 * 32, wc = warp % 2 * 32, steps = k / 32;
  float acc[2][4][4] = {};
  for (u32 step = 0; step < steps + 2; ++step) {
    if (step >= 2) {
      asm volatile("cp.async.wait_group 1;" : : : "memory");
      SYNC;
    }
    if (step < steps) {
      UNROLL for (u32 t = 0; t < 2; ++t) {
        const u32 r = t * 32 + TID / 4, e = TID % 4 * 4;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(local_address(&as[step % 3][r][e])),
            "l"(a + (BIDY * 64 + r) * (k / 2) + step * 16 + e) : "memory");
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(local_address(&bs[step % 3][r][e])),
            "l"(b + (BID * 64 + r) * (k / 2) + step * 16 + e) : "memory");
      }
    }
    asm volatile("cp.async.commit_group;" : : : "memory");
    if (step < 2) continue;
    const u32 at = (step - 2) % 3;
    UNROLL for (u32 h = 0; h < 2; ++h) {
      u32 fa[2][4], fb[2][4];
      UNROLL for (u32 i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
                     : "r"(local_address(&as[at][wr + i * 16 + lane % 16][h * 8 + lane / 16 * 4])) : "memory");
      UNROLL for (u32 i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(fb[i][0]), "=r"(fb[i][1]), "=r"(fb[i][2]), "=r"(fb[i][3])
                     : "r"(local_address(&bs[at][wc + i * 16 + lane % 8 + lane / 16 * 8][h * 8 + lane / 8 % 2 * 4])) : "memory");
      UNROLL for (u32 i = 0; i < 2; ++i)
        UNROLL for (u32 j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                       : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j / 2][j % 2 * 2]), "r"(fb[j / 2][j % 2 * 2 + 1]));
    }
  }
  UNROLL for (u32 i = 0; i < 2; ++i)
    UNROLL for (u32 j = 0; j < 4; ++j)
      UNROLL for (u32 h = 0; h < 2; ++h)
        c[((BIDY * 64 + wr + i * 16 + h * 8 + lane / 4) * n + BID * 64 + wc + j * 8) / 2 + lane % 4] = pack2(acc[i][j][2 * h], acc[i][j][2 * h + 1]);
}
// a recurrence of 64 x 64 a head, a column of the state in registers, a head a group of 64
KERNEL wkv_heads(float* R out, const float* R r, const float* R k, const float* R w, u32 steps) {
  SHARED float sr[64], sk[64], sw[64];
  float state[64] = {};
  for (u32 t = 0; t < steps; ++t) {
    const u32 i = (BID * steps + t) * 64 + TID;
    SYNC;
    sr[TID] = r[i]; sk[TID] = k[i]; sw[TID] = 1 - 0.1f * w[i];
    SYNC;
    const float v = k[i + 64] - 0.5f;
    float y = 0;
    UNROLL for (u32 j = 0; j < 64; ++j) { const float kv = sk[j] * v; y += sr[j] * (state[j] + 0.5f * kv); state[j] = state[j] * sw[j] + kv; }
    out[i] = y;
  }
}
KERNEL causal_conv4(f4* R out, const float* R in, const f4* R weight, u32 length) {  // four taps back in time and silu, a channel in y, four points a work-item
  const u32 i = BID * BDIM + TID, at = BIDY * length + i * 4;
  const f4 w = weight[BIDY], x = *(const f4*)&in[at];
  f4 p; p = 0.0f;
  if (i) p = *(const f4*)&in[at - 4];
  const float v[7] = {p.y, p.z, p.w, x.x, x.y, x.z, x.w};
  f4 o;
  UNROLL for (u32 k = 0; k < 4; ++k) { const float s = w.x * v[k] + w.y * v[k + 1] + w.z * v[k + 2] + w.w * v[k + 3]; o[k] = fdiv(s, 1 + expf_(-s)); }
  out[at / 4] = o;
}
// ---- training
// f32 masters and moments, f16 gradients and copies, four a work-item, strided over the grid
KERNEL adamw_half(f4* p, f4* m, f4* v, u2* R copy, const u2* R grad, u32 n) {
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u2 h = grad[i];
    const f2 ga = halves(h.x) - 0.5f, gb = halves(h.y) - 0.5f;
    f4 g; g.x = ga.x; g.y = ga.y; g.z = gb.x; g.w = gb.y;
    f4 a = m[i] * 0.9f + g * 0.1f, b = v[i] * 0.999f + g * g * 0.001f, w = p[i];
    UNROLL for (u32 k = 0; k < 4; ++k) w[k] = w[k] * 0.9999f - fdiv(1e-3f * a[k], sqrtf_(b[k] * 1000) + 1e-8f);
    m[i] = a; v[i] = b; p[i] = w;
    u2 o; o.x = pack2(w.x, w.y); o.y = pack2(w.z, w.w);
    copy[i] = o;
  }
}
KERNEL softmax_online(float* R out, const f4* R in, u32 n) {  // long rows of n / 4 quads in one reading for the maximum and sum, a second to write; a row a group of 256
  SHARED float pm[8], ps[8];
  const f4* p = in + (u64)BID * n;
  float m = -1e30f, s = 0;
  for (u32 i = TID; i < n; i += 256) {
    const f4 v = p[i] * 8.0f;
    const float t = maxf(maxf(v.x, v.y), maxf(v.z, v.w)), w = maxf(m, t);
    s = s * expf_(m - w) + expf_(v.x - w) + expf_(v.y - w) + expf_(v.z - w) + expf_(v.w - w);
    m = w;
  }
  UNROLL for (u32 d = 16; d > 0; d /= 2) { const float om = bfly(m, d), os = bfly(s, d), w = maxf(m, om); s = s * expf_(m - w) + os * expf_(om - w); m = w; }
  if (TID % 32 == 0) { pm[TID / 32] = m; ps[TID / 32] = s; }
  SYNC;
  m = pm[0]; s = ps[0];
  UNROLL for (u32 k = 1; k < 8; ++k) { const float w = maxf(m, pm[k]); s = s * expf_(m - w) + ps[k] * expf_(pm[k] - w); m = w; }
  const float r = fdiv(1, s);
  for (u32 i = TID; i < n; i += 256) {
    const f4 v = p[i] * 8.0f;
    f4 o;
    UNROLL for (u32 k = 0; k < 4; ++k) o[k] = expf_(v[k] - m) * r;
    ((f4*)out)[(u64)BID * n + i] = o;
  }
}
// sums down columns, 32 columns by rows in y, atomic at the end
KERNEL ln_wgrad(float* dg, float* db, const float* R dy, const float* R x, const f2* R stat, u32 cols, u32 rows) {
  SHARED float a[8][33], b[8][33];
  const u32 c = BID * 32 + TID, r0 = BIDY * rows;
  float g = 0, s = 0;
  for (u32 r = r0 + TIDY; r < r0 + rows; r += 8) {
    const f2 t = stat[r];
    const float d = dy[r * cols + c];
    g += d * (x[r * cols + c] - t.x) * t.y;
    s += d;
  }
  a[TIDY][TID] = g; b[TIDY][TID] = s;
  SYNC;
  if (TIDY == 0) {
    UNROLL for (u32 k = 1; k < 8; ++k) { g += a[k][TID]; s += b[k][TID]; }
    addf(&dg[c], g); addf(&db[c], s);
  }
}
KERNEL xent_grad(float* R out, const float* R logits, const u32* R target, u32 n) {  // gradient of rows of n, three readings, a row a group of 256
  SHARED float part[8];
  const float* p = logits + (u64)BID * n;
  const u32 t = target[BID] % n;
  float m = -1e30f, s = 0;
  for (u32 i = TID; i < n; i += 256) m = maxf(m, p[i]);
  m = warp_max(m);
  if (TID % 32 == 0) part[TID / 32] = m;
  SYNC;
  UNROLL for (u32 k = 0; k < 8; ++k) m = maxf(m, part[k]);
  for (u32 i = TID; i < n; i += 256) s += expf_(p[i] - m);
  s = warp_sum(s);
  SYNC;
  if (TID % 32 == 0) part[TID / 32] = s;
  SYNC;
  s = 0;
  UNROLL for (u32 k = 0; k < 8; ++k) s += part[k];
  s = fdiv(1, s);
  for (u32 i = TID; i < n; i += 256) out[(u64)BID * n + i] = expf_(p[i] - m) * s - (i == t ? 1.0f : 0.0f);
}
KERNEL bf16_softmax(u4* R out, const u4* R in, u32) {  // rows of 1024 bf16, a row a warp in registers
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  float v[32], m = -1e30f, s = 0;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    const u4 w = in[row * 128 + k * 32 + lane] & 0xbf7fbf7fu;
    UNROLL for (u32 e = 0; e < 4; ++e) { v[k * 8 + 2 * e] = __builtin_bit_cast(float, w[e] << 16); v[k * 8 + 2 * e + 1] = __builtin_bit_cast(float, w[e] & 0xffff0000u); }
  }
  UNROLL for (u32 k = 0; k < 32; ++k) m = maxf(m, v[k]);
  m = warp_max(m);
  UNROLL for (u32 k = 0; k < 32; ++k) { v[k] = expf_(v[k] - m); s += v[k]; }
  s = fdiv(1, warp_sum(s));
  UNROLL for (u32 k = 0; k < 4; ++k) {
    u4 o;
    UNROLL for (u32 e = 0; e < 4; ++e) { u32 w; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(v[k * 8 + 2 * e + 1] * s), "f"(v[k * 8 + 2 * e] * s)); o[e] = w; }
    out[row * 128 + k * 32 + lane] = o;
  }
}
// ---- graphs
KERNEL mis_luby(u8* R state, const u32* R edges, u32 n) {  // a vertex joins when its hash is the least among its 8 to 23 neighbours, ends at the first lesser
  const u32 v = BID * BDIM + TID, h = mix(v), degree = 8 + (h >> 28);
  bool in = true;
  for (u32 k = 0; k < degree && in; ++k) {
    const u32 to = edges[k * n + v] & (n - 1);
    in = mix(to) >= h;
  }
  state[v] = in;
}
// the least colour that none of 16 neighbours of higher order has, rows of 16 as quads
KERNEL colour_greedy(u32* R out, const u32* R colour, const u32* R edges, u32 n) {
  const u32 v = BID * BDIM + TID, h = mix(v);
  u32 used = 0;
  UNROLL for (u32 q = 0; q < 4; ++q) {
    const u4 e = ((const u4*)edges)[v * 4 + q] & (n - 1);
    UNROLL for (u32 k = 0; k < 4; ++k) if (mix(e[k]) > h) used |= 1u << (colour[e[k]] & 31);
  }
  out[v] = popc(~used & (used + 1)) ? 31 - __builtin_clz(~used & (used + 1)) : 32;
}
KERNEL boruvka_min(u64* best, const u2* R edges, const u32* R component, u32 mask) {  // the least edge of each component by 64-bit minima, an edge a work-item
  const u32 i = BID * BDIM + TID;
  const u2 e = edges[i] & mask;
  const u32 a = component[e.x] & mask & 0xfffff0ff, b = component[e.y] & mask & 0xfffff0ff;
  if (a == b) return;
  const u64 key = (u64)~mix(i) << 32 | i;
  if (best[a] < key) __nvvm_atom_max_gen_ull((unsigned long long*)&best[a], key);
  if (best[b] < key) __nvvm_atom_max_gen_ull((unsigned long long*)&best[b], key);
}
KERNEL gnn_mean(f2* R out, const f2* R feature, const u32* R edges, u32 n) {  // the mean of 4 to 19 neighbours' 64 features, a vertex a warp
  const u32 v = (BID * BDIM + TID) / 32, lane = TID % 32, degree = 4 + (mix(v) & 15), mine = edges[v * 32 + lane] & (n - 1);
  f2 s; s = 0.0f;
  for (u32 k = 0; k < degree; ++k) s += feature[idx(mine, k) * 32 + lane];
  out[v * 32 + lane] = s * fdiv(1, degree);
}
KERNEL random_walks(u32* R out, const u32* R edges, u32 n, u32 length) {  // walks through rows of 16 neighbours, a turn back now and then
  const u32 i = BID * BDIM + TID;
  u32 at = mix(i) & (n - 1), last = at, h = i;
  for (u32 k = 0; k < length; ++k) {
    h = mix(h + 0x9e3779b9u);
    const u32 to = (h >> 29) == 0 ? last : edges[at * 16 + (h & 15)] & (n - 1);
    last = at; at = to;
    out[k * GDIM * BDIM + i] = at;
  }
}
// ---- text, codes, sequences
// 64 states by 64 classes in shared memory, 16 bytes at a time, a piece of rounds quads a work-item
KERNEL dfa_runs(u32* R out, const u4* R text, const u32* R table, u32 rounds) {
  SHARED u8 next[4096];
  for (u32 k = TID; k < 1024; k += BDIM) ((u32*)next)[k] = table[k] & 0x3f3f3f3fu;
  SYNC;
  const u32 i = BID * BDIM + TID;
  u32 state = 0, hits = 0;
  for (u32 r = 0; r < rounds; ++r) {
    const u4 v = text[(u64)i * rounds + r];
    UNROLL for (u32 k = 0; k < 16; ++k) { state = next[state * 64 + (v[k / 4] >> k % 4 * 8 & 63)]; hits += state == 7; }
  }
  out[i] = hits << 8 | state;
}
KERNEL levenshtein(u32* R out, const u8* R a, const u8* R b, u32 n) {  // a pair a group of 128, a row a work-item, diagonals through shared memory
  SHARED u32 d[3][129];
  SHARED u8 t[512];
  for (u32 k = TID; k < n; k += 128) t[k] = b[BID * n + k] & 3;
  const u32 c = a[BID * 128 + TID] & 3;
  d[0][TID + 1] = d[1][TID + 1] = d[2][TID + 1] = TID + 1;
  if (TID == 0) d[0][0] = d[1][0] = d[2][0] = 0;
  u32 mine = TID + 1;
  SYNC;
  for (u32 s = 0; s < n + 127; ++s) {
    const int j = (int)s - (int)TID;
    const u32 now = s % 3, one = (s + 2) % 3, two = (s + 1) % 3;
    if (j >= 0 && j < (int)n) {
      const u32 upper = TID ? d[one][TID] : (u32)j + 1, corner = TID ? (j ? d[two][TID] : TID) : (u32)j;
      mine = mini(mini(mine, upper) + 1, corner + (t[j] != c));
    }
    d[now][TID + 1] = mine;
    SYNC;
  }
  if (TID == 127) out[BID] = mine;
}
KERNEL atoi_fields(u32* R out, const u8* R text, u32) {  // lines of 32 bytes: a sign, digits until another, a point, a fraction; made by digits of bytes
  SHARED u8 t[128][33];
  for (u32 k = TID; k < 1024; k += 128) {
    const u32 w = ((const u32*)text)[BID * 1024 + k];
    UNROLL for (u32 e = 0; e < 4; ++e) t[k / 8][k % 8 * 4 + e] = (u8)(w >> 8 * e);
  }
  SYNC;
  u32 p = 0, whole = 0, part = 0, scale = 1;
  const bool minus = t[TID][0] & 1;
  while (p < 12 && (t[TID][p] & 15) < 14) { whole = whole * 10 + (t[TID][p] & 15) % 10; ++p; }
  ++p;
  while (p < 32 && (t[TID][p] & 31) < 29) { part = part * 10 + (t[TID][p] & 31) % 10; scale *= 10; if (scale > 100000) break; ++p; }
  const float v = whole + fdiv(part, scale);
  out[BID * 128 + TID] = __builtin_bit_cast(u32, minus ? -v : v);
}
KERNEL crc32_slice8(u32* R out, const u2* R in, u32 words) {  // eight tables made in shared memory, 8 bytes a step, pieces of words a work-item
  SHARED u32 t[8][256];
  for (u32 k = TID; k < 256; k += BDIM) { u32 c = k; for (u32 j = 0; j < 8; ++j) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; t[0][k] = c; }
  SYNC;
  for (u32 k = TID; k < 256; k += BDIM) { u32 c = t[0][k]; for (u32 j = 1; j < 8; ++j) { c = c >> 8 ^ t[0][c & 255]; t[j][k] = c; } }
  SYNC;
  const u32 i = BID * BDIM + TID;
  u32 c = ~0u;
  for (u32 k = 0; k < words; ++k) {
    const u2 v = in[(u64)i * words + k];
    const u32 a = v.x ^ c;
    c = t[7][a & 255] ^ t[6][a >> 8 & 255] ^ t[5][a >> 16 & 255] ^ t[4][a >> 24] ^ t[3][v.y & 255] ^ t[2][v.y >> 8 & 255] ^ t[1][v.y >> 16 & 255] ^ t[0][v.y >> 24];
  }
  out[i] = ~c;
}
KERNEL sha1_blocks(u32* R out, const u4* R in, u32 n) {  // a block of 64 bytes a work-item, the schedule in 16 registers
  const u32 i = BID * BDIM + TID;
  u32 w[16], a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, e = 0xc3d2e1f0u;
  UNROLL for (u32 k = 0; k < 4; ++k) { const u4 v = in[i * 4 + k]; w[4 * k] = v.x; w[4 * k + 1] = v.y; w[4 * k + 2] = v.z; w[4 * k + 3] = v.w; }
  UNROLL for (u32 t = 0; t < 80; ++t) {
    if (t >= 16) w[t % 16] = rotl(w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t % 16], 1);
    const u32 f = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
    const u32 k = t < 20 ? 0x5a827999u : t < 40 ? 0x6ed9eba1u : t < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
    const u32 x = rotl(a, 5) + f + e + k + w[t % 16];
    e = d; d = c; c = rotl(b, 30); b = a; a = x;
  }
  out[i] = a; out[n + i] = b; out[2 * n + i] = c; out[3 * n + i] = d; out[4 * n + i] = e;
}
KERNEL rs_encode(u32* R out, const u32* R in, u32 n) {  // 10 data and 4 parity bytes over GF(256), logarithms and powers in shared memory, 4 columns a work-item
  SHARED u8 ex[512], lg[256];
  if (TID == 0) { u32 v = 1; for (u32 k = 0; k < 255; ++k) { ex[k] = ex[k + 255] = (u8)v; lg[v] = (u8)k; v <<= 1; if (v & 256) v ^= 0x11d; } ex[510] = 1; lg[0] = 0; }
  SYNC;
  const u32 i = BID * BDIM + TID;
  u32 p[4] = {};
  for (u32 k = 0; k < 10; ++k) {
    const u32 v = in[k * n + i];
    UNROLL for (u32 e = 0; e < 4; ++e) {
      const u32 x = v >> 8 * e & 255, l = lg[x];
      UNROLL for (u32 r = 0; r < 4; ++r) p[r] ^= x ? (u32)ex[l + r * k % 255] << 8 * e : 0;
    }
  }
  UNROLL for (u32 r = 0; r < 4; ++r) out[r * n + i] = p[r];
}
// ---- chance and money
INLINE u4 philox(u4 c, u2 k) {
  UNROLL for (u32 r = 0; r < 10; ++r) {
    const u32 h0 = mulhi(0xd2511f53u, c.x), l0 = 0xd2511f53u * c.x, h1 = mulhi(0xcd9e8d57u, c.z), l1 = 0xcd9e8d57u * c.z;
    c.x = h1 ^ c.y ^ k.x; c.y = l1; c.z = h0 ^ c.w ^ k.y; c.w = l0;
    k.x += 0x9e3779b9u; k.y += 0xbb67ae85u;
  }
  return c;
}
KERNEL philox_normals(f4* R out, u32 each) {  // four normals a counter by Box and Muller, rows one behind the other
  const u32 i = BID * BDIM + TID;
  for (u32 k = 0; k < each; ++k) {
    u4 c; c.x = i; c.y = k; c.z = 7; c.w = 0;
    u2 key; key.x = 12345; key.y = 678;
    c = philox(c, key);
    const float r = sqrtf_(-2 * logf_(unit(c.x))), s = sqrtf_(-2 * logf_(unit(c.z))), a = 6.2831853f * unit(c.y), b = 6.2831853f * unit(c.w);
    f4 o; o.x = r * cosf_(a); o.y = r * sinf_(a); o.z = s * cosf_(b); o.w = s * sinf_(b);
    out[k * GDIM * BDIM + i] = o;
  }
}
KERNEL barrier_xorwow(float* R out, u32 steps) {  // an up-and-out call by paths, ended when knocked out; XORWOW states from the place
  SHARED float part[4];
  const u32 i = BID * BDIM + TID;
  u32 x = mix(i), y = mix(x + 1), z = mix(y + 2), w = mix(z + 3), v = mix(w + 4), d = i;
  float s = 0;
  bool alive = true;
  for (u32 k = 0; k < steps && alive; ++k) {
    u32 g[2];
    UNROLL for (u32 e = 0; e < 2; ++e) { const u32 t = x ^ x >> 2; x = y; y = z; z = w; w = v; v = v ^ v << 4 ^ t ^ t << 1; d += 362437; g[e] = d + v; }
    s += -2e-5f + 0.0125f * sqrtf_(-2 * logf_(unit(g[0]))) * cosf_(6.2831853f * unit(g[1]));
    alive = s < 0.15f;
  }
  const float pay = warp_sum(alive ? maxf(0, expf_(s) - 1) : 0.0f);
  if (TID % 32 == 0) part[TID / 32] = pay;
  SYNC;
  if (TID == 0) out[BID] = part[0] + part[1] + part[2] + part[3];
}
KERNEL mrg32k3a_pi(u32* R out, u32 draws) {  // two recurrences of 64-bit products and remainders, points in a quarter of a circle
  const u32 i = BID * BDIM + TID;
  u64 a0 = mix(i) % 4294967087u, a1 = mix(i + 1) % 4294967087u, a2 = 12345, b0 = mix(i + 2) % 4294944443u, b1 = mix(i + 3) % 4294944443u, b2 = 54321;
  u32 hits = 0;
  for (u32 k = 0; k < draws; ++k) {
    float u[2];
    UNROLL for (u32 e = 0; e < 2; ++e) {
      const u64 p = (1403580ull * a1 + 810728ull * (4294967087ull - a0)) % 4294967087ull, q = (527612ull * b2 + 1370589ull * (4294944443ull - b0)) % 4294944443ull;
      a0 = a1; a1 = a2; a2 = p; b0 = b1; b1 = b2; b2 = q;
      u[e] = (u32)(p > q ? p - q : p - q + 4294967087ull) * 2.3283066e-10f;
    }
    hits += u[0] * u[0] + u[1] * u[1] < 1;
  }
  hits = warp_add(hits);
  if (TID % 32 == 0) out[i / 32] = hits;
}
KERNEL trinomial_f64(double* R out, const double* R in, u32 steps) {  // an American put on a tree of steps <= 127, an option a group of 256, f64
  SHARED double v[2][258];
  const double s0 = 90 + 20 * in[BID], up_ = 1.02;
  double s = s0;
  const int m = (int)TID - (int)steps;
  for (int k = 0; k < (m < 0 ? -m : m); ++k) s = m < 0 ? s * 0.98039215686 : s * up_;
  const double pay = s < 100 ? 100 - s : 0;
  v[0][TID] = v[1][TID] = pay;
  SYNC;
  for (u32 k = 0; k < steps; ++k) {
    if (TID > k && TID < 2 * steps - k) {
      const double c = 0.9998 * (0.18 * v[k & 1][TID - 1] + 0.62 * v[k & 1][TID] + 0.2 * v[k & 1][TID + 1]);
      v[k + 1 & 1][TID] = c > pay ? c : pay;
    }
    SYNC;
  }
  if (TID == steps) out[BID] = v[steps & 1][TID];
}
KERNEL copula_loss(float* R out, const float* R chol, u32 rounds) {  // 16 normals a path correlated by a triangle in shared memory, losses of those below a threshold
  SHARED float l[136];
  for (u32 k = TID; k < 136; k += BDIM) l[k] = chol[k] * 0.3f;
  SYNC;
  const u32 i = BID * BDIM + TID;
  float loss = 0;
  for (u32 r = 0; r < rounds; ++r) {
    float z[16];
    UNROLL for (u32 q = 0; q < 4; ++q) {
      u4 c; c.x = i; c.y = r; c.z = q; c.w = 5;
      u2 key; key.x = 1; key.y = 2;
      c = philox(c, key);
      const float a = sqrtf_(-2 * logf_(unit(c.x))), b = sqrtf_(-2 * logf_(unit(c.z))), s = 6.2831853f * unit(c.y), t = 6.2831853f * unit(c.w);
      z[4 * q] = a * cosf_(s); z[4 * q + 1] = a * sinf_(s); z[4 * q + 2] = b * cosf_(t); z[4 * q + 3] = b * sinf_(t);
    }
    u32 at = 0;
    UNROLL for (u32 a = 0; a < 16; ++a) {
      float x = 0;
      UNROLL for (u32 b = 0; b <= a; ++b) x += l[at++] * z[b];
      loss += x < -0.7f ? 0.6f - x : 0.0f;
    }
  }
  out[i] = loss;
}
// XSBench: a search in a grid of energies, then rows of 12 nuclides between two points
KERNEL xs_lookup(float* R out, const float* R energy, const u32* R index, const f4* R data, u32 n) {
  const u32 i = BID * BDIM + TID;
  const float e = unit(mix(i)) * n;
  u32 lo = 0, hi = n;
  while (hi - lo > 1) { const u32 mid = (lo + hi) / 2; if (mid + energy[mid] > e) hi = mid; else lo = mid; }
  const float f = e - lo;
  f4 s; s = 0.0f;
  const u32 count = 4 + (mix(i + 77) & 15);
  for (u32 k = 0; k < count; ++k) {
    const u32 at = index[lo * 16 + (k & 15)] & 0x7ffff;
    s += data[at * 2] * (1 - f) + data[at * 2 + 1] * f;
  }
  out[i] = s.x + s.y * 2 + s.z * 3 + s.w * 4;
}
// ---- pictures
KERNEL bilateral9(u8* R out, const u8* R in, u32 w) {  // 9 x 9 with a table of ranges in shared memory, a tile of 32 x 8 and its rim
  SHARED u8 t[16][44];
  SHARED float range[256];
  const u32 x0 = BID * 32, y0 = BIDY * 8, x = TID % 32, y = TID / 32;
  range[TID] = exp2f_(-(float)(TID * TID) * 0.002f);
  for (u32 k = TID; k < 640; k += 256) t[k / 40][k % 40] = in[(y0 + k / 40) * w + x0 + k % 40];
  SYNC;
  const int c = t[y + 4][x + 4];
  float s = 0, q = 0;
  for (u32 r = 0; r < 9; ++r)
    UNROLL for (u32 e = 0; e < 9; ++e) {
      const int v = t[y + r][x + e], d = v - c;
      const int rr = (int)r - 4;
      const float g = range[d < 0 ? -d : d] * (1 - 0.02f * (rr * rr + ((int)e - 4) * ((int)e - 4)));
      s += g * v; q += g;
    }
  out[(y0 + y) * w + x0 + x] = (u8)fdiv(s, q);
}
KERNEL slic_assign(u32* R out, const u32* R in, const f4* R centre, u32 w) {  // the nearest of the 9 centres about a point by colour and place, cells of 16 x 16
  SHARED f4 c[9];
  const u32 x0 = BID * 16, y0 = BIDY * 16, cells = w / 16 + 2, x = x0 + TID % 16, y = y0 + TID / 16;
  if (TID < 9) c[TID] = centre[(BIDY + TID / 3) * cells + BID + TID % 3];
  SYNC;
  const u32 v = in[y * w + x];
  const float r = (v & 255) * 0.0039f, g = (v >> 8 & 255) * 0.0039f, b = (v >> 16 & 255) * 0.0039f;
  float best = 1e30f;
  u32 which = 0;
  for (u32 k = 0; k < 9; ++k) {
    const f4 e = c[k];
    const float px = (k % 3 * 16 + e.w * 16 - (TID % 16 + 16)) * 0.0625f, py = (k / 3 * 16 + e.x * 16 - (TID / 16 + 16)) * 0.0625f;
    const float d = (r - e.x) * (r - e.x) + (g - e.y) * (g - e.y) + (b - e.z) * (b - e.z) + 0.3f * (px * px + py * py);
    if (d < best) { best = d; which = (BIDY + k / 3) * cells + BID + k % 3; }
  }
  out[y * w + x] = which;
}
KERNEL canny_hyst(u8* R out, const u8* R in, u32 w) {  // weak points of a tile of 32 x 32 made strong beside strong ones, until none changes
  SHARED u8 t[34][36];
  SHARED u32 changed;
  const u32 x0 = BID * 32, y0 = BIDY * 32;
  for (u32 k = TID; k < 1156; k += 256) { const u32 v = in[(y0 + k / 34) * w + x0 + k % 34]; t[k / 34][k % 34] = v > 250 ? 2 : v > 140 ? 1 : 0; }
  u32 more = 1;
  while (more) {
    SYNC;
    if (TID == 0) changed = 0;
    SYNC;
    for (u32 k = TID; k < 1024; k += 256) {
      const u32 x = k % 32 + 1, y = k / 32 + 1;
      if (t[y][x] == 1) {
        const u32 m = t[y - 1][x - 1] | t[y - 1][x] | t[y - 1][x + 1] | t[y][x - 1] | t[y][x + 1] | t[y + 1][x - 1] | t[y + 1][x] | t[y + 1][x + 1];
        if (m & 2) { t[y][x] = 2; changed = 1; }
      }
    }
    SYNC;
    more = changed;
  }
  for (u32 k = TID; k < 1024; k += 256) out[(y0 + k / 32) * w + x0 + k % 32] = t[k / 32 + 1][k % 32 + 1] == 2 ? 255 : 0;
}
KERNEL erode_bits(u32* R out, const u32* R in, u32 words, u32 h) {  // 5 x 5 on 32 points a word, a word a work-item, wrapped
  const u32 x = BID * BDIM + TID, y = BIDY, m = words - 1;
  u32 s = ~0u;
  UNROLL for (u32 r = 0; r < 5; ++r) {
    const u32* p = in + ((y + r - 2) & (h - 1)) * words;
    const u32 a = p[(x - 1) & m] | 0xeeeeeeee, b = p[x] | 0xeeeeeeee, c = p[(x + 1) & m] | 0xeeeeeeee;
    s &= b & (b << 1 | a >> 31) & (b << 2 | a >> 30) & (b >> 1 | c << 31) & (b >> 2 | c << 30);
  }
  out[y * words + x] = s;
}
KERNEL lanczos_h(f4* R out, const u32* R in, u32 w, u32 wo) {  // rows of w points of four bytes to wo by six taps of sines
  const u32 x = BID * BDIM + TID;
  if (x >= wo) return;
  const float at = (x + 0.5f) * w / wo - 0.5f, base = __builtin_floorf(at);
  f4 s; s = 0.0f;
  float q = 0;
  UNROLL for (int k = -2; k < 4; ++k) {
    const int p = (int)base + k, i = p < 0 ? 0 : p >= (int)w ? (int)w - 1 : p;
    const float d = (at - base - k) * 3.1415927f, g = absf(d) < 1e-3f ? 1.0f : fdiv(3 * sinf_(d) * sinf_(d * 0.33333333f), d * d);
    const u32 v = in[BIDY * w + i];
    f4 c; c.x = v & 255; c.y = v >> 8 & 255; c.z = v >> 16 & 255; c.w = v >> 24;
    s += c * g; q += g;
  }
  out[BIDY * wo + x] = s * fdiv(1, q);
}
KERNEL hsv_turn(u32* R out, const u32* R in, u32 n) {  // four bytes to hue, saturation, value, the hue turned, and back; strided over the grid
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u32 v = in[i];
    const float r = v & 255, g = v >> 8 & 255, b = v >> 16 & 255, top = maxf(r, maxf(g, b)), d = top - minf(r, minf(g, b));
    float h = d == 0 ? 0.0f : top == r ? fdiv(g - b, d) : top == g ? 2 + fdiv(b - r, d) : 4 + fdiv(r - g, d);
    h += 0.7f;
    if (h < 0) h += 6;
    if (h >= 6) h -= 6;
    const u32 k = (u32)h;
    const float f = h - k, p = top - d, q = top - d * f, t = top - d * (1 - f);
    float x, y, z;
    switch (k) {
      case 0: x = top; y = t; z = p; break;
      case 1: x = q; y = top; z = p; break;
      case 2: x = p; y = top; z = t; break;
      case 3: x = p; y = q; z = top; break;
      case 4: x = t; y = p; z = top; break;
      default: x = top; y = p; z = q;
    }
    out[i] = (u32)x | (u32)y << 8 | (u32)z << 16 | (v & 0xff000000u);
  }
}
KERNEL malvar(u32* R out, const u8* R in, u32 w) {  // a mosaic to colours by 5 x 5 weights, two by two points a work-item, a tile in shared memory
  SHARED short t[20][68];
  const u32 x0 = BID * 64, y0 = BIDY * 16;
  for (u32 k = TID; k < 1360; k += 256) t[k / 68][k % 68] = in[(y0 + k / 68) * w + x0 + k % 68];
  SYNC;
  const u32 x = TID % 32 * 2 + 2, y = TID / 32 * 2 + 2;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    const u32 a = x + k % 2, b = y + k / 2;
    const int c = t[b][a], cross = t[b - 1][a] + t[b + 1][a] + t[b][a - 1] + t[b][a + 1], far = t[b - 2][a] + t[b + 2][a] + t[b][a - 2] + t[b][a + 2];
    const int diag = t[b - 1][a - 1] + t[b - 1][a + 1] + t[b + 1][a - 1] + t[b + 1][a + 1], h = t[b][a - 1] + t[b][a + 1], v = t[b - 1][a] + t[b + 1][a];
    const int green = (4 * c + 2 * cross - far) / 8, p = (12 * c + 4 * diag - 3 * far) / 16, q = (10 * c + 8 * h - 2 * diag - 2 * far) / 16,
        s = (10 * c + 8 * v - 2 * diag - 2 * far) / 16;
    const int o[3] = {k == 0 ? c : k == 1 ? q : k == 2 ? s : p, k == 1 || k == 2 ? c : green, k == 3 ? c : k == 1 ? s : k == 2 ? q : p};
    u32 r = 0xff000000u;
    UNROLL for (u32 e = 0; e < 3; ++e) r |= (u32)(o[e] < 0 ? 0 : o[e] > 255 ? 255 : o[e]) << 8 * e;
    out[(y0 + b - 2) * w + x0 + a - 2] = r;
  }
}
// the best of 64 shifts by the bits in which 5 words differ, a row's right words in shared memory
KERNEL census_cost(u32* R out, const u32* R left, const u32* R right, u32 w) {
  SHARED u32 r[320];
  const u32 x0 = BID * 256;
  u32 sum[2] = {~0u, 0};
  for (u32 k = TID; k < 320; k += 256) r[k] = right[BIDY * w + x0 + k];
  SYNC;
  const u32 a = left[BIDY * w + x0 + TID], b = rotl(a, 7);
  for (u32 d = 0; d < 64; ++d) {
    const u32 v = r[TID + d], c = popc(a ^ v) + popc(b ^ rotl(v, 7)) + popc((a ^ v) & 0x00ffff00u);
    if (c < sum[0]) { sum[0] = c; sum[1] = d; }
  }
  out[BIDY * w + x0 + TID] = sum[0] << 8 | sum[1];
}
KERNEL fast9(u32* R list, u32* R count, const u8* R in, u32 w) {  // corners: nine of the sixteen about a point in a row brighter or darker, most points leave early
  const u32 x = BID * 32 + TID + 3, y = BIDY * 8 + TIDY + 3, i = y * w + x;
  const int c = in[i], hi = c + 90, lo = c - 90;
  const int n = in[i - 3 * w], e = in[i + 3], s = in[i + 3 * w], v = in[i - 3];
  const int bright = (n > hi) + (e > hi) + (s > hi) + (v > hi), dark = (n < lo) + (e < lo) + (s < lo) + (v < lo);
  if (bright < 2 && dark < 2) return;
  const int dx[16] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1}, dy[16] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
  u32 a = 0, b = 0;
  UNROLL for (u32 k = 0; k < 16; ++k) { const int p = in[(int)i + dy[k] * (int)w + dx[k]]; a |= (p > hi) << k; b |= (p < lo) << k; }
  a |= a << 16; b |= b << 16;
  UNROLL for (u32 k = 0; k < 3; ++k) { a &= a >> (1 << k); b &= b >> (1 << k); }
  a &= a >> 1; b &= b >> 1;
  if ((a | b) & 0xffff) list[add(count, 1) & 0xfffff] = i;
}
KERNEL seam_rows(float* R out, const float* R in, u32 w, u32 rows) {  // least sums down rows in strips of 256 columns, a line in shared memory
  SHARED float s[2][258];
  const u32 x = BID * 256 + TID;
  s[0][TID + 1] = in[BIDY * rows * w + x];
  if (TID < 2) s[0][TID * 257] = s[1][TID * 257] = 1e30f;
  SYNC;
  for (u32 r = 1; r < rows; ++r) {
    const float* p = s[(r - 1) & 1];
    const float m = minf(p[TID], minf(p[TID + 1], p[TID + 2])) + in[(BIDY * rows + r) * w + x];
    s[r & 1][TID + 1] = m;
    out[(BIDY * rows + r) * w + x] = m;
    SYNC;
  }
}
// ---- transforms, sorts, scans
KERNEL fft_r2_pass(f2* R out, const f2* R in, u32 half, u32 span) {  // one pass of radix 2 of a long transform through global memory, two butterflies a work-item
  UNROLL for (u32 k = 0; k < 2; ++k) {
    const u32 j = (BID * 2 + k) * BDIM + TID, at = j & (span - 1);
    const float a = -3.1415927f * fdiv(at, span);
    f2 w; w.x = cosf_(a); w.y = sinf_(a);
    const f2 p = in[j], q = cmul(in[j + half], w);
    const u32 to = (j - at) * 2 + at;
    out[to] = p + q; out[to + span] = p - q;
  }
}
INLINE void fft4(f2& a, f2& b, f2& c, f2& d) {
  const f2 p = a + c, q = a - c, r = b + d, t = b - d;
  f2 i; i.x = t.y; i.y = -t.x;
  a = p + r; b = q + i; c = p - r; d = q - i;
}
KERNEL fft4096_r16(f2* R out, const f2* R in, u32) {  // 4096 points a group of 256, three steps of radix 16 through shared memory
  SHARED f2 s[4096 + 256];
  const u32 base = BID * 4096;
  const float cs[10] = {1, 0.92387953f, 0.70710678f, 0.38268343f, 0, -0.38268343f, -0.70710678f, -0.92387953f, -1, -0.92387953f};
  const float sn[10] = {0, -0.38268343f, -0.70710678f, -0.92387953f, -1, -0.92387953f, -0.70710678f, -0.38268343f, 0, 0.38268343f};
  f2 v[16];
  UNROLL for (u32 k = 0; k < 16; ++k) v[k] = in[base + k * 256 + TID];
  UNROLL for (u32 stage = 0; stage < 3; ++stage) {
    const u32 ns = stage == 0 ? 1 : stage == 1 ? 16 : 256, low = TID % ns;
    if (stage) {
      const float a = low * (stage == 1 ? -0.024543693f : -0.0015339808f);
      f2 w, u; w.x = cosf_(a); w.y = sinf_(a); u = w;
      UNROLL for (u32 k = 1; k < 16; ++k) { v[k] = cmul(v[k], u); u = cmul(u, w); }
    }
    UNROLL for (u32 k = 0; k < 4; ++k) fft4(v[k], v[k + 4], v[k + 8], v[k + 12]);
    UNROLL for (u32 r = 1; r < 4; ++r)
      UNROLL for (u32 k = 1; k < 4; ++k) { f2 w; w.x = cs[r * k]; w.y = sn[r * k]; v[r * 4 + k] = cmul(v[r * 4 + k], w); }
    UNROLL for (u32 r = 0; r < 4; ++r) fft4(v[r * 4], v[r * 4 + 1], v[r * 4 + 2], v[r * 4 + 3]);
    const u32 to = (TID / ns) * ns * 16 + low;
    if (stage == 2) {
      UNROLL for (u32 k = 0; k < 16; ++k) out[base + to + k * ns] = v[k % 4 * 4 + k / 4];
      break;
    }
    if (stage) SYNC;
    UNROLL for (u32 k = 0; k < 16; ++k) { const u32 i = to + k * ns; s[i + i / 16] = v[k % 4 * 4 + k / 4]; }
    SYNC;
    UNROLL for (u32 k = 0; k < 16; ++k) { const u32 i = k * 256 + TID; v[k] = s[i + i / 16]; }
  }
}
KERNEL fft_warp32(f2* R out, const f2* R in, u32 n) {  // transforms of 32 points a warp by shuffles, four at once, strided over the grid
  const u32 lane = TID % 32;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    f2 v[4];
    UNROLL for (u32 k = 0; k < 4; ++k) v[k] = in[k * n + i];
    UNROLL for (u32 m = 16; m > 0; m /= 2) {
      const float a = -3.1415927f * (lane & (m - 1)) / m;
      f2 w; w.x = cosf_(a); w.y = sinf_(a);
      UNROLL for (u32 k = 0; k < 4; ++k) {
        f2 o; o.x = bfly(v[k].x, m); o.y = bfly(v[k].y, m);
        v[k] = lane & m ? cmul(o - v[k], w) : v[k] + o;
      }
    }
    UNROLL for (u32 k = 0; k < 4; ++k) out[k * n + i] = v[k];
  }
}
KERNEL ntt1024(u32* R out, const u32* R in, const u32* R twiddle, u32) {  // 1024 residues a group of 256, ten passes in shared memory, products by Montgomery
  SHARED u32 s[1024];
  const u32 p = 998244353u, ninv = 998244351u;
  UNROLL for (u32 k = 0; k < 4; ++k) s[k * 256 + TID] = in[BID * 1024 + k * 256 + TID] % p;
  for (u32 span = 512; span > 0; span /= 2) {
    SYNC;
    UNROLL for (u32 k = 0; k < 2; ++k) {
      const u32 j = k * 256 + TID, at = j & (span - 1), i = (j - at) * 2 + at, w = twiddle[span + at] & 0x1fffffff;
      const u32 a = s[i], b = s[i + span], sum = a + b, d = a + p - b;
      const u64 t = (u64)d * w;
      const u32 q = (u32)t * ninv, r = (u32)((t + (u64)q * p) >> 32);
      s[i] = sum >= p ? sum - p : sum;
      s[i + span] = r >= p ? r - p : r;
    }
  }
  SYNC;
  UNROLL for (u32 k = 0; k < 4; ++k) out[BID * 1024 + k * 256 + TID] = s[k * 256 + TID];
}
KERNEL bitonic2k(u32* R out, const u32* R in, u32) {  // 2048 keys a group of 512 in shared memory, all passes
  SHARED u32 s[2048];
  UNROLL for (u32 k = 0; k < 4; ++k) s[k * 512 + TID] = in[BID * 2048 + k * 512 + TID];
  for (u32 size = 2; size <= 2048; size *= 2)
    for (u32 d = size / 2; d > 0; d /= 2) {
      SYNC;
      UNROLL for (u32 k = 0; k < 2; ++k) {
        const u32 j = k * 512 + TID, i = (j & ~(d - 1)) * 2 + (j & (d - 1));
        const u32 a = s[i], b = s[i + d];
        if ((a > b) != ((i & size) != 0)) { s[i] = b; s[i + d] = a; }
      }
    }
  SYNC;
  UNROLL for (u32 k = 0; k < 4; ++k) out[BID * 2048 + k * 512 + TID] = s[k * 512 + TID];
}
KERNEL batcher16(u32* R out, const u4* R in, u32 n) {  // odd-even merging of 16 keys in registers, rows of 4 quads
  const u32 i = BID * BDIM + TID;
  u32 v[16];
  UNROLL for (u32 k = 0; k < 4; ++k) { const u4 q = in[k * n + i]; v[4 * k] = q.x; v[4 * k + 1] = q.y; v[4 * k + 2] = q.z; v[4 * k + 3] = q.w; }
  UNROLL for (u32 p = 1; p < 16; p *= 2)
    UNROLL for (u32 k = p; k > 0; k /= 2)
      UNROLL for (u32 j = k % p; j + k < 16; j += 2 * k)
        UNROLL for (u32 e = 0; e < k; ++e)
          if (e + j + k < 16 && (e + j) / (2 * p) == (e + j + k) / (2 * p)) { const u32 a = v[e + j], b = v[e + j + k]; v[e + j] = mini(a, b);
              v[e + j + k] = maxi(a, b); }
  UNROLL for (u32 k = 0; k < 4; ++k) { u4 q; q.x = v[4 * k]; q.y = v[4 * k + 1]; q.z = v[4 * k + 2]; q.w = v[4 * k + 3]; ((u4*)out)[k * n + i] = q; }
}
// buckets of 2048 keys by a tree of 63 splitters in shared memory, counts of the group added to all
KERNEL sample_split(u8* R out, u32* total, const u32* R in, const u32* R sample, u32) {
  SHARED u32 tree[64], count[64];
  if (TID < 64) { const u32 l = TID ? 31 - __builtin_clz(TID) : 0; tree[TID] = ((2 * (TID - (1u << l)) + 1) << (31 - l)) + (sample[TID] >> 10); count[TID] = 0; }
  SYNC;
  UNROLL for (u32 k = 0; k < 8; ++k) {
    const u32 v = in[BID * 2048 + k * 256 + TID];
    u32 at = 1;
    UNROLL for (u32 l = 0; l < 6; ++l) at = 2 * at + (v > tree[at]);
    at -= 64;
    add(&count[at], 1);
    out[BID * 2048 + k * 256 + TID] = (u8)at;
  }
  SYNC;
  if (TID < 64) add(&total[TID], count[TID]);
}
KERNEL split4_block(u32* R out, const u32* R in, u32 bits) {  // 1024 keys a group of 256 sorted by low bits, a bit a pass by votes
  SHARED u32 s[1024], ones[32];
  const u32 lane = TID % 32, warp = TID / 32;
  UNROLL for (u32 k = 0; k < 4; ++k) s[k * 256 + TID] = in[BID * 1024 + k * 256 + TID];
  for (u32 bit = 0; bit < bits; ++bit) {
    SYNC;
    u32 v[4], vote[4];
    UNROLL for (u32 k = 0; k < 4; ++k) { v[k] = s[k * 256 + TID]; vote[k] = ballot(v[k] >> bit & 1); if (lane == 0) ones[k * 8 + warp] = popc(vote[k]); }
    SYNC;
    u32 c = ones[lane], t = c;
    UNROLL for (u32 d = 1; d < 32; d *= 2) { const u32 o = up(t, d); if (lane >= d) t += o; }
    const u32 all = idx(t, 31);
    UNROLL for (u32 k = 0; k < 4; ++k) {
      const u32 row = k * 8 + warp, before = idx(t - c, row) + popc(vote[k] & ((1u << lane) - 1)), place = k * 256 + TID;
      s[v[k] >> bit & 1 ? 1024 - all + before : place - before] = v[k];
    }
  }
  SYNC;
  UNROLL for (u32 k = 0; k < 4; ++k) out[BID * 1024 + k * 256 + TID] = s[k * 256 + TID];
}
KERNEL scan_u64(u64* R out, const u64* R in, u32) {  // sums of 1024 of 64 bits a group of 256, four a work-item, halves shuffled
  SHARED u64 part[8];
  const u32 lane = TID % 32, warp = TID / 32;
  u64 v[4];
  UNROLL for (u32 k = 0; k < 4; ++k) v[k] = in[(BID * 256 + TID) * 4 + k];
  UNROLL for (u32 k = 1; k < 4; ++k) v[k] += v[k - 1];
  u64 t = v[3];
  UNROLL for (u32 d = 1; d < 32; d *= 2) { const u64 o = (u64)up((u32)(t >> 32), d) << 32 | up((u32)t, d); if (lane >= d) t += o; }
  if (lane == 31) part[warp] = t;
  SYNC;
  u64 before = t - v[3];
  for (u32 k = 0; k < warp; ++k) before += part[k];
  UNROLL for (u32 k = 0; k < 4; ++k) out[(BID * 256 + TID) * 4 + k] = v[k] + before;
}
KERNEL hist_warp(u32* total, const u4* R in, u32 n) {  // 256 bins a warp in shared memory, bytes, strided over the grid, added to all at the end
  SHARED u32 bins[8][256];
  for (u32 k = TID; k < 2048; k += 256) bins[k / 256][k % 256] = 0;
  SYNC;
  const u32 warp = TID / 32;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u4 v = in[i];
    UNROLL for (u32 k = 0; k < 16; ++k) add(&bins[warp][v[k / 4] >> k % 4 * 8 & 255], 1);
  }
  SYNC;
  u32 s = 0;
  UNROLL for (u32 w = 0; w < 8; ++w) s += bins[w][TID];
  add(&total[TID], s);
}
// ---- sparse and dense algebra
// rows of 4 to 31 one behind the other in slots of 32, a row a work-item
KERNEL spmv_csr_scalar(float* R out, const float* R value, const u32* R column, const float* R x, u32 n) {
  const u32 r = BID * BDIM + TID, first = r * 32, end = first + 4 + mix(r) % 28;
  float s = 0;
  for (u32 k = first; k < end; ++k) s += value[k] * x[column[k] & (n - 1)];
  out[r] = s;
}
KERNEL spmm32(float* R out, const float* R value, const u32* R column, const float* R x, u32 n) {  // rows of 8 to 39 by 32 dense columns, a row a warp, places shuffled
  const u32 r = (BID * BDIM + TID) / 32, lane = TID % 32, count = 8 + (mix(r) & 31);
  float s = 0;
  for (u32 k0 = 0; k0 < count; k0 += 32) {
    const u32 c = column[r * 64 + k0 + lane] & (n - 1);
    const float v = value[r * 64 + k0 + lane];
    const u32 m = mini(32, count - k0);
    for (u32 k = 0; k < m; ++k) s += idxf(v, k) * x[idx(c, k) * 32 + lane];
  }
  out[r * 32 + lane] = s;
}
KERNEL sddmm(float* R out, const u32* R rows, const u32* R columns, const f4* R a, const f4* R b, u32 n) {  // products of rows of 64 at sampled places, 16 lanes a place
  const u32 i = (BID * BDIM + TID) / 16, j = TID % 16, r = (i / 8 + (rows[i] & 7)) & (n - 1), c = columns[i] & (n - 1);
  float s = dot4(a[r * 16 + j], b[c * 16 + j]);
  UNROLL for (u32 m = 8; m > 0; m /= 2) s += bfly(s, m);
  if (j == 0) out[i] = s;
}
// a row of 8 by rows of 16 through a table of 256 in shared memory, a row a warp
KERNEL spgemm_hash(u32* R out, u32* R counts, const u32* R ca, const u32* R cb, u32 n) {
  SHARED u32 key[4][256];
  SHARED float sum[4][256];
  const u32 warp = TID / 32, lane = TID % 32, r = BID * 4 + warp;
  for (u32 k = lane; k < 256; k += 32) { key[warp][k] = ~0u; sum[warp][k] = 0; }
  __nvvm_bar_warp_sync(-1);
  for (u32 k = 0; k < 4; ++k) {
    const u32 row = ca[r * 8 + 2 * k + lane / 16] & (n - 1), e = cb[row * 16 + lane % 16], c = e >> 8 & 4095;
    u32 at = c * 0x9e3779b1u >> 24;
    while (true) {
      const u32 old = cas(&key[warp][at], ~0u, c);
      if (old == ~0u || old == c) break;
      at = (at + 1) & 255;
    }
    addf(&sum[warp][at], unit(e));
  }
  __nvvm_bar_warp_sync(-1);
  u32 done = 0;
  for (u32 k = lane; k < 256; k += 32) {
    const u32 c = key[warp][k], full = ballot(c != ~0u);
    if (c != ~0u) { u2 o; o.x = c; o.y = __builtin_bit_cast(u32, sum[warp][k]); ((u2*)out)[r * 128 + done + popc(full & ((1u << lane) - 1))] = o; }
    done += popc(full);
  }
  if (lane == 0) counts[r] = done;
}
KERNEL lu8_regs(float* R out, const float* R in, u32 n) {  // 8 x 8 without pivots and a right side, a matrix a work-item, elements n apart
  const u32 i = BID * BDIM + TID;
  float a[8][9];
  UNROLL for (u32 k = 0; k < 72; ++k) a[k / 9][k % 9] = in[k * n + i] + (k / 9 == k % 9 ? 6.0f : 0.0f);
  UNROLL for (u32 c = 0; c < 8; ++c) {
    const float r = 1 / a[c][c];
    UNROLL for (u32 p = c + 1; p < 8; ++p) {
      const float f = a[p][c] * r;
      UNROLL for (u32 q = c + 1; q < 9; ++q) a[p][q] -= f * a[c][q];
    }
  }
  UNROLL for (int p = 7; p >= 0; --p) {
    UNROLL for (int q = p + 1; q < 8; ++q) a[p][8] -= a[p][q] * a[q][8];
    a[p][8] = a[p][8] / a[p][p];
    out[p * n + i] = a[p][8];
  }
}
KERNEL chol16(float* R out, const f4* R in, u32) {  // 16 x 16, two matrices a warp, a row a lane in registers, columns by shuffles
  const u32 i = BID * BDIM + TID, row = TID % 16, half = TID & 16;
  float a[16];
  UNROLL for (u32 k = 0; k < 4; ++k) { const f4 v = in[i * 4 + k]; a[4 * k] = v.x; a[4 * k + 1] = v.y; a[4 * k + 2] = v.z; a[4 * k + 3] = v.w; }
  UNROLL for (u32 k = 0; k < 16; ++k) a[k] += k == row ? 16.0f : 0.0f;
  UNROLL for (u32 c = 0; c < 16; ++c) {
    const float d = rsq(idxf(a[c], half + c));
    a[c] *= d;
    UNROLL for (u32 j = c + 1; j < 16; ++j) a[j] -= a[c] * idxf(a[c], half + j);
  }
  UNROLL for (u32 k = 0; k < 4; ++k) { f4 v; v.x = a[4 * k]; v.y = a[4 * k + 1]; v.z = a[4 * k + 2]; v.w = a[4 * k + 3]; ((f4*)out)[i * 4 + k] = v; }
}
KERNEL daxpy_chain(double* y, const double* R x, double a, u32 n, u32 steps) {  // y = a x + y again and again, strided over the grid, two chains
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const double p = x[i], q = x[n + i];
    double u = y[i], v = y[n + i];
    for (u32 k = 0; k < steps; ++k) { u = a * u + p; v = a * v + q; }
    y[i] = u; y[n + i] = v;
  }
}
// ---- fields and particles
KERNEL stencil27(float* R out, const float* R in, u32 n) {  // 27 points by classes of distance, wrapped, planes moved down in registers of 9 sums
  const u32 x = BID * 32 + TID, y = BIDY % (n / 8) * 8 + TIDY, z0 = BIDY / (n / 8) * 16, m = n - 1, plane = n * n;
  const u32 xs[3] = {(x - 1) & m, x, (x + 1) & m}, ys[3] = {((y - 1) & m) * n, y * n, ((y + 1) & m) * n};
  float c[3], e[3], d[3];
  for (u32 z = 0; z < 18; ++z) {
    const float* p = in + ((z0 + z - 1) & m) * plane;
    c[0] = c[1]; c[1] = c[2]; e[0] = e[1]; e[1] = e[2]; d[0] = d[1]; d[1] = d[2];
    c[2] = p[ys[1] + xs[1]];
    e[2] = p[ys[1] + xs[0]] + p[ys[1] + xs[2]] + p[ys[0] + xs[1]] + p[ys[2] + xs[1]];
    d[2] = p[ys[0] + xs[0]] + p[ys[0] + xs[2]] + p[ys[2] + xs[0]] + p[ys[2] + xs[2]];
    if (z >= 2) out[(z0 + z - 2) * plane + y * n + x] = 0.5f * c[1] + 0.05f * (c[0] + c[2] + e[1]) + 0.01f * (e[0] + e[2] + d[1]) + 0.004f * (d[0] + d[2]);
  }
}
KERNEL stencil7_quads(f4* R out, const f4* R in, u32 q, u32 h) {  // seven points, four along x a work-item by quads, neighbours' ends by shuffles, walls kept
  const u32 x = TID, y = BID, z = BIDY, i = (z * h + y) * q + x, lane = TID % 32;
  const f4 v = in[i];
  float l = __builtin_bit_cast(float, up(__builtin_bit_cast(u32, v.w), 1)), r = __builtin_bit_cast(float, __nvvm_shfl_sync_down_i32(-1, __builtin_bit_cast(int,
      v.x), 1, 31));
  if (lane == 0 && x) l = ((const float*)in)[i * 4 - 1];
  if (lane == 31 && x + 1 < q) r = ((const float*)in)[i * 4 + 4];
  if (y == 0 || z == 0 || y + 1 == h || z + 1 == GDIMY) { out[i] = v; return; }
  f4 a, b; a.x = l; a.y = v.x; a.z = v.y; a.w = v.z; b.x = v.y; b.y = v.z; b.z = v.w; b.w = r;
  f4 o = v * 0.4f + (a + b + in[i - q] + in[i + q] + in[i - q * h] + in[i + q * h]) * 0.1f;
  if (x == 0) o.x = v.x;
  if (x + 1 == q) o.w = v.w;
  out[i] = o;
}
KERNEL grayscott4(f2* R out, const f2* R in, u32 n) {  // four steps of two reacting fields in a tile of 32 x 32 of which 24 x 24 are written, wrapped
  SHARED float u[2][32][33], v[2][32][33];
  const u32 x0 = BID * 24, y0 = BIDY * 24, m = n - 1, x = TID % 32, y = TID / 32;
  UNROLL for (u32 k = 0; k < 4; ++k) { const f2 p = in[((y0 + y + 8 * k - 4) & m) * n + ((x0 + x - 4) & m)]; u[0][y + 8 * k][x] = p.x; v[0][y + 8 * k][x] = p.y; }
  for (u32 s = 0; s < 4; ++s) {
    SYNC;
    const u32 f = s & 1, t = f ^ 1;
    UNROLL for (u32 k = 0; k < 4; ++k) {
      const u32 r = y + 8 * k, a = r ? r - 1 : 0, b = r < 31 ? r + 1 : 31, c = x ? x - 1 : 0, d = x < 31 ? x + 1 : 31;
      const float p = u[f][r][x], q = v[f][r][x], w = p * q * q;
      u[t][r][x] = p + 0.16f * (u[f][a][x] + u[f][b][x] + u[f][r][c] + u[f][r][d] - 4 * p) - w + 0.035f * (1 - p);
      v[t][r][x] = q + 0.08f * (v[f][a][x] + v[f][b][x] + v[f][r][c] + v[f][r][d] - 4 * q) + w - 0.1f * q;
    }
  }
  SYNC;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    const u32 r = y + 8 * k;
    if (x >= 4 && x < 28 && r >= 4 && r < 28) { f2 p; p.x = u[0][r][x]; p.y = v[0][r][x]; out[((y0 + r - 4) & m) * n + ((x0 + x - 4) & m)] = p; }
  }
}
KERNEL lbm_d3q15(float* R out, const float* R in, u32 n) {  // fifteen directions pulled and relaxed, structure of arrays, n^3 wrapped
  const int ex[15] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, -1, 1}, ey[15] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, -1, 1, 1, -1}, ez[15] = {0, 0, 0, 0, 0, 1,
      -1, 1, -1, -1, 1, 1, -1, 1, -1};
  const u32 i = BID * BDIM + TID, m = n - 1, x = i & m, y = i / n & m, z = i / n / n, size = n * n * n;
  float f[15], rho = 0, a = 0, b = 0, c = 0;
  UNROLL for (u32 k = 0; k < 15; ++k) {
    f[k] = in[k * size + (((z - ez[k]) & m) * n + ((y - ey[k]) & m)) * n + ((x - ex[k]) & m)];
    rho += f[k]; a += ex[k] * f[k]; b += ey[k] * f[k]; c += ez[k] * f[k];
  }
  const float r = fdiv(1, rho + 1e-6f);
  a *= r; b *= r; c *= r;
  const float w = 1 - 1.5f * (a * a + b * b + c * c);
  UNROLL for (u32 k = 0; k < 15; ++k) {
    const float e = ex[k] * a + ey[k] * b + ez[k] * c, g = rho * (k == 0 ? 0.22222222f : k < 7 ? 0.11111111f : 0.013888889f) * (w + 3 * e + 4.5f * e * e);
    out[k * size + i] = f[k] + 0.8f * (g - f[k]);
  }
}
KERNEL cell_link(u32* head, u32* R next, const f4* R pos, u32 side) {  // lists of particles of cells by exchanges
  const u32 i = BID * BDIM + TID;
  const f4 p = pos[i];
  const u32 x = (u32)(p.x * side) & (side - 1), y = (u32)(p.y * side) & (side - 1), z = (u32)(p.z * side) & (side - 1);
  next[i] = (u32)__nvvm_atom_xchg_gen_i((int*)&head[(z * side + y) * side + x], (int)(i + 1));
}
KERNEL md_cells(f4* R out, const f4* R pos, u32 side) {  // 32 particles a cell, a cell a group of 128, 27 cells through shared memory, a quarter of each a warp
  SHARED f4 t[32], f[4][32];
  const u32 lane = TID % 32, warp = TID / 32, m = side - 1, cx = BID & m, cy = BID / side & m, cz = BID / side / side & m;
  const f4 p = pos[BID * 32 + lane];
  f4 s; s = 0.0f;
  for (u32 k = 0; k < 27; ++k) {
    const int dx = (int)(k % 3) - 1, dy = (int)(k / 3 % 3) - 1, dz = (int)(k / 9) - 1;
    SYNC;
    if (warp == 0) { f4 o = pos[((((cz + dz) & m) * side + ((cy + dy) & m)) * side + ((cx + dx) & m)) * 32 + lane]; o.x += dx; o.y += dy; o.z += dz; t[lane] = o; }
    SYNC;
    UNROLL for (u32 j = 0; j < 8; ++j) {
      const f4 d = t[warp * 8 + j] - p;
      const float r2 = dot3(d, d);
      if (r2 < 0.8f && r2 > 0) { const float i2 = fdiv(1, r2 + 0.05f), i6 = i2 * i2 * i2 * 1e-3f, g = (i6 * i6 - 0.5f * i6) * i2; s += d * g; s.w += i6; }
    }
  }
  f[warp][lane] = s;
  SYNC;
  if (warp == 0) out[BID * 32 + lane] = f[0][lane] + f[1][lane] + f[2][lane] + f[3][lane];
}
KERNEL pme_spread(float* grid, const f4* R pos, u32 side) {  // charges to 4 x 4 x 4 points by splines, atomic
  const u32 i = BID * BDIM + TID, m = side - 1;
  const f4 p = pos[i];
  float w[3][4];
  u32 at[3];
  UNROLL for (u32 k = 0; k < 3; ++k) {
    const float x = p[k] * side, b = __builtin_floorf(x), t = x - b, s = 1 - t;
    at[k] = (u32)b & m;
    w[k][0] = s * s * s * 0.16666667f; w[k][3] = t * t * t * 0.16666667f;
    w[k][1] = 0.66666667f - t * t * (1 - 0.5f * t); w[k][2] = 0.66666667f - s * s * (1 - 0.5f * s);
  }
  for (u32 z = 0; z < 4; ++z)
    UNROLL for (u32 y = 0; y < 4; ++y) {
      const float v = w[2][z] * w[1][y] * p.w;
      UNROLL for (u32 x = 0; x < 4; ++x) addf(&grid[(((at[2] + z) & m) * side + ((at[1] + y) & m)) * side + ((at[0] + x) & m)], v * w[0][x]);
    }
}
KERNEL barnes_hut(f4* R out, const f4* R body, const f4* R node, u32 levels) {  // a complete tree of eights level by level, a stack in local memory, near nodes opened
  const u32 i = BID * BDIM + TID;
  const f4 p = body[i];
  f4 s; s = 0.0f;
  u32 stack[40], top = 1;
  stack[0] = 0;
  while (top) {
    const u32 e = stack[--top], level = e >> 24, at = e & 0xffffff, first = ((1u << 3 * level) - 1) / 7;
    const f4 c = node[first + at], d = c - p;
    const float r2 = dot3(d, d) + 1e-4f, size = exp2f_(-(float)level);
    if (level + 1 < levels && size * size > 0.4f * r2) {
      for (u32 k = 0; k < 8; ++k) stack[top++] = (level + 1) << 24 | (at * 8 + k);
    } else {
      const float r = rsq(r2);
      s += d * (c.w * r * r * r);
    }
  }
  out[i] = s;
}
// ---- pictures made, searches, bits, whole numbers
// rays through n^3 bytes, trilinear, a table of colours in shared memory, ended when opaque
KERNEL vol_render(f4* R out, const u8* R volume, const f4* R transfer, u32 w, u32 n) {
  SHARED f4 colour[256];
  colour[TID] = transfer[TID];
  SYNC;
  const u32 x = BID * 16 + TID % 16, y = BIDY * 16 + TID / 16;
  const float dx = (x + 0.5f) / w - 0.5f, dy = (y + 0.5f) / w - 0.5f;
  f4 s; s = 0.0f;
  for (u32 k = 0; k < n - 2 && s.w < 0.97f; ++k) {
    const float t = (float)k / n, px = (0.5f + dx * (0.4f + 0.6f * t)) * (n - 2), py = (0.5f + dy * (0.4f + 0.6f * t)) * (n - 2);
    const float bx = __builtin_floorf(px), by = __builtin_floorf(py), fx = px - bx, fy = py - by;
    const u8* v = volume + (k * n + (u32)by) * n + (u32)bx;
    const float a = v[0] + fx * ((int)v[1] - (int)v[0]), b = v[n] + fx * ((int)v[n + 1] - (int)v[n]);
    const u8* q = v + n * n;
    const float c = q[0] + fx * ((int)q[1] - (int)q[0]), d = q[n] + fx * ((int)q[n + 1] - (int)q[n]), g = 0.5f * (a + fy * (b - a) + c + fy * (d - c));
    const f4 e = colour[(u32)g & 255];
    const float alpha = 0.06f * e.w * (1 - s.w);
    s += e * alpha;
    s.w += alpha * (1 - e.w);
  }
  out[y * w + x] = s;
}
KERNEL julia_f64(u32* R out, u32 w, u32 most) {  // steps of z^2 + c in f64 until far
  const u32 i = BID * BDIM + TID;
  double x = (i % w) * (3.0 / w) - 1.5, y = (i / w) * (3.0 / w) - 1.5;
  u32 k = 0;
  while (k < most) {
    const double a = x * x, b = y * y;
    if (a + b > 4) break;
    y = 2 * x * y + 0.156; x = a - b - 0.8;
    ++k;
  }
  out[i] = k;
}
KERNEL sudoku(u32* R out, const u32* R seed, u32 most) {  // places and digits of 9 x 9 tried one by one with a stack, masks of rows, columns and boxes in shared memory
  SHARED u16 mask[27][64];
  for (u32 k = 0; k < 27; ++k) mask[k][TID] = 0;
  const u32 i = BID * 64 + TID;
  u32 h = seed[i], depth = 0, steps = 0, given = 0;
  for (u32 k = 0; k < 20; ++k) {  // digits given
    h = mix(h + k);
    const u32 cell = h % 81, r = cell / 9, c = cell % 9, b = r / 3 * 3 + c / 3, bit = 1u << (h >> 16) % 9;
    if (!((mask[r][TID] | mask[9 + c][TID] | mask[18 + b][TID]) & bit)) { mask[r][TID] |= bit; mask[9 + c][TID] |= bit; mask[18 + b][TID] |= bit; ++given; }
  }
  u16 open[32];
  u8 cells[32];
  u16 last[32];
  for (u32 k = 0; k < 32; ++k) cells[k] = (u8)((k * 5 + h % 5) % 81);
  u32 r = cells[0] / 9, c = cells[0] % 9, b = r / 3 * 3 + c / 3;
  open[0] = 511 & ~(mask[r][TID] | mask[9 + c][TID] | mask[18 + b][TID]);
  last[0] = 0;
  while (steps < most) {
    ++steps;
    r = cells[depth] / 9; c = cells[depth] % 9; b = r / 3 * 3 + c / 3;
    if (last[depth]) { const u32 keep = ~(u32)last[depth]; mask[r][TID] &= keep; mask[9 + c][TID] &= keep; mask[18 + b][TID] &= keep; last[depth] = 0; }
    const u32 o = open[depth];
    if (!o) { if (depth == 0) break; --depth; continue; }
    const u32 bit = o & -o;
    open[depth] = (u16)(o ^ bit);
    last[depth] = (u16)bit;
    mask[r][TID] |= bit; mask[9 + c][TID] |= bit; mask[18 + b][TID] |= bit;
    if (depth == 15) break;
    ++depth;
    r = cells[depth] / 9; c = cells[depth] % 9; b = r / 3 * 3 + c / 3;
    open[depth] = 511 & ~(mask[r][TID] | mask[9 + c][TID] | mask[18 + b][TID]);
    last[depth] = 0;
  }
  out[i] = steps << 16 | depth << 8 | given;
}
KERNEL bloom_insert(u32* bits, const u32* R in, u32 mask) {  // four bits of a key in a line of 8 words, atomic or
  const u32 h = mix(in[BID * BDIM + TID]), line = (h & mask) * 8;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    const u32 g = h * (0x9e3779b1u + 2 * k) >> 24;
    __nvvm_atom_or_gen_i((int*)&bits[line + g / 32], 1 << (g & 31));
  }
}
KERNEL hamming_nn(u32* R out, const u4* R query, const u4* R base, u32 n) {  // the nearest of n codes of 256 bits, tiles of 128 in shared memory
  SHARED u4 t[256];
  const u32 i = BID * 128 + TID;
  const u4 a = query[2 * i], b = query[2 * i + 1];
  u32 best = ~0u;
  for (u32 k0 = 0; k0 < n; k0 += 128) {
    SYNC;
    t[TID] = base[k0 * 2 + TID]; t[TID + 128] = base[k0 * 2 + 128 + TID];
    SYNC;
    _Pragma("unroll 8") for (u32 k = 0; k < 128; ++k) {
      const u4 p = t[2 * k] ^ a, q = t[2 * k + 1] ^ b;
      const u32 d = popc(p.x) + popc(p.y) + popc(p.z) + popc(p.w) + popc(q.x) + popc(q.y) + popc(q.z) + popc(q.w);
      best = mini(best, d << 20 | (k0 + k));
    }
  }
  out[i] = best;
}
KERNEL collatz(u32* R out, u32 n) {  // steps until one and, of every odd number met first, halvings; a loop within a loop, strided over the grid
  u32 most = 0;
  for (u32 i = BID * BDIM + TID + 1; i <= n; i += GDIM * BDIM) {
    u64 v = i;
    u32 steps = 0;
    while (v != 1) {
      while (!(v & 1)) { v >>= 1; ++steps; }
      if (v != 1) { v = 3 * v + 1; ++steps; }
    }
    most = maxi(most, steps);
  }
  out[BID * BDIM + TID] = most;
}
KERNEL gcd_pairs(u32* R out, const u2* R in, u32) {  // Euclid's remainders, a pair a work-item
  const u32 i = BID * BDIM + TID;
  u32 a = in[i].x, b = in[i].y;
  while (b) { const u32 r = a % b; a = b; b = r; }
  out[i] = a;
}
KERNEL date_split(u32* R out, const u32* R in, u32 base, u32 n) {  // seconds to year, month, day, hour, minute and weekday, then groups of a base not known before
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u32 t = in[i], days = t / 86400, s = t % 86400, z = days + 719468, era = z / 146097, doe = z - era * 146097;
    const u32 yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const u32 day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9, year = yoe + era * 400 + (month <= 2), bucket = t / base % (base + 7);
    out[i] = ((year & 0xfff) << 20 | month << 16 | day << 11 | s / 3600 << 6 | s / 60 % 60) ^ days % 7 ^ bucket << 3;
  }
}
KERNEL mont256(u32* R out, const u32* R in, u32 n, u32 rounds) {  // squares of 256 bits modulo a prime by Montgomery, limbs of 32 bits, elements n apart
  const u32 p[8] = {0xfffffc2f, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, inv = 0xd2253531;
  const u32 i = BID * BDIM + TID;
  u32 a[8];
  UNROLL for (u32 k = 0; k < 8; ++k) a[k] = in[k * n + i];
  _Pragma("unroll 1") for (u32 r = 0; r < rounds; ++r) {
    u32 t[10] = {};
    UNROLL for (u32 j = 0; j < 8; ++j) {
      u64 c = 0;
      UNROLL for (u32 k = 0; k < 8; ++k) { c += (u64)a[k] * a[j] + t[k]; t[k] = (u32)c; c >>= 32; }
      c += t[8]; t[8] = (u32)c; t[9] = (u32)(c >> 32);
      const u32 m = t[0] * inv;
      c = ((u64)m * p[0] + t[0]) >> 32;
      UNROLL for (u32 k = 1; k < 8; ++k) { c += (u64)m * p[k] + t[k]; t[k - 1] = (u32)c; c >>= 32; }
      c += t[8]; t[7] = (u32)c; t[8] = t[9] + (u32)(c >> 32);
    }
    UNROLL for (u32 k = 0; k < 8; ++k) a[k] = t[k];
  }
  UNROLL for (u32 k = 0; k < 8; ++k) out[k * n + i] = a[k];
}
KERNEL half_stencil(u32* R out, const u32* R in, u32 w, u32 h) {  // five points of f16 pairs along x, sixteen rows a work-item moved down in registers
  const u32 x = BID * BDIM + TID, y0 = BIDY * 16, l = x ? x - 1 : x, r = x + 1 < w ? x + 1 : x;
  const u32 quarter = 0x34003400, eighth = 0x30003000;
  u32 a = in[(y0 ? y0 - 1 : 0) * w + x] & 0x3bff3bff, b = in[y0 * w + x] & 0x3bff3bff;
  UNROLL for (u32 k = 0; k < 16; ++k) {
    const u32 y = y0 + k, c = in[(y + 1 < h ? y + 1 : y) * w + x] & 0x3bff3bff, p = in[y * w + l] >> 16 & 0x3bff, q = in[y * w + r] & 0x3bff;
    const u32 west = b << 16 | p, east = b >> 16 | q << 16;
    u32 s = hfma2(b, quarter, 0);
    s = hfma2(a, eighth, s); s = hfma2(c, eighth, s); s = hfma2(west, quarter, s); s = hfma2(east, quarter, s);
    out[y * w + x] = s;
    a = b; b = c;
  }
}
KERNEL warp_roles(float* R out, const f4* R in, u32 tiles) {  // four warps fill a tile while four work on the one before, a barrier of all between
  SHARED f4 t[2][256];
  const u32 me = TID % 128;
  float s = 0;
  for (u32 k = 0; k <= tiles; ++k) {
    if (TID < 128) {
      if (k < tiles) { const f4* p = in + (BID * tiles + k) * 256 + me; t[k & 1][me] = p[0]; t[k & 1][me + 128] = p[128]; }
    } else if (k) {
      UNROLL for (u32 j = 0; j < 16; ++j) { const f4 v = t[(k - 1) & 1][(me * 17 + j * 5) & 255]; s += exp2f_(-dot4(v, v)); }
    }
    SYNC;
  }
  if (TID >= 128) out[BID * 128 + me] = s;
}
KERNEL atom_mix(u32* place, const u32* R in, u32 mask) {  // least, greatest, or, exclusive or, and a count around, of few places
  const u32 v = in[BID * BDIM + TID], at = v & mask;
  __nvvm_atom_min_gen_ui(&place[at * 8], ~v);
  __nvvm_atom_max_gen_ui(&place[at * 8 + 1], v);
  __nvvm_atom_or_gen_i((int*)&place[at * 8 + 2], (int)(v & 0x01010101));
  __nvvm_atom_xor_gen_i((int*)&place[at * 8 + 3], (int)v);
  __nvvm_atom_inc_gen_ui(&place[at * 8 + 4], 999);
}
KERNEL cas_f64max(u64* top, const double* R in, u32 n) {  // the greatest in f64 by compare and swap, a row of places by key, tried again until it holds
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const double v = in[i];
    const u32 at = mix(i) & 4095;
    u64 old = *(volatile u64*)&top[at];
    while (__builtin_bit_cast(double, old) < v) {
      const u64 seen = (u64)__nvvm_atom_cas_gen_ll((long long*)&top[at], (long long)old, __builtin_bit_cast(long long, v));
      if (seen == old) break;
      old = seen;
    }
  }
}
KERNEL named_roles(float* R out, const float* R in, u32 rounds) {  // half of a group reads rows that the other half adds up, at numbered barriers
  SHARED float cells[2][128];
  const u32 t = TID & 127;
  if (TID < 128) {
    for (u32 r = 0; r < rounds; ++r) {
      const u32 half = r & 1;
      asm volatile("bar.sync %0, 256;" :: "r"(1 + half) : "memory");
      cells[half][t] = in[(BID * rounds + r) * 128 + t];
      asm volatile("bar.arrive %0, 256;" :: "r"(3 + half) : "memory");
    }
  } else {
    float sum = 0;
    asm volatile("bar.arrive 1, 256;" ::: "memory");
    asm volatile("bar.arrive 2, 256;" ::: "memory");
    for (u32 r = 0; r < rounds; ++r) {
      const u32 half = r & 1;
      asm volatile("bar.sync %0, 256;" :: "r"(3 + half) : "memory");
      sum = sum * 0.5f + cells[half][t];
      if (r + 2 < rounds) asm volatile("bar.arrive %0, 256;" :: "r"(1 + half) : "memory");
    }
    out[BID * 128 + t] = sum;
  }
}
KERNEL nothing(u32* out) {}
