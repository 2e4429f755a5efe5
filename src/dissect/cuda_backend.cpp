#include "dissect/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <type_traits>

#include "base/align.h"
#include "dissect/cuda_library.h"
#include "dissect/device_name.h"
#include "dissect/ptx_folder.h"

namespace lockstep::dissect {
namespace {

struct FoundGpu {
  CudaDevice device = 0;
  std::string name;
};

Diagnostic failed(const CudaLibrary& cuda, std::string_view what, int code) {
  return {"cuda-failed", {}, fmt::format("{} of NVIDIA's driver: {}", what, cuda_error(cuda, code)), ""};
}

int attribute(const CudaLibrary& cuda, CudaDevice device, CudaAttribute which) {
  int value = 0;
  return cuda.device_attribute(&value, which, device) == 0 ? std::max(value, 0) : 0;
}

Expected<FoundGpu> choose_gpu(const CudaLibrary& cuda, const std::string& wanted) {
  int count = 0;
  if (const int code = cuda.device_count(&count); code != 0) return failed(cuda, "cuDeviceGetCount", code);
  std::vector<FoundGpu> fitting;
  std::string names;
  for (int i = 0; i < count; ++i) {
    FoundGpu gpu;
    char name[256] = {};
    if (cuda.device(&gpu.device, i) != 0 || cuda.device_name(name, sizeof name - 1, gpu.device) != 0)
      continue;
    gpu.name = name;
    names += fmt::format("{}{} '{}'", names.empty() ? "" : ", ", i, gpu.name);
    if (wanted == std::to_string(i)) return gpu;
    if (name_has(gpu.name, wanted)) fitting.push_back(gpu);
  }
  if (fitting.size() == 1) return fitting[0];
  return Diagnostic{"no-device",
                    {},
                    names.empty()     ? "NVIDIA's driver shows no GPU"
                    : fitting.empty() ? fmt::format("no NVIDIA GPU's name has '{}' in it", wanted)
                                      : fmt::format("{} NVIDIA GPUs fit", fitting.size()),
                    names.empty() ? "CUDA_VISIBLE_DEVICES may hide it"
                                  : "--device takes a part of one GPU's name, or its number: " + names};
}

// The newest target that the GPU runs: PTX of an older one is compiled for it by the driver.
const Target* target_for(u32 capability) {
  const Target* best = nullptr;
  for (const Target& target : all_targets()) {
    if (target.isa != IsaFamily::ptx || target.compute_capability() > capability) continue;
    if (!best || target.compute_capability() > best->compute_capability()) best = &target;
  }
  return best;
}

class CudaBackend final : public Backend {
 public:
  CudaBackend(const CudaLibrary& cuda, const FoundGpu& gpu, const Target& target, const CudaOptions& options)
      : cuda_(cuda), gpu_(gpu.device), target_(target), folder_(options.ptx_directory, options.directory) {
    const auto of_gpu = [&](CudaAttribute which) { return static_cast<u32>(attribute(cuda, gpu_, which)); };
    traits_.backend = "cuda";
    traits_.device = gpu.name;
    int version = 0;
    cuda.driver_version(&version);
    traits_.driver = fmt::format("libcuda of CUDA {}.{}", version / 1000, version % 1000 / 10);
    traits_.clock_hz = 1e3 * of_gpu(cuda_clock_kilohertz);
    traits_.units = std::max(of_gpu(cuda_multiprocessors), 1u);
    traits_.wave_lanes = of_gpu(cuda_warp_lanes);
    traits_.max_group_items = std::min(of_gpu(cuda_max_block_threads), 1024u);
    reserved_shared_ = of_gpu(cuda_reserved_shared_bytes);
    traits_.local_bytes = of_gpu(cuda_shared_bytes_optin);
    std::size_t memory = 0;
    cuda.device_memory(&memory, gpu_);
    traits_.memory_bytes = memory;
    traits_.last_cache_bytes = of_gpu(cuda_l2_bytes);
    // From Volta on an instruction has 16 bytes; before, 8 (and a control word for a few of them).
    traits_.instruction_bytes = of_gpu(cuda_capability_major) >= 7 ? 16 : 8;
    traits_.half = target.compute_capability() >= 53;
    traits_.real64 = target.compute_capability() >= 13;
  }

  ~CudaBackend() override {
    // With the context go its modules, memory, streams and events.
    if (context_) cuda_.destroy_context(context_);
  }

  Status open() {
    if (const int code = cuda_.make_context(&context_, 0, gpu_); code != 0)
      return failed(cuda_, "cuCtxCreate", code);
    for (CudaStream* stream : {&stream_, &second_}) {
      if (const int code = cuda_.make_stream(stream, cuda_stream_non_blocking); code != 0)
        return failed(cuda_, "cuStreamCreate", code);
    }
    for (CudaEvent& event : events_) {
      if (const int code = cuda_.make_event(&event, 0); code != 0)
        return failed(cuda_, "cuEventCreate", code);
    }
    return Success{};
  }

  const Traits& traits() const override { return traits_; }

  Expected<KernelId> compile(const KernelSource& source) override {
    std::string key = source.file;
    for (const std::string& define : source.defines) key += "\n" + define;
    auto known = modules_.find(key);
    if (known == modules_.end()) {
      const Expected<CudaModule> made = load(source);
      if (!made) return made.error();
      known = modules_.emplace(key, LoadedModule{*made, {}}).first;
    }
    LoadedModule& module = known->second;
    if (const auto kernel = module.kernels.find(source.kernel); kernel != module.kernels.end())
      return kernel->second;
    Kernel kernel;
    if (const int code = cuda_.module_function(&kernel.function, module.module, source.kernel.c_str());
        code != 0)
      return failed(cuda_, fmt::format("cuModuleGetFunction of {}", source.kernel), code);
    int bytes = 0;
    if (const int code = cuda_.function_attribute(&bytes, cuda_static_shared_bytes, kernel.function);
        code != 0)
      return failed(cuda_, "cuFuncGetAttribute", code);
    kernel.shared_bytes = static_cast<u32>(bytes);
    kernels_.push_back(kernel);
    const auto id = static_cast<KernelId>(kernels_.size() - 1);
    module.kernels.emplace(source.kernel, id);
    return id;
  }

  u64 code_bytes(KernelId) const override { return 0; }

  Expected<BufferId> allocate(u64 bytes) override {
    CudaAddress address = 0;
    if (const int code = cuda_.allocate(&address, bytes); code != 0)
      return failed(cuda_, fmt::format("cuMemAlloc of {} bytes", bytes), code);
    buffers_.push_back(address);
    int code = cuda_.fill(address, 0, bytes);
    if (code == 0) code = cuda_.synchronise();
    if (code != 0) return failed(cuda_, "cuMemsetD8", code);
    return static_cast<BufferId>(buffers_.size() - 1);
  }

  void release(BufferId buffer) override {
    cuda_.release(buffers_[buffer]);
    buffers_[buffer] = 0;
  }

  Status read(BufferId buffer, std::span<u8> bytes) override {
    // The streams do not wait for the one that copies without a name, nor it for them.
    int code = cuda_.synchronise();
    if (code == 0) code = cuda_.copy_to_host(bytes.data(), buffers_[buffer], bytes.size());
    if (code != 0) return failed(cuda_, "cuMemcpyDtoH", code);
    return Success{};
  }

  bool make_cold() override { return false; }

  Expected<f64> time(const Launch& launch) override { return time_queue({&launch, 1}); }

  Expected<f64> time_queue(std::span<const Launch> launches) override {
    if (const Status begun = record(begin, stream_); !begun) return begun.error();
    for (const Launch& launch : launches) {
      if (const Status done = enqueue(launch); !done) return done.error();
    }
    if (const Status ended = record(end, stream_); !ended) return ended.error();
    return seconds_between(begin, end);
  }

  Expected<f64> time_with_copy(const Launch* launch, u64 copy_bytes) override {
    host_memory_.resize(copy_bytes);
    if (copy_bytes > copy_target_bytes_) {
      if (copy_target_bytes_ != 0) release(copy_target_);
      copy_target_bytes_ = 0;
      const Expected<BufferId> made = allocate(copy_bytes);
      if (!made) return made.error();
      copy_target_ = *made;
      copy_target_bytes_ = copy_bytes;
    }
    if (const Status begun = record(begin, stream_); !begun) return begun.error();
    if (launch) {
      if (const Status done = enqueue(*launch); !done) return done.error();
    }
    if (const Status ended = record(end, stream_); !ended) return ended.error();
    if (const int code =
            cuda_.copy_to_device(buffers_[copy_target_], host_memory_.data(), copy_bytes, second_);
        code != 0)
      return failed(cuda_, "cuMemcpyHtoDAsync", code);
    if (const Status ended = record(copy_end, second_); !ended) return ended.error();
    const Expected<f64> kernel = seconds_between(begin, end);
    if (!kernel) return kernel;
    const Expected<f64> copy = seconds_between(begin, copy_end);
    if (!copy) return copy;
    return std::max(*kernel, *copy);
  }

 private:
  struct LoadedModule {
    CudaModule module = nullptr;
    std::map<std::string, KernelId> kernels;
  };
  struct Kernel {
    CudaFunction function = nullptr;
    u32 shared_bytes = 0;  // of its own variables
  };
  enum Moment : u32 { begin, end, copy_end };

  Expected<CudaModule> load(const KernelSource& source) {
    const Expected<std::string> text = folder_.text(source, target_);
    if (!text) return text.error();
    std::string log(4096, '\0');
    int options[] = {cuda_jit_error_log, cuda_jit_error_log_bytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    CudaModule module = nullptr;
    const int code = cuda_.load_module(&module, text->c_str(), 2, options, values);
    if (code == 0) return module;
    log.resize(std::strlen(log.c_str()));
    while (log.ends_with('\n')) log.pop_back();
    return Diagnostic{
        "kernel-not-compiled",
        {source.file + ".cl", 0, 0},
        fmt::format("the driver refuses the kernel's PTX ({}):\n{}", cuda_error(cuda_, code), log),
        fmt::format("it is made for {}", target_.name)};
  }

  Status record(Moment moment, CudaStream stream) {
    if (const int code = cuda_.record(events_[moment], stream); code != 0)
      return failed(cuda_, "cuEventRecord", code);
    return Success{};
  }

  // Waits for the later one. Events tell half a microsecond apart (CUDA Driver API, cuEventElapsedTime).
  Expected<f64> seconds_between(Moment first, Moment last) {
    if (const int code = cuda_.await(events_[last]); code != 0) return failed(cuda_, "a launch", code);
    f32 milliseconds = 0;
    if (const int code = cuda_.elapsed(&milliseconds, events_[first], events_[last]); code != 0)
      return failed(cuda_, "cuEventElapsedTime", code);
    return static_cast<f64>(milliseconds) * 1e-3;
  }

  Status enqueue(const Launch& launch) {
    const Kernel& kernel = kernels_[launch.kernel];
    // Local memory that a launch brings begins behind the driver's own part and the kernel's variables.
    constexpr u32 alignment = 16;
    const u64 own = align_up<u64>(kernel.shared_bytes, alignment);
    u64 shared = own;
    std::vector<std::array<u8, 8>> values(launch.arguments.size());
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const auto put = [&](const auto& plain) { std::memcpy(values[i].data(), &plain, sizeof plain); };
      std::visit(
          [&](const auto& given) {
            using T = std::decay_t<decltype(given)>;
            if constexpr (std::is_same_v<T, BufferArgument>) {
              put(buffers_[given.id]);
            } else if constexpr (std::is_same_v<T, LocalBytes>) {
              put(u64{reserved_shared_ + shared});
              shared += align_up<u64>(given.bytes, alignment);
            } else {
              put(given);
            }
          },
          launch.arguments[i]);
      pointers.push_back(values[i].data());
    }
    const u64 dynamic = shared - own;
    if (shared > usual_shared_bytes) {
      if (const int code = cuda_.set_function_attribute(kernel.function, cuda_max_dynamic_shared_bytes,
                                                        static_cast<int>(dynamic));
          code != 0)
        return failed(cuda_, "cuFuncSetAttribute", code);
    }
    const int code = cuda_.launch(kernel.function, launch.groups, 1, 1, launch.group_items, 1, 1,
                                  static_cast<unsigned>(dynamic), stream_, pointers.data(), nullptr);
    if (code != 0) return failed(cuda_, "cuLaunchKernel", code);
    return Success{};
  }

  // What a group can have without asking for more (CUDA C++ Programming Guide, compute capabilities).
  static constexpr u64 usual_shared_bytes = 48 * 1024;

  const CudaLibrary& cuda_;
  const CudaDevice gpu_;
  const Target& target_;
  const PtxFolder folder_;
  Traits traits_;
  u32 reserved_shared_ = 0;
  CudaContext context_ = nullptr;
  CudaStream stream_ = nullptr, second_ = nullptr;
  std::array<CudaEvent, 3> events_{};
  std::vector<Kernel> kernels_;
  std::map<std::string, LoadedModule> modules_;  // by source and macros
  std::vector<CudaAddress> buffers_;
  std::vector<char> host_memory_;
  BufferId copy_target_ = 0;
  u64 copy_target_bytes_ = 0;
};

}  // namespace

Expected<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options) {
  const Expected<const CudaLibrary*> library = cuda_library();
  if (!library) return library.error();
  const CudaLibrary& cuda = **library;
  const Expected<FoundGpu> gpu = choose_gpu(cuda, options.device);
  if (!gpu) return gpu.error();
  const u32 capability = static_cast<u32>(10 * attribute(cuda, gpu->device, cuda_capability_major) +
                                          attribute(cuda, gpu->device, cuda_capability_minor));
  const Target* const target = target_for(capability);
  if (!target)
    return Diagnostic{
        "unsupported-target",
        {},
        fmt::format("'{}' is of compute capability {}.{}, older than all that Lockstep compiles for",
                    gpu->name, capability / 10, capability % 10),
        ""};
  auto backend = std::make_unique<CudaBackend>(cuda, *gpu, *target, options);
  if (const Status opened = backend->open(); !opened) return opened.error();
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace lockstep::dissect
