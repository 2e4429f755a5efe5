// Calls functions of the OpenCL API in random orders with right and wrong arguments: no call may crash, and
// when everything is released nothing may be left (run it under AddressSanitizer).
//
//   opencl_api_fuzz [--seed N] [--calls N] [--rounds N]
//
// Each round makes a context, calls, and releases what it made. A round's seed is printed when it ends with a
// failure of its own (an object that outlives its release); a crash is found again with the seed and --rounds
// 1. Functions are called through the driver's dispatch table, as an ICD loader calls them, so that handles
// may be anything: null, of another kind, released, or no object at all.
#include "fuzz.h"

namespace fuzz {

const cl_icd_dispatch* table = nullptr;
std::atomic<unsigned long> called_back{0};

void Fuzz::queries() {
  const cl_device_id device = handle(devices_);
  const auto with = [&](auto function, auto other) {
    return [function, other](auto object, cl_uint name, size_t size, void* value, size_t* size_ret) {
      return function(object, other, name, size, value, size_ret);
    };
  };
  switch (below(16)) {
    case 0:
      return ask(table->clGetPlatformInfo, handle(std::vector{platform_}), 0x0900, 8);
    case 1:
      return ask(table->clGetDeviceInfo, device, 0x1000, 0x80);
    case 2:
      return ask(table->clGetContextInfo, handle(contexts_), 0x1080, 5);
    case 3:
      return ask(table->clGetCommandQueueInfo, handle(queues_), 0x1090, 10);
    case 4:
      return ask(table->clGetMemObjectInfo, handle(memories_), 0x1100, 12);
    case 5:
      return ask(table->clGetImageInfo, handle(memories_), 0x1110, 12);
    case 6:
      return ask(table->clGetSamplerInfo, handle(samplers_), 0x1150, 9);
    case 7:
      return ask(table->clGetProgramInfo, handle(programs_), 0x1160, 12);
    case 8:
      return ask(with(table->clGetProgramBuildInfo, device), handle(programs_), 0x1181, 6);
    case 9:
      return ask(table->clGetKernelInfo, handle(kernels_), 0x1190, 6);
    case 10:
      return ask(with(table->clGetKernelArgInfo, below(5)), handle(kernels_), 0x1196, 6);
    case 11:
      return ask(with(table->clGetKernelWorkGroupInfo, device), handle(kernels_), 0x11B0, 7);
    case 12:
      return ask(table->clGetEventInfo, handle(events_), 0x11D0, 6);
    case 13:
      return ask(table->clGetEventProfilingInfo, handle(events_), 0x1280, 6);
    case 14: {
      cl_image_format formats[4];
      cl_uint count = 0;
      table->clGetSupportedImageFormats(handle(contexts_), flags(), 0x10F0 + below(8), below(5),
                                        one_in(3) ? nullptr : formats, one_in(3) ? nullptr : &count);
      return;
    }
    default: {
      cl_device_id found[2];
      cl_uint count = 0;
      table->clGetDeviceIDs(platform_, one_in(3) ? random_() : CL_DEVICE_TYPE_ALL, below(3),
                            one_in(3) ? nullptr : found, one_in(3) ? nullptr : &count);
      size_t size = 0;
      const size_t group[2] = {64, 1};
      table->clGetKernelSubGroupInfo(handle(kernels_), device, 0x2033 + below(3), sizeof(group), group,
                                     sizeof(size), &size, nullptr);
      return;
    }
  }
}

// What no device has.
void Fuzz::refused() {
  cl_int code = 0;
  cl_uint count = 0;
  const Waits w = waits();
  switch (below(7)) {
    case 0:
      table->clCreateSubDevices(handle(devices_), nullptr, 0, nullptr, &count);
      return;
    case 1:
      keep(memories_, table->clCreatePipe(handle(contexts_), 0, 4, 4, nullptr, &code));
      return;
    case 2:
      table->clSVMFree(handle(contexts_), table->clSVMAlloc(handle(contexts_), 0, 64, 0));
      return;
    case 3:
      table->clEnqueueNativeKernel(
          handle(queues_), one_in(2) ? nullptr : +[](void*) {}, nullptr, 0, 0, nullptr, nullptr, w.count,
          w.list, w.result);
      return keep_event();
    case 4:
      keep(programs_, table->clCreateProgramWithIL(handle(contexts_), arena_.data(), 16, &code));
      return;
    case 5: {
      const cl_device_id device = handle(devices_);
      keep(programs_, table->clCreateProgramWithBuiltInKernels(handle(contexts_), 1, &device, "none", &code));
      return;
    }
    default: {
      cl_ulong times[2];
      table->clGetDeviceAndHostTimer(handle(devices_), times, one_in(5) ? nullptr : times + 1);
      table->clSetKernelExecInfo(handle(kernels_), 0x11B6, 0, nullptr);
      table->clUnloadPlatformCompiler(handle(std::vector{platform_}));
      return;
    }
  }
}

template <class T, class F>
void Fuzz::let_go(std::vector<T>& list, F release_function) {
  if (list.size() < 4) return;
  const std::size_t at = below(static_cast<unsigned>(list.size()));
  const T object = list[at];
  release_function(object);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  stale_.push_back(object);
  if (stale_.size() > 64) stale_.erase(stale_.begin());
  std::erase(all_, object);
}

void Fuzz::release_some() {
  switch (below(7)) {
    case 0:
      return let_go(queues_, table->clReleaseCommandQueue);
    case 1:
    case 2:
      return let_go(memories_, table->clReleaseMemObject);
    case 3:
      return let_go(samplers_, table->clReleaseSampler);
    case 4:
      return let_go(programs_, table->clReleaseProgram);
    case 5:
      return let_go(kernels_, table->clReleaseKernel);
    default: {
      // Sometimes one that was never set.
      if (one_in(3)) set_gates();
      return let_go(events_, table->clReleaseEvent);
    }
  }
}

template <class T, class F>
void Fuzz::release_all(std::vector<T>& list, F release_function) {
  for (const T each : list) release_function(each);
  list.clear();
}

void Fuzz::round(unsigned calls) {
  if (clGetPlatformIDs(1, &platform_, nullptr) != CL_SUCCESS) {
    std::fprintf(stderr, "no OpenCL platform\n");
    std::exit(2);
  }
  table = reinterpret_cast<const AnyObject*>(platform_)->table;
  cl_device_id devices[8];
  cl_uint count = 0;
  table->clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 8, devices, &count);
  devices_.assign(devices, devices + std::min(count, 8u));
  keep(contexts_, table->clCreateContext(nullptr, count, devices, nullptr, nullptr, nullptr));
  keep(queues_, table->clCreateCommandQueue(contexts_[0], devices_[0], below(4), nullptr));
  for (unsigned i = 0; i < calls; ++i) {
    switch (below(12)) {
      case 0:
      case 1:
        create();
        break;
      case 2:
        program();
        break;
      case 3:
        arguments();
        break;
      case 4:
        launch();
        break;
      case 5:
        transfer();
        break;
      case 6:
        images();
        break;
      case 7:
        maps();
        break;
      case 8:
        synchronise();
        break;
      case 9:
        queries();
        break;
      case 10:
        refused();
        break;
      default:
        release_some();
        break;
    }
  }
  set_gates();
  for (const cl_command_queue queue : queues_) table->clFinish(queue);
  release_all(events_, table->clReleaseEvent);
  release_all(kernels_, table->clReleaseKernel);
  release_all(programs_, table->clReleaseProgram);
  release_all(samplers_, table->clReleaseSampler);
  release_all(memories_, table->clReleaseMemObject);
  release_all(queues_, table->clReleaseCommandQueue);
  release_all(contexts_, table->clReleaseContext);
}

}  // namespace fuzz

int main(int count, char** words) {
  unsigned seed = 1, calls = 2000, rounds = 10;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    const unsigned value = static_cast<unsigned>(std::strtoul(words[i + 1], nullptr, 10));
    if (name == "--seed")
      seed = value;
    else if (name == "--calls")
      calls = value;
    else if (name == "--rounds")
      rounds = value;
    else
      return std::fprintf(stderr, "usage: opencl_api_fuzz [--seed N] [--calls N] [--rounds N]\n"), 2;
  }
  for (unsigned i = 0; i < rounds; ++i) {
    std::printf("seed %u\n", seed + i);
    std::fflush(stdout);
    fuzz::Fuzz(seed + i).round(calls);
  }
  std::printf("%u rounds of %u calls, %lu callbacks\n", rounds, calls, fuzz::called_back.load());
  return 0;
}
