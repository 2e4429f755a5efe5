// Host time from the enqueueing of an empty kernel to its completion, in microseconds: median and 95th
// percentile of 2000 launches of one work-group, each waited for with clFinish. Runs on whatever OpenCL
// platform comes first.
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
    return std::fprintf(stderr, "no OpenCL device\n"), 1;
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  const char* text = "__kernel void empty(void) {}\n";
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS)
    return std::fprintf(stderr, "the kernel does not build\n"), 1;
  cl_kernel kernel = clCreateKernel(program, "empty", &code);
  const size_t size = 64;
  std::vector<double> times;
  for (int i = 0; i < 2000; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr) != CL_SUCCESS ||
        clFinish(queue) != CL_SUCCESS)
      return std::fprintf(stderr, "the launch failed\n"), 1;
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("empty kernel: median %.1f us, 95th percentile %.1f us\n", times[times.size() / 2],
              times[times.size() * 95 / 100]);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
