#include "dissect/opencl_backend.h"

#include <fmt/format.h>

#include "dissect/device_name.h"
#include "dissect/opencl_library.h"

#if __has_include(<CL/cl.h>)
#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

namespace lockstep::dissect {
namespace {

// Of extensions that the headers of OpenCL 1.2 do not know: NVIDIA's compute capability, AMD's wave width.
constexpr cl_device_info nvidia_capability_major = 0x4000;
constexpr cl_device_info nvidia_warp_size = 0x4003;
constexpr cl_device_info amd_wavefront_width = 0x4043;

Diagnostic failed(std::string_view what, int code) {
  return {"opencl-failed", {}, fmt::format("{} of the OpenCL driver: {}", what, opencl_error(code)), ""};
}

struct FoundDevice {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  std::string name, platform_name, version;
};

std::string platform_text(const OpenClLibrary& cl, cl_platform_id platform, cl_platform_info what) {
  std::size_t bytes = 0;
  if (cl.clGetPlatformInfo(platform, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
  std::string text(bytes, '\0');
  cl.clGetPlatformInfo(platform, what, bytes, text.data(), nullptr);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::string device_text(const OpenClLibrary& cl, cl_device_id device, cl_device_info what) {
  std::size_t bytes = 0;
  if (cl.clGetDeviceInfo(device, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
  std::string text(bytes, '\0');
  cl.clGetDeviceInfo(device, what, bytes, text.data(), nullptr);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

template <class T>
T device_value(const OpenClLibrary& cl, cl_device_id device, cl_device_info what) {
  T value{};
  return cl.clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : T{};
}

std::vector<FoundDevice> all_devices(const OpenClLibrary& cl) {
  std::vector<FoundDevice> found;
  cl_uint platforms = 0;
  if (cl.clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return found;
  std::vector<cl_platform_id> ids(platforms);
  cl.clGetPlatformIDs(platforms, ids.data(), nullptr);
  for (const cl_platform_id platform : ids) {
    cl_uint count = 0;
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(count);
    cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    for (const cl_device_id device : devices) {
      found.push_back({platform, device, device_text(cl, device, CL_DEVICE_NAME),
                       platform_text(cl, platform, CL_PLATFORM_NAME),
                       device_text(cl, device, CL_DRIVER_VERSION)});
    }
  }
  return found;
}

Expected<FoundDevice> choose_device(const OpenClLibrary& cl, const std::string& wanted) {
  const std::vector<FoundDevice> all = all_devices(cl);
  std::vector<const FoundDevice*> fitting;
  std::string names;
  for (const FoundDevice& device : all) {
    names += fmt::format("{}'{}' of {}", names.empty() ? "" : ", ", device.name, device.platform_name);
    if (name_has(device.name + " " + device.platform_name, wanted)) fitting.push_back(&device);
  }
  if (fitting.size() == 1) return *fitting[0];
  std::string message = all.empty()       ? "no OpenCL driver of the host shows a device"
                        : fitting.empty() ? fmt::format("no OpenCL device's name has '{}' in it", wanted)
                                          : fmt::format("{} OpenCL devices fit", fitting.size());
  return Diagnostic{"no-device",
                    {},
                    std::move(message),
                    all.empty() ? "drivers are registered in /etc/OpenCL/vendors, or named by OCL_ICD_VENDORS"
                                : "--device takes a part of one device's or platform's name: " + names};
}

class OpenClBackend final : public Backend {
 public:
  OpenClBackend(const OpenClLibrary& cl, const FoundDevice& found, std::string directory)
      : cl_(cl), device_(found.device), directory_(std::move(directory)) {
    traits_.backend = "opencl";
    traits_.device = found.name;
    traits_.driver = fmt::format("{} {}", found.platform_name, found.version);
    traits_.clock_hz = 1e6 * device_value<cl_uint>(cl, device_, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    traits_.units = std::max(device_value<cl_uint>(cl, device_, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
    traits_.wave_lanes = device_value<cl_uint>(cl, device_, nvidia_warp_size);
    if (traits_.wave_lanes == 0) traits_.wave_lanes = device_value<cl_uint>(cl, device_, amd_wavefront_width);
    if (traits_.wave_lanes == 0) traits_.wave_lanes = 32;
    traits_.max_group_items = static_cast<u32>(
        std::min<std::size_t>(device_value<std::size_t>(cl, device_, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1024));
    traits_.local_bytes = device_value<cl_ulong>(cl, device_, CL_DEVICE_LOCAL_MEM_SIZE);
    traits_.memory_bytes = device_value<cl_ulong>(cl, device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    traits_.last_cache_bytes = device_value<cl_ulong>(cl, device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    // From Volta on NVIDIA's instructions have 16 bytes.
    if (device_value<cl_uint>(cl, device_, nvidia_capability_major) >= 7) traits_.instruction_bytes = 16;
    const std::string extensions = device_text(cl, device_, CL_DEVICE_EXTENSIONS);
    traits_.half = extensions.find("cl_khr_fp16") != std::string::npos;
    traits_.real64 = extensions.find("cl_khr_fp64") != std::string::npos;
  }

  ~OpenClBackend() override {
    for (const cl_mem buffer : buffers_) {
      if (buffer) cl_.clReleaseMemObject(buffer);
    }
    for (const cl_kernel kernel : kernels_) cl_.clReleaseKernel(kernel);
    for (const auto& [key, program] : programs_) cl_.clReleaseProgram(program.program);
    for (const cl_command_queue queue : {queue_, second_, untimed_}) {
      if (queue) cl_.clReleaseCommandQueue(queue);
    }
    if (context_) cl_.clReleaseContext(context_);
  }

  Status open() {
    cl_int code = CL_SUCCESS;
    context_ = cl_.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    if (code != CL_SUCCESS) return failed("clCreateContext", code);
    for (cl_command_queue* queue : {&queue_, &second_, &untimed_}) {
      const cl_command_queue_properties timed = queue == &untimed_ ? 0 : CL_QUEUE_PROFILING_ENABLE;
      *queue = cl_.clCreateCommandQueue(context_, device_, timed, &code);
      if (code != CL_SUCCESS) return failed("clCreateCommandQueue", code);
    }
    return Success{};
  }

  // Lockstep's own driver with timed kernels: the same launch takes the same time.
  void find_out_whether_exact() {
    if (!traits_.driver.starts_with("Lockstep")) return;
    const Expected<KernelId> kernel = compile({"control", "nothing", {"GROUP=64"}});
    if (!kernel) return;
    const Expected<BufferId> out = allocate(4096);
    if (!out) return;
    f64 times[4] = {};
    for (f64& seconds : times) {
      const Expected<f64> one = time({*kernel, 1, 64, {BufferArgument{*out}}});
      seconds = one ? *one : 0;
    }
    release(*out);
    traits_.exact = times[1] > 0 && times[1] == times[2] && times[2] == times[3];
  }

  const Traits& traits() const override { return traits_; }

  Expected<KernelId> compile(const KernelSource& source) override {
    std::string options = "-I " + directory_;
    for (const std::string& define : source.defines) options += " -D" + define;
    const std::string key = source.file + "\n" + options;
    auto known = programs_.find(key);
    if (known == programs_.end()) {
      const Expected<cl_program> built = build(directory_ + "/" + source.file + ".cl", options);
      if (!built) return built.error();
      known = programs_.emplace(key, BuiltProgram{*built, {}}).first;
    }
    BuiltProgram& program = known->second;
    if (const auto kernel = program.kernels.find(source.kernel); kernel != program.kernels.end())
      return kernel->second;
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = cl_.clCreateKernel(program.program, source.kernel.c_str(), &code);
    if (code != CL_SUCCESS) return failed("clCreateKernel", code);
    kernels_.push_back(kernel);
    const auto id = static_cast<KernelId>(kernels_.size() - 1);
    program.kernels.emplace(source.kernel, id);
    return id;
  }

  u64 code_bytes(KernelId) const override { return 0; }

  Expected<BufferId> allocate(u64 bytes) override {
    cl_int code = CL_SUCCESS;
    const cl_mem buffer = cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (code != CL_SUCCESS) return failed(fmt::format("clCreateBuffer of {} bytes", bytes), code);
    buffers_.push_back(buffer);
    const cl_uint zero = 0;
    code = cl_.clEnqueueFillBuffer(queue_, buffer, &zero, sizeof zero, 0, bytes / 4 * 4, 0, nullptr, nullptr);
    if (code == CL_SUCCESS) code = cl_.clFinish(queue_);
    if (code != CL_SUCCESS) return failed("clEnqueueFillBuffer", code);
    return static_cast<BufferId>(buffers_.size() - 1);
  }

  void release(BufferId buffer) override {
    cl_.clReleaseMemObject(buffers_[buffer]);
    buffers_[buffer] = nullptr;
  }

  Status read(BufferId buffer, std::span<u8> bytes) override {
    const cl_int code = cl_.clEnqueueReadBuffer(queue_, buffers_[buffer], CL_TRUE, 0, bytes.size(),
                                                bytes.data(), 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return failed("clEnqueueReadBuffer", code);
    return Success{};
  }

  bool make_cold() override { return false; }

  Expected<f64> time(const Launch& launch) override {
    Events events(cl_);
    const Status done = enqueue(queue_, launch, events.add());
    if (!done) return done.error();
    return span_of(events);
  }

  // By the host's clock: events with times keep launches apart that would follow each other closely.
  Expected<f64> time_queue(std::span<const Launch> launches) override {
    if (traits_.exact) {
      Events events(cl_);
      for (const Launch& launch : launches) {
        const Status done = enqueue(queue_, launch, events.add());
        if (!done) return done.error();
      }
      return span_of(events);
    }
    const auto begin = std::chrono::steady_clock::now();
    for (const Launch& launch : launches) {
      const Status done = enqueue(untimed_, launch, nullptr);
      if (!done) return done.error();
    }
    const cl_int code = cl_.clFinish(untimed_);
    if (code != CL_SUCCESS) return failed("clFinish", code);
    return std::chrono::duration<f64>(std::chrono::steady_clock::now() - begin).count();
  }

  Expected<f64> time_with_copy(const Launch* launch, u64 copy_bytes) override {
    Events events(cl_);
    std::vector<char>& host = host_memory_;
    host.resize(copy_bytes);
    if (copy_bytes > copy_target_bytes_) {
      const Expected<BufferId> made = allocate(copy_bytes);
      if (!made) return made.error();
      copy_target_ = *made;
      copy_target_bytes_ = copy_bytes;
    }
    if (launch) {
      const Status done = enqueue(queue_, *launch, events.add());
      if (!done) return done.error();
      cl_.clFlush(queue_);
    }
    cl_int code = cl_.clEnqueueWriteBuffer(second_, buffers_[copy_target_], CL_FALSE, 0, copy_bytes,
                                           host.data(), 0, nullptr, events.add());
    if (code != CL_SUCCESS) return failed("clEnqueueWriteBuffer", code);
    cl_.clFlush(second_);
    return span_of(events);
  }

 private:
  struct BuiltProgram {
    cl_program program = nullptr;
    std::map<std::string, KernelId> kernels;
  };

  Expected<cl_program> build(const std::string& path, const std::string& options) {
    std::ifstream file(path);
    if (!file)
      return Diagnostic{
          "no-such-file", {path, 0, 0}, "cannot be read", "LOCKSTEP_DISSECT names the kernels' folder"};
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    const char* pointer = text.c_str();
    cl_int code = CL_SUCCESS;
    const cl_program program = cl_.clCreateProgramWithSource(context_, 1, &pointer, nullptr, &code);
    if (code != CL_SUCCESS) return failed("clCreateProgramWithSource", code);
    const cl_int built = cl_.clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr);
    if (built == CL_SUCCESS) return program;
    std::size_t bytes = 0;
    cl_.clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    cl_.clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    cl_.clReleaseProgram(program);
    return Diagnostic{
        "kernel-not-compiled",
        {path, 0, 0},
        fmt::format("the device's compiler refuses the kernel ({}):\n{}", opencl_error(built), log),
        fmt::format("it was called with {}", options)};
  }

  struct Events {
    explicit Events(const OpenClLibrary& library) : cl(library) {}
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    ~Events() {
      for (const cl_event event : list) {
        if (event) cl.clReleaseEvent(event);
      }
    }
    cl_event* add() { return &list.emplace_back(nullptr); }
    const OpenClLibrary& cl;
    std::vector<cl_event> list;
  };

  Status enqueue(cl_command_queue queue, const Launch& launch, cl_event* event) {
    const cl_kernel kernel = kernels_[launch.kernel];
    for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
      const cl_int code = std::visit(
          [&](const auto& given) {
            using T = std::decay_t<decltype(given)>;
            if constexpr (std::is_same_v<T, BufferArgument>)
              return cl_.clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers_[given.id]);
            else if constexpr (std::is_same_v<T, LocalBytes>)
              return cl_.clSetKernelArg(kernel, i, given.bytes, nullptr);
            else
              return cl_.clSetKernelArg(kernel, i, sizeof given, &given);
          },
          launch.arguments[i]);
      if (code != CL_SUCCESS) return failed(fmt::format("clSetKernelArg {}", i), code);
    }
    const std::size_t global = std::size_t{launch.groups} * launch.group_items, local = launch.group_items;
    const cl_int code =
        cl_.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, event);
    if (code != CL_SUCCESS) return failed("clEnqueueNDRangeKernel", code);
    return Success{};
  }

  Expected<f64> span_of(Events& events) {
    const cl_int waited = cl_.clWaitForEvents(static_cast<cl_uint>(events.list.size()), events.list.data());
    if (waited != CL_SUCCESS) return failed("clWaitForEvents", waited);
    cl_ulong first = ~cl_ulong{0}, last = 0;
    for (const cl_event event : events.list) {
      cl_ulong begin = 0, end = 0;
      const cl_int code = std::min(
          cl_.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr),
          cl_.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr));
      if (code != CL_SUCCESS) return failed("clGetEventProfilingInfo", code);
      first = std::min(first, begin);
      last = std::max(last, end);
    }
    return static_cast<f64>(last - first) * 1e-9;
  }

  const OpenClLibrary& cl_;
  cl_device_id device_;
  const std::string directory_;
  Traits traits_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr, second_ = nullptr, untimed_ = nullptr;
  std::vector<cl_kernel> kernels_;
  std::map<std::string, BuiltProgram> programs_;  // by source and options
  std::vector<cl_mem> buffers_;
  std::vector<char> host_memory_;
  BufferId copy_target_ = 0;
  u64 copy_target_bytes_ = 0;
};

}  // namespace

Expected<std::unique_ptr<Backend>> make_opencl_backend(const OpenClOptions& options) {
  const Expected<const OpenClLibrary*> library = opencl_library();
  if (!library) return library.error();
  const Expected<FoundDevice> device = choose_device(**library, options.device);
  if (!device) return device.error();
  auto backend = std::make_unique<OpenClBackend>(**library, *device, options.directory);
  const Status opened = backend->open();
  if (!opened) return opened.error();
  backend->find_out_whether_exact();
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace lockstep::dissect

#else

namespace lockstep::dissect {

Expected<std::unique_ptr<Backend>> make_opencl_backend(const OpenClOptions&) {
  return Diagnostic{"no-opencl",
                    {},
                    "this build of lockstep was made without OpenCL's headers",
                    "on Debian the package opencl-headers"};
}

}  // namespace lockstep::dissect
#endif
