// What loads from the constant bank cost by how many different words a warp's lanes want: chains of loads,
// and four side by side. Built by nvcc -arch=sm_90; prints cycles a load, of all warps together where they
// stand side by side.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__constant__ int table[16384];
// Loads of `lanes % D` addresses `S` words apart; all of a table of `mask + 1` words in turn.
__global__ void chain(int* out, long long* cycles, int D, int S, int mask, int turns, int step) {
  int k = (threadIdx.x % 32 % D) * S + (threadIdx.x / 32) * 32, n = 0;
  for (int i = 0; i < 64; ++i) {
    k = table[k & mask] + step;
  }
  long long a = clock64();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    k = table[k & mask] + step;
  }
  long long b = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = k + n;
  if (threadIdx.x % 32 == 0) cycles[blockIdx.x * blockDim.x / 32 + threadIdx.x / 32] = b - a;
}
__global__ void rate(int* out, long long* cycles, int D, int S, int mask, int turns, int step) {
  int k = (threadIdx.x % 32 % D) * S + (threadIdx.x / 32) * 32, n = 0;
  long long a = clock64();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    n += table[k & mask];
    n += table[(k + step) & mask];
    n += table[(k + 2 * step) & mask];
    n += table[(k + 3 * step) & mask];
    k += 4 * step;
  }
  long long b = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = k + n;
  if (threadIdx.x % 32 == 0) cycles[blockIdx.x * blockDim.x / 32 + threadIdx.x / 32] = b - a;
}
int main() {
  std::vector<int> t(16384);
  for (int i = 0; i < 16384; ++i) t[i] = i;
  cudaMemcpyToSymbol(table, t.data(), 65536);
  int* out;
  long long* c;
  cudaMalloc(&out, 1 << 24);
  cudaMalloc(&c, 1 << 20);
  for (int warps : {1, 4, 8, 16, 32})
    for (int words : {64, 256, 448, 1024, 4096, 16384})
      for (int S : {1, 2, 8, 16, 33})
        for (int D : {1, 2, 4, 8, 16, 32}) {
          if (words != 256 && (S != 1 && S != 16)) continue;
          if (warps != 1 && warps != 16 && words != 256) continue;
          int mask = 1;
          while (mask < words) mask *= 2;
          --mask;
          if (words == 448) continue;
          for (int step : {0, 16}) {
            if (step == 0 && (words != 256)) continue;
            long long h[64], g[64];
            for (int r = 0; r < 3; ++r) {
              chain<<<1, 32 * warps>>>(out, c, D, S, mask, 256, step);
              cudaDeviceSynchronize();
            }
            cudaMemcpy(h, c, 8 * warps, cudaMemcpyDeviceToHost);
            for (int r = 0; r < 3; ++r) {
              rate<<<1, 32 * warps>>>(out, c, D, S, mask, 64, step);
              cudaDeviceSynchronize();
            }
            cudaMemcpy(g, c, 8 * warps, cudaMemcpyDeviceToHost);
            long long mh = 0, mg = 0;
            for (int i = 0; i < warps; ++i) mh = std::max(mh, h[i]), mg = std::max(mg, g[i]);
            printf("warps %d words %d stride %d addresses %d step %d: chain %.2f rate %.2f\n", warps, words,
                   S, D, step, mh / 256.0, mg / 256.0 / warps);
          }
        }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
