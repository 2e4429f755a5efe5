// Which stores of several warps leave a multiprocessor together: runs of R words, 32 / R a warp, that eight warps
// fill up side by side (near) or in sectors of their own (apart), behind a barrier (sync) or whenever they come
// (free); 16 bytes a lane, S stores that fill a lane's S * 16 bytes (quads).
typedef unsigned u32;
#define KERNEL extern "C" __attribute__((global)) void
#define BID __nvvm_read_ptx_sreg_ctaid_x()
#define TID __nvvm_read_ptx_sreg_tid_x()
#define GDIM __nvvm_read_ptx_sreg_nctaid_x()
template <int R, bool near_, bool sync>
__attribute__((device)) inline void store_runs(u32* out, u32 iters) {
  const u32 lane = TID % 32, warp = TID / 32, digit = lane / R, within = lane % R;
  const u32 stripe = GDIM * iters * 64 + 96;
  u32 v = BID;
  for (u32 it = 0; it < iters; ++it) {
    if (sync) __syncthreads();
    v = v * 1664525u + 1013904223u;
    const u32 place = near_ ? (BID * iters + it) * 8 * R + warp * R + within : ((BID * iters + it) * 8 + warp) * 8 + within;
    out[digit * stripe + place] = v;
  }
}
#define ONE(R) KERNEL near_sync_##R(u32* out, u32 n) { store_runs<R, true, true>(out, n); } \
KERNEL near_free_##R(u32* out, u32 n) { store_runs<R, true, false>(out, n); } \
KERNEL apart_sync_##R(u32* out, u32 n) { store_runs<R, false, true>(out, n); } \
KERNEL apart_free_##R(u32* out, u32 n) { store_runs<R, false, false>(out, n); }
ONE(1) ONE(2) ONE(4) ONE(8)
typedef float f4 __attribute__((ext_vector_type(4)));
template <int S, int gap>
__attribute__((device)) inline void store_quads(f4* out, u32 iters) {
  const u32 stride = GDIM * 256;
  float v = BID;
  for (u32 it = 0; it < iters; ++it) {
    const u32 i = it * stride + BID * 256 + TID;
#pragma unroll
    for (int s = 0; s < S; ++s) {
      f4 q = v;
      out[i * S + s] = q;
#pragma unroll
      for (int g = 0; g < gap; ++g) v = v * 1.0001f + 0.5f;
    }
  }
}
KERNEL quads_2(f4* out, u32 n) { store_quads<2, 0>(out, n); }
KERNEL quads_4(f4* out, u32 n) { store_quads<4, 0>(out, n); }
KERNEL quads_4_16(f4* out, u32 n) { store_quads<4, 16>(out, n); }
KERNEL quads_4_64(f4* out, u32 n) { store_quads<4, 64>(out, n); }
KERNEL quads_8(f4* out, u32 n) { store_quads<8, 0>(out, n); }
