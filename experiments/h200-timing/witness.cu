// Kernels whose times a real H200 and the model are compared by. Sizes and launches: witness.py.
#define KERNEL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared))
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define ITEMS __nvvm_read_ptx_sreg_ntid_x()
#define GROUPS __nvvm_read_ptx_sreg_nctaid_x()
#define BARRIER __syncthreads()
typedef unsigned u32;
typedef float f4 __attribute__((ext_vector_type(4)));

KERNEL copy4(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n / 4) reinterpret_cast<f4*>(out)[i] = reinterpret_cast<const f4*>(in)[i];
}
KERNEL saxpy(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < n) out[i] = 2.5f * in[i] + out[i];
}
KERNEL strided(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  out[i] = in[(i * 17u) & (n - 1)];
}
KERNEL gather(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 x = i * 2654435761u;
  x ^= x >> 15;
  out[i] = in[x & (n - 1)];
}
KERNEL grid_sum(float* out, const float* in, u32 n) {
  float sum = 0;
  for (u32 i = GROUP * ITEMS + ITEM; i < n; i += GROUPS * ITEMS) sum += in[i];
  out[GROUP * ITEMS + ITEM] = sum;
}
KERNEL tree_sum(float* out, const float* in, u32 n) {
  SHARED static float part[256];
  float sum = 0;
  for (u32 i = GROUP * 256 + ITEM; i < n; i += GROUPS * 256) sum += in[i];
  part[ITEM] = sum;
  BARRIER;
  for (u32 half = 128; half > 0; half >>= 1) {
    if (ITEM < half) part[ITEM] += part[ITEM + half];
    BARRIER;
  }
  if (ITEM == 0) out[GROUP] = part[0];
}
KERNEL transpose(float* out, const float* in, u32 n) {
  SHARED static float tile[32][33];
  const u32 side = n, x = ITEM & 31, y = ITEM >> 5;
  const u32 bx = GROUP % (side / 32) * 32, by = GROUP / (side / 32) * 32;
  for (u32 j = 0; j < 32; j += 8) tile[y + j][x] = in[(by + y + j) * side + bx + x];
  BARRIER;
  for (u32 j = 0; j < 32; j += 8) out[(bx + y + j) * side + by + x] = tile[x][y + j];
}
KERNEL transpose_naive(float* out, const float* in, u32 n) {
  const u32 side = n, x = ITEM & 31, y = ITEM >> 5;
  const u32 bx = GROUP % (side / 32) * 32, by = GROUP / (side / 32) * 32;
  for (u32 j = 0; j < 32; j += 8) out[(bx + x) * side + by + y + j] = in[(by + y + j) * side + bx + x];
}
KERNEL matmul(float* out, const float* in, u32 n) {
  SHARED static float a[16][16], b[16][16];
  const u32 x = ITEM & 15, y = ITEM >> 4;
  const u32 column = GROUP % (n / 16) * 16 + x, row = GROUP / (n / 16) * 16 + y;
  float sum = 0;
  for (u32 k = 0; k < n; k += 16) {
    a[y][x] = in[row * n + k + x];
    b[y][x] = in[(k + y) * n + column];
    BARRIER;
    for (u32 i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
    BARRIER;
  }
  out[row * n + column] = sum;
}
KERNEL stencil(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i < 2 || i + 2 >= n) return;
  out[i] = 0.1f * in[i - 2] + 0.2f * in[i - 1] + 0.4f * in[i] + 0.2f * in[i + 1] + 0.1f * in[i + 2];
}
KERNEL polynomial(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  float x = in[i & (n - 1)], y = x;
  for (u32 k = 0; k < 256; ++k) y = y * x + 0.5f;
  out[i] = y;
}
KERNEL polynomial8(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  float x = in[i & (n - 1)], y[8];
  for (u32 j = 0; j < 8; ++j) y[j] = x + j;
  for (u32 k = 0; k < 64; ++k)
    for (u32 j = 0; j < 8; ++j) y[j] = y[j] * x + 0.5f;
  for (u32 j = 1; j < 8; ++j) y[0] += y[j];
  out[i] = y[0];
}
KERNEL f64_chain(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  double x = in[i & (n - 1)], y = x, z = x + 1;
  for (u32 k = 0; k < 128; ++k) {
    y = y * x + 0.5;
    z = z * x + 0.25;
  }
  out[i] = static_cast<float>(y + z);
}
KERNEL hash(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 x = i + n;
  for (u32 k = 0; k < 128; ++k) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x += k;
  }
  out[i] = static_cast<float>(x);
}
KERNEL divide(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 x = i + 12345u, sum = 0;
  for (u32 k = 1; k < 33; ++k) sum += x / (n + k) + x % (n + k);
  out[i] = static_cast<float>(sum);
}
KERNEL diverge(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 x = i | 1u, steps = 0;
  while (x != 1u && steps < 100u) {
    x = (x & 1u) != 0 ? 3u * x + 1u : x >> 1;
    ++steps;
  }
  out[i] = static_cast<float>(steps + n);
}
KERNEL mandelbrot(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM, side = n;
  const float cx = -2.0f + 3.0f * (i % side) / side, cy = -1.5f + 3.0f * (i / side) / side;
  float x = 0, y = 0;
  u32 k = 0;
  while (k < 64 && x * x + y * y < 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++k;
  }
  out[i] = static_cast<float>(k);
}
KERNEL histogram(float* out, const float* in, u32 n) {
  SHARED static u32 bins[256];
  bins[ITEM] = 0;
  BARRIER;
  for (u32 i = GROUP * 256 + ITEM; i < n; i += GROUPS * 256)
    __atomic_fetch_add(&bins[(i * 2654435761u) >> 24], 1u, __ATOMIC_RELAXED);
  BARRIER;
  __atomic_fetch_add(reinterpret_cast<u32*>(out) + ITEM, bins[ITEM], __ATOMIC_RELAXED);
}
KERNEL counters(float* out, const float* in, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  __atomic_fetch_add(reinterpret_cast<u32*>(out) + ((i * 2654435761u) >> 12 & (n - 1)), 1u, __ATOMIC_RELAXED);
}
KERNEL chase(float* out, const float* in, u32 n) {
  const u32* next = reinterpret_cast<const u32*>(in);
  u32 at = (GROUP * ITEMS + ITEM) * 97u & (n - 1);
  for (u32 k = 0; k < 64; ++k) at = (next[at] + at * 5u + 12345u) & (n - 1);
  out[GROUP * ITEMS + ITEM] = static_cast<float>(at);
}
KERNEL spin(float* out, const float* in, u32 n) {
  const u32 begin = __nvvm_read_ptx_sreg_clock();
  u32 now = begin;
  while (now - begin < n) now = __nvvm_read_ptx_sreg_clock();
  if (now == begin) out[0] = 1;
}
