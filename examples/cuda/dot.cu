// The dot product of two vectors: every warp adds its products by shuffles, and one thread of each warp adds the warp's
// sum to the result.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <class T>
__device__ T sum_of_warp(T value) {
  for (int step = warpSize / 2; step > 0; step /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, step);
  return value;
}

__global__ void dot(const float* x, const float* y, float* result, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  sum = sum_of_warp(sum);
  if (threadIdx.x % warpSize == 0) atomicAdd(result, sum);
}

int main() {
  const int n = 1 << 16;
  std::vector<float> x(n, 0.5f), y(n, 2.0f);
  float *device_x, *device_y, *device_result, result = 0;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMalloc(&device_result, sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(device_result, 0, sizeof(float));
  dot<<<64, 256>>>(device_x, device_y, device_result, n);
  cudaMemcpy(&result, device_result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g, expected %d\n", result, n);
}
