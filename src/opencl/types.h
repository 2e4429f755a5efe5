// The driver's objects, under the names that CL/cl.h gives them.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exec/device_memory.h"
#include "exec/image.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "machine/machine.h"
#include "machine/occupancy.h"
#include "opencl/object.h"
#include "opencl/scheduler.h"
#include "opencl/timed_devices.h"

struct _cl_platform_id : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::platform;
  std::vector<cl_device_id> devices;
  _cl_platform_id() : Object(object_kind) {}
};

struct _cl_device_id : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::device;
  lockstep::Machine machine;
  lockstep::OccupancyRules rules;
  bool can_be_timed = false;  // there is a timing model for it
  explicit _cl_device_id(lockstep::Machine model)
      : Object(object_kind), machine(std::move(model)), rules(lockstep::occupancy_rules(machine)) {}
};

// All devices of a context share one device memory, so that a buffer needs no moving between them.
struct _cl_context : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::context;
  std::vector<cl_device_id> devices;
  std::vector<cl_context_properties> properties;
  std::function<void(const char*)> notify;
  std::mutex mutex;  // device memory's allocations, and destructor callbacks
  std::unique_ptr<lockstep::DeviceMemory> memory;
  lockstep::u64 memory_limit_bytes = 0;  // of all buffers together
  lockstep::u64 memory_used_bytes = 0;
  std::vector<std::pair<void(CL_CALLBACK*)(cl_context, void*), void*>> destructors;
  std::shared_ptr<lockstep::opencl::Scheduler> scheduler;
  lockstep::opencl::TimedDevices timed_devices;
  _cl_context() : Object(object_kind) {}
};

struct _cl_command_queue : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::queue;
  lockstep::opencl::Ref<_cl_context> context;
  cl_device_id device = nullptr;
  cl_command_queue_properties properties = 0;
  std::vector<cl_queue_properties> property_list;
  // Guarded by the scheduler's mutex.
  std::map<lockstep::u64, lockstep::opencl::Ref<_cl_event>> outstanding;  // not complete yet, by sequence
  lockstep::opencl::Ref<_cl_event> barrier;  // what every later command waits for (out-of-order queues)
  lockstep::u64 last_end_ns = 0;
  bool faulted = false;  // a kernel failed and nobody was told yet
  _cl_command_queue() : Object(object_kind) {}
  bool in_order() const { return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
};

struct _cl_event : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::event;
  lockstep::opencl::Ref<_cl_context> context;
  lockstep::opencl::Ref<_cl_command_queue> queue;  // none for user events
  cl_command_type type = 0;
  // Guarded by the scheduler's mutex.
  cl_int status = CL_QUEUED;
  lockstep::u64 sequence = 0;
  lockstep::u64 earliest_ns = 0;  // the end of what it waited for, modelled
  lockstep::u32 waits_for = 0;    // events that must complete first
  bool poisoned = false;          // one of them failed
  // Who waits for this one, and whether its failure is theirs.
  std::vector<std::pair<lockstep::opencl::Ref<_cl_event>, bool>> dependents;
  std::function<cl_int(_cl_event&)> work;
  lockstep::opencl::Cost cost;              // for the modelled timeline
  std::string name;                         // of a kernel
  std::array<lockstep::u64, 4> times_ns{};  // queued, submitted, started, ended
  struct Callback {
    cl_int at;
    void(CL_CALLBACK* function)(cl_event, cl_int, void*);
    void* data;
  };
  std::vector<Callback> callbacks;
  bool user_set = false;  // clSetUserEventStatus was called
  _cl_event() : Object(object_kind) {}
};

namespace lockstep::opencl {

// Descriptors in device memory, which kernels are handed, one for each target of a context that has images.
using Descriptors = std::vector<std::pair<const Target*, u64>>;

// What an image is beside its bytes.
struct ImageState {
  cl_image_format format{};
  cl_image_desc desc{};  // as the application gave it, pitches of the host's contents complete
  u64 element_bytes = 0;
  ImageObject object;  // texels and their pitches in device memory
  Descriptors descriptors;
};

}  // namespace lockstep::opencl

struct _cl_mem : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::memory;
  lockstep::opencl::Ref<_cl_context> context;
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  cl_mem_flags flags = 0;
  std::vector<cl_mem_properties> properties;
  lockstep::u64 size = 0;
  void* host_ptr = nullptr;
  lockstep::opencl::Ref<_cl_mem> parent;  // of a sub-buffer, or the buffer behind an image
  lockstep::u64 origin = 0;               // in the parent
  lockstep::u64 address = 0;              // in device memory
  lockstep::u8* bytes = nullptr;          // the same place as the host sees it
  bool owns_memory = false;
  std::optional<lockstep::opencl::ImageState> image;
  // A mapped region, as clEnqueueUnmapMemObject will find it by its pointer.
  struct Mapping {
    lockstep::u8* pointer;
    lockstep::u64 offset, bytes;
    bool writes, reads;
    std::function<void(_cl_mem&)> write_back;  // what unmapping does; none where the host sees device memory
  };
  std::mutex mutex;
  std::vector<Mapping> mappings;
  std::vector<std::pair<void(CL_CALLBACK*)(cl_mem, void*), void*>> destructors;
  _cl_mem() : Object(object_kind) {}
  ~_cl_mem();
};

struct _cl_sampler : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::sampler;
  lockstep::opencl::Ref<_cl_context> context;
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  std::vector<cl_sampler_properties> properties;
  lockstep::opencl::Descriptors descriptors;
  _cl_sampler() : Object(object_kind) {}
  ~_cl_sampler();
};

namespace lockstep::opencl {

// A program's image in its context's memory, from its first launch on: its variables keep their values.
struct ProgramImage {
  Ref<_cl_context> context;
  u64 address = 0;
  ProgramImage(Ref<_cl_context> of, u64 at) : context(std::move(of)), address(at) {}
  ~ProgramImage() {
    if (address == 0) return;
    const std::lock_guard lock(context->mutex);
    context->memory->free(address);
  }
  ProgramImage(const ProgramImage&) = delete;
  ProgramImage& operator=(const ProgramImage&) = delete;
};

// One device's machine code.
struct Executable {
  std::unique_ptr<Module> module;
  mutable std::unique_ptr<ProgramImage> image;  // of the context's mutex
  bool argument_info = false;                   // built with -cl-kernel-arg-info
};

// How far a program has come for one device.
struct Build {
  cl_device_id device = nullptr;
  cl_build_status status = CL_BUILD_NONE;
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options, log;
  std::string binary;  // given by clCreateProgramWithBinary, or made by a build
  std::shared_ptr<const Executable> executable;
};

}  // namespace lockstep::opencl

struct _cl_program : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::program;
  lockstep::opencl::Ref<_cl_context> context;
  std::string source;
  bool from_source = false, from_binary = false;
  std::mutex mutex;
  std::vector<lockstep::opencl::Build> builds;  // one per device
  std::atomic<lockstep::u32> kernels{0};        // kernel objects that exist
  _cl_program() : Object(object_kind) {}
  lockstep::opencl::Build* build_for(cl_device_id device) {
    for (auto& build : builds) {
      if (build.device == device) return &build;
    }
    return nullptr;
  }
};

struct _cl_kernel : lockstep::opencl::Object {
  static constexpr auto object_kind = lockstep::opencl::ObjectKind::kernel;
  lockstep::opencl::Ref<_cl_program> program;
  std::string name;
  // The kernel's code on each device that the program was built for.
  struct Code {
    cl_device_id device;
    std::shared_ptr<const lockstep::opencl::Executable> executable;
    const lockstep::Program* program;
    lockstep::u64 most_items;  // of a work-group here: CL_KERNEL_WORK_GROUP_SIZE
  };
  std::vector<Code> codes;
  // Setting one keeps nothing alive (OpenCL 3.0, 5.9.2: a kernel holds no reference to its arguments).
  struct Argument {
    bool set = false;
    lockstep::ArgumentValue value;
    lockstep::opencl::Weak<_cl_mem> memory;
    lockstep::opencl::Weak<_cl_sampler> sampler;
  };
  std::vector<Argument> arguments;
  _cl_kernel() : Object(object_kind) {}
  ~_cl_kernel() {
    if (program) --program->kernels;
  }
  const lockstep::Program& any() const { return *codes.front().program; }
  const Code* code_for(cl_device_id device) const {
    for (const Code& code : codes) {
      if (code.device == device) return &code;
    }
    return nullptr;
  }
};

namespace lockstep::opencl {

template <class T>
bool valid(const T* handle) {
  return handle != nullptr && is_alive(handle, T::object_kind);
}

// Runs a function of the API: nothing may leave through it. The host's memory running out is the one thing
// that can.
template <class F>
cl_int guarded(F&& function) noexcept {
  try {
    return function();
  } catch (...) {
    return CL_OUT_OF_HOST_MEMORY;
  }
}

// The same for functions that create an object: `function` takes the error code's place and returns the
// object.
template <class T, class F>
T* created(cl_int* errcode_ret, F&& function) noexcept {
  cl_int code = CL_SUCCESS;
  T* made = nullptr;
  try {
    made = function(code);
  } catch (...) {
    code = CL_OUT_OF_HOST_MEMORY;
  }
  if (errcode_ret != nullptr) *errcode_ret = code;
  return code == CL_SUCCESS ? made : nullptr;
}

}  // namespace lockstep::opencl
