// Which stores of a multiprocessor leave it together: l1tex__m_l1tex2xbar_write_sectors.sum of each launch,
// by ncu.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned wait(unsigned v, int turns) {
#pragma unroll 1
  for (int i = 0; i < turns; ++i) v = v * 1664525u + 1013904223u;
  return v;
}
// One lane stores a word of a line, then one of each of N other lines, then, `gap` multiply-adds later, the
// first line's next word.
template <int N>
__global__ void window(unsigned* out, int gap, int turns) {
  unsigned v = blockIdx.x;
  for (int r = 0; r < turns; ++r) {
    unsigned* base = out + ((size_t)blockIdx.x * turns + r) * 64 * 32;
    if (threadIdx.x % 32 == 0) {
      base[0] = v;
#pragma unroll
      for (int k = 0; k < N; ++k) base[32 * (k + 1)] = v;
      if (gap != 0) v = wait(v, gap);
      base[1] = v;
    }
    v = wait(v, 600);
  }
}
// A record of S words for each lane, a store each; the waves begin one after the other where `apart` is not
// 0.
template <int S>
__global__ void records(unsigned* out, int apart) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i;
  if (apart != 0) v = wait(v, (threadIdx.x / 32 * 5 + blockIdx.x * 3) % 32 * apart);
#pragma unroll
  for (int w = 0; w < S; ++w) out[(size_t)i * S + w] = v + w;
}
int main() {
  unsigned* out;
  cudaMalloc(&out, 1 << 28);
#define WINDOW(n, gap) window<n><<<16, 32>>>(out, gap, 64)
  WINDOW(0, 0);
  WINDOW(0, 4);
  WINDOW(0, 16);
  WINDOW(0, 64);
  WINDOW(0, 256);
  WINDOW(0, 1024);
  WINDOW(1, 0);
  WINDOW(2, 0);
  WINDOW(3, 0);
  WINDOW(4, 0);
  WINDOW(6, 0);
  WINDOW(7, 0);
  WINDOW(8, 0);
  WINDOW(12, 0);
  WINDOW(15, 0);
  WINDOW(16, 0);
  WINDOW(24, 0);
  WINDOW(32, 0);
  WINDOW(48, 0);
#define RECORDS(s, groups, threads, apart) records<s><<<groups, threads>>>(out, apart)
  for (int apart : {0, 8, 64}) {
    RECORDS(2, 2112, 256, apart);
    RECORDS(3, 2112, 256, apart);
    RECORDS(4, 2112, 256, apart);
    RECORDS(5, 2112, 256, apart);
    RECORDS(6, 2112, 256, apart);
    RECORDS(7, 2112, 256, apart);
    RECORDS(8, 2112, 256, apart);
    RECORDS(12, 2112, 256, apart);
    RECORDS(16, 2112, 256, apart);
  }
  for (int threads : {32, 128}) {
    RECORDS(2, 132, threads, 0);
    RECORDS(3, 132, threads, 0);
    RECORDS(4, 132, threads, 0);
    RECORDS(5, 132, threads, 0);
    RECORDS(8, 132, threads, 0);
    RECORDS(16, 132, threads, 0);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
