// The sum of n doubles, third attempt: as sum_strided, and then the threads of a group add their sums in local memory as
// a tree, half of them dropping out with every level. One number for each group goes back to the host.
// sum_tree also is the second half of a sum that never leaves the GPU: a single group adds the groups' numbers.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_tree(const double* x, double* result, long n) {
  extern __shared__ double local[];
  const long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
  const long threads = (long)gridDim.x * blockDim.x;
  double sum = 0;
  for (long i = thread; i < n; i += threads) sum += x[i];
  local[threadIdx.x] = sum;

  // [0, left) takes [left, count): the first half is one longer when the count is odd.
  for (int count = blockDim.x; count > 1;) {
    const int left = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x < count - left) local[threadIdx.x] += local[threadIdx.x + left];
    count = left;
  }
  if (threadIdx.x == 0) result[blockIdx.x] = local[0];
}

int main() {
  const long n = 1 << 20;
  const int group = 256, groups = 128;
  std::vector<double> x(n);
  double expected = 0;
  for (double& value : x) expected += value = std::rand() / (double)RAND_MAX - 0.5;

  double *device_x, *device_partial, *device_sum;
  hipMalloc(&device_x, n * sizeof(double));
  hipMalloc(&device_partial, groups * sizeof(double));
  hipMalloc(&device_sum, sizeof(double));
  hipMemcpy(device_x, x.data(), n * sizeof(double), hipMemcpyHostToDevice);
  sum_tree<<<groups, group, group * sizeof(double)>>>(device_x, device_partial, n);
  sum_tree<<<1, groups, groups * sizeof(double)>>>(device_partial, device_sum, groups);
  double sum = 0;
  hipMemcpy(&sum, device_sum, sizeof(double), hipMemcpyDeviceToHost);
  std::printf("sum %g, on the host %g, difference %g\n", sum, expected, std::fabs(sum - expected));
  hipFree(device_x);
  hipFree(device_partial);
  hipFree(device_sum);
}
