// The sum of n doubles, first attempt: every thread adds `chunk` neighbours. The threads of a wave read addresses that lie
// chunk * 8 bytes apart, so each load touches as many cache lines as the wave has lanes.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_chunks(const double* x, double* partial, long n, int chunk) {
  const long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (long i = thread * chunk; i < (thread + 1) * chunk && i < n; ++i) sum += x[i];
  partial[thread] = sum;
}

int main() {
  const long n = 1 << 20;
  const int chunk = 128, group = 64;
  const long threads = (n + chunk - 1) / chunk, groups = (threads + group - 1) / group;
  std::vector<double> x(n), partial(groups * group);
  double expected = 0;
  for (double& value : x) expected += value = std::rand() / (double)RAND_MAX - 0.5;

  double *device_x, *device_partial;
  hipMalloc(&device_x, n * sizeof(double));
  hipMalloc(&device_partial, partial.size() * sizeof(double));
  hipMemcpy(device_x, x.data(), n * sizeof(double), hipMemcpyHostToDevice);
  sum_chunks<<<groups, group>>>(device_x, device_partial, n, chunk);
  hipMemcpy(partial.data(), device_partial, partial.size() * sizeof(double), hipMemcpyDeviceToHost);
  double sum = 0;
  for (const double value : partial) sum += value;
  std::printf("sum %g, on the host %g, difference %g\n", sum, expected, std::fabs(sum - expected));
  hipFree(device_x);
  hipFree(device_partial);
}
