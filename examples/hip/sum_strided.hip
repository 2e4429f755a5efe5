// The sum of n doubles, second attempt: neighbouring threads read neighbouring elements, and all threads together stride
// over the array. The loads of a wave fill whole cache lines.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_strided(const double* x, double* partial, long n) {
  const long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
  const long threads = (long)gridDim.x * blockDim.x;
  double sum = 0;
  for (long i = thread; i < n; i += threads) sum += x[i];
  partial[thread] = sum;
}

int main() {
  const long n = 1 << 20;
  const int group = 64, groups = 128;
  std::vector<double> x(n), partial(groups * group);
  double expected = 0;
  for (double& value : x) expected += value = std::rand() / (double)RAND_MAX - 0.5;

  double *device_x, *device_partial;
  hipMalloc(&device_x, n * sizeof(double));
  hipMalloc(&device_partial, partial.size() * sizeof(double));
  hipMemcpy(device_x, x.data(), n * sizeof(double), hipMemcpyHostToDevice);
  sum_strided<<<groups, group>>>(device_x, device_partial, n);
  hipMemcpy(partial.data(), device_partial, partial.size() * sizeof(double), hipMemcpyDeviceToHost);
  double sum = 0;
  for (const double value : partial) sum += value;
  std::printf("sum %g, on the host %g, difference %g\n", sum, expected, std::fabs(sum - expected));
  hipFree(device_x);
  hipFree(device_partial);
}
