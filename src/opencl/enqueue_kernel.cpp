// OpenCL 3.0, chapter 5.10: executing kernels.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "base/environment.h"
#include "count/counter.h"
#include "exec/functional.h"
#include "exec/printf.h"
#include "opencl/check.h"
#include "opencl/enqueue.h"
#include "opencl/launch_log.h"
#include "opencl/launch_progress.h"
#include "opencl/platform.h"
#include "opencl/virtual_clock.h"
#include "run/simulation.h"
#include "time/source/live.h"
#include "time/timing.h"

namespace lockstep::opencl {
namespace {

// Everything that a launch needs, taken when it was enqueued: arguments may change afterwards.
struct LaunchJob {
  Ref<_cl_context> context;
  Ref<_cl_kernel> kernel;
  _cl_kernel::Code code;
  NdRange range;
  std::vector<ArgumentValue> values;
  std::vector<Ref<_cl_mem>> memories;
  std::vector<Ref<_cl_sampler>> samplers;
  u32 machine_waves = 0;   // slots for waves that the device has
  u32 resident_waves = 0;  // of this kernel that it holds at once
};

u32 read_host_threads() {
  if (const char* chosen = environment("LOCKSTEP_THREADS")) {
    const int count = std::atoi(chosen);
    if (count > 0) return static_cast<u32>(std::min(count, 1024));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

u32 host_threads() {
  static const u32 threads = read_host_threads();
  return threads;
}

void report_fault(_cl_context& context, const Diagnostic& diagnostic) {
  const std::string text = to_string(diagnostic);
  message(text);
  if (context.notify) context.notify(text.c_str());
}

// Device memory for the kernel's printf, where it has any.
class PrintfBuffer {
 public:
  // The context's mutex is held here and in the destructor.
  PrintfBuffer(_cl_context& context, const Module& module) : context_(context), module_(module) {
    if (module.printf_formats.empty()) return;
    const Expected<u64> place = context.memory->allocate(printf_bytes, 4096, "printf buffer");
    if (!place) return;
    address_ = *place;
    bytes_ = {context.memory->view().at(address_), printf_bytes};
    if (!prepare_printf_buffer(*context.memory, address_, printf_bytes, module.printf_formats)) address_ = 0;
  }
  ~PrintfBuffer() {
    if (address_ != 0) context_.memory->free(address_);
  }
  PrintfBuffer(const PrintfBuffer&) = delete;
  PrintfBuffer& operator=(const PrintfBuffer&) = delete;

  u64 address() const { return address_; }
  void print() const {
    if (address_ == 0) return;
    const std::string text = printf_text(bytes_, module_.printf_formats);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

 private:
  _cl_context& context_;
  const Module& module_;
  u64 address_ = 0;
  std::span<u8> bytes_;
};

Status run_functionally(const PreparedLaunch& launch, StepChecker* checker, RunData& run) {
  FunctionalOptions options;
  options.checker = checker;
  options.threads = host_threads();
  LaunchTeller teller("executing", run.program->name);
  if (teller.wanted())
    options.progress = [&](const RunProgress& so_far) { return teller.tell(so_far), true; };
  std::optional<LaunchCounter> counter;
  if (reports_wanted()) {
    const auto rules = counting_rules(*run.machine, run.program->needs.wave_lanes);
    if (rules) counter.emplace(*run.module, *rules, options.threads).watch(options);
  }
  auto result = run_functional(launch, options);
  if (counter) run.counts = counter->result();
  if (!result) return result.error();
  run.functional = std::move(*result);
  return Success{};
}

// Runs on the timing model, on a device that keeps its caches between launches; the kernel's time goes to
// `kernel_ns`.
Status run_timed(const LaunchJob& job, const PreparedLaunch& launch, StepChecker* checker, RunData& run,
                 u64& kernel_ns) {
  std::vector<MemoryRange> buffers;
  for (const Ref<_cl_mem>& memory : job.memories) buffers.push_back({memory->address, memory->size});
  const Expected<TimedDevices::Launch> next =
      job.context->timed_devices.next(*run.machine, launch.module().hash + " " + run.program->name, buffers);
  if (!next) return next.error();
  run.device_launch = next->on_device;
  run.kernel_launch = next->of_kernel;
  for (const MemoryRange& range : launch.written_by_host())
    next->device->host_wrote(range.address, range.bytes);
  LiveFactory sources(launch, checker);
  TimingOptions options;
  LaunchTeller teller("timing", run.program->name);
  if (teller.wanted())
    options.progress = [&](const RunProgress& so_far) { return teller.tell(so_far), true; };
  auto result = next->device->launch(timed_launch(launch), sources, options);
  if (!result) return result.error();
  kernel_ns = static_cast<u64>(static_cast<unsigned __int128>(result->cycles) * 1'000'000'000 /
                               run_clock_hz(*run.machine));
  run.timing = std::move(*result);
  return Success{};
}

// For reports: what ran, and how much of it a compute unit holds.
void log(const LaunchJob& job, RunData& run, const Diagnostic* failure, const ViolationLog& violations,
         u64 begun_ns) {
  const auto host_ns = static_cast<u64>(host_monotonic_ns() - begun_ns);
  u64 local_bytes = run.program->needs.local_bytes;
  for (const ArgumentValue& value : job.values) local_bytes += value.local_bytes;
  run.local_bytes = static_cast<u32>(local_bytes);
  auto held =
      occupancy(*run.machine, occupancy_input(run.program->needs, job.range.group_items(), local_bytes));
  if (held) run.occupancy = std::move(*held);
  if (run.timing) run.assumed_figures = static_cast<u32>(assumed_quantities(*run.machine, "timing.").size());
  log_launch(run, failure, violations, job.kernel->program->source, host_ns);
}

// Where the program's image lies; 0 where it has none. The context's mutex is held.
Expected<u64> image_of(const LaunchJob& job) {
  const Executable& executable = *job.code.executable;
  if (!executable.image) {
    auto address = load_image(*job.context->memory, *executable.module);
    if (!address) return address;
    executable.image = std::make_unique<ProgramImage>(job.context, *address);
  }
  return executable.image->address;
}

cl_int run_launch(const LaunchJob& job, _cl_event& event) {
  _cl_context& context = *job.context;
  const Program& program = *job.code.program;
  const Module& module = *job.code.executable->module;
  const bool timed = context.scheduler->timed;
  const u32 resident =
      timed ? job.machine_waves
            : functional_resident_waves(job.range, program.needs.wave_lanes, job.resident_waves);
  const u64 begun_ns = launches_wanted() ? host_monotonic_ns() : 0;
  RunData run;
  run.machine = &job.code.device->machine;
  run.module = &module;
  run.program = &program;
  run.range = job.range;
  std::unique_ptr<PreparedLaunch> launch;
  ViolationLog violations;
  std::unique_ptr<CheckedRun> checker;
  std::optional<PrintfBuffer> printf_buffer;
  {
    const std::lock_guard lock(context.mutex);
    printf_buffer.emplace(context, module);
    auto image = image_of(job);
    Expected<std::unique_ptr<PreparedLaunch>> prepared = Diagnostic{};
    if (image)
      prepared = PreparedLaunch::make(*context.memory, module, program, job.range, job.values, resident,
                                      printf_buffer->address(), *image);
    else
      prepared = image.error();
    if (!prepared) {
      report_fault(context, prepared.error());
      printf_buffer.reset();
      if (launches_wanted()) log(job, run, &prepared.error(), violations, begun_ns);
      return CL_OUT_OF_RESOURCES;
    }
    launch = std::move(*prepared);
    checker = make_checker(*launch, violations);
  }
  const Status done = timed ? run_timed(job, *launch, checker.get(), run, event.cost.kernel_ns)
                            : run_functionally(*launch, checker.get(), run);
  printf_buffer->print();
  report_violations(context, program.name, violations);
  if (!done) report_fault(context, done.error());
  if (launches_wanted()) log(job, run, done ? nullptr : &done.error(), violations, begun_ns);
  const std::lock_guard lock(context.mutex);
  checker.reset();
  launch.reset();
  printf_buffer.reset();
  return done ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

// A group size for who leaves it to the driver: whole waves along x where the global size allows.
std::array<u32, 3> choose_group(const NdRange& range, u64 most) {
  std::array<u32, 3> chosen{1, 1, 1};
  u64 left = most;
  for (u32 i = 0; i < 3 && left > 1; ++i) {
    u64 best = 1;
    for (u64 size = 1; size <= std::min<u64>(left, range.global[i]); ++size) {
      if (range.global[i] % size == 0) best = size;
    }
    chosen[i] = static_cast<u32>(best);
    left /= best;
  }
  return chosen;
}

// Fills the range; the errors of clEnqueueNDRangeKernel that name sizes.
cl_int make_range(const _cl_kernel::Code& code, cl_uint dimensions, const size_t* offset,
                  const size_t* global, const size_t* local, NdRange& range) {
  const Machine& machine = code.device->machine;
  range.dimensions = dimensions;
  for (u32 i = 0; i < dimensions; ++i) {
    range.global[i] = global[i];
    if (global[i] > 0xFFFFFFFF) return CL_INVALID_GLOBAL_WORK_SIZE;
    range.offset[i] = offset != nullptr ? offset[i] : 0;
    if (range.offset[i] + range.global[i] < range.global[i]) return CL_INVALID_GLOBAL_OFFSET;
  }
  const auto& required = code.program->needs.required_group;
  if (local == nullptr) {
    range.local = required[0] != 0 ? std::array<u32, 3>{required[0], required[1], required[2]}
                                   : choose_group(range, code.most_items);
  } else {
    for (u32 i = 0; i < dimensions; ++i) {
      if (local[i] == 0) return CL_INVALID_WORK_GROUP_SIZE;
      if (local[i] > integer(machine, "occupancy.max_group_items")) return CL_INVALID_WORK_ITEM_SIZE;
      range.local[i] = static_cast<u32>(local[i]);
    }
  }
  u64 items = 1;
  for (u32 i = 0; i < 3; ++i) {
    items *= range.local[i];
    if (required[0] != 0 && range.local[i] != required[i]) return CL_INVALID_WORK_GROUP_SIZE;
    if (range.global[i] % range.local[i] != 0) return CL_INVALID_WORK_GROUP_SIZE;
  }
  if (items > code.most_items) return CL_INVALID_WORK_GROUP_SIZE;
  return range.total_groups() > 0xFFFFFFFF ? CL_INVALID_GLOBAL_WORK_SIZE : CL_SUCCESS;
}

// Takes the arguments as they are now, and holds their objects for the launch. Images and samplers become the
// descriptors that the device reads. CL_INVALID_KERNEL_ARGS for one that was released since it was set.
cl_int take_arguments(const _cl_kernel& kernel, const Target& target, LaunchJob& job) {
  const auto descriptor = [&](const Descriptors& descriptors) -> cl_int {
    for (const auto& [of, address] : descriptors) {
      if (of != &target) continue;
      std::memcpy(job.values.back().bytes.data(), &address, 8);
      return CL_SUCCESS;
    }
    return CL_IMAGE_FORMAT_NOT_SUPPORTED;
  };
  for (const auto& argument : kernel.arguments) {
    job.values.push_back(argument.value);
    cl_int code = CL_SUCCESS;
    if (!argument.memory.is_null()) {
      Ref<_cl_mem> memory = argument.memory.get();
      if (!memory) return CL_INVALID_KERNEL_ARGS;
      code = memory->image ? descriptor(memory->image->descriptors) : check_alignment(memory.get());
      job.memories.push_back(std::move(memory));
    } else if (!argument.sampler.is_null()) {
      Ref<_cl_sampler> sampler = argument.sampler.get();
      if (!sampler) return CL_INVALID_KERNEL_ARGS;
      job.values.back().bytes.assign(8, 0);
      code = descriptor(sampler->descriptors);
      job.samplers.push_back(std::move(sampler));
    }
    if (code != CL_SUCCESS) return code;
  }
  return CL_SUCCESS;
}

// Whether a compute unit can hold one group, and how many waves the device holds at once.
cl_int make_occupancy(const _cl_device_id& device, LaunchJob& job) {
  const KernelNeeds& needs = job.code.program->needs;
  u64 local_bytes = needs.local_bytes;
  for (const ArgumentValue& value : job.values) local_bytes += value.local_bytes;
  const Expected<Occupancy> held =
      evaluate_occupancy(device.rules, occupancy_input(needs, job.range.group_items(), local_bytes));
  if (!held) return CL_OUT_OF_RESOURCES;
  const u64 units = integer(device.machine, "compute.units");
  job.machine_waves = static_cast<u32>(held->wave_slots * units);
  job.resident_waves = static_cast<u32>(held->groups_per_cu * held->waves_per_group * units);
  return CL_SUCCESS;
}

}  // namespace
}  // namespace lockstep::opencl

using namespace lockstep::opencl;

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint num_waits, const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
    if (!valid(kernel)) return CL_INVALID_KERNEL;
    if (kernel->program->context.get() != queue->context.get()) return CL_INVALID_CONTEXT;
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
    const _cl_kernel::Code* code_here = kernel->code_for(queue->device);
    if (code_here == nullptr) return CL_INVALID_PROGRAM_EXECUTABLE;
    for (const auto& argument : kernel->arguments) {
      if (!argument.set) return CL_INVALID_KERNEL_ARGS;
    }
    if (dimensions < 1 || dimensions > 3) return CL_INVALID_WORK_DIMENSION;
    // No work-items: complete when its wait list is (since OpenCL 2.1).
    if (global == nullptr || std::find(global, global + dimensions, 0u) != global + dimensions)
      return enqueue(queue, CL_COMMAND_NDRANGE_KERNEL, waits, nullptr);
    LaunchJob job;
    if (const cl_int code = make_range(*code_here, dimensions, offset, global, local, job.range);
        code != CL_SUCCESS)
      return code;
    job.context = queue->context;
    job.kernel = kernel;
    job.code = *code_here;
    if (const cl_int code = take_arguments(*kernel, *queue->device->machine.target, job); code != CL_SUCCESS)
      return code;
    if (const cl_int code = make_occupancy(*queue->device, job); code != CL_SUCCESS) return code;
    return enqueue(
        queue, CL_COMMAND_NDRANGE_KERNEL, waits,
        [job = std::move(job)](_cl_event& own) -> cl_int { return run_launch(job, own); },
        Cost{Engine::compute, 0, 0, 0});
  });
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_waits, const cl_event* wait_list,
                     cl_event* event) {
  const size_t one = 1;
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, num_waits, wait_list, event);
}

// CL_DEVICE_EXECUTION_CAPABILITIES has no CL_EXEC_NATIVE_KERNEL.
cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK* function)(void*), void* args,
                             size_t args_bytes, cl_uint num_memories, const cl_mem* memories,
                             const void** places, cl_uint num_waits, const cl_event* wait_list,
                             cl_event* event) {
  return guarded([&]() -> cl_int {
    if (const cl_int code = check_enqueue(queue, {num_waits, wait_list, event}); code != CL_SUCCESS)
      return code;
    if (function == nullptr) return CL_INVALID_VALUE;
    if ((args == nullptr) != (args_bytes == 0) || (args == nullptr && num_memories != 0) ||
        (num_memories != 0) != (memories != nullptr) || (num_memories != 0) != (places != nullptr))
      return CL_INVALID_VALUE;
    return CL_INVALID_OPERATION;
  });
}
