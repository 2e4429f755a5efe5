// Two kernels with parameters; spaces.py makes one module for each configuration.
#define KERNEL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared)) static
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define BARRIER __syncthreads()
typedef unsigned u32;
typedef float f4 __attribute__((ext_vector_type(4)));

#ifdef SGEMM  // tiles of BM x BN x BK, TM x TN a work-item, VEC floats a load of global memory, PAD floats a row
constexpr u32 WIDE = BN / TN, ITEMS = BM / TM * WIDE;
KERNEL sgemm(float* __restrict out, const float* __restrict in, u32 n) {
  __attribute__((shared, aligned(16))) static float a[BK][BM + PAD], b[BK][BN + PAD];
  const u32 tx = ITEM % WIDE, ty = ITEM / WIDE, gx = GROUP % (n / BN) * BN, gy = GROUP / (n / BN) * BM;
  float c[TM][TN] = {};
  for (u32 k = 0; k < n; k += BK) {
#pragma unroll
    for (u32 i = ITEM * VEC; i < BM * BK; i += ITEMS * VEC) {
      float v[VEC];
      __builtin_memcpy(v, __builtin_assume_aligned(in + (gy + i / BK) * n + k + i % BK, VEC * 4), sizeof v);
      for (u32 j = 0; j < VEC; ++j) a[i % BK + j][i / BK] = v[j];
    }
#pragma unroll
    for (u32 i = ITEM * VEC; i < BN * BK; i += ITEMS * VEC)
      __builtin_memcpy(__builtin_assume_aligned(&b[i / BN][i % BN], VEC * 4), __builtin_assume_aligned(in + (k + i / BN) * n + gx + i % BN, VEC * 4), VEC * 4);
    BARRIER;
#pragma unroll
    for (u32 kk = 0; kk < BK; ++kk) {
      float p[TM], q[TN];
#pragma unroll
      for (u32 i = 0; i < TM; ++i) p[i] = a[kk][ty * TM + i];
#pragma unroll
      for (u32 j = 0; j < TN; ++j) q[j] = b[kk][tx + j * WIDE];
#pragma unroll
      for (u32 i = 0; i < TM; ++i)
#pragma unroll
        for (u32 j = 0; j < TN; ++j) c[i][j] += p[i] * q[j];
    }
    BARRIER;
  }
#pragma unroll
  for (u32 i = 0; i < TM; ++i)
#pragma unroll
    for (u32 j = 0; j < TN; ++j) out[(gy + ty * TM + i) * n + gx + tx + j * WIDE] = c[i][j];
}
#endif

#ifdef CONVOLVE  // 7 x 7 over groups of TX x TY work-items, PX x PY points each; LOCAL: through a tile
constexpr u32 R = 7, W = TX * PX, H = TY * PY;
KERNEL convolve(float* __restrict out, const float* __restrict in, u32 side) {
  const u32 x = ITEM % TX, y = ITEM / TX, across = (side - R + 1) / W, bx = GROUP % across * W, by = GROUP / across * H;
#if LOCAL
  SHARED float tile[H + R - 1][W + R - 1];
  for (u32 i = ITEM; i < (H + R - 1) * (W + R - 1); i += TX * TY) {
    const u32 r = i / (W + R - 1), c = i % (W + R - 1);
    tile[r][c] = in[(by + r) * side + bx + c];
  }
  BARRIER;
#define AT(r, c) tile[r][c]
#else
#define AT(r, c) in[(by + (r)) * side + bx + (c)]
#endif
  float sum[PY][PX] = {};
#pragma unroll
  for (u32 i = 0; i < R; ++i)
#pragma unroll
    for (u32 j = 0; j < R; ++j)
#pragma unroll
      for (u32 py = 0; py < PY; ++py)
#pragma unroll
        for (u32 px = 0; px < PX; ++px) sum[py][px] += AT(y * PY + py + i, x + px * TX + j) * (0.01f * (i * R + j + 1));
  for (u32 py = 0; py < PY; ++py)
    for (u32 px = 0; px < PX; ++px) out[(by + y * PY + py) * side + bx + x + px * TX] = sum[py][px];
}
#endif
