// Many threads use the OpenCL API at once, each with objects of its own and with objects that all share: what
// comes out must be right, and under ThreadSanitizer no access may race.
//
//   opencl_stress [--threads N] [--rounds N]
//
// OpenCL 3.0, appendix A.2: every function is thread-safe but clSetKernelArg and
// its like on one kernel object.
#include <CL/cl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr const char* source =
    "__kernel void add(__global const int* a, __global int* b, int by) {\n"
    "  size_t i = get_global_id(0); b[i] = a[i] + by; }\n"
    "__kernel void count(__global int* total) { atomic_add(total, 1); }\n";

std::atomic<unsigned> failures{0};
std::atomic<unsigned> callbacks{0};

void expect(bool good, const char* what) {
  if (good) return;
  if (failures++ < 20) std::fprintf(stderr, "wrong: %s\n", what);
}
void must(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s gives %d\n", what, code);
  std::exit(1);
}

cl_device_id the_device() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  must(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  return device;
}

// What all threads share.
struct Shared {
  cl_context context = nullptr;
  cl_command_queue queue = nullptr, loose = nullptr;
  cl_program program = nullptr;
  cl_mem total = nullptr;  // counted up by kernels of all threads
};

cl_program build(cl_context context, cl_device_id device) {
  cl_int code = 0;
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  must(code, "clCreateProgramWithSource");
  must(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

// Writes, runs, reads in a context; the queue may be every thread's.
void chain(cl_context context, cl_command_queue queue, cl_program program, int by, bool wait) {
  cl_int code = 0;
  constexpr size_t items = 512;
  std::vector<int> in(items), out(items, -1);
  std::iota(in.begin(), in.end(), 0);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY, items * 4, nullptr, &code);
  must(code, "clCreateBuffer");
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, items * 4, nullptr, &code);
  must(code, "clCreateBuffer");
  cl_kernel kernel = clCreateKernel(program, "add", &code);
  must(code, "clCreateKernel");
  must(clSetKernelArg(kernel, 0, sizeof(a), &a), "clSetKernelArg");
  must(clSetKernelArg(kernel, 1, sizeof(b), &b), "clSetKernelArg");
  must(clSetKernelArg(kernel, 2, sizeof(by), &by), "clSetKernelArg");
  cl_event events[3] = {};
  must(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, items * 4, in.data(), 0, nullptr, &events[0]), "write");
  must(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 1, &events[0], &events[1]),
       "kernel");
  must(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, items * 4, out.data(), 1, &events[1], &events[2]), "read");
  must(clSetEventCallback(
           events[2], CL_COMPLETE, [](cl_event, cl_int, void*) { ++callbacks; }, nullptr),
       "clSetEventCallback");
  // The objects go while their commands run.
  must(clReleaseKernel(kernel), "clReleaseKernel");
  must(clReleaseMemObject(a), "clReleaseMemObject");
  must(clReleaseMemObject(b), "clReleaseMemObject");
  if (wait) {
    must(clWaitForEvents(1, &events[2]), "clWaitForEvents");
  } else {
    must(clFlush(queue), "clFlush");
    cl_int status = CL_QUEUED;
    while (status > CL_COMPLETE) {
      must(clGetEventInfo(events[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
           "clGetEventInfo");
      std::this_thread::yield();
    }
    expect(status == CL_COMPLETE, "a command failed");
  }
  bool good = true;
  for (size_t i = 0; i < items; ++i) good = good && out[i] == static_cast<int>(i) + by;
  expect(good, "the kernel's results");
  for (cl_event each : events) must(clReleaseEvent(each), "clReleaseEvent");
}

// A user event that another thread sets.
void gated(const Shared& shared) {
  cl_int code = 0;
  cl_event gate = clCreateUserEvent(shared.context, &code), done = nullptr;
  must(code, "clCreateUserEvent");
  const int value = 41;
  int out = 0;
  cl_mem memory = clCreateBuffer(shared.context, CL_MEM_COPY_HOST_PTR, 4, const_cast<int*>(&value), &code);
  must(code, "clCreateBuffer");
  must(clEnqueueReadBuffer(shared.loose, memory, CL_FALSE, 0, 4, &out, 1, &gate, &done), "gated read");
  std::thread other([&] { must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus"); });
  must(clWaitForEvents(1, &done), "clWaitForEvents");
  other.join();
  expect(out == 41, "the gated read");
  must(clReleaseEvent(gate), "clReleaseEvent");
  must(clReleaseEvent(done), "clReleaseEvent");
  must(clReleaseMemObject(memory), "clReleaseMemObject");
}

void mapped(const Shared& shared, int value) {
  cl_int code = 0;
  cl_mem memory = clCreateBuffer(shared.context, CL_MEM_ALLOC_HOST_PTR, 4096, nullptr, &code);
  must(code, "clCreateBuffer");
  auto* place = static_cast<int*>(
      clEnqueueMapBuffer(shared.loose, memory, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, nullptr, nullptr, &code));
  must(code, "clEnqueueMapBuffer");
  for (int i = 0; i < 1024; ++i) place[i] = value;
  cl_event unmapped = nullptr;
  must(clEnqueueUnmapMemObject(shared.loose, memory, place, 0, nullptr, &unmapped), "unmap");
  int out = 0;
  must(clEnqueueReadBuffer(shared.loose, memory, CL_TRUE, 4092, 4, &out, 1, &unmapped, nullptr), "read");
  expect(out == value, "the mapped buffer");
  must(clReleaseEvent(unmapped), "clReleaseEvent");
  must(clReleaseMemObject(memory), "clReleaseMemObject");
}

// Counting what all see, and references that come and go.
void share(const Shared& shared) {
  cl_int code = 0;
  must(clRetainMemObject(shared.total), "clRetainMemObject");
  must(clRetainCommandQueue(shared.queue), "clRetainCommandQueue");
  must(clRetainProgram(shared.program), "clRetainProgram");
  cl_kernel kernel = clCreateKernel(shared.program, "count", &code);
  must(code, "clCreateKernel");
  must(clSetKernelArg(kernel, 0, sizeof(shared.total), &shared.total), "clSetKernelArg");
  const size_t items = 64;
  must(clEnqueueNDRangeKernel(shared.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
       "kernel");
  must(clReleaseKernel(kernel), "clReleaseKernel");
  must(clReleaseProgram(shared.program), "clReleaseProgram");
  must(clReleaseCommandQueue(shared.queue), "clReleaseCommandQueue");
  must(clReleaseMemObject(shared.total), "clReleaseMemObject");
}

void work(const Shared& shared, cl_device_id device, unsigned thread, unsigned rounds) {
  cl_int code = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const int by = static_cast<int>(thread * 1000 + i);
    chain(shared.context, i % 2 == 0 ? shared.queue : shared.loose, shared.program, by, i % 3 != 0);
    share(shared);
    gated(shared);
    mapped(shared, by);
    if (i % 8 == 0) {
      // A context of its own, made and released while others work.
      cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
      must(code, "clCreateContext");
      cl_command_queue queue = clCreateCommandQueueWithProperties(own, device, nullptr, &code);
      must(code, "clCreateCommandQueueWithProperties");
      cl_program program = build(own, device);
      chain(own, queue, program, by, true);
      must(clReleaseProgram(program), "clReleaseProgram");
      must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
      must(clReleaseContext(own), "clReleaseContext");
    }
    char text[256];
    must(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(text), text, nullptr), "clGetDeviceInfo");
    cl_uint references = 0;
    must(clGetProgramInfo(shared.program, CL_PROGRAM_REFERENCE_COUNT, sizeof(references), &references,
                          nullptr),
         "clGetProgramInfo");
    if (i % 16 == 0) must(clFinish(shared.loose), "clFinish");
  }
}

}  // namespace

int main(int count, char** words) {
  unsigned threads = 4, rounds = 40;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    const unsigned value = static_cast<unsigned>(std::strtoul(words[i + 1], nullptr, 10));
    if (name == "--threads")
      threads = value;
    else if (name == "--rounds")
      rounds = value;
    else
      return std::fprintf(stderr, "usage: opencl_stress [--threads N] [--rounds N]\n"), 2;
  }
  cl_device_id device = the_device();
  cl_int code = 0;
  Shared shared;
  shared.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  must(code, "clCreateContext");
  shared.queue = clCreateCommandQueueWithProperties(shared.context, device, nullptr, &code);
  must(code, "clCreateCommandQueueWithProperties");
  const cl_queue_properties loose[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  shared.loose = clCreateCommandQueueWithProperties(shared.context, device, loose, &code);
  must(code, "clCreateCommandQueueWithProperties");
  shared.program = build(shared.context, device);
  int zero = 0;
  shared.total = clCreateBuffer(shared.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4, &zero, &code);
  must(code, "clCreateBuffer");

  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i) all.emplace_back(work, std::cref(shared), device, i, rounds);
  for (std::thread& each : all) each.join();

  int total = 0;
  must(clEnqueueReadBuffer(shared.queue, shared.total, CL_TRUE, 0, 4, &total, 0, nullptr, nullptr), "read");
  expect(total == static_cast<int>(64 * threads * rounds), "the shared count");
  const unsigned chains = threads * (rounds + (rounds + 7) / 8);
  for (int i = 0; i < 5000 && callbacks != chains; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  expect(callbacks == chains, "a callback for every chain");
  must(clReleaseMemObject(shared.total), "clReleaseMemObject");
  must(clReleaseProgram(shared.program), "clReleaseProgram");
  must(clReleaseCommandQueue(shared.queue), "clReleaseCommandQueue");
  must(clReleaseCommandQueue(shared.loose), "clReleaseCommandQueue");
  must(clReleaseContext(shared.context), "clReleaseContext");
  std::printf("%u threads, %u rounds each: %d counted, %u callbacks, %u failures\n", threads, rounds, total,
              callbacks.load(), failures.load());
  return failures == 0 ? 0 : 1;
}
