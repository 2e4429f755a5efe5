// Loops over tiles, of few or many turns that are known or not, of one to eight loads each, by read-only and by plain pointers: what stands in front
// of barriers (tiles.py).
#include "applications.h"

// Turns by a number of the launch: ptxas unrolls them by 4.
KERNEL mm(const float* R a, const float* R b, float* R c, int n) {
  SHARED float ta[16][16], tb[16][16];
  const int tx = TID, ty = __nvvm_read_ptx_sreg_tid_y(), row = __nvvm_read_ptx_sreg_ctaid_y() * 16 + ty, col = BID * 16 + tx;
  float s = 0;
  for (int k = 0; k < n; k += 16) {
    ta[ty][tx] = a[row * n + k + tx];
    tb[ty][tx] = b[(k + ty) * n + col];
    SYNC;
    _Pragma("unroll") for (int i = 0; i < 16; ++i) s += ta[ty][i] * tb[i][tx];
    SYNC;
  }
  c[row * n + col] = s;
}

// Four turns.
template <class P>
INLINE void four(P a, P b, float* R c) {
  SHARED float ta[16][16], tb[16][16];
  constexpr int n = 64;
  const int tx = TID, ty = __nvvm_read_ptx_sreg_tid_y(), row = __nvvm_read_ptx_sreg_ctaid_y() * 16 + ty, col = BID * 16 + tx;
  float s = 0;
  _Pragma("unroll") for (int k = 0; k < n; k += 16) {
    ta[ty][tx] = a[row * n + k + tx];
    tb[ty][tx] = b[(k + ty) * n + col];
    SYNC;
    _Pragma("unroll") for (int i = 0; i < 16; ++i) s += ta[ty][i] * tb[i][tx];
    SYNC;
  }
  c[row * n + col] = s;
}
KERNEL mm4(const float* R a, const float* R b, float* R c) { four<const float* R>(a, b, c); }
KERNEL mm4p(float* a, float* b, float* c) { four<float*>(a, b, c); }

// T turns of L loads and W multiply-adds each; rows lie a number of the launch apart.
template <int T, int L, int W, int B>
INLINE void rows(const float* R a, float* R c, int n) {
  SHARED float tile[L][B];
  const int t = TID;
  const float* p = a + BID * B * L * T + t;
  float s = 0;
  _Pragma("unroll") for (int k = 0; k < T; ++k) {
    _Pragma("unroll") for (int l = 0; l < L; ++l) tile[l][t] = p[(k * L + l) * n];
    SYNC;
    _Pragma("unroll") for (int w = 0; w < W; ++w) s += tile[w % L][(t + w * 7) & (B - 1)] * tile[(w + 1) % L][(t + w * 5 + 3) & (B - 1)];
    SYNC;
  }
  c[BID * B + t] = s;
}
#define ROWS(T, L, W)                                                                                         \
  KERNEL rows##T##_##L##_256(const float* R a, float* R c, int n) { rows<T, L, W, 256>(a, c, n); } \
  KERNEL rows##T##_##L##_1024(const float* R a, float* R c, int n) { rows<T, L, W, 1024>(a, c, n); }
ROWS(4, 2, 16) ROWS(8, 2, 16) ROWS(4, 4, 16) ROWS(8, 4, 16) ROWS(4, 8, 16) ROWS(8, 8, 16) ROWS(16, 1, 4)
