// Kernels as programs of every day have them, whose times a real H200 and the model are compared by. Sizes and launches: ordinary.py.
#define KERNEL extern "C" __attribute__((global)) void
#define INLINE static __attribute__((device)) inline
#define SHARED __attribute__((shared)) static
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define ITEMS __nvvm_read_ptx_sreg_ntid_x()
#define GROUPS __nvvm_read_ptx_sreg_nctaid_x()
#define BARRIER __syncthreads()
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned char u8;
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef u32 u2 __attribute__((ext_vector_type(2)));
typedef u32 u4 __attribute__((ext_vector_type(4)));

INLINE float root(float x) {
  float y;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
INLINE float inverse_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
INLINE float power2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
INLINE float logarithm2(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
INLINE float sine(float x) {
  float y;
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
INLINE float bigger(float a, float b) { return a > b ? a : b; }
INLINE float smaller(float a, float b) { return a < b ? a : b; }
INLINE float down(float x, u32 by) {
  float y;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=f"(y) : "f"(x), "r"(by));
  return y;
}
INLINE float across(float x, u32 mask) {
  float y;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(y) : "f"(x), "r"(mask));
  return y;
}
INLINE u32 add_global(u32* at, u32 value) { return __nvvm_atom_add_gen_i((int*)at, value); }

// ---- memory
KERNEL saxpy(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n) out[i] = 2.5f * in[i] + out[i];
}
KERNEL copy4(f4* out, const f4* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n) out[i] = in[i];
}
KERNEL scale_loop(float* out, const float* in, u32 n) {
  for (u32 i = GROUP * ITEMS + ITEM; i < n; i += GROUPS * ITEMS) out[i] = 0.5f * in[i];
}
KERNEL stride_rows(float* out, const float* in, u32 n) {  // each work-item its row: nothing is coalesced
  const u32 row = GROUP * ITEMS + ITEM;
  float sum = 0;
  for (u32 k = 0; k < n; ++k) sum += in[row * n + k];
  out[row] = sum;
}
KERNEL reverse(u32* out, const u32* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n) out[n - 1 - i] = in[i];
}
KERNEL gather(float* out, const u32* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  const u32 at = (in[i] * 2654435761u) % n;
  out[i] = __builtin_bit_cast(float, in[at]);
}
KERNEL rgb_to_grey(u8* out, const u8* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n) out[i] = static_cast<u8>(0.299f * in[3 * i] + 0.587f * in[3 * i + 1] + 0.114f * in[3 * i + 2]);
}
KERNEL transpose_naive(float* out, const float* in, u32 n) {
  const u32 x = GROUP * 32 % n + ITEM % 32, y = GROUP * 32 / n * 8 + ITEM / 32;
  out[x * n + y] = in[y * n + x];
}
KERNEL transpose_tile(float* out, const float* in, u32 n) {
  SHARED float tile[32][33];
  const u32 tiles = n / 32, bx = GROUP % tiles * 32, by = GROUP / tiles * 32, x = ITEM % 32, y = ITEM / 32;
  for (u32 k = 0; k < 32; k += 8) tile[y + k][x] = in[(by + y + k) * n + bx + x];
  BARRIER;
  for (u32 k = 0; k < 32; k += 8) out[(bx + y + k) * n + by + x] = tile[x][y + k];
}
// ---- stencils and images, n columns
KERNEL jacobi(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, x = i % n, y = i / n;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
  out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}
KERNEL sobel(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, x = i % n, y = i / n;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
  const float a = in[i - n - 1], b = in[i - n], c = in[i - n + 1], d = in[i - 1], e = in[i + 1], f = in[i + n - 1], g = in[i + n],
              h = in[i + n + 1];
  const float gx = c + 2 * e + h - a - 2 * d - f, gy = f + 2 * g + h - a - 2 * b - c;
  out[i] = root(gx * gx + gy * gy);
}
KERNEL median3(u32* out, const u32* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, x = i % n, y = i / n;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
  u32 v[9];
  for (int k = 0; k < 9; ++k) v[k] = in[i + (k / 3 - 1) * n + k % 3 - 1] & 255;
  for (int a = 0; a < 5; ++a)
    for (int b = a + 1; b < 9; ++b) {
      const u32 low = v[a] < v[b] ? v[a] : v[b], high = v[a] < v[b] ? v[b] : v[a];
      v[a] = low;
      v[b] = high;
    }
  out[i] = v[4];
}
KERNEL blur_row(float* out, const float* in, u32 n) {  // 15 taps, a tile with its border
  SHARED float tile[256 + 14];
  const u32 i = GROUP * 256 + ITEM;
  tile[ITEM + 7] = in[i];
  if (ITEM < 7) {
    tile[ITEM] = i >= 7 ? in[i - 7] : 0;
    tile[ITEM + 263] = i + 256 < n ? in[i + 256] : 0;
  }
  BARRIER;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 15; ++k) sum += tile[ITEM + k] * (1.0f / (1 + k));
  out[i] = sum;
}
KERNEL life(u8* out, const u8* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, x = i % n, y = i / n;
  u32 alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) alive += in[(y + dy) % n * n + (x + dx) % n] & 1;
  out[i] = alive == 3 || (alive == 2 && (in[i] & 1));
}
KERNEL bilinear(float* out, const float* in, u32 n) {  // a turned image
  const u32 i = GROUP * ITEMS + ITEM, x = i % n, y = i / n;
  const float c = 0.96f, s = 0.28f, u = c * x - s * y, v = s * x + c * y;
  const int iu = static_cast<int>(u), iv = static_cast<int>(v);
  float result = 0;
  if (iu >= 0 && iv >= 0 && iu < static_cast<int>(n) - 1 && iv < static_cast<int>(n) - 1) {
    const float fu = u - iu, fv = v - iv;
    const float* p = in + iv * n + iu;
    result = (1 - fv) * ((1 - fu) * p[0] + fu * p[1]) + fv * ((1 - fu) * p[n] + fu * p[n + 1]);
  }
  out[i] = result;
}
// ---- sums
KERNEL sum_shared(float* out, const float* in, u32 n) {
  SHARED float part[256];
  float sum = 0;
  for (u32 i = GROUP * 256 + ITEM; i < n; i += GROUPS * 256) sum += in[i];
  part[ITEM] = sum;
  BARRIER;
  for (u32 s = 128; s > 0; s >>= 1) {
    if (ITEM < s) part[ITEM] += part[ITEM + s];
    BARRIER;
  }
  if (ITEM == 0) out[GROUP] = part[0];
}
KERNEL sum_shuffle(float* out, const float* in, u32 n) {
  SHARED float part[8];
  float sum = 0;
  for (u32 i = GROUP * 256 + ITEM; i < n; i += GROUPS * 256) sum += in[i];
  for (u32 s = 16; s > 0; s >>= 1) sum += down(sum, s);
  if (ITEM % 32 == 0) part[ITEM / 32] = sum;
  BARRIER;
  if (ITEM == 0) {
    for (int k = 1; k < 8; ++k) sum += part[k];
    out[GROUP] = sum;
  }
}
KERNEL softmax(float* out, const float* in, u32 n) {  // a row of n for each group
  SHARED float part[8];
  const float* row = in + GROUP * n;
  float top = -1e30f;
  for (u32 i = ITEM; i < n; i += 256) top = bigger(top, row[i]);
  for (u32 s = 16; s > 0; s >>= 1) top = bigger(top, across(top, s));
  if (ITEM % 32 == 0) part[ITEM / 32] = top;
  BARRIER;
  for (int k = 0; k < 8; ++k) top = bigger(top, part[k]);
  BARRIER;
  float sum = 0;
  for (u32 i = ITEM; i < n; i += 256) sum += power2((row[i] - top) * 1.442695f);
  for (u32 s = 16; s > 0; s >>= 1) sum += across(sum, s);
  if (ITEM % 32 == 0) part[ITEM / 32] = sum;
  BARRIER;
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += part[k];
  const float scale = 1.0f / sum;
  for (u32 i = ITEM; i < n; i += 256) out[GROUP * n + i] = power2((row[i] - top) * 1.442695f) * scale;
}
KERNEL layer_norm(float* out, const float* in, u32 n) {  // a row of n for each warp
  const u32 row = GROUP * 8 + ITEM / 32, lane = ITEM % 32;
  float sum = 0, squares = 0;
  for (u32 i = lane; i < n; i += 32) {
    const float x = in[row * n + i];
    sum += x;
    squares += x * x;
  }
  for (u32 s = 16; s > 0; s >>= 1) {
    sum += across(sum, s);
    squares += across(squares, s);
  }
  const float mean = sum / n, scale = inverse_root(squares / n - mean * mean + 1e-5f);
  for (u32 i = lane; i < n; i += 32) out[row * n + i] = (in[row * n + i] - mean) * scale;
}
KERNEL prefix(u32* out, const u32* in, u32) {  // Blelloch's, 512 for each group
  SHARED u32 t[512];
  const u32 base = GROUP * 512;
  t[2 * ITEM] = in[base + 2 * ITEM];
  t[2 * ITEM + 1] = in[base + 2 * ITEM + 1];
  u32 offset = 1;
  for (u32 d = 256; d > 0; d >>= 1) {
    BARRIER;
    if (ITEM < d) t[offset * (2 * ITEM + 2) - 1] += t[offset * (2 * ITEM + 1) - 1];
    offset *= 2;
  }
  if (ITEM == 0) t[511] = 0;
  for (u32 d = 1; d < 512; d *= 2) {
    offset >>= 1;
    BARRIER;
    if (ITEM < d) {
      const u32 a = offset * (2 * ITEM + 1) - 1, b = offset * (2 * ITEM + 2) - 1, old = t[a];
      t[a] = t[b];
      t[b] += old;
    }
  }
  BARRIER;
  out[base + 2 * ITEM] = t[2 * ITEM];
  out[base + 2 * ITEM + 1] = t[2 * ITEM + 1];
}
// ---- matrices of n by n
KERNEL sgemm_naive(float* out, const float* in, u32 n) {
  const u32 x = GROUP % (n / 16) * 16 + ITEM % 16, y = GROUP / (n / 16) * 16 + ITEM / 16;
  const float *a = in, *b = in + n * n;
  float sum = 0;
  for (u32 k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  out[y * n + x] = sum;
}
KERNEL sgemm_tile(float* out, const float* in, u32 n) {
  SHARED float ta[16][16], tb[16][16];
  const u32 tx = ITEM % 16, ty = ITEM / 16, x = GROUP % (n / 16) * 16 + tx, y = GROUP / (n / 16) * 16 + ty;
  const float *a = in, *b = in + n * n;
  float sum = 0;
  for (u32 k0 = 0; k0 < n; k0 += 16) {
    ta[ty][tx] = a[y * n + k0 + tx];
    tb[ty][tx] = b[(k0 + ty) * n + x];
    BARRIER;
    for (int k = 0; k < 16; ++k) sum += ta[ty][k] * tb[k][tx];
    BARRIER;
  }
  out[y * n + x] = sum;
}
KERNEL sgemm_registers(float* out, const float* in, u32 n) {  // 64 x 64 for each group, 4 x 4 for each work-item
  SHARED float ta[16][64], tb[16][64];
  const u32 tx = ITEM % 16, ty = ITEM / 16, x0 = GROUP % (n / 64) * 64, y0 = GROUP / (n / 64) * 64;
  const float *a = in, *b = in + n * n;
  float c[4][4] = {};
  for (u32 k0 = 0; k0 < n; k0 += 16) {
    for (u32 i = ITEM; i < 1024; i += 256) {
      ta[i % 16][i / 16] = a[(y0 + i / 16) * n + k0 + i % 16];
      tb[i / 64][i % 64] = b[(k0 + i / 64) * n + x0 + i % 64];
    }
    BARRIER;
    for (int k = 0; k < 16; ++k) {
      float ra[4], rb[4];
      for (int i = 0; i < 4; ++i) {
        ra[i] = ta[k][ty * 4 + i];
        rb[i] = tb[k][tx * 4 + i];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) c[i][j] += ra[i] * rb[j];
    }
    BARRIER;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) out[(y0 + ty * 4 + i) * n + x0 + tx * 4 + j] = c[i][j];
}
KERNEL dgemm_tile(double* out, const double* in, u32 n) {
  SHARED double ta[16][16], tb[16][16];
  const u32 tx = ITEM % 16, ty = ITEM / 16, x = GROUP % (n / 16) * 16 + tx, y = GROUP / (n / 16) * 16 + ty;
  const double *a = in, *b = in + n * n;
  double sum = 0;
  for (u32 k0 = 0; k0 < n; k0 += 16) {
    ta[ty][tx] = a[y * n + k0 + tx];
    tb[ty][tx] = b[(k0 + ty) * n + x];
    BARRIER;
    for (int k = 0; k < 16; ++k) sum += ta[ty][k] * tb[k][tx];
    BARRIER;
  }
  out[y * n + x] = sum;
}
KERNEL gemv_warp(float* out, const float* in, u32 n) {  // a row for each warp, 16 bytes at once
  const u32 row = GROUP * 8 + ITEM / 32, lane = ITEM % 32;
  const f4* a = reinterpret_cast<const f4*>(in + row * n);
  const f4* x = reinterpret_cast<const f4*>(in);
  float sum = 0;
  for (u32 k = lane; k < n / 4; k += 32) {
    const f4 p = a[k] * x[k];
    sum += p.x + p.y + p.z + p.w;
  }
  for (u32 s = 16; s > 0; s >>= 1) sum += down(sum, s);
  if (lane == 0) out[row] = sum;
}
KERNEL floyd(u32* out, const u32* in, u32 n) {  // a step of Floyd and Warshall's with k = 7
  const u32 i = GROUP * ITEMS + ITEM, x = i % n, y = i / n;
  const u32 way = (in[y * n + 7] & 1023) + (in[7 * n + x] & 1023), old = in[i] & 2047;
  out[i] = way < old ? way : old;
}
// ---- arithmetic
KERNEL black_scholes(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i >= n) return;
  const float s = 5 + 25 * in[i], x = 1 + 99 * in[i + n], t = 0.25f + 9.75f * in[i + 2 * n], r = 0.02f, v = 0.3f;
  const float rt = root(t), d1 = (logarithm2(s / x) * 0.6931472f + (r + 0.5f * v * v) * t) / (v * rt), d2 = d1 - v * rt;
  float cnd[2];
  for (int k = 0; k < 2; ++k) {
    const float d = k ? d2 : d1, a = d < 0 ? -d : d, q = 1.0f / (1.0f + 0.2316419f * a);
    const float c = 0.39894228f * power2(-0.72134752f * d * d) *
                    (q * (0.31938153f + q * (-0.356563782f + q * (1.781477937f + q * (-1.821255978f + q * 1.330274429f)))));
    cnd[k] = d > 0 ? 1.0f - c : c;
  }
  const float e = power2(-1.442695f * r * t);
  out[i] = s * cnd[0] - x * e * cnd[1];
  out[i + n] = x * e * (1.0f - cnd[1]) - s * (1.0f - cnd[0]);
}
KERNEL nbody_tile(f4* out, const f4* in, u32 n) {
  SHARED f4 tile[256];
  const f4 me = in[GROUP * 256 + ITEM];
  f4 force = 0.0f;
  for (u32 base = 0; base < n; base += 256) {
    tile[ITEM] = in[base + ITEM];
    BARRIER;
#pragma unroll 8
    for (int k = 0; k < 256; ++k) {
      const f4 it = tile[k];
      const float dx = it.x - me.x, dy = it.y - me.y, dz = it.z - me.z, d = dx * dx + dy * dy + dz * dz + 0.01f;
      const float i1 = inverse_root(d), i3 = i1 * i1 * i1 * it.w;
      force.x += dx * i3;
      force.y += dy * i3;
      force.z += dz * i3;
    }
    BARRIER;
  }
  out[GROUP * 256 + ITEM] = force;
}
KERNEL mandel(u32* out, const u32*, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, px = i % n, py = i / n;
  const float cx = -2.0f + 3.0f * px / n, cy = -1.5f + 3.0f * py / n;
  float x = 0, y = 0;
  u32 k = 0;
  for (; k < 128 && x * x + y * y < 4.0f; ++k) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[i] = k;
}
KERNEL pi_walk(u32* out, const u32*, u32 n) {  // Monte Carlo, xorshift
  u32 s = (GROUP * ITEMS + ITEM) * 747796405u + 2891336453u, inside = 0;
  for (u32 k = 0; k < n; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    const float x = (s & 0xffff) * (1.0f / 65536), y = (s >> 16) * (1.0f / 65536);
    inside += x * x + y * y < 1.0f;
  }
  out[GROUP * ITEMS + ITEM] = inside;
}
KERNEL pow_mod(u32* out, const u32* in, u32 n) {  // integer remainders
  const u32 i = GROUP * ITEMS + ITEM;
  u32 base = in[i] % 65521, result = 1;
  for (u32 e = n; e > 0; e >>= 1) {
    if (e & 1) result = result * base % 65521;
    base = base * base % 65521;
  }
  out[i] = result;
}
KERNEL fnv64(u64* out, const u8* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u64 hash = 1469598103934665603ull;
  for (u32 k = 0; k < n; ++k) hash = (hash ^ in[i + k * 131072]) * 1099511628211ull;
  out[i] = hash;
}
KERNEL crc_table(u32* out, const u32* in, u32 n) {
  SHARED u32 table[256];
  u32 c = ITEM;
  for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
  table[ITEM] = c;
  BARRIER;
  const u32 i = GROUP * ITEMS + ITEM;
  u32 crc = ~0u;
  for (u32 k = 0; k < n; ++k) {
    u32 word = in[i + k * GROUPS * ITEMS];
    for (int b = 0; b < 4; ++b) {
      crc = table[(crc ^ word) & 255] ^ crc >> 8;
      word >>= 8;
    }
  }
  out[i] = ~crc;
}
KERNEL waves(float* out, const float* in, u32 n) {  // a sum of sines
  const u32 i = GROUP * ITEMS + ITEM;
  const float t = in[i];
  float sum = 0;
  for (u32 k = 1; k <= n; ++k) sum += sine(t * k) / k;
  out[i] = sum;
}
KERNEL newton64(double* out, const double* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  double x = 1.0 + i, a = 2.0 + i;
  for (u32 k = 0; k < n; ++k) x = 0.5 * (x + a / x);
  out[i] = x;
}
KERNEL quaternions(f4* out, const f4* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  f4 q = in[i], p = in[i + 1];
  for (u32 k = 0; k < n; ++k) {
    f4 r;
    r.x = q.w * p.x + q.x * p.w + q.y * p.z - q.z * p.y;
    r.y = q.w * p.y - q.x * p.z + q.y * p.w + q.z * p.x;
    r.z = q.w * p.z + q.x * p.y - q.y * p.x + q.z * p.w;
    r.w = q.w * p.w - q.x * p.x - q.y * p.y - q.z * p.z;
    q = r;
  }
  out[i] = q;
}
KERNEL ray_sphere(float* out, const float* in, u32 n) {  // 32 spheres, the nearest
  const u32 i = GROUP * ITEMS + ITEM;
  const float dx = (i % n) * (1.0f / n) - 0.5f, dy = (i / n) * (1.0f / n) - 0.5f;
  const float inv = inverse_root(dx * dx + dy * dy + 1.0f), vx = dx * inv, vy = dy * inv, vz = inv;
  float nearest = 1e9f;
  for (u32 k = 0; k < 32; ++k) {
    const float sx = in[4 * k] * 8 - 4, sy = in[4 * k + 1] * 8 - 4, sz = in[4 * k + 2] * 8 + 4, r = in[4 * k + 3];
    const float b = sx * vx + sy * vy + sz * vz, c = sx * sx + sy * sy + sz * sz - r * r, d = b * b - c;
    if (d > 0) {
      const float t = b - root(d);
      if (t > 0 && t < nearest) nearest = t;
    }
  }
  out[i] = nearest;
}
// ---- irregular and atomic
KERNEL histogram_local(u32* out, const u32* in, u32 n) {
  SHARED u32 bins[256];
  bins[ITEM] = 0;
  BARRIER;
  for (u32 i = GROUP * 256 + ITEM; i < n; i += GROUPS * 256) {
    const u32 word = in[i];
    for (int k = 0; k < 4; ++k) __nvvm_atom_add_gen_i((int*)&bins[word >> 8 * k & 255], 1);
  }
  BARRIER;
  add_global(&out[ITEM], bins[ITEM]);
}
KERNEL count_if(u32* out, const u32* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n && in[i] % 3 == 0) add_global(out, 1);
}
KERNEL bfs_step(u32* out, const u32* in, u32 n) {  // eight neighbours of each vertex of a random graph
  const u32 v = GROUP * ITEMS + ITEM;
  if ((in[v] & 3) != 0) return;
  for (u32 k = 0; k < 8; ++k) {
    const u32 to = in[v * 8 + k] % n;
    if (out[to] == 0) out[to] = v;
  }
}
KERNEL spmv(float* out, const u32* in, u32 n) {  // 16 entries a row, near the diagonal
  const u32 row = GROUP * ITEMS + ITEM;
  const float* x = reinterpret_cast<const float*>(in);
  float sum = 0;
  for (u32 k = 0; k < 16; ++k) {
    const u32 column = (row + (in[k * n + row] & 1023)) % n;
    sum += __builtin_bit_cast(float, in[k * n + row]) * x[column];
  }
  out[row] = sum;
}
KERNEL list_walk(u32* out, const u32* in, u32 n) {
  u32 at = GROUP * ITEMS + ITEM;
  for (u32 k = 0; k < 32; ++k) at = (in[at] * 1664525u + 1013904223u) % n;
  out[GROUP * ITEMS + ITEM] = at;
}
KERNEL kmeans(u32* out, const f4* in, u32 n) {  // 16 centres in local memory
  SHARED f4 centres[16];
  if (ITEM < 16) centres[ITEM] = in[ITEM];
  BARRIER;
  const f4 p = in[GROUP * ITEMS + ITEM];
  float least = 1e30f;
  u32 best = 0;
  for (u32 k = 0; k < 16; ++k) {
    const f4 d = p - centres[k];
    const float far = d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w;
    if (far < least) {
      least = far;
      best = k;
    }
  }
  out[GROUP * ITEMS + ITEM] = best;
}
KERNEL match_text(u32* out, const u8* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 k = 0;
  while (k < 8 && in[i + k] == in[k]) ++k;
  if (k == 8) add_global(out, 1);
  out[1 + i] = k;
}
KERNEL fft256(f2* out, const f2* in, u32) {  // radix 2, 256 points in local memory, 128 work-items
  SHARED f2 a[256];
  a[ITEM] = in[GROUP * 256 + ITEM];
  a[ITEM + 128] = in[GROUP * 256 + ITEM + 128];
  for (u32 half = 128; half > 0; half >>= 1) {
    BARRIER;
    const u32 k = ITEM & (half - 1), i = ((ITEM - k) << 1) + k;
    const f2 u = a[i], v = a[i + half];
    const float w = -3.14159265f * k / half, c = sine(w + 1.57079633f), s = sine(w);
    const f2 d = u - v;
    a[i] = u + v;
    f2 r;
    r.x = d.x * c - d.y * s;
    r.y = d.x * s + d.y * c;
    a[i + half] = r;
  }
  BARRIER;
  out[GROUP * 256 + ITEM] = a[ITEM];
  out[GROUP * 256 + ITEM + 128] = a[ITEM + 128];
}
KERNEL lattice(float* out, const float* in, u32 n) {  // nine densities of each cell, a step of collision
  const u32 i = GROUP * ITEMS + ITEM;
  float f[9], rho = 0, ux = 0, uy = 0;
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    f[k] = in[k * n + i];
    rho += f[k];
    ux += cx[k] * f[k];
    uy += cy[k] * f[k];
  }
  const float inv = 1.0f / rho;
  ux *= inv;
  uy *= inv;
  const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const float w = k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36, e = 3.0f * (cx[k] * ux + cy[k] * uy);
    out[k * n + i] = f[k] + 0.6f * (w * rho * (1.0f + e + 0.5f * e * e - square) - f[k]);
  }
}
KERNEL bitonic_step(u32* out, const u32* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, partner = i ^ n;
  if (partner > i) {
    const u32 a = in[i], b = in[partner];
    const bool up = (i & 2 * n) == 0;
    out[i] = (a < b) == up ? a : b;
    out[partner] = (a < b) == up ? b : a;
  }
}
