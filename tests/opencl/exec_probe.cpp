// An application for the tests of `lockstep exec`. It knows nothing of the driver: what it prints comes from
// OpenCL's own answers and from the C and C++ libraries' clocks.
//
//   exec_probe add           vector addition, checked; the GPU's name
//   exec_probe again         one kernel seven times: twice, after writing, mapping and reading its buffers,
//                            and twice more
//   exec_probe moves         one kernel twice on the first GPU, on the second one, and on the first again
//   exec_probe clock         a kernel of some milliseconds, timed by the host's clocks and by its events
//   exec_probe poll          the same, asking for the event's status instead of waiting
//   exec_probe wait          waits with deadlines of 100 ms, after a kernel
//   exec_probe overlap       a kernel and a copy in two queues, and behind each other in one
//   exec_probe beside        two kernels of few groups in two queues, two that fill the GPU, and two in one
//   queue exec_probe long          a kernel of minutes, behind a short one exec_probe beyond        a kernel
//   that writes outside its buffer; exits with 0 all the same exec_probe exit CODE     exits with CODE;
//   abort: raises SIGABRT; none: launches nothing
#include <CL/cl.h>
#include <errno.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr const char* source = R"(
__kernel void add(__global const int* a, __global const int* b, __global int* c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
__kernel void spin(__global uint* out, uint turns) {
  uint x = get_global_id(0);
  for (uint i = 0; i < turns; ++i) x = x * 1664525u + 1013904223u;
  out[get_global_id(0)] = x;
}
__kernel void beyond(__global int* out) { out[get_global_id(0) + 64] = 1; }
)";

[[noreturn]] void fail(const char* what, cl_int code) {
  std::printf("%s: error %d\n", what, code);
  std::exit(9);
}

void check(const char* what, cl_int code) {
  if (code != CL_SUCCESS) fail(what, code);
}

struct Setup {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  std::vector<cl_device_id> devices;  // of the context

  explicit Setup(cl_uint most_devices = 1) {
    cl_platform_id platform = nullptr;
    check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, nullptr));
    devices.resize(most_devices);
    const cl_int found = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, most_devices, devices.data(), nullptr);
    device = devices[0];
    if (found != CL_SUCCESS) {
      char version[256] = "";
      clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, nullptr);
      std::printf("%s\n", version);
    }
    check("clGetDeviceIDs", found);
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, most_devices, devices.data(), nullptr, nullptr, &code);
    check("clCreateContext", code);
    queue = make_queue(device);
    program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &code);
    check("clCreateProgramWithSource", code);
    check("clBuildProgram", clBuildProgram(program, most_devices, devices.data(), "", nullptr, nullptr));
  }
  cl_command_queue make_queue(cl_device_id of) const {
    cl_int code = CL_SUCCESS;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue made = clCreateCommandQueueWithProperties(context, of, list, &code);
    check("clCreateCommandQueueWithProperties", code);
    return made;
  }
  cl_mem buffer(size_t bytes) const {
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check("clCreateBuffer", code);
    return made;
  }
  cl_kernel kernel(const char* name) const {
    cl_int code = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program, name, &code);
    check("clCreateKernel", code);
    return made;
  }
};

double duration_ns(cl_event event) {
  cl_ulong begin = 0, end = 0;
  check("profiling", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 8, &begin, nullptr));
  check("profiling", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &end, nullptr));
  return static_cast<double>(end - begin);
}

// Past every library that could change what it says.
double kernel_clock_ns() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double day_ns() {
  timeval now{};
  gettimeofday(&now, nullptr);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_usec) * 1e3;
}

int add() {
  const Setup setup;
  char name[256] = {};
  check("clGetDeviceInfo", clGetDeviceInfo(setup.device, CL_DEVICE_NAME, sizeof name, name, nullptr));
  constexpr size_t count = 1024;
  std::vector<int> a(count), b(count), c(count);
  for (size_t i = 0; i < count; ++i) a[i] = static_cast<int>(i), b[i] = static_cast<int>(3 * i);
  const cl_mem buffers[] = {setup.buffer(count * 4), setup.buffer(count * 4), setup.buffer(count * 4)};
  check("write",
        clEnqueueWriteBuffer(setup.queue, buffers[0], CL_TRUE, 0, count * 4, a.data(), 0, nullptr, nullptr));
  check("write",
        clEnqueueWriteBuffer(setup.queue, buffers[1], CL_TRUE, 0, count * 4, b.data(), 0, nullptr, nullptr));
  cl_kernel kernel = setup.kernel("add");
  for (cl_uint i = 0; i < 3; ++i)
    check("clSetKernelArg", clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  cl_event launch = nullptr;
  check("launch",
        clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, &launch));
  check("read",
        clEnqueueReadBuffer(setup.queue, buffers[2], CL_TRUE, 0, count * 4, c.data(), 0, nullptr, nullptr));
  for (size_t i = 0; i < count; ++i) {
    if (c[i] != static_cast<int>(4 * i)) fail("sum", static_cast<cl_int>(i));
  }
  std::printf("sums are right on %s\n", name);
  cl_ulong queued = 0, begin = 0;
  check("profiling", clGetEventProfilingInfo(launch, CL_PROFILING_COMMAND_QUEUED, 8, &queued, nullptr));
  check("profiling", clGetEventProfilingInfo(launch, CL_PROFILING_COMMAND_START, 8, &begin, nullptr));
  std::printf("it starts %llu ns later\n", static_cast<unsigned long long>(begin - queued));
  return 0;
}

// Prints the nanoseconds of seven launches of one kernel on the same buffers: the second right behind the
// first, the third after the host wrote one input, the fourth after it mapped the other for writing, the
// fifth after it read all, the sixth and seventh right behind that: until the sixth not even open rows of
// memory are as a launch before had them.
int again() {
  const Setup setup;
  constexpr size_t count = 65536;
  std::vector<int> data(count, 7);
  const cl_mem buffers[] = {setup.buffer(count * 4), setup.buffer(count * 4), setup.buffer(count * 4)};
  const auto write = [&](cl_mem buffer) {
    check("write",
          clEnqueueWriteBuffer(setup.queue, buffer, CL_TRUE, 0, count * 4, data.data(), 0, nullptr, nullptr));
  };
  write(buffers[0]);
  write(buffers[1]);
  cl_kernel kernel = setup.kernel("add");
  for (cl_uint i = 0; i < 3; ++i)
    check("clSetKernelArg", clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  const auto launch = [&](const char* what) {
    cl_event event = nullptr;
    check("launch",
          clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, &event));
    check("finish", clFinish(setup.queue));
    std::printf("%s %.0f ", what, duration_ns(event));
  };
  launch("first");
  launch("second");
  write(buffers[0]);
  launch("written");
  cl_int code = CL_SUCCESS;
  void* mapped = clEnqueueMapBuffer(setup.queue, buffers[1], CL_TRUE, CL_MAP_WRITE, 0, count * 4, 0, nullptr,
                                    nullptr, &code);
  check("map", code);
  check("unmap", clEnqueueUnmapMemObject(setup.queue, buffers[1], mapped, 0, nullptr, nullptr));
  launch("mapped");
  for (const cl_mem buffer : buffers)
    check("read",
          clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 0, count * 4, data.data(), 0, nullptr, nullptr));
  launch("read");
  launch("sixth");
  launch("seventh");
  std::printf("\n");
  return 0;
}

// Prints the nanoseconds of four launches of one kernel on the same buffers: two on the first GPU, one on the
// second, one on the first again.
int moves() {
  const Setup setup(2);
  cl_command_queue other = setup.make_queue(setup.devices[1]);
  constexpr size_t count = 65536;
  std::vector<int> data(count, 7);
  cl_kernel kernel = setup.kernel("add");
  for (cl_uint i = 0; i < 3; ++i) {
    cl_mem buffer = setup.buffer(count * 4);
    check("write",
          clEnqueueWriteBuffer(setup.queue, buffer, CL_TRUE, 0, count * 4, data.data(), 0, nullptr, nullptr));
    check("clSetKernelArg", clSetKernelArg(kernel, i, sizeof buffer, &buffer));
  }
  const auto launch = [&](const char* what, cl_command_queue queue) {
    cl_event event = nullptr;
    check("launch", clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, &event));
    check("finish", clFinish(queue));
    std::printf("%s %.0f ", what, duration_ns(event));
  };
  launch("first", setup.queue);
  launch("second", setup.queue);
  launch("other", other);
  launch("back", setup.queue);
  std::printf("\n");
  return 0;
}

cl_kernel spin(const Setup& setup, cl_mem out, cl_uint turns) {
  cl_kernel kernel = setup.kernel("spin");
  check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof out, &out));
  check("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof turns, &turns));
  return kernel;
}

// Prints modelled, steady, day and host nanoseconds of one launch.
int clock(bool poll) {
  const Setup setup;
  cl_kernel kernel = spin(setup, setup.buffer(64 * 4), 100'000);
  const size_t items = 64;
  cl_event event = nullptr;
  const double host = kernel_clock_ns(), day = day_ns();
  const auto steady = std::chrono::steady_clock::now();
  check("launch",
        clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, &event));
  if (poll) {
    check("flush", clFlush(setup.queue));
    cl_int status = CL_QUEUED;
    while (status != CL_COMPLETE)
      check("status",
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  } else {
    check("finish", clFinish(setup.queue));
  }
  const double steady_ns =
      std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - steady).count();
  std::printf("modelled %.0f steady %.0f day %.0f host %.0f\n", duration_ns(event), steady_ns, day_ns() - day,
              kernel_clock_ns() - host);
  return 0;
}

// Prints how long three waits for what never comes took by the host's clock, in nanoseconds.
int wait() {
  const Setup setup;
  cl_kernel kernel = spin(setup, setup.buffer(64 * 4), 100'000);
  const size_t items = 64;
  check("launch",
        clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
  check("finish", clFinish(setup.queue));
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const double begun = kernel_clock_ns();
  never.wait_for(lock, std::chrono::milliseconds(100), [] { return false; });
  const double steady = kernel_clock_ns();
  never.wait_until(lock, std::chrono::system_clock::now() + std::chrono::milliseconds(100),
                   [] { return false; });
  const double system = kernel_clock_ns();
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  timespec deadline{};
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 100'000'000;
  deadline.tv_sec += deadline.tv_nsec / 1'000'000'000;
  deadline.tv_nsec %= 1'000'000'000;
  while (sem_timedwait(&semaphore, &deadline) != 0 && errno == EINTR) {
  }
  std::printf("steady %.0f system %.0f semaphore %.0f\n", steady - begun, system - steady,
              kernel_clock_ns() - system);
  return 0;
}

// For each pair of launches: how long the first takes, and how long both take together.
int beside() {
  const Setup setup;
  cl_command_queue other = setup.make_queue(setup.device);
  const auto pair = [&](const char* name, size_t items, cl_uint turns, cl_command_queue second) {
    cl_event events[2];
    for (int i = 0; i < 2; ++i) {
      cl_kernel kernel = spin(setup, setup.buffer(items * 4), turns);
      const size_t group = 256;
      check("launch", clEnqueueNDRangeKernel(i == 0 ? setup.queue : second, kernel, 1, nullptr, &items,
                                             &group, 0, nullptr, &events[i]));
    }
    check("clWaitForEvents", clWaitForEvents(2, events));
    cl_ulong begin = 0, end = 0;
    check("profiling", clGetEventProfilingInfo(events[0], CL_PROFILING_COMMAND_START, 8, &begin, nullptr));
    check("profiling", clGetEventProfilingInfo(events[1], CL_PROFILING_COMMAND_END, 8, &end, nullptr));
    std::printf("%s_first %.0f\n%s_both %.0f\n", name, duration_ns(events[0]), name,
                static_cast<double>(end - begin));
  };
  pair("warm", 2048, 1000, setup.queue);
  pair("small", 2048, 1000, other);
  pair("full", size_t{1} << 18, 50, other);
  pair("one_queue", 2048, 1000, setup.queue);
  return 0;
}

int overlap() {
  const Setup setup;
  cl_command_queue other = setup.make_queue(setup.device);
  constexpr size_t bytes = size_t{16} << 20;
  std::vector<char> data(bytes, 1);
  cl_mem target = setup.buffer(bytes);
  cl_kernel kernel = spin(setup, setup.buffer(64 * 4), 60'000);
  const size_t items = 64;
  const auto pair = [&](cl_command_queue copies, const char* what) {
    cl_event events[2];
    check("launch",
          clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, &events[0]));
    check("write",
          clEnqueueWriteBuffer(copies, target, CL_FALSE, 0, bytes, data.data(), 0, nullptr, &events[1]));
    check("finish", clFinish(setup.queue));
    check("finish", clFinish(copies));
    cl_ulong begin[2], end[2];
    for (int i = 0; i < 2; ++i) {
      check("profiling",
            clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, 8, &begin[i], nullptr));
      check("profiling", clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, 8, &end[i], nullptr));
    }
    const double both =
        static_cast<double>(std::min(end[0], end[1])) - static_cast<double>(std::max(begin[0], begin[1]));
    std::printf("%s: kernel %.0f copy %.0f together %.0f\n", what, static_cast<double>(end[0] - begin[0]),
                static_cast<double>(end[1] - begin[1]), std::max(both, 0.0));
  };
  pair(setup.queue, "one queue");
  pair(other, "two queues");
  return 0;
}

// A kernel that nobody wants to wait for, behind a short one.
int long_kernel() {
  add();
  const Setup setup;
  cl_kernel kernel = spin(setup, setup.buffer(64 * 4), 4'000'000'000);
  const size_t items = 64;
  check("launch",
        clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
  return clFinish(setup.queue) == CL_SUCCESS ? 0 : 9;
}

int beyond() {
  const Setup setup;
  cl_kernel kernel = setup.kernel("beyond");
  cl_mem out = setup.buffer(64 * 4);
  check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof out, &out));
  const size_t items = 64;
  check("launch",
        clEnqueueNDRangeKernel(setup.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  std::printf("finish says %d\n", clFinish(setup.queue));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "add") return add();
  if (what == "again") return again();
  if (what == "moves") return moves();
  if (what == "clock") return clock(false);
  if (what == "poll") return clock(true);
  if (what == "wait") return wait();
  if (what == "overlap") return overlap();
  if (what == "beside") return beside();
  if (what == "long") return long_kernel();
  if (what == "beyond") return beyond();
  if (what == "exit") return argc > 2 ? std::atoi(argv[2]) : 9;
  if (what == "abort") std::abort();
  return what == "none" ? 0 : 9;
}
