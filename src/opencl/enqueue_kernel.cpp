// OpenCL 3.0, chapter 5.10: executing kernels.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "base/environment.h"
#include "opencl/check.h"
#include "opencl/enqueue.h"
#include "opencl/launch_choice.h"
#include "opencl/launch_log.h"
#include "opencl/launch_progress.h"
#include "opencl/platform.h"
#include "opencl/virtual_clock.h"
#include "run/launch.h"
#include "run/range.h"
#include "run/trace.h"
#include "run/what_if.h"

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
  LaunchPlan plan;
};

// What the user chose; 0: nothing.
u32 read_host_threads() {
  if (const char* chosen = environment("LOCKSTEP_THREADS")) {
    const int count = std::atoi(chosen);
    if (count > 0) return static_cast<u32>(std::min(count, 1024));
  }
  return 0;
}

// Applications launch many small kernels, which threads of their own would make slower on the timing model.
u32 host_threads(bool timed) {
  static const u32 chosen = read_host_threads();
  if (chosen != 0) return chosen;
  return timed ? 1 : std::max(1u, std::thread::hardware_concurrency());
}

void report_fault(_cl_context& context, const Diagnostic& diagnostic) {
  remember_failure();
  const std::string text = to_string(diagnostic);
  message(text);
  if (context.notify) context.notify(text.c_str());
}

// For reports: what ran, and how much of it a compute unit holds.
void log(const LaunchJob& job, RunData& run, u64 begun_ns, const LaunchTrace* trace = nullptr) {
  const auto host_ns = static_cast<u64>(host_monotonic_ns() - begun_ns);
  complete_description(run);
  log_launch(run, job.kernel->program->source, host_ns, trace);
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

// The device that times the launch, which keeps its caches between launches; its numbers go to `run`.
Expected<TimedDevice*> device_of(const LaunchJob& job, RunData& run) {
  std::vector<MemoryRange> buffers;
  for (const Ref<_cl_mem>& memory : job.memories) buffers.push_back({memory->address, memory->size});
  const Expected<TimedDevices::Launch> next =
      job.context->timed_devices.next(*run.machine, run.module->hash + " " + run.program->name, buffers);
  if (!next) return next.error();
  run.device_launch = next->on_device;
  run.kernel_launch = next->of_kernel;
  return next->device;
}

void execute(const LaunchJob& job, Launch& launch, bool timed) {
  RunData& run = launch.data();
  if (!timed) return launch.execute(nullptr);
  const Expected<TimedDevice*> device = device_of(job, run);
  if (device)
    launch.execute(*device);
  else
    run.failed = device.error();
}

// What the launch would have cost with one thing changed, and what its waves did over the time, where it is
// among the costliest. Its recording is played on a device of its own.
std::optional<LaunchTrace> ask(RunData& run, const LaunchRecord& record, u32 threads) {
  const f64 time_ns =
      static_cast<f64>(run.timing->cycles) * 1e9 / static_cast<f64>(run_clock_hz(*run.machine));
  const Costly chosen = choose_costly(run.program->name, run.range, time_ns);
  std::optional<LaunchTrace> trace;
  if (chosen.pictures && record.recording) {
    // Single waits and loads are for traces, which this is not.
    if (Expected<LaunchTrace> traced = trace_launch(run, record, 0, page_buckets, {}); traced)
      trace = std::move(*traced);
  }
  if (!chosen.what_ifs) return trace;
  WhatIfWork work;
  work.record = &record;
  work.threads = threads;
  if (const Status asked = ask_what_if(run, work); !asked) {
    run.what_if.emplace();
    run.what_if->missing = asked.error().message;
  }
  return trace;
}

cl_int run_launch(const LaunchJob& job, _cl_event& event) {
  _cl_context& context = *job.context;
  const Program& program = *job.code.program;
  const Module& module = *job.code.executable->module;
  const Machine& machine = job.code.device->machine;
  LaunchOptions options;
  const bool chosen = choose_launch(program.name);
  options.timed = context.scheduler->timed && chosen;
  options.counted = !options.timed && chosen && reports_wanted();
  options.checks = chosen_checks();
  options.threads = host_threads(options.timed);
  LaunchRecord record;
  if (options.timed && (what_ifs_wanted() || pictures_wanted()) && reports_wanted()) options.record = &record;
  LaunchTeller teller(options.timed ? "timing" : "executing", program.name);
  if (teller.wanted())
    options.progress = [&](std::string_view, const RunProgress& so_far) {
      teller.tell(so_far);
      return true;
    };
  const u64 begun_ns = launches_wanted() ? host_monotonic_ns() : 0;
  std::unique_ptr<Launch> launch;
  {
    const std::lock_guard lock(context.mutex);
    const Expected<u64> image = image_of(job);
    Expected<std::unique_ptr<Launch>> prepared = Diagnostic{};
    if (image)
      prepared = Launch::prepare(*context.memory, machine, module, program, job.range, job.values, *image,
                                 job.plan, options);
    else
      prepared = image.error();
    if (!prepared) {
      report_fault(context, prepared.error());
      if (!launches_wanted()) return CL_OUT_OF_RESOURCES;
      RunData run = describe_unprepared(machine, module, program, job.range, job.plan, prepared.error());
      log(job, run, begun_ns);
      return CL_OUT_OF_RESOURCES;
    }
    launch = std::move(*prepared);
  }
  execute(job, *launch, options.timed);
  RunData& run = launch->data();
  if (run.timing) {
    event.cost.share = std::make_shared<DeviceShare>(device_share(run, job.plan.resident_waves));
    event.name = program.name;
    event.cost.kernel_ns = static_cast<u64>(static_cast<unsigned __int128>(run.timing->cycles) *
                                            1'000'000'000 / run_clock_hz(machine));
  }
  std::fwrite(run.printed.data(), 1, run.printed.size(), stdout);
  std::fflush(stdout);
  report_violations(context, program.name, run.violations);
  if (run.failed) report_fault(context, *run.failed);
  const bool failed = run.failed.has_value();
  std::optional<LaunchTrace> trace;
  if (options.record != nullptr && run.timing && !failed) trace = ask(run, record, options.threads);
  // What went wrong is told of any launch.
  if (launches_wanted() && (chosen || failed || run.violations.count() != 0))
    log(job, run, begun_ns, trace ? &*trace : nullptr);
  // Modelled caches cannot have what a launch did that was not timed.
  if (context.scheduler->timed && !options.timed) {
    for (const Ref<_cl_mem>& memory : job.memories)
      context.timed_devices.host_wrote(memory->address, memory->size);
  }
  const std::lock_guard lock(context.mutex);
  launch.reset();
  return failed ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
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
    range.local = choose_group(range, *code.program, code.most_items);
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
    const _cl_device_id& device = *queue->device;
    lockstep::Expected<lockstep::LaunchPlan> plan =
        lockstep::plan_launch(device.machine, device.rules, *job.code.program, job.range, job.values);
    if (!plan) return CL_OUT_OF_RESOURCES;
    job.plan = std::move(*plan);
    return enqueue(
        queue, CL_COMMAND_NDRANGE_KERNEL, waits,
        [job = std::move(job)](_cl_event& own) -> cl_int { return run_launch(job, own); },
        Cost{Engine::compute, 0, 0, 0, {}});
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
