// Kernels as applications have them, a fourth round
#include "applications2.h"

INLINE float upf(float x, u32 d) { return __builtin_bit_cast(float, up(__builtin_bit_cast(u32, x), d)); }
INLINE u32 rotr(u32 x, u32 k) { return x >> k | x << (32 - k); }
INLINE u64 rotl64(u64 x, u32 k) { return x << k | x >> (64 - k); }
INLINE u32 warp_add(u32 x) { for (u32 s = 16; s > 0; s >>= 1) x += (u32)__nvvm_shfl_sync_bfly_i32(-1, x, s, 31); return x; }
INLINE u32 dp4(u32 a, u32 b, u32 c) { asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b)); return c; }
INLINE f4 cross3(f4 a, f4 b) { f4 r; r.x = a.y * b.z - a.z * b.y; r.y = a.z * b.x - a.x * b.z; r.z = a.x * b.y - a.y * b.x; r.w = 0; return r; }

// ---- hashes, codes, text
KERNEL blake2s(u32* R out, const u4* R in, u32) {  // a block of 64 bytes a work-item
  const u8 sigma[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8}, {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9}, {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
  const u32 iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const u32 i = BID * BDIM + TID;
  u32 m[16], v[16];
#pragma unroll
  for (u32 k = 0; k < 4; ++k) { const u4 w = in[i * 4 + k]; m[4 * k] = w.x; m[4 * k + 1] = w.y; m[4 * k + 2] = w.z; m[4 * k + 3] = w.w; }
#pragma unroll
  for (u32 k = 0; k < 8; ++k) v[k] = v[k + 8] = iv[k];
  v[0] ^= 0x01010020; v[12] ^= 64; v[14] = ~v[14];
#pragma unroll
  for (u32 r = 0; r < 10; ++r)
#pragma unroll
    for (u32 g = 0; g < 8; ++g) {
      const u32 a = g % 4, b = 4 + (g % 4 + g / 4) % 4, c = 8 + (g % 4 + g / 4 * 2) % 4, d = 12 + (g % 4 + g / 4 * 3) % 4;
      v[a] += v[b] + m[sigma[r][2 * g]]; v[d] = rotr(v[d] ^ v[a], 16); v[c] += v[d]; v[b] = rotr(v[b] ^ v[c], 12);
      v[a] += v[b] + m[sigma[r][2 * g + 1]]; v[d] = rotr(v[d] ^ v[a], 8); v[c] += v[d]; v[b] = rotr(v[b] ^ v[c], 7);
    }
  u4 o[2];
#pragma unroll
  for (u32 k = 0; k < 8; ++k) o[k / 4][k % 4] = iv[k] ^ (k ? 0 : 0x01010020) ^ v[k] ^ v[k + 8];
  ((u4*)out)[2 * i] = o[0];
  ((u4*)out)[2 * i + 1] = o[1];
}
INLINE void sip(u64& a, u64& b, u64& c, u64& d) {
  a += b; b = rotl64(b, 13); b ^= a; a = rotl64(a, 32);
  c += d; d = rotl64(d, 16); d ^= c;
  a += d; d = rotl64(d, 21); d ^= a;
  c += b; b = rotl64(b, 17); b ^= c; c = rotl64(c, 32);
}
KERNEL siphash24(u64* R out, const u64* R in, u32 words) {  // a key of so many 64-bit words a work-item, rows one behind the other
  const u32 i = BID * BDIM + TID;
  u64 a = 0x736f6d6570736575ull ^ 0x0706050403020100ull, b = 0x646f72616e646f6dull ^ 0x0f0e0d0c0b0a0908ull, c = 0x6c7967656e657261ull ^ 0x0706050403020100ull, d = 0x7465646279746573ull ^ 0x0f0e0d0c0b0a0908ull;
  for (u32 k = 0; k < words; ++k) {
    const u64 m = in[i * words + k];
    d ^= m;
    sip(a, b, c, d); sip(a, b, c, d);
    a ^= m;
  }
  c ^= 0xff;
  sip(a, b, c, d); sip(a, b, c, d); sip(a, b, c, d); sip(a, b, c, d);
  out[i] = a ^ b ^ c ^ d;
}
KERNEL adler_chunks(u32* R out, const u32* R in, u32 rounds) {  // Adler's sums of a chunk of 128 * rounds bytes a warp, by dp4a
  const u32 w = (BID * BDIM + TID) / 32, lane = TID % 32, length = rounds * 128;
  u32 a = 0, b = 0;
  for (u32 k = 0; k < rounds; ++k) {
    const u32 v = in[(w * rounds + k) * 32 + lane], s = dp4(v, 0x01010101u, 0);
    a += s;
    b = (b + s * (length - k * 128 - lane * 4) - dp4(v, 0x03020100u, 0)) % 65521u;
  }
  a = warp_add(a) % 65521u; b = warp_add(b) % 65521u;
  if (lane == 0) out[w] = (b + length) % 65521u << 16 | (a + 1) % 65521u;
}
KERNEL lz_match(u32* R out, const u8* R in, u32) {  // blocks of 4096 bytes: the last place of equal hash, then the length of the match
  SHARED __attribute__((aligned(16))) u8 text[4096 + 64];
  SHARED u32 head[1024];
  for (u32 k = TID; k < 1024; k += 256) ((u32*)text)[k] = ((const u32*)in)[BID * 1024 + k] & 0x03030303u;
  if (TID < 16) ((u32*)text)[1024 + TID] = 0;
  for (u32 k = TID; k < 1024; k += 256) head[k] = 0;
  SYNC;
  for (u32 p0 = 0; p0 < 4096; p0 += 256) {
    const u32 p = p0 + TID;
    u32 key = 0;
#pragma unroll
    for (u32 k = 0; k < 6; ++k) key = key << 2 | text[p + k];
    const u32 h = key * 0x9e3779b1u >> 22, c = head[h];
    SYNC;
    __nvvm_atom_max_gen_ui(&head[h], p + 1);
    SYNC;
    u32 length = 0;
    if (c) while (length < 48 && text[c - 1 + length] == text[p + length]) ++length;
    out[BID * 4096 + p] = length >= 6 ? length << 16 | (p - c + 1) : text[p];
  }
}
KERNEL suffix_search(u32* R out, const u8* R text, const u32* R sa, u32 n) {  // the lower bound of a pattern of 12 letters among sorted places, letters of 2 bits
  const u32 i = BID * BDIM + TID, at = mix(i) & (n - 1);
  u8 p[12];
#pragma unroll
  for (u32 k = 0; k < 12; ++k) p[k] = text[at + k] & 3;
  u32 lo = 0, hi = n;
  while (lo < hi) {
    const u32 mid = (lo + hi) / 2, s = sa[mid] & (n - 1);
    int c = 0;
#pragma unroll
    for (u32 k = 0; k < 12; ++k) {
      if (c == 0) c = (int)(text[s + k] & 3) - (int)p[k];
    }
    if (c < 0) lo = mid + 1; else hi = mid;
  }
  out[i] = lo;
}
KERNEL varint_decode(u32* R out, u32* R counts, const u8* R in, u32) {  // 1024 bytes a warp; ends of numbers by votes, each end gathers its up to 5 bytes
  const u32 w = (BID * BDIM + TID) / 32, lane = TID % 32;
  const u8* p = in + (u64)w * 1024;
  u32 done = 0;
  for (u32 r = 0; r < 32; ++r) {
    const u32 at = r * 32 + lane, b = p[at], ends = ballot(b < 128);
    if (b < 128) {
      u32 v = b;
      for (u32 k = 1; k < 5 && at >= k; ++k) {
        const u32 c = p[at - k];
        if (c < 128) break;
        v = v << 7 | (c & 127);
      }
      out[w * 1024 + done + popc(ends & ((1u << lane) - 1))] = v;
    }
    done += popc(ends);
  }
  if (lane == 0) counts[w] = done;
}
// ---- fields on grids
KERNEL shallow_water(float* R out, const float* R in, u32 n) {  // Lax and Friedrichs in tiles of 16 x 16, wrapped
  SHARED float h[18][19], u[18][19], v[18][19];
  const u32 tx = TID % 16, ty = TID / 16, x0 = BID * 16, y0 = BIDY * 16, size = n * n;
  for (u32 k = TID; k < 324; k += 256) {
    const u32 x = (x0 + k % 18 - 1) & (n - 1), y = (y0 + k / 18 - 1) & (n - 1), i = y * n + x;
    h[k / 18][k % 18] = in[i] + 1;
    u[k / 18][k % 18] = in[size + i] - 0.5f;
    v[k / 18][k % 18] = in[2 * size + i] - 0.5f;
  }
  SYNC;
  float fh[2], fu[2], fv[2], gh[2], gu[2], gv[2], mh = 0, mu = 0, mv = 0;
#pragma unroll
  for (u32 s = 0; s < 2; ++s) {
    float a = h[ty + 1][tx + 2 * s], b = u[ty + 1][tx + 2 * s], c = v[ty + 1][tx + 2 * s];
    mh += a; mu += b; mv += c;
    float q = fdiv(b, a);
    fh[s] = b; fu[s] = b * q + 4.905f * a * a; fv[s] = c * q;
    a = h[ty + 2 * s][tx + 1]; b = u[ty + 2 * s][tx + 1]; c = v[ty + 2 * s][tx + 1];
    mh += a; mu += b; mv += c;
    q = fdiv(c, a);
    gh[s] = c; gu[s] = b * q; gv[s] = c * q + 4.905f * a * a;
  }
  const u32 i = (y0 + ty) * n + x0 + tx;
  out[i] = 0.25f * mh - 0.05f * (fh[1] - fh[0] + gh[1] - gh[0]);
  out[size + i] = 0.25f * mu - 0.05f * (fu[1] - fu[0] + gu[1] - gu[0]);
  out[2 * size + i] = 0.25f * mv - 0.05f * (fv[1] - fv[0] + gv[1] - gv[0]);
}
KERNEL acoustic8(float* next, const float* R now, const float* R speed, u32 n, u32 depth) {  // eighth order in space, 32 x 8 columns through depth planes: a plane in shared memory, the column in registers
  SHARED float t[16][41];
  const float c0 = -2.8472222f, c[4] = {1.6f, -0.2f, 0.02539683f, -0.00178571f};
  const u32 x = BID * 32 + TID, y = BIDY % (n / 8) * 8 + TIDY, z0 = BIDY / (n / 8) * depth, here = y * n + x, plane = n * n;
  float q[9];
#pragma unroll
  for (u32 k = 0; k < 8; ++k) q[k + 1] = now[((z0 + k - 4) & (n - 1)) * plane + here];
  for (u32 z = z0; z < z0 + depth; ++z) {
#pragma unroll
    for (u32 k = 0; k < 8; ++k) q[k] = q[k + 1];
    q[8] = now[((z + 4) & (n - 1)) * plane + here];
    SYNC;
    t[TIDY + 4][TID + 4] = q[4];
    if (TID < 4) {
      t[TIDY + 4][TID] = now[z * plane + y * n + ((x - 4) & (n - 1))];
      t[TIDY + 4][TID + 36] = now[z * plane + y * n + ((x + 32) & (n - 1))];
    }
    if (TIDY < 4) {
      t[TIDY][TID + 4] = now[z * plane + ((y - 4) & (n - 1)) * n + x];
      t[TIDY + 12][TID + 4] = now[z * plane + ((y + 8) & (n - 1)) * n + x];
    }
    SYNC;
    float l = 3 * c0 * q[4];
#pragma unroll
    for (u32 k = 0; k < 4; ++k)
      l += c[k] * (q[3 - k] + q[5 + k] + t[TIDY + 4][TID + 3 - k] + t[TIDY + 4][TID + 5 + k] + t[TIDY + 3 - k][TID + 4] + t[TIDY + 5 + k][TID + 4]);
    const u32 i = z * plane + here;
    next[i] = 2 * q[4] - next[i] + 0.01f * speed[i] * l;
  }
}
INLINE float slope(float a, float b) { return a * b > 0 ? fdiv(2 * a * b, a + b) : 0; }
KERNEL advect_tvd(float* R out, const float* R q, const float* R u, u32 n) {  // van Leer's limiter along rows of n, a row in y
  SHARED float s[260];
  const u32 x0 = BID * 256, x = x0 + TID, row = BIDY * n;
  s[TID + 2] = q[row + x];
  if (TID < 4) s[TID < 2 ? TID : TID + 256] = q[row + ((TID < 2 ? x0 + TID - 2 : x0 + TID + 254) & (n - 1))];
  SYNC;
  const float c = u[row + x] - 0.5f, d = u[row + ((x + 1) & (n - 1))] - 0.5f;
  const float a0 = s[TID], a1 = s[TID + 1], a2 = s[TID + 2], a3 = s[TID + 3], a4 = s[TID + 4];
  const float s1 = slope(a1 - a0, a2 - a1), s2 = slope(a2 - a1, a3 - a2), s3 = slope(a3 - a2, a4 - a3);
  const float left = c > 0 ? c * (a1 + 0.5f * (1 - c) * s1) : c * (a2 - 0.5f * (1 + c) * s2);
  const float right = d > 0 ? d * (a2 + 0.5f * (1 - d) * s2) : d * (a3 - 0.5f * (1 + d) * s3);
  out[row + x] = a2 - right + left;
}
KERNEL mg_prolong(float* fine, const float* R coarse, u32 n) {  // trilinear correction from n^3 added to (2 n)^3, a coarse cell's 8 points a work-item
  const u32 x = BID * 32 + TID, y = BIDY % (n / 8) * 8 + TIDY, z = BIDY / (n / 8), m = n - 1, f = 2 * n;
  float v[2][2][2];
#pragma unroll
  for (u32 k = 0; k < 8; ++k) v[k >> 2][k >> 1 & 1][k & 1] = coarse[(((z + (k >> 2)) & m) * n + ((y + (k >> 1 & 1)) & m)) * n + ((x + (k & 1)) & m)];
#pragma unroll
  for (u32 k = 0; k < 4; ++k) {
    const u32 b = k & 1, a = k >> 1;
    const float p = b ? 0.5f * (v[0][0][0] + v[0][1][0]) : v[0][0][0], q = b ? 0.5f * (v[1][0][0] + v[1][1][0]) : v[1][0][0];
    const float r = b ? 0.5f * (v[0][0][1] + v[0][1][1]) : v[0][0][1], s = b ? 0.5f * (v[1][0][1] + v[1][1][1]) : v[1][0][1];
    const float e = a ? 0.5f * (p + q) : p, o = a ? 0.5f * (r + s) : r;
    f2* to = (f2*)&fine[((2 * z + a) * f + 2 * y + b) * f + 2 * x];
    f2 w = *to;
    w.x += e; w.y += 0.5f * (e + o);
    *to = w;
  }
}
KERNEL adi_lines(float* R out, const float* R in, u32 n) {  // implicit lines of 64 along x: 32 lines staged in shared memory, the first warp solves, all store
  SHARED float d[32][65], c[64];
  const u64 base = (u64)BID * 32 * 64;
  for (u32 k = TID; k < 2048; k += 256) d[k / 64][k % 64] = in[base + k];
  if (TID == 0) {
    float p = 0;
    for (u32 k = 0; k < 64; ++k) { p = fdiv(-0.4f, 1.8f + 0.4f * p); c[k] = p; }
  }
  SYNC;
  if (TID < 32) {
    float p = 0;
    for (u32 k = 0; k < 64; ++k) { p = fdiv(d[TID][k] + 0.4f * p, 1.8f + (k ? 0.4f * c[k - 1] : 0.0f)); d[TID][k] = p; }
    for (u32 k = 63; k-- > 0;) { p = d[TID][k] - c[k] * p; d[TID][k] = p; }
  }
  SYNC;
  for (u32 k = TID; k < 2048; k += 256) out[base + k] = d[k / 64][k % 64] * n;
}
KERNEL cfl_max(u32* R top, const f4* R state, u32 n) {  // the fastest wave of all cells, atomic maximum a group
  SHARED float part[8];
  float m = 0;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const f4 s = state[i];
    const float r = fdiv(1, s.x + 0.1f), u = s.y * r, v = s.z * r, p = 0.4f * (s.w + 2 - 0.5f * (u * s.y + v * s.z));
    m = maxf(m, maxf(absf(u), absf(v)) + sqrtf_(maxf(0, 1.4f * p * r)));
  }
  m = warp_max(m);
  if (TID % 32 == 0) part[TID / 32] = m;
  SYNC;
  if (TID == 0) {
#pragma unroll
    for (u32 k = 1; k < 8; ++k) m = maxf(m, part[k]);
    __nvvm_atom_max_gen_ui(top, __builtin_bit_cast(u32, m));
  }
}
KERNEL ising(u8* spin, const float* R table, u32 n, u32 colour) {  // Metropolis on one colour of a checkerboard of bytes, wrapped
  SHARED float accept[5];
  if (TID < 5) accept[TID] = table[TID] * 0.8f + 0.1f * TID;
  SYNC;
  const u32 k = BID * BDIM + TID, y = k / (n / 2), x = k % (n / 2) * 2 + ((y + colour) & 1), m = n - 1;
  const u32 s = spin[y * n + x] & 1;
  const u32 sum = (spin[y * n + ((x + 1) & m)] & 1) + (spin[y * n + ((x - 1) & m)] & 1) + (spin[((y + 1) & m) * n + x] & 1) + (spin[((y - 1) & m) * n + x] & 1);
  if (unit(mix(k ^ 0x5bd1e995u)) < accept[s ? sum : 4 - sum]) spin[y * n + x] = s ^ 1;
}
KERNEL hh_neurons(float* R state, const float* R current, u32 n, u32 steps) {  // Hodgkin and Huxley: four variables a neuron, explicit steps
  const u32 i = BID * BDIM + TID;
  float v = -65 + 20 * current[n + i], m = 0.05f, h = 0.6f, g = 0.32f;
  const float in = 20 * current[i];
  for (u32 k = 0; k < steps; ++k) {
    const float a = v + 40, b = v + 55;
    const float am = absf(a) < 1e-3f ? 1.0f : fdiv(0.1f * a, 1 - expf_(-0.1f * a)), bm = 4 * expf_(-(v + 65) * 0.0555556f);
    const float ah = 0.07f * expf_(-(v + 65) * 0.05f), bh = fdiv(1, 1 + expf_(-0.1f * (v + 35)));
    const float an = absf(b) < 1e-3f ? 0.1f : fdiv(0.01f * b, 1 - expf_(-0.1f * b)), bn = 0.125f * expf_(-(v + 65) * 0.0125f);
    v += 0.01f * (in - 120 * m * m * m * h * (v - 50) - 36 * g * g * g * g * (v + 77) - 0.3f * (v + 54.387f));
    m += 0.01f * (am * (1 - m) - bm * m);
    h += 0.01f * (ah * (1 - h) - bh * h);
    g += 0.01f * (an * (1 - g) - bn * g);
  }
  state[i] = v; state[n + i] = m; state[2 * n + i] = h; state[3 * n + i] = g;
}
// ---- particles, geometry, pictures made
KERNEL nbody_f64(double* R out, const double* R in, u32 n) {  // tiles of 128 in shared memory, f64
  SHARED double x[128], y[128], z[128], m[128];
  const u32 i = BID * 128 + TID;
  const double px = in[i] * 1e3, py = in[n + i] * 1e3, pz = in[2 * n + i] * 1e3;
  double ax = 0, ay = 0, az = 0;
  for (u32 k0 = 0; k0 < n; k0 += 128) {
    SYNC;
    x[TID] = in[k0 + TID] * 1e3; y[TID] = in[n + k0 + TID] * 1e3; z[TID] = in[2 * n + k0 + TID] * 1e3; m[TID] = in[3 * n + k0 + TID];
    SYNC;
#pragma unroll 4
    for (u32 k = 0; k < 128; ++k) {
      const double dx = x[k] - px, dy = y[k] - py, dz = z[k] - pz, r2 = dx * dx + dy * dy + dz * dz + 1e-3, r = 1.0 / __nvvm_sqrt_rn_d(r2), f = m[k] * r * r * r;
      ax += f * dx; ay += f * dy; az += f * dz;
    }
  }
  out[i] = ax; out[n + i] = ay; out[2 * n + i] = az;
}
KERNEL verlet_build(u32* R list, u32* R count, const f4* R pos, u32 side) {  // cells of 8 particles, 27 about each, up to 32 neighbours kept
  const u32 i = BID * BDIM + TID, cell = i / 8, m = side - 1, cx = cell & m, cy = cell / side & m, cz = cell / side / side, n = side * side * side * 8;
  const f4 p = pos[i];
  u32 found = 0;
  for (u32 k = 0; k < 27; ++k) {
    const int dx = (int)(k % 3) - 1, dy = (int)(k / 3 % 3) - 1, dz = (int)(k / 9) - 1;
    const u32 c = ((((cz + dz) & m) * side + ((cy + dy) & m)) * side + ((cx + dx) & m)) * 8;
#pragma unroll
    for (u32 j = 0; j < 8; ++j) {
      const f4 o = pos[c + j];
      const float x = o.x + dx - p.x, y = o.y + dy - p.y, z = o.z + dz - p.z;
      if (x * x + y * y + z * z < 0.3f && c + j != i && found < 32) list[found++ * n + i] = c + j;
    }
  }
  count[i] = found;
}
KERNEL sdf_triangles(float* R out, const f4* R tri, u32 tris, u32 n) {  // the distance of points of a grid to the nearest of the triangles, 64 at once in shared memory
  SHARED f4 t[192];
  const u32 i = BID * 128 + TID;
  f4 p;
  p.x = (i % n) * (1.0f / n); p.y = (i / n % n) * (1.0f / n); p.z = (i / n / n) * (1.0f / n); p.w = 0;
  float best = 1e30f;
  for (u32 k0 = 0; k0 < tris; k0 += 64) {
    SYNC;
    for (u32 k = TID; k < 192; k += 128) t[k] = tri[k0 * 3 + k];
    SYNC;
    for (u32 k = 0; k < 64; ++k) {
      const f4 a = t[3 * k], ab = t[3 * k + 1] - a, ac = t[3 * k + 2] - a, ap = p - a;
      const float d1 = dot3(ab, ap), d2 = dot3(ac, ap), aa = dot3(ab, ab), bb = dot3(ab, ac), cc = dot3(ac, ac), det = aa * cc - bb * bb + 1e-9f;
      float v = fdiv(cc * d1 - bb * d2, det), w = fdiv(aa * d2 - bb * d1, det);
      if (v < 0 || w < 0 || v + w > 1) {  // an edge is nearest
        const float e = minf(1, maxf(0, fdiv(d1, aa + 1e-9f))), f = minf(1, maxf(0, fdiv(d2, cc + 1e-9f)));
        const f4 q = ap - e * ab, r = ap - f * ac;
        if (dot3(q, q) < dot3(r, r)) { v = e; w = 0; } else { v = 0; w = f; }
        const f4 bc = ac - ab, bp = ap - ab;
        const float g = minf(1, maxf(0, fdiv(dot3(bc, bp), dot3(bc, bc) + 1e-9f)));
        const f4 s = bp - g * bc;
        best = minf(best, dot3(s, s));
      }
      const f4 d = ap - v * ab - w * ac;
      best = minf(best, dot3(d, d));
    }
  }
  out[i] = sqrtf_(best);
}
KERNEL ray_triangles(u2* R out, const f4* R rays, const f4* R tri, u32 tris) {  // Moeller and Trumbore against all triangles, tiles of 32
  SHARED f4 t[96];
  const u32 i = BID * 128 + TID;
  const f4 o = rays[2 * i] - 0.5f, d = rays[2 * i + 1] - 0.5f;
  float best = 1e30f;
  u32 hit = ~0u;
  for (u32 k0 = 0; k0 < tris; k0 += 32) {
    SYNC;
    if (TID < 96) t[TID] = tri[k0 * 3 + TID] - 0.5f;
    SYNC;
    for (u32 k = 0; k < 32; ++k) {
      const f4 a = t[3 * k], e1 = t[3 * k + 1] - a, e2 = t[3 * k + 2] - a, p = cross3(d, e2);
      const float det = dot3(e1, p);
      if (absf(det) < 1e-6f) continue;
      const float inv = fdiv(1, det);
      const f4 s = o - a;
      const float u = dot3(s, p) * inv;
      if (u < 0 || u > 1) continue;
      const f4 q = cross3(s, e1);
      const float v = dot3(d, q) * inv, z = dot3(e2, q) * inv;
      if (v >= 0 && u + v <= 1 && z > 0 && z < best) { best = z; hit = k0 + k; }
    }
  }
  u2 r; r.x = hit; r.y = __builtin_bit_cast(u32, best);
  out[i] = r;
}
KERNEL kd_nearest(u32* R out, const f4* R query, const f4* R nodes, u32 depth) {  // a balanced tree in one array, a stack in local memory, far sides only when near enough
  const u32 i = BID * BDIM + TID, size = (1u << depth) - 1;
  const f4 q = query[i].yzxw;
  u32 stack[24];
  float far[24];
  u32 top = 1, which = 0;
  float best = 1e30f;
  stack[0] = 0; far[0] = 0;
  while (top) {
    --top;
    if (far[top] >= best) continue;
    u32 at = stack[top], level = 31 - __builtin_clz(at + 1);
    while (at < size) {
      const f4 c = nodes[at], d = c - q;
      const float r = dot3(d, d);
      if (r < best) { best = r; which = at; }
      const float s = level % 3 == 0 ? d.x : level % 3 == 1 ? d.y : d.z;
      const u32 near = 2 * at + 1 + (s < 0);
      if (2 * at + 1 < size && s * s < best) { stack[top] = 4 * at + 3 - near; far[top] = s * s; ++top; }
      at = near;
      ++level;
    }
  }
  out[i] = which;
}
KERNEL path_spheres(f4* R out, const f4* R spheres, u32 w, u32 samples) {  // 16 spheres, up to 5 bounces, diffuse or mirror, sky when lost
  SHARED f4 s[16];
  if (TID < 16) { f4 v = spheres[TID] - 0.5f; v.w = 0.08f + 0.12f * (v.w + 0.5f); s[TID] = v; }
  SYNC;
  const u32 i = BID * BDIM + TID;
  u32 seed = mix(i + 1);
  float sum = 0;
  for (u32 n = 0; n < samples; ++n) {
    f4 o, d;
    o.x = o.y = 0; o.z = -2; o.w = 0;
    d.x = (i % w + unit(seed)) / w - 0.5f; d.y = (i / w + unit(mix(seed))) / w - 0.5f; d.z = 1.4f; d.w = 0;
    seed = mix(seed + n);
    d = d * rsq(dot3(d, d));
    float light = 1;
    for (u32 b = 0; b < 5; ++b) {
      float t = 1e30f;
      u32 which = 16;
      for (u32 k = 0; k < 16; ++k) {
        const f4 c = o - s[k];
        const float p = dot3(c, d), q = dot3(c, c) - s[k].w * s[k].w, disc = p * p - q;
        if (disc > 0) { const float z = -p - sqrtf_(disc); if (z > 1e-3f && z < t) { t = z; which = k; } }
      }
      if (which == 16) { sum += light * (0.6f + 0.4f * d.y); break; }
      o = o + t * d;
      const f4 nrm = (o - s[which]) * fdiv(1, s[which].w);
      if (which & 1) d = d - 2 * dot3(d, nrm) * nrm;
      else {
        seed = mix(seed);
        const float z = 2 * unit(seed) - 1, a = 6.2831853f * unit(mix(seed ^ 0x68bc21ebu)), r = sqrtf_(maxf(0, 1 - z * z));
        f4 e; e.x = r * cosf_(a); e.y = r * sinf_(a); e.z = z; e.w = 0;
        d = nrm + e;
        d = d * rsq(dot3(d, d) + 1e-6f);
      }
      d.w = 0;
      light *= 0.7f;
    }
  }
  f4 c; c.x = c.y = c.z = sum / samples; c.w = 1;
  out[i] = c;
}
KERNEL voxel_march(u32* R out, const u8* R voxel, u32 w, u32 n) {  // Amanatides and Woo through n^3 bytes, one in 128 is full
  const u32 x = BID * 16 + TID % 16, y = BIDY * 16 + TID / 16;
  float dx = (x + 0.5f) / w - 0.5f, dy = (y + 0.5f) / w - 0.5f, dz = 0.8f;
  const float r = rsq(dx * dx + dy * dy + dz * dz);
  dx *= r; dy *= r; dz *= r;
  int cx = n / 2, cy = n / 2, cz = 0;
  const int sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
  const float ix = fdiv(1, absf(dx) + 1e-6f), iy = fdiv(1, absf(dy) + 1e-6f), iz = fdiv(1, dz);
  float tx = 0.5f * ix, ty = 0.5f * iy, tz = iz;
  u32 steps = 0;
  while (cx >= 0 && cy >= 0 && cx < (int)n && cy < (int)n && cz < (int)n) {
    if (voxel[(cz * n + cy) * n + cx] < 2) break;
    if (tx < ty && tx < tz) { cx += sx; tx += ix; }
    else if (ty < tz) { cy += sy; ty += iy; }
    else { ++cz; tz += iz; }
    ++steps;
  }
  out[y * w + x] = steps << 16 | (cz & 0xffff);
}
KERNEL worley(float* R out, u32 w, u32 octaves) {  // cell noise: the two nearest of the points of 27 cells
  const u32 i = BID * BDIM + TID;
  float x = (i % w) * 0.0371f, y = (i / w) * 0.0293f, z = 0.71f, s = 0, amp = 1;
  for (u32 o = 0; o < octaves; ++o) {
    const int cx = (int)x, cy = (int)y, cz = (int)z;
    float a = 9, b = 9;
    for (int k = 0; k < 27; ++k) {
      const int px = cx + k % 3 - 1, py = cy + k / 3 % 3 - 1, pz = cz + k / 9 - 1;
      const u32 h = mix((u32)px * 73856093u ^ (u32)py * 19349663u ^ (u32)pz * 83492791u);
      const float qx = px + (h & 1023) * 9.765625e-4f - x, qy = py + (h >> 10 & 1023) * 9.765625e-4f - y, qz = pz + (h >> 20 & 1023) * 9.765625e-4f - z;
      const float d = qx * qx + qy * qy + qz * qz;
      b = minf(b, maxf(a, d));
      a = minf(a, d);
    }
    s += amp * (sqrtf_(b) - sqrtf_(a));
    amp *= 0.5f; x *= 2; y *= 2; z *= 2;
  }
  out[i] = s;
}
// ---- sequences
KERNEL viterbi64(u8* R out, const float* R emit, const float* R trans, u32 steps) {  // 64 states a group of 64, up to 128 steps, pointers back in shared memory
  SHARED float t[64][65], score[2][64];
  SHARED u8 back[128][64];
  for (u32 k = TID; k < 4096; k += 64) t[k / 64][k % 64] = trans[k];
  score[0][TID] = emit[BID * steps * 64 + TID];
  SYNC;
  for (u32 s = 1; s < steps; ++s) {
    float best = -1e30f;
    u32 from = 0;
#pragma unroll 8
    for (u32 k = 0; k < 64; ++k) { const float v = score[(s - 1) & 1][k] + t[TID][k]; if (v > best) { best = v; from = k; } }
    back[s][TID] = (u8)from;
    score[s & 1][TID] = best + emit[(BID * steps + s) * 64 + TID];
    SYNC;
  }
  if (TID == 0) {
    u32 at = 0;
    for (u32 k = 1; k < 64; ++k) if (score[(steps - 1) & 1][k] > score[(steps - 1) & 1][at]) at = k;
    for (u32 s = steps; s-- > 0;) { out[BID * steps + s] = (u8)at; if (s) at = back[s][at]; }
  }
}
KERNEL hmm_forward(float* R out, const float* R emit, const float* R trans, u32 steps) {  // 32 states a warp, a column of the matrix in registers, scaled each step
  const u32 w = (BID * BDIM + TID) / 32, lane = TID % 32;
  float t[32], a = 1.0f / 32, total = 0;
#pragma unroll
  for (u32 k = 0; k < 32; ++k) t[k] = trans[k * 32 + lane] * 0.0625f;
  for (u32 s = 0; s < steps; ++s) {
    float n = 0;
#pragma unroll
    for (u32 k = 0; k < 32; ++k) n += t[k] * idxf(a, k);
    n *= emit[(w * steps + s) * 32 + lane] + 1e-3f;
    const float sum = warp_sum(n);
    a = fdiv(n, sum);
    total += logf_(sum);
  }
  if (lane == 0) out[w] = total;
}
KERNEL banded_affine(int* R out, const u8* R a, const u8* R b, u32 n) {  // a pair a warp, a diagonal a lane, a band of 32, gaps open and extend
  const u32 w = (BID * BDIM + TID) / 32, lane = TID % 32;
  const u8 *p = a + w * n, *q = b + w * n + 7;
  int h = 0, e = -100, f = -100, best = 0;
  for (u32 t = 0; t < 2 * n; ++t) {
    const int hl = (int)up((u32)h, 1), el = (int)up((u32)e, 1), hu = __nvvm_shfl_sync_down_i32(-1, h, 1, 31), fu = __nvvm_shfl_sync_down_i32(-1, f, 1, 31);
    const int d = (int)lane - 16, i = ((int)t - d) >> 1, j = i + d;
    if (((t + lane) & 1) == 0 && i >= 0 && j >= 0 && i < (int)n && j < (int)n) {
      const int l = lane ? hl : -100, le = lane ? el : -100, u = lane < 31 ? hu : -100, ue = lane < 31 ? fu : -100;
      e = l - 6 > le - 1 ? l - 6 : le - 1;
      f = u - 6 > ue - 1 ? u - 6 : ue - 1;
      int v = h + (((p[i] ^ q[j]) & 3) ? -3 : 5);
      v = v > e ? v : e;
      v = v > f ? v : f;
      h = v > 0 ? v : 0;
      best = h > best ? h : best;
    }
  }
  best = __nvvm_redux_sync_max(best, -1);
  if (lane == 0) out[w] = best;
}
KERNEL pssm_scan(u32* R out, const u8* R seq, const float* R pssm, u32 width) {  // a matrix of 20 letters by up to 32 places against each place of a sequence
  SHARED float m[32 * 20];
  SHARED u8 s[256 + 32];
  for (u32 k = TID; k < width * 20; k += 256) m[k] = pssm[k] - 0.5f;
  for (u32 k = TID; k < 256 + width; k += 256) s[k] = seq[BID * 256 + k] % 20;
  SYNC;
  float v = 0;
  for (u32 k = 0; k < width; ++k) v += m[k * 20 + s[TID + k]];
  const u32 hits = ballot(v > 2.5f);
  if (TID % 32 == 0) out[BID * 8 + TID / 32] = hits;
}
// ---- money and chance
KERNEL heston(float* R out, u32 steps, u32 seed) {  // two normals a step by Box and Muller, full truncation, a sum a group
  SHARED float part[4];
  const u32 i = BID * BDIM + TID;
  u32 a = mix(i ^ seed), b = mix(a + 0x9e3779b9u);
  float s = 0, v = 0.04f;
  for (u32 k = 0; k < steps; ++k) {
    a = a * 1664525u + 1013904223u;
    b ^= b << 13; b ^= b >> 17; b ^= b << 5;
    const float r = sqrtf_(-2 * logf_(unit(a ^ b >> 7))), t = 6.2831853f * unit(b), z1 = r * cosf_(t), z2 = r * sinf_(t);
    const float p = maxf(v, 0), root = sqrtf_(p * 0.004f);
    s += -0.5f * p * 0.004f + root * z1;
    v += 2.0f * (0.04f - p) * 0.004f + 0.3f * root * (-0.7f * z1 + 0.714143f * z2);
  }
  float pay = warp_sum(maxf(0, expf_(s) - 1));
  if (TID % 32 == 0) part[TID / 32] = pay;
  SYNC;
  if (TID == 0) out[BID] = part[0] + part[1] + part[2] + part[3];
}
KERNEL sobol(float* R out, const u32* R directions, u32 n) {  // a dimension in y, 8 points of it a work-item, directions in shared memory
  SHARED u32 v[32];
  if (TID < 32) v[TID] = directions[BIDY * 32 + TID] | 1u << (31 - TID);
  SYNC;
  for (u32 k = 0; k < 8; ++k) {
    const u32 i = (BID * 8 + k) * BDIM + TID;
    u32 g = i ^ i >> 1, x = 0;
    for (u32 b = 0; g; ++b, g >>= 1) if (g & 1) x ^= v[b];
    out[BIDY * n + i] = x * 2.3283064e-10f;
  }
}
INLINE float cdf(float d) {
  const float k = fdiv(1, 1 + 0.2316419f * absf(d)), p = 0.39894228f * expf_(-0.5f * d * d) * k * (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302744f))));
  return d > 0 ? 1 - p : p;
}
KERNEL implied_vol(float* R out, const f4* R in, u32) {  // Newton's steps until the price fits, at most 20
  const u32 i = BID * BDIM + TID;
  const f4 o = in[i];
  const float s = 80 + 40 * o.x, k = 80 + 40 * o.y, t = 0.1f + 2 * o.z, root = sqrtf_(t), disc = expf_(-0.02f * t), low = maxf(0, s - k * disc), target = low + 2 + 12 * o.w;
  float vol = 0.3f;
  for (u32 n = 0; n < 20; ++n) {
    const float d1 = fdiv(logf_(fdiv(s, k)) + (0.02f + 0.5f * vol * vol) * t, vol * root), price = s * cdf(d1) - k * disc * cdf(d1 - vol * root), vega = s * root * 0.39894228f * expf_(-0.5f * d1 * d1) + 1e-3f, miss = price - target;
    if (absf(miss) < 1e-3f) break;
    vol = minf(3, maxf(0.01f, vol - fdiv(miss, vega)));
  }
  out[i] = vol;
}
KERNEL alias_sample(u32* R out, const u2* R table, u32 n, u32 each) {  // Walker's table, so many draws a work-item
  u32 h = mix(BID * BDIM + TID);
  for (u32 k = 0; k < each; ++k) {
    h = mix(h + 0x9e3779b9u);
    const u32 slot = mulhi(h, n), coin = mix(h ^ 0xb5297a4du);
    const u2 e = table[slot];
    out[(BID * each + k) * BDIM + TID] = coin < e.x ? slot : mulhi(e.y, n);
  }
}
// ---- learning
KERNEL conv_dilated(float* R out, const float* R in, const float* R weight, u32 side) {  // groups of 8 channels in and out, 3 x 3 spread by two, padded; a point's 8 outputs a work-item
  SHARED float w[8][8][9];
  for (u32 k = TID; k < 576; k += BDIM) (&w[0][0][0])[k] = weight[BIDY % 16 * 576 + k] - 0.5f;
  SYNC;
  const u32 i = BID * BDIM + TID, hw = side * side;
  if (i >= hw) return;
  const int x = i % side, y = i / side;
  float acc[8] = {};
  for (u32 c = 0; c < 8; ++c) {
    const float* p = in + (BIDY * 8 + c) * hw;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const int xx = x + (k % 3 - 1) * 2, yy = y + (k / 3 - 1) * 2;
      const float v = xx >= 0 && yy >= 0 && xx < (int)side && yy < (int)side ? p[yy * (int)side + xx] : 0.0f;
#pragma unroll
      for (u32 o = 0; o < 8; ++o) acc[o] += v * w[o][c][k];
    }
  }
#pragma unroll
  for (u32 o = 0; o < 8; ++o) out[(BIDY * 8 + o) * hw + i] = maxf(0, acc[o]);
}
KERNEL deform_sample(float* R out, const float* R in, const float* R offset, u32 side, u32 channels) {  // columns of a deformable convolution: 9 places a point moved by offsets, bilinear
  const u32 i = BID * BDIM + TID, hw = side * side, k = BIDY % 9, image = BIDY / 9;
  if (i >= hw) return;
  const float* off = offset + (image * 18 + 2 * k) * hw;
  const float x = (float)(i % side) + (float)(k % 3) - 1 + 6 * off[i] - 3, y = (float)(i / side) + (float)(k / 3) - 1 + 6 * off[hw + i] - 3;
  const float bx = __builtin_floorf(x), by = __builtin_floorf(y), fx = x - bx, fy = y - by;
  const int x0 = (int)bx, y0 = (int)by;
  const bool l = x0 >= 0 && x0 < (int)side, r = x0 + 1 >= 0 && x0 + 1 < (int)side, u = y0 >= 0 && y0 < (int)side, d = y0 + 1 >= 0 && y0 + 1 < (int)side;
  for (u32 c = 0; c < channels; ++c) {
    const float* p = in + (image * channels + c) * hw;
    const int at = y0 * (int)side + x0;
    const float a = l && u ? p[at] : 0.0f, b = r && u ? p[at + 1] : 0.0f, e = l && d ? p[at + (int)side] : 0.0f, f = r && d ? p[at + (int)side + 1] : 0.0f;
    out[((image * channels + c) * 9 + k) * hw + i] = (1 - fy) * ((1 - fx) * a + fx * b) + fy * ((1 - fx) * e + fx * f);
  }
}
KERNEL residual_norm(u2* R out, u2* R sum, const u2* R x, const u2* R res, const f4* R gamma, u32) {  // f16 rows of 1024, a row a warp in registers, mean and variance exact
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  f4 v[8];
  float s = 0;
#pragma unroll
  for (u32 k = 0; k < 8; ++k) {
    const u32 i = row * 256 + k * 32 + lane;
    const u2 a = x[i], b = res[i];
    const f2 p = halves(a.x) + halves(b.x), q = halves(a.y) + halves(b.y);
    v[k].x = p.x; v[k].y = p.y; v[k].z = q.x; v[k].w = q.y;
    u2 o; o.x = pack(p); o.y = pack(q);
    sum[i] = o;
    s += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  const float mean = warp_sum(s) * 9.765625e-4f;
  s = 0;
#pragma unroll
  for (u32 k = 0; k < 8; ++k) { v[k] = v[k] - mean; s += dot3(v[k], v[k]) + v[k].w * v[k].w; }
  const float dev = rsq(warp_sum(s) * 9.765625e-4f + 1e-5f);
#pragma unroll
  for (u32 k = 0; k < 8; ++k) {
    const f4 r = v[k] * dev * gamma[k * 32 + lane];
    f2 p, q; p.x = r.x; p.y = r.y; q.x = r.z; q.y = r.w;
    u2 o; o.x = pack(p); o.y = pack(q);
    out[row * 256 + k * 32 + lane] = o;
  }
}
KERNEL gru_cell(float* R h, const float* R gi, const float* R gh, const float* R before, u32 n) {  // gates of three n by rows, a row in y
  const u32 j = BID * BDIM + TID, at = BIDY * 3 * n + j;
  if (j >= n) return;
  const float r = fdiv(1, 1 + expf_(-gi[at] - gh[at])), z = fdiv(1, 1 + expf_(-gi[at + n] - gh[at + n])), e = expf_(2 * (gi[at + 2 * n] + r * gh[at + 2 * n]));
  const float c = 1 - fdiv(2, e + 1);
  h[BIDY * n + j] = c + z * (before[BIDY * n + j] - c);
}
KERNEL winograd_in(float* R out, const float* R in, u32 side) {  // F(2 x 2, 3 x 3): tiles of 4 x 4 transformed to 16 planes; channels in y
  const u32 half = side / 2, tiles = half * half, i = BID * BDIM + TID;
  if (i >= tiles) return;
  const int x = (int)(i % half) * 2 - 1, y = (int)(i / half) * 2 - 1;
  float d[4][4], t[4][4];
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int c = 0; c < 4; ++c) d[r][c] = x + c >= 0 && x + c < (int)side && y + r >= 0 && y + r < (int)side ? in[BIDY * side * side + (u32)((y + r) * (int)side + x + c)] : 0.0f;
#pragma unroll
  for (int c = 0; c < 4; ++c) { t[0][c] = d[0][c] - d[2][c]; t[1][c] = d[1][c] + d[2][c]; t[2][c] = d[2][c] - d[1][c]; t[3][c] = d[1][c] - d[3][c]; }
#pragma unroll
  for (u32 r = 0; r < 4; ++r) {
    float* o = out + ((r * 4) * GDIMY + BIDY) * tiles + i;
    const u32 step = GDIMY * tiles;
    o[0] = t[r][0] - t[r][2]; o[step] = t[r][1] + t[r][2]; o[2 * step] = t[r][2] - t[r][1]; o[3 * step] = t[r][1] - t[r][3];
  }
}
KERNEL causal_softmax(float* R out, const float* R in, u32 n) {  // a row of n scores a group of 128, the first row + 1 of them, with a slope by distance; a head in y
  SHARED float part[4], top[4];
  const u32 row = BID;
  const u64 base = ((u64)BIDY * GDIM + row) * n;
  const float slope = exp2f_(-0.5f * (BIDY + 1));
  float v[16], m = -1e30f, s = 0;
#pragma unroll
  for (u32 k = 0; k < 16; ++k) {
    const u32 c = k * 128 + TID;
    v[k] = c <= row && c < n ? in[base + c] * 0.125f - slope * (row - c) : -1e30f;
    m = maxf(m, v[k]);
  }
  m = warp_max(m);
  if (TID % 32 == 0) top[TID / 32] = m;
  SYNC;
  m = maxf(maxf(top[0], top[1]), maxf(top[2], top[3]));
#pragma unroll
  for (u32 k = 0; k < 16; ++k) { v[k] = expf_(v[k] - m); s += v[k]; }
  s = warp_sum(s);
  if (TID % 32 == 0) part[TID / 32] = s;
  SYNC;
  s = fdiv(1, part[0] + part[1] + part[2] + part[3]);
#pragma unroll
  for (u32 k = 0; k < 16; ++k) { const u32 c = k * 128 + TID; if (c < n) out[base + c] = v[k] * s; }
}
KERNEL ctc_alpha(float* R out, const float* R logp, const u32* R label, u32 steps) {  // 63 labels and blanks between, 128 letters, a sequence a group of 128; logarithms of sums
  SHARED float a[2][130];
  const u32 s = TID, letter = s & 1 ? 1 + label[BID * 64 + s / 2] % 127 : 0;
  const bool skip = (s & 1) && s > 1 && letter != 1 + label[BID * 64 + s / 2 - 1] % 127;
  const float* p = logp + (u64)BID * steps * 128;
  if (s < 2) a[0][s] = a[1][s] = -1e30f;
  a[0][s + 2] = s < 2 ? p[letter] - 5 : -1e30f;
  SYNC;
  for (u32 t = 1; t < steps; ++t) {
    const float x = a[(t - 1) & 1][s + 2], y = a[(t - 1) & 1][s + 1], z = skip ? a[(t - 1) & 1][s] : -1e30f, m = maxf(x, maxf(y, z));
    a[t & 1][s + 2] = s < 127 ? m + logf_(expf_(x - m) + expf_(y - m) + expf_(z - m)) + p[t * 128 + letter] - 5 : -1e30f;
    SYNC;
  }
  if (s == 0) out[BID] = maxf(a[(steps - 1) & 1][127], a[(steps - 1) & 1][128]);
}
// ---- dense algebra, transforms
KERNEL dgemm_regs(double* R c, const double* R a, const double* R b, u32 n, u32 k) {  // 64 x 64 tiles, 4 x 4 a work-item, 8 deep, a by columns
  SHARED double as[8][64], bs[8][64];
  const u32 tx = TID % 16, ty = TID / 16;
  double acc[4][4] = {};
  for (u32 k0 = 0; k0 < k; k0 += 8) {
#pragma unroll
    for (u32 t = 0; t < 2; ++t) {
      const u32 r = TID / 64 + 4 * t, q = TID % 64;
      as[r][q] = a[(k0 + r) * n + BIDY * 64 + q];
      bs[r][q] = b[(k0 + r) * n + BID * 64 + q];
    }
    SYNC;
#pragma unroll
    for (u32 s = 0; s < 8; ++s) {
      double fa[4], fb[4];
#pragma unroll
      for (u32 i = 0; i < 4; ++i) { fa[i] = as[s][ty * 4 + i]; fb[i] = bs[s][tx + 16 * i]; }
#pragma unroll
      for (u32 i = 0; i < 4; ++i)
#pragma unroll
        for (u32 j = 0; j < 4; ++j) acc[i][j] += fa[i] * fb[j];
    }
    SYNC;
  }
#pragma unroll
  for (u32 i = 0; i < 4; ++i)
#pragma unroll
    for (u32 j = 0; j < 4; ++j) c[(BIDY * 64 + ty * 4 + i) * n + BID * 64 + tx + 16 * j] = acc[i][j];
}
KERNEL cgemm(f2* R c, const f2* R a, const f2* R b, u32 n, u32 k) {  // complex, 32 x 32 tiles, 2 x 2 a work-item, 16 deep
  SHARED f2 as[32][17], bs[16][32];
  const u32 tx = TID % 16, ty = TID / 16;
  f2 acc[2][2];
  acc[0][0] = acc[0][1] = acc[1][0] = acc[1][1] = 0.0f;
  for (u32 k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
    for (u32 t = 0; t < 2; ++t) {
      as[ty + 16 * t][tx] = a[(BIDY * 32 + ty + 16 * t) * k + k0 + tx];
      bs[TID / 32 + 8 * t][TID % 32] = b[(k0 + TID / 32 + 8 * t) * n + BID * 32 + TID % 32];
    }
    SYNC;
#pragma unroll
    for (u32 s = 0; s < 16; ++s)
#pragma unroll
      for (u32 i = 0; i < 2; ++i)
#pragma unroll
        for (u32 j = 0; j < 2; ++j) acc[i][j] += cmul(as[ty + 16 * i][s], bs[s][tx + 16 * j]);
    SYNC;
  }
#pragma unroll
  for (u32 i = 0; i < 2; ++i)
#pragma unroll
    for (u32 j = 0; j < 2; ++j) c[(BIDY * 32 + ty + 16 * i) * n + BID * 32 + tx + 16 * j] = acc[i][j];
}
KERNEL qr8(float* R out, const float* R in, u32 n) {  // Householder's QR of 8 x 8, a matrix a work-item in registers, element by element n apart
  const u32 i = BID * BDIM + TID;
  float a[8][8];
#pragma unroll
  for (u32 k = 0; k < 64; ++k) a[k / 8][k % 8] = in[k * n + i] + (k % 9 ? 0.0f : 1.0f);
#pragma unroll
  for (u32 c = 0; c < 7; ++c) {
    float s = 0;
#pragma unroll
    for (u32 r = c; r < 8; ++r) s += a[r][c] * a[r][c];
    const float alpha = a[c][c] > 0 ? -sqrtf_(s) : sqrtf_(s), v0 = a[c][c] - alpha, beta = 1.0f / (s - alpha * a[c][c] + 1e-20f);
    a[c][c] = v0;
#pragma unroll
    for (u32 j = c + 1; j < 8; ++j) {
      float t = 0;
#pragma unroll
      for (u32 r = c; r < 8; ++r) t += a[r][c] * a[r][j];
      t *= beta;
#pragma unroll
      for (u32 r = c; r < 8; ++r) a[r][j] -= t * a[r][c];
    }
    a[c][c] = alpha;
  }
#pragma unroll
  for (u32 k = 0; k < 64; ++k) out[k * n + i] = a[k / 8][k % 8];
}
INLINE void turn(float& p, float& q, float& o, float& u, float& v) {  // Jacobi's rotation of p, q and o between them; u and v beside
  if (absf(o) < 1e-7f) return;
  const float theta = (q - p) / (2 * o), t = (theta < 0 ? -1.0f : 1.0f) / (absf(theta) + sqrtf_(theta * theta + 1)), c = 1 / sqrtf_(t * t + 1), s = t * c, w = u;
  p -= t * o; q += t * o; o = 0;
  u = c * w - s * v;
  v = s * w + c * v;
}
KERNEL eig3(float* R out, const float* R in, u32 n) {  // eigenvalues of symmetric 3 x 3, sweeps until the rest is small
  const u32 i = BID * BDIM + TID;
  float a = in[i], b = in[n + i], c = in[2 * n + i], d = in[3 * n + i] - 0.5f, e = in[4 * n + i] - 0.5f, f = in[5 * n + i] - 0.5f;
  for (u32 k = 0; k < 8 && absf(d) + absf(e) + absf(f) > 1e-6f; ++k) {
    turn(a, b, d, e, f);
    turn(a, c, e, d, f);
    turn(b, c, f, d, e);
  }
  out[i] = maxf(a, maxf(b, c)); out[n + i] = a + b + c; out[2 * n + i] = minf(a, minf(b, c));
}
KERNEL chol6(double* R out, const double* R in, u32 n) {  // Cholesky of 6 x 6 and the solution, f64, elements n apart
  const u32 i = BID * BDIM + TID;
  double l[6][6], x[6];
  u32 at = 0;
#pragma unroll
  for (u32 r = 0; r < 6; ++r) {
#pragma unroll
    for (u32 c = 0; c <= r; ++c) l[r][c] = in[at++ * n + i] + (r == c ? 8.0 : 0.1);
    x[r] = in[(21 + r) * n + i] + 1;
  }
#pragma unroll
  for (u32 c = 0; c < 6; ++c) {
#pragma unroll
    for (u32 k = 0; k < c; ++k) l[c][c] -= l[c][k] * l[c][k];
    l[c][c] = 1.0 / __nvvm_sqrt_rn_d(l[c][c]);
#pragma unroll
    for (u32 r = c + 1; r < 6; ++r) {
#pragma unroll
      for (u32 k = 0; k < c; ++k) l[r][c] -= l[r][k] * l[c][k];
      l[r][c] *= l[c][c];
    }
#pragma unroll
    for (u32 k = 0; k < c; ++k) x[c] -= l[c][k] * x[k];
    x[c] *= l[c][c];
  }
#pragma unroll
  for (int r = 5; r >= 0; --r) {
#pragma unroll
    for (int k = r + 1; k < 6; ++k) x[r] -= l[k][r] * x[k];
    x[r] *= l[r][r];
    out[r * n + i] = x[r];
  }
}
KERNEL pcr_warp(float* R out, const float* R in, u32 n) {  // tridiagonal systems of 32, a system a warp, an equation a lane
  const u32 i = BID * BDIM + TID, lane = TID % 32;
  float a = lane ? -in[i] : 0.0f, b = 2.5f + in[n + i], c = lane < 31 ? -in[2 * n + i] : 0.0f, d = in[3 * n + i];
#pragma unroll
  for (u32 s = 1; s < 32; s *= 2) {
    const u32 l = lane >= s ? lane - s : lane, h = lane + s < 32 ? lane + s : lane;
    const float al = idxf(a, l), bl = idxf(b, l), cl = idxf(c, l), dl = idxf(d, l), ah = idxf(a, h), bh = idxf(b, h), ch = idxf(c, h), dh = idxf(d, h);
    const float p = lane >= s ? fdiv(a, bl) : 0.0f, q = lane + s < 32 ? fdiv(c, bh) : 0.0f;
    b -= p * cl + q * ah;
    d -= p * dl + q * dh;
    a = -p * al;
    c = -q * ch;
  }
  out[i] = fdiv(d, b);
}
INLINE void fft8(f2 (&v)[8]) {
  const float r = 0.70710678f;
#pragma unroll
  for (u32 k = 0; k < 4; ++k) { const f2 a = v[k], b = v[k + 4]; v[k] = a + b; v[k + 4] = a - b; }
  f2 t = v[5]; v[5].x = r * (t.x + t.y); v[5].y = r * (t.y - t.x);
  t = v[6]; v[6].x = t.y; v[6].y = -t.x;
  t = v[7]; v[7].x = r * (t.y - t.x); v[7].y = -r * (t.x + t.y);
#pragma unroll
  for (u32 h = 0; h < 8; h += 4) {
    const f2 a = v[h] + v[h + 2], b = v[h] - v[h + 2], c = v[h + 1] + v[h + 3], d = v[h + 1] - v[h + 3];
    f2 e; e.x = d.y; e.y = -d.x;
    v[h] = a + c; v[h + 1] = a - c; v[h + 2] = b + e; v[h + 3] = b - e;
  }
}
KERNEL fft512(f2* R out, const f2* R in, u32) {  // 512 points a group of 64, three steps of radix 8 through shared memory
  SHARED f2 s[576];
  const u32 order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  const u32 base = BID * 512;
  f2 v[8];
#pragma unroll
  for (u32 k = 0; k < 8; ++k) v[k] = in[base + k * 64 + TID];
#pragma unroll
  for (u32 stage = 0; stage < 3; ++stage) {
    fft8(v);
    if (stage == 2) break;
    const float angle = stage ? -(TID % 8) * 0.098174770f : -(float)TID * 0.012271846f;
    f2 w, u; w.x = cosf_(angle); w.y = sinf_(angle);
    u.x = 1; u.y = 0;
    f2 r[8];
#pragma unroll
    for (u32 k = 0; k < 8; ++k) { r[k] = cmul(v[order[k]], u); u = cmul(u, w); }
    SYNC;
#pragma unroll
    for (u32 k = 0; k < 8; ++k) { const u32 to = stage ? TID / 8 * 64 + k * 8 + TID % 8 : k * 64 + TID; s[to + to / 8] = r[k]; }
    SYNC;
#pragma unroll
    for (u32 k = 0; k < 8; ++k) { const u32 from = stage ? TID * 8 + k : TID / 8 * 64 + k * 8 + TID % 8; v[k] = s[from + from / 8]; }
  }
#pragma unroll
  for (u32 k = 0; k < 8; ++k) out[base + k * 64 + TID / 8 + TID % 8 * 8] = v[order[k]];
}
KERNEL haar2d(float* R out, const float* R in, u32 n) {  // three levels of a tile of 32 x 32, rows and then columns
  SHARED float t[32][33];
  const u32 x0 = BID * 32, y0 = BIDY * 32;
  for (u32 k = TID; k < 1024; k += 256) t[k / 32][k % 32] = in[(y0 + k / 32) * n + x0 + k % 32];
  SYNC;
  for (u32 m = 32; m > 4; m /= 2) {
    const u32 h = m / 2;
    float lo[2], hi[2];
#pragma unroll
    for (u32 pass = 0; pass < 2; ++pass) {
#pragma unroll
      for (u32 q = 0; q < 2; ++q) {
        const u32 k = TID + 256 * q, l = k / h, e = k % h;
        if (k < m * h) {
          const float a = pass ? t[2 * e][l] : t[l][2 * e], b = pass ? t[2 * e + 1][l] : t[l][2 * e + 1];
          lo[q] = 0.5f * (a + b); hi[q] = a - b;
        }
      }
      SYNC;
#pragma unroll
      for (u32 q = 0; q < 2; ++q) {
        const u32 k = TID + 256 * q, l = k / h, e = k % h;
        if (k < m * h) {
          if (pass) { t[e][l] = lo[q]; t[e + h][l] = hi[q]; }
          else { t[l][e] = lo[q]; t[l][e + h] = hi[q]; }
        }
      }
      SYNC;
    }
  }
  for (u32 k = TID; k < 1024; k += 256) out[(y0 + k / 32) * n + x0 + k % 32] = t[k / 32][k % 32];
}
KERNEL walsh1024(f4* R out, const f4* R in, u32) {  // 1024 values a group of 256: pairs in registers, by shuffles, through shared memory
  SHARED f4 s[256];
  f4 v = in[BID * 256 + TID];
  const float a = v.x + v.y, b = v.x - v.y, c = v.z + v.w, d = v.z - v.w;
  v.x = a + c; v.y = b + d; v.z = a - c; v.w = b - d;
#pragma unroll
  for (u32 m = 1; m < 32; m *= 2) {
#pragma unroll
    for (u32 k = 0; k < 4; ++k) { const float o = bfly(v[k], m); v[k] = TID & m ? o - v[k] : v[k] + o; }
  }
#pragma unroll
  for (u32 m = 32; m < 256; m *= 2) {
    s[TID] = v;
    SYNC;
    const f4 o = s[TID ^ m];
    v = TID & m ? o - v : v + o;
    SYNC;
  }
  out[BID * 256 + TID] = v * 0.03125f;
}
// ---- tensor cores
KERNEL tf32_gemm(float* R c, const float* R a, const float* R b, u32 n, u32 k) {  // 64 x 64 tiles, 4 warps of 32 x 32, 32 deep, two buffers filled by cp.async; both by rows of k
  SHARED __attribute__((aligned(16))) float as[2][64][36], bs[2][64][36];
  const u32 lane = TID % 32, warp = TID / 32, wr = warp / 2 * 32 + lane / 4, wc = warp % 2 * 32 + lane / 4, q = lane % 4;
  float acc[2][4][4] = {};
  for (u32 step = 0; step <= k / 32; ++step) {
    if (step < k / 32) {
#pragma unroll
      for (u32 t = 0; t < 4; ++t) {
        const u32 r = t * 16 + TID / 8, e = TID % 8 * 4;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(local_address(&as[step & 1][r][e])), "l"(a + (BIDY * 64 + r) * k + step * 32 + e) : "memory");
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(local_address(&bs[step & 1][r][e])), "l"(b + (BID * 64 + r) * k + step * 32 + e) : "memory");
      }
    }
    asm volatile("cp.async.commit_group;" : : : "memory");
    if (step == 0) continue;
    asm volatile("cp.async.wait_group 1;" : : : "memory");
    SYNC;
    const float (*pa)[36] = as[(step - 1) & 1], (*pb)[36] = bs[(step - 1) & 1];
#pragma unroll
    for (u32 h = 0; h < 32; h += 8) {
      u32 fb[4][2];
#pragma unroll
      for (u32 j = 0; j < 4; ++j) { fb[j][0] = __builtin_bit_cast(u32, pb[wc + j * 8][h + q]); fb[j][1] = __builtin_bit_cast(u32, pb[wc + j * 8][h + q + 4]); }
#pragma unroll
      for (u32 i = 0; i < 2; ++i) {
        const u32 f0 = __builtin_bit_cast(u32, pa[wr + i * 16][h + q]), f1 = __builtin_bit_cast(u32, pa[wr + i * 16 + 8][h + q]);
        const u32 f2 = __builtin_bit_cast(u32, pa[wr + i * 16][h + q + 4]), f3 = __builtin_bit_cast(u32, pa[wr + i * 16 + 8][h + q + 4]);
#pragma unroll
        for (u32 j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3]) : "r"(f0), "r"(f1), "r"(f2), "r"(f3), "r"(fb[j][0]), "r"(fb[j][1]));
      }
    }
    SYNC;
  }
#pragma unroll
  for (u32 i = 0; i < 2; ++i)
#pragma unroll
    for (u32 j = 0; j < 4; ++j)
#pragma unroll
      for (u32 h = 0; h < 2; ++h) {
        f2 o; o.x = acc[i][j][2 * h]; o.y = acc[i][j][2 * h + 1];
        *(f2*)&c[(BIDY * 64 + wr + i * 16 + h * 8) * n + BID * 64 + warp % 2 * 32 + j * 8 + q * 2] = o;
      }
}
KERNEL bf16_linear(u32* R c, const u32* R a, const u32* R b, u32 n, u32 k) {  // bf16, 16 rows by 32 columns a warp straight from global memory, for few rows
  const u32 lane = TID % 32, warp = TID / 32, r = lane / 4, q = lane % 4, col = (BID * 4 + warp) * 32;
  float acc[4][4] = {};
  const u32 *pa = a + (BIDY * 16 + r) * k / 2, *pb = b + (col + r) * k / 2;
  for (u32 k0 = 0; k0 < k / 2; k0 += 8) {
    const u32 mask = 0x3f7f3f7f, f0 = pa[k0 + q] & mask, f1 = pa[4 * k + k0 + q] & mask, f2 = pa[k0 + q + 4] & mask, f3 = pa[4 * k + k0 + q + 4] & mask;
#pragma unroll
    for (u32 j = 0; j < 4; ++j) {
      const u32 g0 = pb[j * 4 * k + k0 + q] & mask, g1 = pb[j * 4 * k + k0 + q + 4] & mask;
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(acc[j][0]), "+f"(acc[j][1]), "+f"(acc[j][2]), "+f"(acc[j][3]) : "r"(f0), "r"(f1), "r"(f2), "r"(f3), "r"(g0), "r"(g1));
    }
  }
#pragma unroll
  for (u32 j = 0; j < 4; ++j)
#pragma unroll
    for (u32 h = 0; h < 2; ++h) {
      u32 o;
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(o) : "f"(acc[j][2 * h + 1]), "f"(acc[j][2 * h]));
      c[((BIDY * 16 + r + 8 * h) * n + col + j * 8) / 2 + q] = o;
    }
}
KERNEL dmma_gemm(double* R c, const double* R a, const double* R b, u32 n, u32 k) {  // f64 on tensor cores, 32 x 32 tiles, 4 warps of 16 x 16, 16 deep; both by rows of k
  SHARED double as[32][18], bs[32][18];
  const u32 lane = TID % 32, warp = TID / 32, wr = warp / 2 * 16 + lane / 4, wc = warp % 2 * 16 + lane / 4, q = lane % 4;
  double acc[2][2][2] = {};
  for (u32 k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
    for (u32 t = 0; t < 4; ++t) {
      const u32 r = t * 8 + TID / 16, e = TID % 16;
      as[r][e] = a[(BIDY * 32 + r) * k + k0 + e];
      bs[r][e] = b[(BID * 32 + r) * k + k0 + e];
    }
    SYNC;
#pragma unroll
    for (u32 h = 0; h < 16; h += 4)
#pragma unroll
      for (u32 i = 0; i < 2; ++i)
#pragma unroll
        for (u32 j = 0; j < 2; ++j)
          asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                       : "+d"(acc[i][j][0]), "+d"(acc[i][j][1]) : "d"(as[wr + i * 8][h + q]), "d"(bs[wc + j * 8][h + q]));
    SYNC;
  }
#pragma unroll
  for (u32 i = 0; i < 2; ++i)
#pragma unroll
    for (u32 j = 0; j < 2; ++j)
#pragma unroll
      for (u32 e = 0; e < 2; ++e) c[(BIDY * 32 + wr + i * 8) * n + BID * 32 + warp % 2 * 16 + j * 8 + q * 2 + e] = acc[i][j][e];
}
// ---- pictures
KERNEL median5(u8* R out, const u8* R in, u32 w) {  // 5 x 5 by halving the values, a tile of 32 x 8 and its rim in shared memory
  SHARED u8 t[12][36];
  const u32 x0 = BID * 32, y0 = BIDY * 8;
  for (u32 k = TID; k < 432; k += 256) t[k / 36][k % 36] = in[(y0 + k / 36) * w + x0 + k % 36];
  SYNC;
  const u32 x = TID % 32, y = TID / 32;
  u32 v[25], median = 0;
#pragma unroll
  for (u32 k = 0; k < 25; ++k) v[k] = t[y + k / 5][x + k % 5];
#pragma unroll 1
  for (u32 bit = 128; bit > 0; bit /= 2) {
    u32 below = 0;
#pragma unroll
    for (u32 k = 0; k < 25; ++k) below += v[k] < (median | bit);
    if (below < 13) median |= bit;
  }
  out[(y0 + y) * w + x0 + x] = (u8)median;
}
KERNEL box_columns(f2* R out, const u8* R in, u32 w, u32 rows) {  // mean and variance of columns of 17 sliding down a strip of rows, a column a work-item
  const u32 x = BID * BDIM + TID, y0 = BIDY * rows;
  u32 s = 0, q = 0;
  for (u32 k = 0; k < 16; ++k) { const u32 v = in[(y0 + k) * w + x]; s += v; q += v * v; }
  for (u32 y = y0; y < y0 + rows; ++y) {
    const u32 v = in[(y + 16) * w + x], o = in[y * w + x];
    s += v; q += v * v;
    f2 r; r.x = s * 0.058823529f; r.y = q * 0.058823529f - r.x * r.x;
    out[y * w + x] = r;
    s -= o; q -= o * o;
  }
}
KERNEL integral_rows(u4* R out, const u32* R in, u32 w) {  // sums along rows of w bytes, a row a warp, 4 bytes a lane
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  u32 carry = 0;
  for (u32 x = lane; x < w / 4; x += 32) {
    const u32 v = in[row * w / 4 + x];
    u4 p; p.x = v & 255; p.y = p.x + (v >> 8 & 255); p.z = p.y + (v >> 16 & 255); p.w = p.z + (v >> 24);
    u32 s = p.w;
#pragma unroll
    for (u32 d = 1; d < 32; d *= 2) { const u32 o = up(s, d); if (lane >= d) s += o; }
    out[row * w / 4 + x] = p + (carry + s - p.w);
    carry += idx(s, 31);
  }
}
KERNEL dilate_rows(u32* R out, const u32* R in, u32 w4) {  // the greatest of 15 bytes along a row, van Herk's blocks in shared memory, 4 bytes a work-item to load
  SHARED __attribute__((aligned(16))) u8 t[1056], left[1056], right[1056];
  const u32 base = BIDY * w4 + BID * 256;
  ((u32*)t)[TID + 4] = in[base + TID];
  if (TID < 8) ((u32*)t)[TID < 4 ? TID : 256 + TID] = in[TID < 4 ? (BID ? base + TID - 4 : base) : ((BID + 1) * 256 < w4 ? base + 252 + TID : base + 255)];
  SYNC;
  if (TID < 70) {
    const u32 first = TID * 15;
    u8 m = 0, n = 0;
    for (u32 k = 0; k < 15; ++k) { const u8 v = t[first + k]; m = v > m ? v : m; left[first + k] = m; }
    for (u32 k = 15; k-- > 0;) { const u8 v = t[first + k]; n = v > n ? v : n; right[first + k] = n; }
  }
  SYNC;
  u32 o = 0;
#pragma unroll
  for (u32 k = 0; k < 4; ++k) { const u32 at = TID * 4 + k + 9; const u32 a = right[at], b = left[at + 14]; o |= (a > b ? a : b) << 8 * k; }
  out[base + TID] = o;
}
KERNEL flow_lk(f2* R out, const u8* R a, const u8* R b, u32 w) {  // Lucas and Kanade: gradients of a tile and its rim in shared memory, windows of 7 x 7
  SHARED float gx[22][23], gy[22][23], gt[22][23];
  const u32 x0 = BID * 16, y0 = BIDY * 16;
  for (u32 k = TID; k < 484; k += 256) {
    const u32 i = (y0 + k / 22 + 1) * w + x0 + k % 22 + 1;
    gx[k / 22][k % 22] = 0.5f * ((int)a[i + 1] - (int)a[i - 1]);
    gy[k / 22][k % 22] = 0.5f * ((int)a[i + w] - (int)a[i - w]);
    gt[k / 22][k % 22] = (int)b[i + 3] - (int)a[i];
  }
  SYNC;
  const u32 x = TID % 16, y = TID / 16;
  float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
  for (u32 r = 0; r < 7; ++r)
#pragma unroll
    for (u32 c = 0; c < 7; ++c) {
      const float p = gx[y + r][x + c], q = gy[y + r][x + c], t = gt[y + r][x + c];
      xx += p * p; xy += p * q; yy += q * q; xt += p * t; yt += q * t;
    }
  const float det = xx * yy - xy * xy;
  f2 v; v = 0.0f;
  if (det > 1) { const float inv = 1 / det; v.x = (xy * yt - yy * xt) * inv; v.y = (xy * xt - xx * yt) * inv; }
  out[(y0 + y) * w + x0 + x] = v;
}
KERNEL dog_extrema(u32* R list, u32* R count, const float* R blur, u32 w, u32 h) {  // four blurred pictures, their three differences: points above or below all 26 about them
  const u32 x = BID * 32 + TID + 1, y = BIDY * 8 + TIDY + 1, i = y * w + x, size = w * h;
  if (x + 1 >= w || y + 1 >= h) return;
  const float v = blur[2 * size + i] - blur[size + i];
  if (absf(v) < 0.3f) return;
  bool most = true, least = true;
  for (u32 s = 0; s < 3 && (most || least); ++s)
#pragma unroll
    for (u32 k = 0; k < 9; ++k) {
      if (s == 1 && k == 4) continue;
      const u32 j = i + (k / 3) * w + k % 3 - w - 1;
      const float d = blur[(s + 1) * size + j] - blur[s * size + j];
      most = most && v > d;
      least = least && v < d;
    }
  if (most || least) list[add(count, 1) & 65535] = i;
}
KERNEL warp_affine(u32* R out, const u32* R in, u32 w, u32 h) {  // four bytes a point, turned and shrunk, bilinear in fixed point, nothing outside
  const u32 x = BID * 32 + TID, y = BIDY * 8 + TIDY;
  const int sx = (int)(x * 51000) - (int)(y * 20000) + 8000000, sy = (int)(x * 20000) + (int)(y * 51000) - 3000000;
  const int px = sx >> 16, py = sy >> 16;
  u32 o = 0;
  if (px >= 0 && py >= 0 && px + 1 < (int)w && py + 1 < (int)h) {
    const u32 fx = sx >> 8 & 255, fy = sy >> 8 & 255, *p = in + py * (int)w + px;
    const u32 a = p[0], b = p[1], c = p[w], d = p[w + 1];
#pragma unroll
    for (u32 k = 0; k < 32; k += 8) {
      const u32 t = (a >> k & 255) * (256 - fx) + (b >> k & 255) * fx, u = (c >> k & 255) * (256 - fx) + (d >> k & 255) * fx;
      o |= (t * (256 - fy) + u * fy) >> 16 << k;
    }
  }
  out[y * w + x] = o;
}
// ---- lists, tables, graphs
KERNEL seg_scan(float* R out, const f4* R in, const u32* R flags, u32) {  // sums since the last head within a group's 1024, heads by bits
  SHARED float part[8];
  SHARED u32 any[8];
  const u32 lane = TID % 32, warp = TID / 32, i = BID * 256 + TID, word = flags[i / 8] & flags[i / 8 + 64] & flags[i / 8 + 128], f = word >> i % 8 * 4 & 15;
  f4 v = in[i];
  v.y += f & 2 ? 0 : v.x; v.z += f & 4 ? 0 : v.y; v.w += f & 8 ? 0 : v.z;
  float s = v.w;
  u32 head = f != 0;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    const float o = upf(s, d);
    const u32 h = up(head, d);
    if (lane >= d) { if (!head) s += o; head |= h; }
  }
  if (lane == 31) { part[warp] = s; any[warp] = head; }
  SYNC;
  float before = 0;
  for (u32 k = 0; k < warp; ++k) before = any[k] ? part[k] : before + part[k];
  const float o = upf(s, 1);
  const u32 h = up(head, 1);
  const float carry = lane == 0 ? before : h ? o : o + before;
  f4 r = v;
  if (!(f & 1)) r.x += carry;
  if (!(f & 3)) r.y += carry;
  if (!(f & 7)) r.z += carry;
  if (!f) r.w += carry;
  ((f4*)out)[i] = r;
}
KERNEL digit_rank(u32* R out, u32* R hist, const u32* R in, u32 shift) {  // places of 4096 keys by a digit of 8 bits: equal lanes by match, a count a warp, then local places
  SHARED u32 count[8][256];
  const u32 lane = TID % 32, warp = TID / 32;
#pragma unroll
  for (u32 w = 0; w < 8; ++w) count[w][TID] = 0;
  SYNC;
  u32 rank[16], key[16];
#pragma unroll
  for (u32 k = 0; k < 16; ++k) {
    key[k] = in[BID * 4096 + warp * 512 + k * 32 + lane];
    const u32 d = key[k] >> shift & 255, same = __nvvm_match_any_sync_i32(-1, d), below = popc(same & ((1u << lane) - 1));
    const u32 base = count[warp][d];
    __nvvm_bar_warp_sync(-1);
    if (below == 0) count[warp][d] = base + popc(same);
    __nvvm_bar_warp_sync(-1);
    rank[k] = base + below;
  }
  SYNC;
  u32 s = 0;
#pragma unroll
  for (u32 w = 0; w < 8; ++w) { const u32 c = count[w][TID]; count[w][TID] = s; s += c; }
  hist[TID * GDIM + BID] = s;
  SYNC;
#pragma unroll
  for (u32 k = 0; k < 16; ++k) {
    u2 r; r.x = key[k]; r.y = rank[k] + count[warp][key[k] >> shift & 255];
    ((u2*)out)[BID * 4096 + warp * 512 + k * 32 + lane] = r;
  }
}
KERNEL insertion16(u32* R out, const u32* R in, u32 n) {  // 16 keys a work-item, insertion in local memory
  const u32 i = BID * BDIM + TID;
  u32 v[16];
  for (u32 k = 0; k < 16; ++k) {
    const u32 x = in[k * n + i];
    u32 j = k;
    while (j > 0 && v[j - 1] > x) { v[j] = v[j - 1]; --j; }
    v[j] = x;
  }
  for (u32 k = 0; k < 16; ++k) out[k * n + i] = v[k];
}
KERNEL hll_update(u32* R regs, const u4* R in, u32 n) {  // HyperLogLog of 4096 registers: maxima in shared memory, then global ones
  SHARED u32 r[4096];
  for (u32 k = TID; k < 4096; k += 256) r[k] = 0;
  SYNC;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u4 v = in[i];
#pragma unroll
    for (u32 k = 0; k < 4; ++k) { const u32 h = mix(v[k]); __nvvm_atom_max_gen_ui(&r[h >> 20], __builtin_clz(h << 12 | 2048) + 1); }
  }
  SYNC;
  for (u32 k = TID; k < 4096; k += 256) if (r[k] > regs[k]) __nvvm_atom_max_gen_ui(&regs[k], r[k]);
}
KERNEL sketch_update(u32* table, const u32* R in, u32 bits) {  // count-min: four rows of 2^bits counters, half of the keys from a small set
  const u32 i = BID * BDIM + TID, h = in[i], key = h & 1 ? h >> 22 : h;
#pragma unroll
  for (u32 r = 0; r < 4; ++r) add(&table[(r << bits) + (mix(key + r * 0x9e3779b9u) >> (32 - bits))], 1);
}
KERNEL reduce_last(float* R out, float* part, u32* ticket, const f4* R in, u32 n) {  // sums of groups, and the last group to come sums them
  SHARED float s[8];
  SHARED u32 last;
  float v = 0;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) { const f4 x = in[i]; v += x.x + x.y + x.z + x.w; }
  v = warp_sum(v);
  if (TID % 32 == 0) s[TID / 32] = v;
  SYNC;
  if (TID == 0) {
    v = 0;
#pragma unroll
    for (u32 k = 0; k < 8; ++k) v += s[k];
    part[BID] = v;
    __nvvm_membar_gl();
    last = __nvvm_atom_inc_gen_ui(ticket, GDIM - 1) == GDIM - 1;
  }
  SYNC;
  if (!last) return;
  v = 0;
  for (u32 k = TID; k < GDIM; k += 256) v += ((volatile float*)part)[k];
  v = warp_sum(v);
  if (TID % 32 == 0) s[TID / 32] = v;
  SYNC;
  if (TID == 0) {
    v = 0;
#pragma unroll
    for (u32 k = 0; k < 8; ++k) v += s[k];
    *out = v;
  }
}
KERNEL dbscan_count(u32* R out, const f2* R in, u32 n) {  // neighbours within a radius until 16 are found, tiles of 256 points
  SHARED f2 t[256];
  const u32 i = BID * 256 + TID;
  const f2 p = in[i];
  u32 c = 0;
  for (u32 k0 = 0; k0 < n; k0 += 256) {
    t[TID] = in[k0 + TID];
    SYNC;
    if (c < 16)
      for (u32 k = 0; k < 256; ++k) { const f2 d = t[k] - p; c += d.x * d.x + d.y * d.y < 4e-4f; }
    SYNC;
  }
  out[i] = c >= 16 ? 1 : 0;
}
KERNEL label_vote(u32* R out, const u32* R label, const u32* R edges, u32 n) {  // the commonest label of 12 neighbours, all pairs in registers
  const u32 v = BID * BDIM + TID;
  u32 l[12], best = 0, most = 0;
#pragma unroll
  for (u32 k = 0; k < 12; ++k) l[k] = label[(edges[k * n + v] >> 7) & (n - 1)] & 15;
#pragma unroll
  for (u32 k = 0; k < 12; ++k) {
    u32 c = 0;
#pragma unroll
    for (u32 j = 0; j < 12; ++j) c += l[j] == l[k];
    if (c > most || (c == most && l[k] < best)) { most = c; best = l[k]; }
  }
  out[v] = best;
}
KERNEL minplus_tile(u32* R c, const u32* R a, const u32* R b, u32 n) {  // 64 x 64 tiles, 4 x 4 a work-item, 16 deep
  SHARED __attribute__((aligned(16))) u32 as[16][68], bs[16][64];
  const u32 tx = TID % 16, ty = TID / 16;
  u32 acc[4][4];
#pragma unroll
  for (u32 k = 0; k < 16; ++k) acc[k / 4][k % 4] = ~0u;
  for (u32 k0 = 0; k0 < n; k0 += 16) {
#pragma unroll
    for (u32 t = 0; t < 4; ++t) {
      as[tx][ty + 16 * t] = a[(BIDY * 64 + ty + 16 * t) * n + k0 + tx] >> 8;
      bs[TID / 64 + 4 * t][TID % 64] = b[(k0 + TID / 64 + 4 * t) * n + BID * 64 + TID % 64] >> 8;
    }
    SYNC;
#pragma unroll
    for (u32 s = 0; s < 16; ++s) {
      const u4 p = *(const u4*)&as[s][ty * 4], q = *(const u4*)&bs[s][tx * 4];
#pragma unroll
      for (u32 i = 0; i < 4; ++i)
#pragma unroll
        for (u32 j = 0; j < 4; ++j) acc[i][j] = mini(acc[i][j], p[i] + q[j]);
    }
    SYNC;
  }
#pragma unroll
  for (u32 i = 0; i < 4; ++i) { u4 o; o.x = acc[i][0]; o.y = acc[i][1]; o.z = acc[i][2]; o.w = acc[i][3]; *(u4*)&c[(BIDY * 64 + ty * 4 + i) * n + BID * 64 + tx * 4] = o; }
}
KERNEL bfs_bottom_up(u32* R next, u32* R parent, const u32* R frontier, const u32* R visited, const u32* R edges, u32 n) {  // vertices not yet seen look for a parent in the frontier's bits, words of bits by votes
  const u32 v = BID * BDIM + TID, degree = 4 + (mix(v) & 15);
  bool found = false;
  if (!(visited[v / 32] >> v % 32 & 1))
    for (u32 k = 0; k < degree; ++k) {
      const u32 to = edges[v * 16 + k % 16] & (n - 1);
      if ((frontier[to / 32] & frontier[to / 32 + n / 32]) >> to % 32 & 1) { parent[v] = to; found = true; break; }
    }
  const u32 bits = ballot(found);
  if (TID % 32 == 0) next[v / 32] = bits;
}
KERNEL permute_0213(u32* R out, const u32* R in, u32 s, u32 h, u32 d) {  // [b, s, h, d] to [b, h, s, d], places by division
  const u32 i = BID * BDIM + TID, total = s * h * d, b = BIDY;
  if (i >= total) return;
  const u32 x = i % d, y = i / d % s, z = i / d / s;
  out[b * total + i] = in[b * total + (y * h + z) * d + x];
}
KERNEL pack12(u32* R out, const u4* R in, u32) {  // eight 16-bit samples to three words of 12-bit ones
  const u32 i = BID * BDIM + TID;
  const u4 v = in[i] >> 4 & 0x0fff0fffu;
  const u4 p = (v & 0xfff) | (v >> 4 & 0xfff000);
  out[3 * i] = p.x | p.y << 24;
  out[3 * i + 1] = p.y >> 8 | p.z << 16;
  out[3 * i + 2] = p.z >> 16 | p.w << 8;
}
KERNEL nqueens(u32* R out, u32 n) {  // ways to finish a board whose first four rows come from the place, stacks of columns in shared memory
  SHARED u32 stack[16][64];
  const u32 i = BID * 64 + TID, all = (1u << n) - 1;
  u32 cols = 0, l = 0, r = 0, k = i, ways = 0;
  bool good = true;
  for (u32 row = 0; row < 4; ++row) {
    const u32 bit = 1u << k % n;
    k /= n;
    good = good && !((cols | l | r) & bit);
    cols |= bit; l = (l | bit) << 1; r = (r | bit) >> 1;
  }
  if (good && k == 0) {
    u32 depth = 0, c[16], dl[16], dr[16];
    c[0] = cols; dl[0] = l; dr[0] = r;
    stack[0][TID] = all & ~(cols | l | r);
    while (true) {
      const u32 open = stack[depth][TID];
      if (!open) { if (depth == 0) break; --depth; continue; }
      const u32 bit = open & -open;
      stack[depth][TID] = open ^ bit;
      const u32 nc = c[depth] | bit;
      if (nc == all) { ++ways; continue; }
      c[depth + 1] = nc; dl[depth + 1] = (dl[depth] | bit) << 1; dr[depth + 1] = (dr[depth] | bit) >> 1;
      ++depth;
      stack[depth][TID] = all & ~(nc | dl[depth] | dr[depth]);
    }
  }
  out[i] = ways;
}
KERNEL nothing(u32* out) {}
