// How many passes loads of local memory take by their width and by which lanes have one address: lane's place is
// TID / d % m.
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef unsigned u32;
#define KERNEL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared)) static
#define TID __nvvm_read_ptx_sreg_tid_x()
#define BID __nvvm_read_ptx_sreg_ctaid_x()
#define SYNC __syncthreads()
#define R __restrict__
// 64 x 8 loads of T.
#define LDS(name, T, SUM) KERNEL name(float* R out, const float* R in, u32 d, u32 m) { \
  SHARED float t[4096]; for (u32 k = TID; k < 4096; k += 256) t[k] = in[k]; SYNC; \
  const T* p = (const T*)t + TID / d % m; float s0 = 0, s1 = 0, s2 = 0, s3 = 0; \
  _Pragma("unroll 1") for (u32 k = 0; k < 64; ++k) { \
    _Pragma("unroll") for (u32 q = 0; q < 8; ++q) { const T v = p[(q * 37) % 128 + (q & 1) * 64]; SUM; } \
    p = (const T*)((const char*)p + (s0 == 123.0f ? 16 : 0)); } \
  out[BID * 256 + TID] = s0 + s1 + s2 + s3; }
LDS(lds32, float, s0 += v)
LDS(lds64, f2, (s0 += v.x, s1 += v.y))
LDS(lds128, f4, (s0 += v.x, s1 += v.y, s2 += v.z, s3 += v.w))
