// An ordinary OpenCL host program: adds two vectors on the first device of the platform that the ICD loader
// shows, and checks every sum. Exit code 0: right.
#include <CL/cl.h>

#include <cstdio>
#include <vector>

namespace {

const char* const source =
    "__kernel void add(__global const float* a, __global const float* b, __global float* c, uint n) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  if (i < n) c[i] = a[i] + b[i];\n"
    "}\n";

bool ok(cl_int code, const char* call) {
  if (code != CL_SUCCESS) std::fprintf(stderr, "%s: error %d\n", call, code);
  return code == CL_SUCCESS;
}

}  // namespace

int main() {
  constexpr cl_uint n = 100'000;
  constexpr size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n, -1.0f);
  for (cl_uint i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 0.5f * static_cast<float>(n - i);
  }
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_int code = CL_SUCCESS;
  if (!ok(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs")) return 1;
  if (!ok(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs")) return 1;
  char name[256];
  if (!ok(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, nullptr), "clGetDeviceInfo")) return 1;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  if (!ok(code, "clCreateContext")) return 1;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  if (!ok(code, "clCreateCommandQueueWithProperties")) return 1;
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &code);
  if (!ok(code, "clCreateProgramWithSource")) return 1;
  code = clBuildProgram(program, 1, &device, "-cl-mad-enable", nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::vector<char> log(1 << 16);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "clBuildProgram: error %d\n%s\n", code, log.data());
    return 1;
  }
  cl_kernel kernel = clCreateKernel(program, "add", &code);
  if (!ok(code, "clCreateKernel")) return 1;
  cl_mem da = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a.data(), &code);
  if (!ok(code, "clCreateBuffer")) return 1;
  cl_mem db = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, nullptr, &code);
  if (!ok(code, "clCreateBuffer")) return 1;
  cl_mem dc = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, nullptr, &code);
  if (!ok(code, "clCreateBuffer")) return 1;
  if (!ok(clEnqueueWriteBuffer(queue, db, CL_FALSE, 0, bytes, b.data(), 0, nullptr, nullptr), "write"))
    return 1;
  const cl_mem buffers[] = {da, db, dc};
  for (cl_uint i = 0; i < 3; ++i) {
    if (!ok(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg")) return 1;
  }
  if (!ok(clSetKernelArg(kernel, 3, sizeof(n), &n), "clSetKernelArg")) return 1;
  const size_t global = (n + 255) / 256 * 256, local = 64;
  cl_event done = nullptr;
  if (!ok(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, &done),
          "clEnqueueNDRangeKernel"))
    return 1;
  if (!ok(clEnqueueReadBuffer(queue, dc, CL_FALSE, 0, bytes, c.data(), 1, &done, nullptr), "read")) return 1;
  if (!ok(clFinish(queue), "clFinish")) return 1;
  cl_int status = CL_QUEUED;
  clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  if (status != CL_COMPLETE) return std::fprintf(stderr, "the kernel's event has status %d\n", status), 1;
  for (cl_uint i = 0; i < n; ++i) {
    if (c[i] != a[i] + b[i]) return std::fprintf(stderr, "sum %u is %g\n", i, c[i]), 1;
  }
  clReleaseEvent(done);
  for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  if (!ok(clReleaseContext(context), "clReleaseContext")) return 1;
  std::printf("%u sums are right on %s\n", n, name);
  return 0;
}
