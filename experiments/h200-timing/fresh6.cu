// Kernels as applications have them, a sixth round
#include "applications2.h"

INLINE u32 xorl(u32 x, u32 m) { return (u32)__nvvm_shfl_sync_bfly_i32(-1, x, m, 31); }
INLINE u32 maxi(u32 a, u32 b) { return a > b ? a : b; }
INLINE u32 hfma2(u32 a, u32 b, u32 c) { u32 d; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
INLINE u64 rotr64(u64 x, u32 k) { return x >> k | x << (64 - k); }
INLINE double bfly64(double x, u32 m) {
  const u64 b = __builtin_bit_cast(u64, x);
  return __builtin_bit_cast(double, (u64)xorl((u32)(b >> 32), m) << 32 | xorl((u32)b, m));
}
typedef long long i64;
#define UNROLL _Pragma("unroll")
#define CONSTANT __attribute__((constant)) static

// ---- streams
KERNEL pcm_split(float* left, float* right, const u32* in, u32 n) {  // two channels of 16 bits apart, to floats
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u32 v = in[i];
    left[i] = (short)v * 3.0517578e-5f;
    right[i] = (short)(v >> 16) * 3.0517578e-5f;
  }
}
KERNEL rk4_combine(f2* R y, const f2* R k, float h, u32 n) {  // y and four slopes, five streams read and one written in place
  const u32 i = BID * BDIM + TID;
  if (i < n) y[i] = y[i] * 0.5f + (k[i] + 2.0f * k[i + n] + 2.0f * k[i + 2 * n] + k[i + 3 * n]) * (h * 0.16666667f);
}
KERNEL copy_shifted(float* out, const float* in, u32 n, u32 shift) {  // a copy whose source does not stand at a line
  u32 i = BID * BDIM + TID;
  if (i < n) out[i] = in[i + shift];
}
struct Body { float x, y, z, vx, vy, vz, mass, charge, fx, fy, fz, radius; int id, cell; };
KERNEL aos_update56(Body* body, u32 n, float dt) {  // a structure of 56 bytes a work-item, six fields read and written, three read
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  Body& b = body[i];
  const float s = dt / (b.mass + 1);
  b.vx += b.fx * s; b.vy += b.fy * s; b.vz += b.fz * s + 1e-3f;
  b.x += b.vx * dt; b.y += b.vy * dt; b.z += b.vz * dt;
}
KERNEL minmax_i64(i64* result, const i64* R in, u32 n) {  // least and greatest of 64-bit numbers, shared memory, then two atomics a group of 512
  SHARED i64 lo[512], hi[512];
  i64 a = 0x7fffffffffffffffll, b = ~a;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) { const i64 v = in[i]; a = v < a ? v : a; b = v > b ? v : b; }
  lo[TID] = a; hi[TID] = b;
  SYNC;
  for (u32 s = BDIM / 2; s > 0; s /= 2) {
    if (TID < s) {
      if (lo[TID + s] < lo[TID]) lo[TID] = lo[TID + s];
      if (hi[TID + s] > hi[TID]) hi[TID] = hi[TID + s];
    }
    SYNC;
  }
  if (TID == 0) { __nvvm_atom_min_gen_ll(&result[0], lo[0]); __nvvm_atom_max_gen_ll(&result[1], hi[0]); }
}
KERNEL passes_over(float* R out, const f4* R in, u32 n, u32 passes) {  // the same n quads read again and again by the whole grid
  f4 s; s = 0.0f;
  for (u32 p = 0; p < passes; ++p)
    for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) s = s * 0.9f + in[i];
  out[BID * BDIM + TID] = s.x + s.y + s.z + s.w;
}
KERNEL pyr_down(u8* out, const u8* in, u32 w, u32 h) {  // 5 x 5 binomial at every second point, bytes one by one, edges held
  const int x = BID * BDIM + TID, y = BIDY;
  if (x >= w / 2) return;
  const int weight[5] = {1, 4, 6, 4, 1};
  int s = 0;
  UNROLL for (int j = -2; j <= 2; ++j) {
    int r = 2 * y + j; r = r < 0 ? 0 : r >= (int)h ? h - 1 : r;
    UNROLL for (int i = -2; i <= 2; ++i) { int c = 2 * x + i; c = c < 0 ? 0 : c >= (int)w ? w - 1 : c; s += weight[i + 2] * weight[j + 2] * in[r * w + c]; }
  }
  out[y * (w / 2) + x] = (u8)((s + 128) >> 8);
}
KERNEL clahe_map(u8* R out, const u8* R in, const u8* R lut, u32 w) {  // four tables of 256 about a point mixed by place, tiles of 64 x 64
  const u32 x = BID * 32 + TID, y = BIDY * 8 + TIDY, tiles = w / 64, v = in[y * w + x];
  const float fx = (x - 31.5f) * 0.015625f, fy = (y - 31.5f) * 0.015625f, bx = __builtin_floorf(fx), by = __builtin_floorf(fy), tx = fx - bx, ty = fy - by;
  const u32 x0 = (u32)maxf(bx, 0), x1 = mini((u32)(bx + 1), tiles - 1), y0 = (u32)maxf(by, 0), y1 = mini((u32)(by + 1), tiles - 1);
  const float a = lut[(y0 * tiles + x0) * 256 + v], b = lut[(y0 * tiles + x1) * 256 + v], c = lut[(y1 * tiles + x0) * 256 + v], d = lut[(y1 * tiles + x1) * 256 + v];
  const float p = a + tx * (b - a), q = c + tx * (d - c);
  out[y * w + x] = (u8)(p + ty * (q - p) + 0.5f);
}
KERNEL edt_columns(float* R out, const u8* R in, u32 w, u32 h) {  // distances along a column to the nearest point set, down and then up, a column a work-item
  const u32 x = BID * BDIM + TID;
  if (x >= w) return;
  float d = 1e6f;
  for (u32 y = 0; y < h; ++y) { d = in[y * w + x] > 250 ? 0.0f : d + 1; out[y * w + x] = d; }
  for (int y = (int)h - 2; y >= 0; --y) { const float v = out[y * w + x]; d = minf(d + 1, v); out[y * w + x] = d * d; }
}
KERNEL transpose_u8(u32* R out, const u32* R in, u32 w, u32 h) {  // bytes in tiles of 64 x 64, words read and written, bytes gathered from shared memory
  SHARED u8 t[64][68];
  const u32 x = TID % 16, y = TID / 16;
  UNROLL for (u32 k = 0; k < 64; k += 16) *(u32*)&t[y + k][x * 4] = in[((BIDY * 64 + y + k) * w + BID * 64) / 4 + x];
  SYNC;
  UNROLL for (u32 k = 0; k < 64; k += 16) {
    const u32 c = y + k;
    out[((BID * 64 + c) * h + BIDY * 64) / 4 + x] = t[4 * x][c] | t[4 * x + 1][c] << 8 | t[4 * x + 2][c] << 16 | (u32)t[4 * x + 3][c] << 24;
  }
}
KERNEL unpack_bits(u32* R out, const u32* R in, u32) {  // 1024 numbers of a width of their own a warp, deltas from a base, sums along the warp
  const u32 block = (BID * BDIM + TID) / 32, lane = TID % 32;
  const u32* p = in + block * 1024;
  const u32 head = p[0], width = 3 + (head & 15), mask = (1u << width) - 1;
  u32 base = head >> 8;
  for (u32 k = 0; k < 1024; k += 32) {
    const u32 bit = (k + lane) * width, w = 1 + bit / 32, s = bit % 32;
    u32 v = (u32)(((u64)p[w + 1] << 32 | p[w]) >> s) & mask;
    UNROLL for (u32 d = 1; d < 32; d *= 2) { const u32 o = up(v, d); if (lane >= d) v += o; }
    v += base;
    out[block * 1024 + k + lane] = v;
    base = idx(v, 31);
  }
}
// ---- one after another
KERNEL skiplist_find(u32* R out, const u32* R node, const u32* R query, u32 levels) {  // nodes of 16 keys ahead, from the highest level down
  const u32 i = BID * BDIM + TID, key = query[i] >> (32 - levels - 8);
  u32 at = 0;
  for (int l = levels - 1; l >= 0; --l) {
    const u32 next = at + (1u << l), k = next << 8 | (node[at * 16 + (l & 15)] & 255);
    if (k <= key) at = next;
  }
  out[i] = at;
}
KERNEL chain_probe(u32* R out, const u32* R head, const u4* R node, const u32* R keys, u32 mask, u32 nodes) {  // chains of a hash table walked, up to 24 nodes
  const u32 i = BID * BDIM + TID, key = keys[i];
  u32 at = head[mix(key) & mask], found = 0;
  for (u32 k = 0; k < 24; ++k) {
    const u4 n = node[at & nodes];
    if (((n.x ^ key) & 7) == 0) { found = n.z; break; }
    if ((n.w & 31) == 0) break;
    at = n.y;
  }
  out[i] = found;
}
KERNEL perm_power(u32* R out, const u32* R in, u32 rounds) {  // places followed through places in shared memory, a barrier a round
  SHARED u32 p[1024], q[1024];
  UNROLL for (u32 k = 0; k < 4; ++k) { p[k * 256 + TID] = in[BID * 2048 + k * 256 + TID] & 1023; q[k * 256 + TID] = in[BID * 2048 + 1024 + k * 256 + TID] & 1023; }
  SYNC;
  for (u32 r = 0; r < rounds; ++r) {
    u32 v[4];
    UNROLL for (u32 k = 0; k < 4; ++k) v[k] = p[(q[p[k * 256 + TID]] + r) & 1023];
    SYNC;
    UNROLL for (u32 k = 0; k < 4; ++k) p[k * 256 + TID] = v[k];
    SYNC;
  }
  UNROLL for (u32 k = 0; k < 4; ++k) out[BID * 1024 + k * 256 + TID] = p[k * 256 + TID];
}
KERNEL horner64(double* out, const float* in, const float* coefficient, u32 degree) {  // a polynomial in f64 by coefficients in shared memory, a point a work-item
  SHARED double c[128];
  if (TID < degree) c[TID] = coefficient[TID];
  SYNC;
  const u32 i = BID * BDIM + TID;
  const double x = in[i];
  double s = 0;
  for (u32 k = 0; k < degree; ++k) s = s * x + c[k];
  out[i] = s;
}
KERNEL cont_fraction(float* out, const float* in, u32 steps) {  // exact divisions one after another
  const u32 i = BID * BDIM + TID;
  const float x = in[i];
  float y = 0;
  for (u32 k = steps; k > 0; --k) y = k * x / (k + 1 + y);
  out[i] = 1 / (1 + y);
}
KERNEL div64_pairs(u64* out, const u64* in, const u32* by, u32 n) {  // quotients and remainders of 64 bits
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u64 a = in[i], b = (u64)(by[i] | 1) << (by[i] & 15);
    out[i] = a / b ^ (a % b) << 20;
  }
}
KERNEL h2_horner(u4* R out, const u4* R in, u32 degree) {  // eight halves a work-item, four pairs at once
  const u32 i = BID * BDIM + TID;
  const u4 x = in[i] & 0x3bff3bff;
  u4 s = x;
  _Pragma("unroll 4") for (u32 k = 0; k < degree; ++k) {
    const u32 c = 0x34003400 - k * 0x00100010;
    UNROLL for (u32 e = 0; e < 4; ++e) s[e] = hfma2(s[e], x[e] - 0x04000400 * (x[e] >= 0x08000800), c);
  }
  out[i] = s;
}
KERNEL dtrsv_block(double* R out, const double* R a, const double* R b, u32 n) {  // a lower triangle in f64, columns one by one, a row a work-item
  SHARED double x[512];
  const double* m = a + (u64)BID * n * n;
  double v = b[BID * n + TID];
  for (u32 k = 0; k < n; ++k) {
    if (TID == k) x[k] = v / (1 + m[k * n + k]);
    SYNC;
    if (TID > k) v -= m[k * n + TID] * x[k];
  }
  out[BID * n + TID] = x[TID];
}
// ---- ways that part
KERNEL vm_switch(u32* out, const u8* code, const u32* in, u32 length, u32 steps) {  // a machine with a stack of eight in local memory, programs of a warp's own or all alike
  const u32 i = BID * BDIM + TID, base = i / 32 % length * 64;
  u32 stack[8] = {}, sp = 0, a = in[i], b = 1, pc = 0;
  for (u32 s = 0; s < steps; ++s) {
    const u32 op = code[base + (pc & 63)];
    ++pc;
    switch (op & 15) {
      case 0: a += b; break;
      case 1: a *= b | 1; break;
      case 2: stack[sp++ & 7] = a; break;
      case 3: b = stack[--sp & 7]; break;
      case 4: a ^= a >> 7; break;
      case 5: if (a & 1) pc += op >> 4; break;
      case 6: a = b ? a % b : a; break;
      case 7: b = a - b; break;
      case 8: a = rotl(a, 5); break;
      case 9: if (a > b) { const u32 t = a; a = b; b = t; } break;
      case 10: a = popc(a) + (op >> 4); break;
      case 11: while (b > 64) b >>= 2; break;
      case 12: a = mix(a); break;
      case 13: if ((a & 3) == 0) pc -= 3; break;
      case 14: b += stack[(sp - 1) & 7]; break;
      default: a -= op; break;
    }
  }
  out[i] = a ^ b;
}
KERNEL trial_division(u32* out, const u32* in, u32 bits) {  // the least divisor, found early or late
  const u32 i = BID * BDIM + TID, n = in[i] >> (32 - bits) | 1;
  u32 d = 3;
  for (; d * d <= n; d += 2) if (n % d == 0) break;
  out[i] = d * d <= n ? d : n;
}
KERNEL quick32(u32* out, const u32* in, u32 n) {  // 32 keys in local memory sorted by parts with a stack, short parts by insertion
  const u32 i = BID * BDIM + TID;
  u32 a[32], stack[16], top = 0;
  for (u32 k = 0; k < 32; ++k) a[k] = in[k * n + i];
  stack[top++] = 0 | 31 << 8;
  while (top) {
    const u32 e = stack[--top];
    int lo = e & 255, hi = e >> 8;
    while (hi - lo > 6) {
      const u32 pivot = a[(lo + hi) / 2];
      int l = lo, r = hi;
      while (l <= r) {
        while (a[l] < pivot) ++l;
        while (a[r] > pivot) --r;
        if (l <= r) { const u32 t = a[l]; a[l] = a[r]; a[r] = t; ++l; --r; }
      }
      if (r - lo < hi - l) { if (l < hi) stack[top++] = l | hi << 8; hi = r; }
      else { if (lo < r) stack[top++] = lo | r << 8; lo = l; }
    }
    for (int p = lo + 1; p <= hi; ++p) {
      const u32 v = a[p];
      int q = p - 1;
      for (; q >= lo && a[q] > v; --q) a[q + 1] = a[q];
      a[q + 1] = v;
    }
  }
  for (u32 k = 0; k < 32; ++k) out[k * n + i] = a[k];
}
KERNEL bond_yield(double* R out, const f4* R in, u32) {  // 4 to 60 payments, Newton in f64 until near
  const u32 i = BID * BDIM + TID;
  const f4 b = in[i];
  const u32 n = 4 + (u32)(b.x * 56);
  const double coupon = 0.5 + 3.5 * b.y, price = 80 + 40 * b.z;
  double y = 0.02;
  for (u32 t = 0; t < 16; ++t) {
    const double d = 1 / (1 + y);
    double f = 1, p = 0, g = 0;
    for (u32 k = 1; k <= n; ++k) { f *= d; p += coupon * f; g -= k * coupon * f; }
    p += 100 * f; g -= n * 100 * f;
    const double step = (p - price) / (g * d);
    y -= step;
    if (y < -0.5) y = -0.5;
    if (step < 1e-10 && step > -1e-10) break;
  }
  out[i] = y;
}
KERNEL horspool(u32* R out, const u8* R text, const u8* R pattern, u32 length) {  // a pattern of 8 letters of 8 in a piece of length bytes, skips in shared memory
  SHARED u8 skip[8], want[8];
  if (TID < 8) { want[TID] = pattern[TID] & 7; skip[TID] = 8; }
  SYNC;
  if (TID == 0) for (u32 k = 0; k < 7; ++k) skip[want[k]] = 7 - k;
  SYNC;
  const u32 i = BID * BDIM + TID;
  const u8* p = text + i * length;
  u32 at = 0, found = 0;
  while (at + 8 <= length) {
    int k = 7;
    while (k >= 0 && (p[at + k] & 7) == want[k]) --k;
    if (k < 0) ++found;
    at += skip[p[at + 7] & 7];
  }
  out[i] = found;
}
// ---- bits
CONSTANT const u64 sha512_k[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b,
    0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1,
    0x9bdc06a725c71235, 0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65, 0x2de92c6f592b0275,
    0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b, 0xa2bfe8a14cf10364, 0xa81a664bbc423001,
    0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8,
    0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec, 0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915,
    0xc67178f2e372532b, 0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c, 0x4cc5d4becb3e42b6,
    0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};
KERNEL sha512_block(u64* R out, const u64* R in, u32 n) {  // a block of 128 bytes a work-item, words n apart, constants in constant memory
  const u32 i = BID * BDIM + TID;
  u64 w[16], s[8];
  UNROLL for (u32 k = 0; k < 16; ++k) w[k] = in[k * n + i];
  UNROLL for (u32 k = 0; k < 8; ++k) s[k] = 0x6a09e667f3bcc908ull * (k + 1);
  _Pragma("unroll 1") for (u32 r = 0; r < 80; r += 16) {
    UNROLL for (u32 k = 0; k < 16; ++k) {
      if (r) {
        const u64 x = w[(k + 1) & 15], y = w[(k + 14) & 15];
        w[k] += (rotr64(x, 1) ^ rotr64(x, 8) ^ x >> 7) + (rotr64(y, 19) ^ rotr64(y, 61) ^ y >> 6) + w[(k + 9) & 15];
      }
      const u64 e = s[4], a = s[0];
      const u64 t = s[7] + (rotr64(e, 14) ^ rotr64(e, 18) ^ rotr64(e, 41)) + (e & s[5] ^ ~e & s[6]) + sha512_k[r + k] + w[k];
      const u64 u = (rotr64(a, 28) ^ rotr64(a, 34) ^ rotr64(a, 39)) + (a & s[1] ^ a & s[2] ^ s[1] & s[2]);
      s[7] = s[6]; s[6] = s[5]; s[5] = e; s[4] = s[3] + t; s[3] = s[2]; s[2] = s[1]; s[1] = a; s[0] = t + u;
    }
  }
  UNROLL for (u32 k = 0; k < 8; ++k) out[k * n + i] = s[k];
}
INLINE void salsa8(u4* v) {
  u32 x[16];
  UNROLL for (u32 k = 0; k < 16; ++k) x[k] = v[k / 4][k % 4];
  _Pragma("unroll 1") for (u32 r = 0; r < 4; ++r) {
#define QR(a, b, c, d) x[b] ^= rotl(x[a] + x[d], 7); x[c] ^= rotl(x[b] + x[a], 9); x[d] ^= rotl(x[c] + x[b], 13); x[a] ^= rotl(x[d] + x[c], 18);
    QR(0, 4, 8, 12) QR(5, 9, 13, 1) QR(10, 14, 2, 6) QR(15, 3, 7, 11)
    QR(0, 1, 2, 3) QR(5, 6, 7, 4) QR(10, 11, 8, 9) QR(15, 12, 13, 14)
  }
  UNROLL for (u32 k = 0; k < 16; ++k) v[k / 4][k % 4] += x[k];
}
KERNEL romix(u4* out, u4* pad, const u4* in, u32 steps) {  // blocks of 64 bytes mixed and kept, then read back at places the data choose
  const u32 i = BID * BDIM + TID;
  u4 v[4];
  UNROLL for (u32 k = 0; k < 4; ++k) v[k] = in[i * 4 + k];
  u4* mine = pad + (u64)i * steps * 4;
  for (u32 s = 0; s < steps; ++s) { UNROLL for (u32 k = 0; k < 4; ++k) mine[s * 4 + k] = v[k]; salsa8(v); }
  for (u32 s = 0; s < steps; ++s) { const u32 j = v[3].x & (steps - 1); UNROLL for (u32 k = 0; k < 4; ++k) v[k] ^= mine[j * 4 + k]; salsa8(v); }
  UNROLL for (u32 k = 0; k < 4; ++k) out[i * 4 + k] = v[k];
}
KERNEL rans_decode(u32* R out, const u16* R in, const u32* R table, u32 count) {  // a state a work-item, 4096 places in shared memory, four symbols a word
  SHARED u32 t[4096];
  for (u32 k = TID; k < 4096; k += BDIM) { const u32 v = table[k], f = 1 + (v >> 8 & 1023); t[k] = (v & 255) | f << 8 | (k % f) << 20; }
  SYNC;
  const u32 i = BID * BDIM + TID;
  const u16* p = in + i * count * 4;
  u32 x = p[0] | 0x10000, at = 1;
  for (u32 k = 0; k < count; ++k) {
    u32 w = 0;
    for (u32 b = 0; b < 4; ++b) {
      const u32 e = t[x & 4095];
      w |= (e & 255) << 8 * b;
      x = (e >> 8 & 4095) * (x >> 12) + (e >> 20);
      if (x < 0x10000 && at < count * 4) x = x << 16 | p[at++];
    }
    out[k * GDIM * BDIM + i] = w;
  }
}
KERNEL fm_count(u32* R out, const u4* R index, const u32* R reads, u32 mask) {  // letters of a read backwards through counts and bits of 64 letters, until parted
  const u32 i = BID * BDIM + TID;
  u64 read = (u64)reads[2 * i + 1] << 32 | reads[2 * i];
  u32 lo = mix((u32)read), hi = lo + 900, k = 0;
  for (; k < 24; ++k) {
    const u32 c = (u32)read & 3;
    read >>= 2;
    u32 e[2];
    UNROLL for (u32 s = 0; s < 2; ++s) {
      const u32 at = s ? hi : lo, b = at >> 6 & mask, r = at & 63;
      const u4 counts = index[b * 2], bits = index[b * 2 + 1];
      const u64 low = (u64)bits.y << 32 | bits.x, high = (u64)bits.w << 32 | bits.z, m = (c & 1 ? low : ~low) & (c & 2 ? high : ~high);
      e[s] = (c == 0 ? counts.x : c == 1 ? counts.y : c == 2 ? counts.z : counts.w) + (u32)__builtin_popcountll(m & ((1ull << r) - 1));
    }
    lo = e[0]; hi = e[1];
    if (((lo ^ hi) & 15) == 0) break;
  }
  out[i] = lo ^ k << 27;
}
// ---- atomics
KERNEL bucket_append(u32* out, u32* cursor, const u32* in, u32 n, u32 shift) {  // keys to the ends of lists of their own, the place from an atomic addition
  const u32 room = 0x4000000u >> (32 - shift);
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u32 v = in[i], b = v >> shift, at = add(&cursor[b], 1) & (room - 1);
    out[b * room + at] = v;
  }
}
KERNEL dadd_bins(double* bins, const float* R value, const u32* R key, u32 mask) {  // sums in f64 by key, atomic
  const u32 i = BID * BDIM + TID;
  __nvvm_atom_add_gen_d(&bins[key[i] & mask], (double)value[i]);
}
KERNEL hog_bins(float* out, const u8* in, u32 w) {  // gradients of cells of 8 x 8 to nine directions, two bins a point, floats added in shared memory; four cells a group
  SHARED float bins[4][12];
  const u32 t = TIDY * 16 + TID, x = BID * 16 + TID + 1, y = BIDY * 16 + TIDY + 1, cell = TIDY / 8 * 2 + TID / 8;
  if (t < 48) bins[t / 12][t % 12] = 0;
  SYNC;
  const float gx = (float)in[y * w + x + 1] - (float)in[y * w + x - 1], gy = (float)in[(y + 1) * w + x] - (float)in[(y - 1) * w + x];
  const float size = sqrtf_(gx * gx + gy * gy), ax = absf(gx), ay = absf(gy), q = minf(ax, ay) / (maxf(ax, ay) + 1e-6f);
  float angle = q * (1.0584f - q * q * 0.273f * 0.9f);
  if (ay > ax) angle = 1.5707963f - angle;
  if ((gx < 0) != (gy < 0)) angle = 3.1415926f - angle;
  const float b = minf(maxf(angle * 2.8647890f, 0), 8.99f), lo = __builtin_floorf(b), f = b - lo;
  const u32 k = (u32)lo;
  addf(&bins[cell][k], size * (1 - f));
  addf(&bins[cell][k == 8 ? 0 : k + 1], size * f);
  SYNC;
  if (t < 36) out[(BIDY * GDIM + BID) * 36 + t] = bins[t / 9][t % 9];
}
KERNEL uf_block(u32* R out, const u32* R edges, u32 count) {  // sets joined in shared memory by compare and swap, 2048 places and count edges a group
  SHARED u32 parent[2048];
  for (u32 k = TID; k < 2048; k += BDIM) parent[k] = k;
  SYNC;
  volatile u32* p = parent;
  for (u32 k = TID; k < count; k += BDIM) {
    const u32 e = edges[BID * count + k];
    u32 a = e & 2047, b = e >> 16 & 2047;
    for (;;) {
      while (p[a] != a) a = p[a];
      while (p[b] != b) b = p[b];
      if (a == b) break;
      if (a < b) { const u32 t = a; a = b; b = t; }
      if (cas(&parent[a], a, b) == a) break;
    }
  }
  SYNC;
  for (u32 k = TID; k < 2048; k += BDIM) { u32 a = k; while (p[a] != a) a = p[a]; out[BID * 2048 + k] = a; }
}
// ---- shared memory and barriers
KERNEL scan_blelloch(float* R out, float* R sums, const float* R in, u32) {  // 2048 a group of 1024, up and down a tree, places as they come
  SHARED float t[2048];
  t[2 * TID] = in[BID * 2048 + 2 * TID];
  t[2 * TID + 1] = in[BID * 2048 + 2 * TID + 1];
  u32 offset = 1;
  for (u32 d = 1024; d > 0; d >>= 1) {
    SYNC;
    if (TID < d) t[offset * (2 * TID + 2) - 1] += t[offset * (2 * TID + 1) - 1];
    offset *= 2;
  }
  if (TID == 0) { sums[BID] = t[2047]; t[2047] = 0; }
  for (u32 d = 1; d < 2048; d *= 2) {
    offset >>= 1;
    SYNC;
    if (TID < d) {
      const u32 a = offset * (2 * TID + 1) - 1, b = offset * (2 * TID + 2) - 1;
      const float v = t[a];
      t[a] = t[b];
      t[b] += v;
    }
  }
  SYNC;
  out[BID * 2048 + 2 * TID] = t[2 * TID];
  out[BID * 2048 + 2 * TID + 1] = t[2 * TID + 1];
}
KERNEL odd_even_sort(u32* out, const u32* in, u32 n) {  // n keys a group of n / 2, neighbours changed n times, a barrier each time
  SHARED u32 t[1024];
  t[TID] = in[BID * n + TID]; t[TID + n / 2] = in[BID * n + n / 2 + TID];
  for (u32 p = 0; p < n; ++p) {
    SYNC;
    const u32 i = 2 * TID + (p & 1);
    if (i + 1 < n && t[i] > t[i + 1]) { const u32 v = t[i]; t[i] = t[i + 1]; t[i + 1] = v; }
  }
  SYNC;
  out[BID * n + TID] = t[TID]; out[BID * n + n / 2 + TID] = t[TID + n / 2];
}
KERNEL dedup_block(u32* R out, u32* R count, const u32* R in, u32 mask) {  // 1024 keys a group once each by a table of 2048 in shared memory
  SHARED u32 table[2048], kept;
  for (u32 k = TID; k < 2048; k += BDIM) table[k] = ~0u;
  if (TID == 0) kept = 0;
  SYNC;
  UNROLL for (u32 k = 0; k < 1024; k += 256) {
    const u32 key = in[BID * 1024 + k + TID] & mask;
    u32 at = mix(key) & 2047, seen;
    for (;;) {
      seen = cas(&table[at], ~0u, key);
      if (seen == ~0u || seen == key) break;
      at = (at + 1) & 2047;
    }
    if (seen == ~0u) out[BID * 1024 + add(&kept, 1)] = key;
  }
  SYNC;
  if (TID == 0) count[BID] = kept;
}
KERNEL nussinov(u32* R out, const u8* R in, u32 n) {  // pairs of n <= 64 letters, diagonals with a barrier each, every cut tried; a letter a work-item
  SHARED u8 s[64][68], base[64];
  for (u32 k = 0; k < n; ++k) s[TID][k] = 0;
  base[TID] = in[BID * n + TID] & 3;
  SYNC;
  for (u32 d = 2; d < n; ++d) {
    const u32 i = TID, j = TID + d;
    if (j < n) {
      u32 best = s[i + 1][j - 1] + (base[i] + base[j] == 3);
      for (u32 k = i; k < j; ++k) best = maxi(best, s[i][k] + s[k + 1][j]);
      s[i][j] = (u8)best;
    }
    SYNC;
  }
  if (TID == 0) out[BID] = s[0][n - 1];
}
KERNEL knapsack(u32* R out, const u32* R in, u32 items) {  // the best worth at each of 1024 weights, two rows in shared memory, a barrier an item
  SHARED u32 best[2][1024];
  best[0][TID] = 0;
  SYNC;
  u32 taken = 0;
  for (u32 k = 0; k < items; ++k) {
    const u32 e = in[BID * items + k], weight = 1 + (e & 255), worth = e >> 8 & 1023;
    const u32 a = best[k & 1][TID], b = TID >= weight ? best[k & 1][TID - weight] + worth : 0;
    if (b > a) ++taken;
    best[k & 1 ^ 1][TID] = maxi(a, b);
    SYNC;
  }
  out[BID * 1024 + TID] = best[items & 1][TID] << 8 | taken;
}
KERNEL gj_pivot32(float* R out, const float* R in, u32) {  // 32 x 32 turned about by Gauss and Jordan with pivots, beside the identity in shared memory
  SHARED float m[32][65], column[32];
  SHARED u32 chosen;
  const u32 lane = TID % 32, warp = TID / 32;
  for (u32 k = TID; k < 1024; k += 256) { m[k / 32][k % 32] = in[BID * 1024 + k] - 0.5f; m[k / 32][32 + k % 32] = k / 32 == k % 32; }
  SYNC;
  for (u32 p = 0; p < 32; ++p) {
    if (warp == 0) {
      const float v = lane >= p ? absf(m[lane][p]) : -1.0f, top = warp_max(v);
      const u32 who = ballot(v == top);
      if (lane == 0) chosen = __builtin_ctz(who | 0x80000000u);
    }
    SYNC;
    const u32 r = chosen;
    if (TID < 64 && r != p) { const float t = m[p][TID]; m[p][TID] = m[r][TID]; m[r][TID] = t; }
    SYNC;
    if (TID < 32) column[TID] = m[TID][p];
    SYNC;
    const float inverse = 1 / (column[p] + 1e-9f);
    if (TID < 64) m[p][TID] *= inverse;
    SYNC;
    for (u32 k = warp; k < 32; k += 8) if (k != p) { const float f = column[k]; m[k][lane] -= f * m[p][lane]; m[k][lane + 32] -= f * m[p][lane + 32]; }
    SYNC;
  }
  for (u32 k = TID; k < 1024; k += 256) out[BID * 1024 + k] = m[k / 32][32 + k % 32];
}
KERNEL pq_adc(float* R out, const u4* R codes, const float* R lut, u32 n) {  // 16 bytes of codes a vector through 16 tables of 256 in shared memory
  SHARED float t[16 * 256];
  for (u32 k = TID; k < 4096; k += BDIM) t[k] = lut[BIDY * 4096 + k];
  SYNC;
  for (u32 i = BID * BDIM + TID; i < n; i += GDIM * BDIM) {
    const u4 c = codes[i];
    float s = 0;
    UNROLL for (u32 k = 0; k < 16; ++k) s += t[k * 256 + (c[k / 4] >> k % 4 * 8 & 255)];
    out[BIDY * n + i] = s;
  }
}
// ---- f64 and sparse
KERNEL dlu_panel(double* R out, u32* R pivots, const float* R in, u32) {  // 64 x 16 in f64 with pivots marked, not moved, a row a work-item in registers
  SHARED double row[16], size[64];
  SHARED u32 chosen;
  double a[16];
  UNROLL for (u32 k = 0; k < 16; ++k) a[k] = (double)in[(BID * 16 + k) * 64 + TID] - 0.5;
  bool used = false;
  UNROLL for (u32 p = 0; p < 16; ++p) {
    size[TID] = used ? -1.0 : a[p] < 0 ? -a[p] : a[p];
    SYNC;
    if (TID < 32) {
      const u32 mine = size[TID] >= size[TID + 32] ? TID : TID + 32;
      double top = size[mine];
      for (u32 s = 16; s > 0; s >>= 1) { const double o = bfly64(top, s); top = o > top ? o : top; }
      const u32 who = ballot(size[mine] == top), first = idx(mine, __builtin_ctz(who));
      if (TID == 0) { chosen = first; pivots[BID * 16 + p] = first; }
    }
    SYNC;
    if (TID == chosen) { used = true; UNROLL for (u32 k = p; k < 16; ++k) row[k] = a[k]; }
    SYNC;
    if (!used) { const double f = a[p] / row[p]; a[p] = f; UNROLL for (u32 k = p + 1; k < 16; ++k) a[k] -= f * row[k]; }
  }
  UNROLL for (u32 k = 0; k < 16; ++k) out[(BID * 16 + k) * 64 + TID] = a[k];
}
KERNEL dgemv_naive(double* y, const double* a, const double* x, u32 n) {  // f64 rows of n, a row a work-item, as first written
  const u32 r = BID * BDIM + TID;
  double s = 0;
  for (u32 k = 0; k < n; ++k) s += a[(u64)r * n + k] * x[k];
  y[r] = s;
}
KERNEL dia_spmv(double* R y, const double* R value, const double* R x, u32 n, u32 side) {  // seven diagonals in f64, a row a work-item
  const int offset[7] = {-(int)(side * side), -(int)side, -1, 0, 1, (int)side, (int)(side * side)};
  const int r = BID * BDIM + TID;
  if (r >= (int)n) return;
  double s = 0;
  UNROLL for (u32 d = 0; d < 7; ++d) { const int c = r + offset[d]; if (c >= 0 && c < (int)n) s += value[d * n + r] * x[c]; }
  y[r] = s;
}
KERNEL eytzinger(u32* R out, const u32* R keys, const u32* R query, u32 levels) {  // a search down an array laid as a tree, two queries a work-item
  const u32 i = BID * BDIM + TID, n = GDIM * BDIM, a = query[i], b = query[i + n];
  u32 p = 1, q = 1;
  for (u32 l = 0; l < levels; ++l) {
    const u32 x = ((2 * p + 1) << (31 - l)) + (keys[p] >> 8 >> l), y = ((2 * q + 1) << (31 - l)) + (keys[q] >> 8 >> l);
    p = 2 * p + (x < a); q = 2 * q + (y < b);
  }
  out[i] = p; out[i + n] = q;
}
KERNEL lpm_route(u16* R out, u32* R count, const u16* R first, const u16* R second, u32 seed) {  // the next hop by 24 bits, a quarter by 8 more; ports counted in shared memory
  SHARED u32 port[64];
  if (TID < 64) port[TID] = 0;
  SYNC;
  const u32 i = BID * BDIM + TID;
  UNROLL for (u32 k = 0; k < 4; ++k) {
    const u32 at = (BID * 4 + k) * BDIM + TID, ip = mix(at ^ seed);
    u32 e = first[ip >> 8];
    if (e >= 0xc000) e = second[(e & 0x3fff) << 8 | ip & 255];
    out[at] = (u16)e;
    add(&port[e & 63], 1);
  }
  SYNC;
  if (TID < 64 && port[TID]) add(&count[TID], port[TID]);
}
KERNEL phylo_lik(f4* R out, const f4* R left, const f4* R right, const f4* R matrix, u32 sites) {  // two children's four letters by rates' matrices, a site a work-item
  SHARED f4 m[32];
  if (TID < 32) m[TID] = matrix[TID];
  SYNC;
  const u32 i = BID * BDIM + TID;
  if (i >= sites) return;
  for (u32 c = 0; c < 4; ++c) {
    const f4 a = left[i * 4 + c], b = right[i * 4 + c];
    f4 v;
    UNROLL for (u32 k = 0; k < 4; ++k) {
      const f4 p = m[c * 4 + k] * a, q = m[16 + c * 4 + k] * b;
      v[k] = (p.x + p.y + p.z + p.w) * (q.x + q.y + q.z + q.w);
    }
    out[i * 4 + c] = v;
  }
}
// ---- tensor cores
KERNEL hmma_f16acc(u32* R c, const u32* R a, const u32* R b, u32 n, u32 k) {  // f16 sums, 32 x 32 a warp, straight from global memory; rows of k halves
  const u32 lane = TID % 32, warp = TID / 32, r = lane / 4, e = lane % 4, row = BIDY * 64 + warp / 2 * 32, col = BID * 64 + warp % 2 * 32, kw = k / 2, mask = 0x33ff33ff;
  u32 s[2][4][2] = {};
  for (u32 k0 = 0; k0 < kw; k0 += 8) {
    u32 x[2][4], y[4][2];
    UNROLL for (u32 i = 0; i < 2; ++i) {
      const u32* p = a + (row + i * 16 + r) * kw + k0 + e;
      x[i][0] = p[0] & mask; x[i][1] = p[8 * kw] & mask; x[i][2] = p[4] & mask; x[i][3] = p[8 * kw + 4] & mask;
    }
    UNROLL for (u32 j = 0; j < 4; ++j) { const u32* p = b + (col + j * 8 + r) * kw + k0 + e; y[j][0] = p[0] & mask; y[j][1] = p[4] & mask; }
    UNROLL for (u32 i = 0; i < 2; ++i)
      UNROLL for (u32 j = 0; j < 4; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                     : "+r"(s[i][j][0]), "+r"(s[i][j][1]) : "r"(x[i][0]), "r"(x[i][1]), "r"(x[i][2]), "r"(x[i][3]), "r"(y[j][0]), "r"(y[j][1]));
  }
  UNROLL for (u32 i = 0; i < 2; ++i)
    UNROLL for (u32 j = 0; j < 4; ++j) {
      u32* p = c + ((row + i * 16 + r) * n + col + j * 8) / 2 + e;
      p[0] = s[i][j][0]; p[4 * n] = s[i][j][1];
    }
}
// 3 x 3 of 64 channels to 64, points by channels, f16, a row of 64 points a group of 128, weights of a tap at a time in shared memory, wrapped
KERNEL conv3_mma(float* R out, const u32* R in, const u32* R weight, u32 w, u32 h) {
  SHARED u32 t[64][36];
  const u32 lane = TID % 32, warp = TID / 32, r = lane / 4, e = lane % 4, mask = 0x33ff33ff;
  float s[8][4] = {};
  for (u32 tap = 0; tap < 9; ++tap) {
    SYNC;
    UNROLL for (u32 k = 0; k < 16; ++k) { const u32 p = k * 128 + TID; t[p / 32][p % 32] = weight[tap * 2048 + p] & mask; }
    SYNC;
    const u32 y = (BIDY + tap / 3 + h - 1) % h, x = BID * 64 + warp * 16 + r + tap % 3 + w - 1;
    const u32* p = in + (y * w + x % w) * 32 + e;
    const u32* q = in + (y * w + (x + 8) % w) * 32 + e;
    UNROLL for (u32 k = 0; k < 4; ++k) {
      const u32 a0 = p[k * 8] & mask, a1 = q[k * 8] & mask, a2 = p[k * 8 + 4] & mask, a3 = q[k * 8 + 4] & mask;
      UNROLL for (u32 j = 0; j < 8; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(s[j][0]), "+f"(s[j][1]), "+f"(s[j][2]), "+f"(s[j][3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(t[j * 8 + r][k * 8 + e]), "r"(t[j * 8 + r][k * 8 + e + 4]));
    }
  }
  float* o = out + (BIDY * w + BID * 64 + warp * 16 + r) * 64 + e * 2;
  UNROLL for (u32 j = 0; j < 8; ++j) {
    f2 p, q; p.x = maxf(s[j][0], 0); p.y = maxf(s[j][1], 0); q.x = maxf(s[j][2], 0); q.y = maxf(s[j][3], 0);
    *(f2*)&o[j * 8] = p; *(f2*)&o[512 + j * 8] = q;
  }
}
// the nearest of n codes of 64 bf16 to 16 vectors a warp, tiles of 32 codes in shared memory
KERNEL vq_mma(u32* R out, const u32* R in, const u32* R codes, u32 n) {
  SHARED u32 t[32][36];
  const u32 lane = TID % 32, warp = TID / 32, r = lane / 4, e = lane % 4, row = (BID * 4 + warp) * 16, mask = 0xbf7fbf7f;
  u32 a[4][4];
  const u32* p = in + (row + r) * 32 + e;
  UNROLL for (u32 k = 0; k < 4; ++k) { a[k][0] = p[k * 8] & mask; a[k][1] = p[256 + k * 8] & mask; a[k][2] = p[k * 8 + 4] & mask; a[k][3] = p[256 + k * 8 + 4] & mask; }
  float m0 = -1e30f, m1 = -1e30f;
  u32 w0 = 0, w1 = 0;
  for (u32 c0 = 0; c0 < n; c0 += 32) {
    SYNC;
    UNROLL for (u32 k = 0; k < 8; ++k) { const u32 q = k * 128 + TID; t[q / 32][q % 32] = codes[c0 * 32 + q] & mask; }
    SYNC;
    UNROLL for (u32 j = 0; j < 4; ++j) {
      float s[4] = {};
      UNROLL for (u32 k = 0; k < 4; ++k)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                     : "r"(a[k][0]), "r"(a[k][1]), "r"(a[k][2]), "r"(a[k][3]), "r"(t[j * 8 + r][k * 8 + e]), "r"(t[j * 8 + r][k * 8 + e + 4]));
      const u32 c = c0 + j * 8 + e * 2;
      if (s[0] > m0) { m0 = s[0]; w0 = c; }
      if (s[1] > m0) { m0 = s[1]; w0 = c + 1; }
      if (s[2] > m1) { m1 = s[2]; w1 = c; }
      if (s[3] > m1) { m1 = s[3]; w1 = c + 1; }
    }
  }
  UNROLL for (u32 d = 1; d < 4; d *= 2) {
    const float x = bfly(m0, d), y = bfly(m1, d);
    const u32 u = xorl(w0, d), v = xorl(w1, d);
    if (x > m0) { m0 = x; w0 = u; }
    if (y > m1) { m1 = y; w1 = v; }
  }
  if (e == 0) { out[row + r] = w0; out[row + 8 + r] = w1; }
}
// ---- physics
KERNEL cloth_step(f4* R out, const f4* R pos, const f4* R before, u32 n, float dt) {  // twelve springs a knot, near, aslant and far, walls held, by Verlet
  const int dx[12] = {1, -1, 0, 0, 1, 1, -1, -1, 2, -2, 0, 0}, dy[12] = {0, 0, 1, -1, 1, -1, 1, -1, 0, 0, 2, -2};
  const int x = BID * BDIM + TID, y = BIDY;
  const f4 p = pos[y * n + x];
  f4 f; f = 0.0f; f.y = -9.8f;
  UNROLL for (u32 k = 0; k < 12; ++k) {
    const int u = x + dx[k], v = y + dy[k];
    if (u < 0 || u >= (int)n || v < 0 || v >= (int)n) continue;
    const f4 d = pos[v * n + u] - p;
    const float rest = k < 4 ? 0.1f : k < 8 ? 0.14142136f : 0.2f, r = rsq(dot3(d, d) + 1e-8f);
    f += d * (40 * (1 - rest * r));
  }
  f.w = 0;
  out[y * n + x] = p + (p - before[y * n + x]) * 0.99f + f * (dt * dt);
}
KERNEL ewald_recip(f2* R out, const f4* R pos, u32 n) {  // sums of cosines and sines over n charges, a wave a group of 256
  SHARED float part[2][8];
  const u32 k = BID, kx = k & 15, ky = k >> 4 & 15, kz = k >> 8;
  float c = 0, s = 0;
  for (u32 i = TID; i < n; i += 256) {
    const f4 p = pos[i];
    const float t = kx * p.x + ky * p.y + kz * p.z, a = (t - __builtin_floorf(t)) * 6.2831853f;
    c += p.w * cosf_(a); s += p.w * sinf_(a);
  }
  c = warp_sum(c); s = warp_sum(s);
  if (TID % 32 == 0) { part[0][TID / 32] = c; part[1][TID / 32] = s; }
  SYNC;
  if (TID == 0) { f2 v; v = 0.0f; for (u32 j = 0; j < 8; ++j) { v.x += part[0][j]; v.y += part[1][j]; } out[k] = v; }
}
// ---- learning and pictures
KERNEL nll10(float* loss, float* grad, const float* logits, const u32* target, u32 n) {  // rows of ten classes, a row a work-item, as first written
  const u32 i = BID * BDIM + TID;
  if (i >= n) return;
  float m = -1e30f, s = 0;
  for (u32 k = 0; k < 10; ++k) m = maxf(m, logits[i * 10 + k]);
  for (u32 k = 0; k < 10; ++k) s += expf_(logits[i * 10 + k] - m);
  const u32 t = target[i] % 10;
  loss[i] = m + logf_(s) - logits[i * 10 + t];
  for (u32 k = 0; k < 10; ++k) grad[i * 10 + k] = expf_(logits[i * 10 + k] - m) / s - (k == t ? 1.0f : 0.0f);
}
KERNEL attn_window(f2* R out, const f2* R q, const f2* R k, const f2* R v, u32 n, u32 window) {  // heads of 64, a query a warp, the last keys one by one
  const u32 t = (BID * BDIM + TID) / 32, lane = TID % 32, head = BIDY * n;
  const f2 a = q[(head + t) * 32 + lane];
  f2 o; o = 0.0f;
  float m = -1e30f, l = 0;
  for (u32 j = t + 1 > window ? t + 1 - window : 0; j <= t; ++j) {
    const f2 b = k[(head + j) * 32 + lane];
    const float s = warp_sum(a.x * b.x + a.y * b.y) * 0.125f, x = maxf(m, s), f = expf_(m - x), p = expf_(s - x);
    o = o * f + v[(head + j) * 32 + lane] * p;
    l = l * f + p;
    m = x;
  }
  out[(head + t) * 32 + lane] = o * fdiv(1, l);
}
KERNEL gemv_ternary(float* R out, const u32* R w, const f4* R x, u32 words, float scale) {  // 16 weights of -1, 0, 1 a word, a row a warp
  const u32 row = (BID * BDIM + TID) / 32, lane = TID % 32;
  float s = 0;
  for (u32 i = lane; i < words; i += 32) {
    const u32 q = w[(u64)row * words + i];
    UNROLL for (u32 k = 0; k < 4; ++k) {
      const f4 v = x[i * 4 + k];
      UNROLL for (u32 e = 0; e < 4; ++e) { const u32 b = q >> (k * 8 + e * 2) & 3; s += b == 1 ? v[e] : b == 2 ? -v[e] : 0.0f; }
    }
  }
  s = warp_sum(s);
  if (lane == 0) out[row] = s * scale;
}
// Gaussians of a tile of 16 x 16 front to back, batches of 256 through shared memory, ended when all points are opaque
KERNEL splat_blend(f4* R out, const f4* R conic, const f4* R colour, const u32* R list, u32 w, u32 most) {
  SHARED f4 place[256], shade[256];
  const u32 t = TIDY * 16 + TID, x = BID * 16 + TID, y = BIDY * 16 + TIDY, tile = BIDY * GDIM + BID, count = 1 + list[tile] % most;
  f4 c; c = 0.0f;
  float left = 1;
  bool done = false;
  for (u32 k0 = 0; k0 < count; k0 += 256) {
    if (__nvvm_bar0_popc(done) == 256) break;
    if (k0 + t < count) { const u32 g = list[tile * 64 + k0 + t] & 0xfffff; place[t] = conic[g]; shade[t] = colour[g]; }
    SYNC;
    for (u32 k = 0; k < 256 && k0 + k < count && !done; ++k) {
      const f4 p = place[k], s = shade[k];
      const float dx = p.x * 32 - 8 - TID, dy = p.y * 32 - 8 - TIDY, power = -0.15f * (p.z * dx * dx + p.w * dy * dy) - 0.04f * (p.z - p.w) * dx * dy;
      if (power > 0) continue;
      const float alpha = minf(0.99f, 0.4f * s.w * exp2f_(power));
      if (alpha < 0.0039f) continue;
      c += s * (alpha * left);
      left *= 1 - alpha;
      if (left < 1e-4f) done = true;
    }
  }
  c.w = left;
  out[y * w + x] = c;
}
KERNEL nothing(u32* out) {}
