// A host program whose kernel does everything wrong that checks look for, and that notices nothing of it: it
// prints "fine" and ends with 0 by itself. With an argument only the kernel without any violation runs.
#include <CL/cl.h>

#include <cstdio>
#include <vector>

namespace {

const char* const source =
    "__kernel void good(__global int* a) { a[get_global_id(0)] = get_global_id(0); }\n"
    "__kernel void bad(__global int* a, __global int* unwritten) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i == 9) a[1024] = 1;\n"
    "  if (unwritten[i] > 5) a[i] = 1;\n"
    "  a[0] = (int)i;\n"
    "}\n";

unsigned notices = 0;

void CL_CALLBACK notice(const char*, const void*, size_t, void*) {
  ++notices;
}

bool ok(cl_int code, const char* call) {
  if (code != CL_SUCCESS) std::fprintf(stderr, "%s: error %d\n", call, code);
  return code == CL_SUCCESS;
}

}  // namespace

int main(int count, char**) {
  constexpr size_t items = 256, local = 64, bytes = items * sizeof(cl_int);
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_int code = CL_SUCCESS;
  if (!ok(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs")) return 1;
  if (!ok(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs")) return 1;
  cl_context context = clCreateContext(nullptr, 1, &device, notice, nullptr, &code);
  if (!ok(code, "clCreateContext")) return 1;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  if (!ok(code, "clCreateCommandQueueWithProperties")) return 1;
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &code);
  if (!ok(code, "clCreateProgramWithSource") ||
      !ok(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr), "clBuildProgram"))
    return 1;
  cl_kernel good = clCreateKernel(program, "good", &code), bad = clCreateKernel(program, "bad", &code);
  // 4096 bytes, of which the host writes the first quarter.
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * bytes, nullptr, &code);
  cl_mem unwritten = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  if (!ok(code, "clCreateBuffer")) return 1;
  std::vector<cl_int> values(items, 7);
  clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr);
  clSetKernelArg(good, 0, sizeof a, &a);
  clSetKernelArg(bad, 0, sizeof a, &a);
  clSetKernelArg(bad, 1, sizeof unwritten, &unwritten);
  if (!ok(clEnqueueNDRangeKernel(queue, good, 1, nullptr, &items, &local, 0, nullptr, nullptr), "good") ||
      (count == 1 &&
       !ok(clEnqueueNDRangeKernel(queue, bad, 1, nullptr, &items, &local, 0, nullptr, nullptr), "bad")) ||
      !ok(clFinish(queue), "clFinish") ||
      !ok(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr), "read"))
    return 1;
  if (values[255] != 255) return std::fprintf(stderr, "a[255] is %d\n", values[255]), 1;
  std::printf("fine, %u notices\n", notices);
  clReleaseMemObject(a);
  clReleaseMemObject(unwritten);
  clReleaseKernel(good);
  clReleaseKernel(bad);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
