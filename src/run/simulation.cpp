#include "run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "count/counter.h"
#include "exec/check/checked_run.h"
#include "exec/functional.h"
#include "exec/printf.h"
#include "run/image_argument.h"
#include "time/source/live.h"
#include "time/source/recorder.h"
#include "time/timing.h"

namespace lockstep {

namespace {

void set_address(ArgumentValue& value, u64 address) {
  value.bytes.resize(sizeof address);
  std::memcpy(value.bytes.data(), &address, sizeof address);
}

Status stopped() {
  return Diagnostic{"stopped", {}, "the run was ended before its end", ""};
}

// Host memory that making the argument takes.
u64 written_bytes(const LaunchArgument& argument) {
  const corpus::Argument& a = argument.argument;
  const bool has_memory = a.kind == corpus::ArgumentKind::buffer || a.kind == corpus::ArgumentKind::image;
  if (!has_memory || argument.null_pointer) return 0;
  if (argument.given) return argument.bytes.size();
  return a.initial.fill == corpus::Fill::zero ? 0 : a.bytes();
}

// What the host can still give: its free memory, or what the process's control group leaves of it.
u64 free_host_bytes() {
  u64 bytes = ~u64{0};
  std::ifstream info("/proc/meminfo");
  for (std::string name, unit; info >> name;) {
    u64 kibibytes = 0;
    info >> kibibytes;
    std::getline(info, unit);
    if (name == "MemAvailable:") bytes = kibibytes * 1024;
  }
  u64 most = 0, used = 0;
  std::ifstream limit("/sys/fs/cgroup/memory.max"), current("/sys/fs/cgroup/memory.current");
  if (limit >> most && current >> used) bytes = std::min(bytes, most - std::min(most, used));
  return bytes;
}

}  // namespace

Expected<Buffers> Buffers::make(DeviceMemory& memory, const Target& target,
                                const std::vector<LaunchArgument>& arguments,
                                const std::function<bool(u64 done, u64 all)>& progress) {
  u64 all = 0, done = 0;
  for (const LaunchArgument& argument : arguments) all += written_bytes(argument);
  if (all > free_host_bytes())
    return Diagnostic{
        "out-of-host-memory",
        {},
        fmt::format("the buffers' contents take {} bytes, and the host has {} left", all, free_host_bytes()),
        "buffers of zeros take host memory only where a kernel touches them"};
  const auto write = [&](u64 address, std::span<const u8> bytes) {
    const Status written = memory.write(address, bytes);
    done += bytes.size();
    if (written && progress && !progress(done, all)) return stopped();
    return written;
  };
  Buffers buffers;
  for (const LaunchArgument& argument : arguments) {
    const corpus::Argument& a = argument.argument;
    ArgumentValue value;
    u64 address = 0, size = 0;
    std::optional<ImageObject> image;
    switch (a.kind) {
      case corpus::ArgumentKind::scalar:
        value.bytes = argument.bytes;
        break;
      case corpus::ArgumentKind::local:
        value.local_bytes = a.bytes();
        break;
      case corpus::ArgumentKind::buffer: {
        if (argument.null_pointer) {
          set_address(value, 0);
          break;
        }
        size = argument.given ? argument.bytes.size() : a.bytes();
        Expected<u64> allocated = memory.allocate(size, 256, a.name);
        if (!allocated) return allocated.error();
        address = *allocated;
        set_address(value, address);
        Status written = Success{};
        if (argument.given) {
          written = write(address, argument.bytes);
        } else if (a.initial.fill == corpus::Fill::zero) {
          memory.mark_written(address, size);
        } else {
          u64 at = address;
          corpus::initial_contents(a, [&](std::span<const u8> piece) {
            written = write(at, piece);
            at += piece.size();
            return written.ok();
          });
        }
        if (!written) return written.error();
        break;
      }
      case corpus::ArgumentKind::image: {
        Expected<ImageObject> made =
            make_image(memory, target, a, argument.given ? argument.bytes : corpus::initial_contents(a));
        if (!made) return made.error();
        set_address(value, made->descriptor);
        image = *made;
        break;
      }
      case corpus::ArgumentKind::sampler: {
        const Expected<u64> made = make_sampler(memory, target, a);
        if (!made) return made.error();
        set_address(value, *made);
        break;
      }
    }
    buffers.values_.push_back(std::move(value));
    buffers.addresses_.push_back(address);
    buffers.sizes_.push_back(size);
    buffers.images_.push_back(image);
  }
  return buffers;
}

Expected<Buffers> Buffers::make(DeviceMemory& memory, const Target& target,
                                const std::vector<corpus::Argument>& arguments,
                                const std::vector<std::vector<u8>>& contents) {
  std::vector<LaunchArgument> made = launch_arguments(arguments);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const bool has_memory =
        arguments[i].kind == corpus::ArgumentKind::buffer || arguments[i].kind == corpus::ArgumentKind::image;
    if (!has_memory) continue;
    made[i].bytes = contents[i];
    made[i].given = true;
  }
  return make(memory, target, made);
}

Status Buffers::read(const DeviceMemory& memory, std::size_t argument,
                     const std::function<Status(std::span<const u8>)>& take) const {
  if (images_[argument]) {
    const Expected<std::vector<u8>> bytes = read_image(memory, *images_[argument]);
    if (!bytes) return bytes.error();
    return take(*bytes);
  }
  std::vector<u8> piece;
  for (u64 at = 0; at < sizes_[argument]; at += piece.size()) {
    piece.resize(std::min(sizes_[argument] - at, u64{1} << 20));
    Status done = memory.read(addresses_[argument] + at, piece);
    if (done) done = take(piece);
    if (!done) return done;
  }
  return Success{};
}

Expected<std::vector<u8>> Buffers::read(const DeviceMemory& memory, std::size_t argument) const {
  std::vector<u8> bytes;
  const Status done = read(memory, argument, [&](std::span<const u8> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return Status(Success{});
  });
  if (!done) return done.error();
  return bytes;
}

OccupancyInput occupancy_input(const KernelNeeds& needs, u32 group_items, u64 local_bytes) {
  OccupancyInput input;
  input.work_group_size = group_items;
  input.vector_registers = needs.vector_registers;
  input.accumulator_registers = needs.accumulation_registers;
  input.scalar_registers = needs.scalar_registers;
  input.local_bytes = local_bytes;
  input.wave_width = needs.wave_lanes;
  return input;
}

namespace {

u64 local_bytes_of(const Program& program, std::span<const ArgumentValue> values) {
  u64 bytes = program.needs.local_bytes;
  for (const ArgumentValue& value : values) bytes += value.local_bytes;
  return bytes;
}

// The buffer of a kernel that prints, while it runs.
class PrintfBuffer {
 public:
  static constexpr u64 bytes = u64{1} << 20;

  static Expected<PrintfBuffer> make(DeviceMemory& memory, const Module& module) {
    PrintfBuffer made(memory);
    if (module.printf_formats.empty()) return made;
    Expected<u64> address = memory.allocate(bytes, 4096, "printf buffer");
    if (!address) return address.error();
    made.address_ = *address;
    const Status ready = prepare_printf_buffer(memory, *address, bytes, module.printf_formats);
    if (!ready) return ready.error();
    return made;
  }
  PrintfBuffer(PrintfBuffer&& other) noexcept : memory_(other.memory_), address_(other.address_) {
    other.address_ = 0;
  }
  PrintfBuffer& operator=(PrintfBuffer&&) = delete;
  ~PrintfBuffer() {
    if (address_ != 0) memory_->free(address_);
  }
  u64 address() const { return address_; }
  std::string text(const Module& module) const {
    if (address_ == 0) return {};
    std::vector<u8> contents(bytes);
    return memory_->read(address_, contents) ? printf_text(contents, module.printf_formats) : std::string();
  }

 private:
  explicit PrintfBuffer(DeviceMemory& memory) : memory_(&memory) {}
  DeviceMemory* memory_;
  u64 address_ = 0;
};

// The module's image with what the host wrote to its variables, while the launch runs.
class HostedImage {
 public:
  static Expected<HostedImage> make(DeviceMemory& memory, const Module& module,
                                    std::span<const SymbolContents> symbols) {
    HostedImage made(memory);
    const Expected<u64> address = load_image(memory, module);
    if (!address) return address.error();
    made.address_ = *address;
    for (const SymbolContents& symbol : symbols) {
      const Status written =
          memory.write(*address + (symbol.variable->address - module.image.address), symbol.bytes);
      if (!written) return written.error();
    }
    return made;
  }
  HostedImage(HostedImage&& other) noexcept : memory_(other.memory_), address_(other.address_) {
    other.address_ = 0;
  }
  HostedImage& operator=(HostedImage&&) = delete;
  ~HostedImage() {
    if (address_ != 0) memory_->free(address_);
  }
  u64 address() const { return address_; }

 private:
  explicit HostedImage(DeviceMemory& memory) : memory_(&memory) {}
  DeviceMemory* memory_;
  u64 address_ = 0;
};

// Error: figures that counting needs and that the machine lacks. What ended the run is in RunData::failed.
Status execute_untimed(const Machine& machine, const PreparedLaunch& launch, StepChecker* checker,
                       const SimulationOptions& options, RunData& run) {
  FunctionalOptions functional;
  functional.threads = options.threads;
  functional.instructions_per_wave = options.instructions_per_wave;
  functional.checker = checker;
  if (options.progress) {
    functional.progress = [&](const RunProgress& so_far) { return options.progress("executing", so_far); };
  }
  std::unique_ptr<LaunchCounter> counter;
  if (options.counted) {
    const Expected<CountingRules> rules = counting_rules(machine, launch.program().needs.wave_lanes);
    if (!rules) return rules.error();
    counter = std::make_unique<LaunchCounter>(launch.module(), *rules, options.threads);
    counter->watch(functional);
  }
  Expected<FunctionalResult> result = run_functional(launch, functional);
  if (counter != nullptr) run.counts = counter->result();
  if (!result) {
    run.failed = result.error();
    return Success{};
  }
  if (result->stopped) run.failed = stopped().error();
  run.functional = std::move(*result);
  return Success{};
}

Expected<TimingResult> time_it(TimedDevice& device, const PreparedLaunch& launch, StepChecker* checker,
                               u32 number, const SimulationOptions& options) {
  LiveFactory sources(launch, checker, options.instructions_per_wave);
  TimingOptions timing;
  timing.threads = options.threads;
  timing.window_cycles = options.window_cycles;
  const std::string what =
      options.repeat == 1 ? "timing" : fmt::format("timing launch {} of {}", number + 1, options.repeat);
  if (options.progress)
    timing.progress = [&](const RunProgress& so_far) { return options.progress(what, so_far); };
  if (number > 0 && options.cold) device.make_cold();
  for (const MemoryRange& range : launch.written_by_host()) device.host_wrote(range.address, range.bytes);
  if (number > 0 || options.record == nullptr) return device.launch(timed_launch(launch), sources, timing);
  LaunchRecord& record = *options.record;
  record.launch = timed_launch(launch);
  const u64 waves = launch.state().range.total_groups() * launch.state().waves_per_group;
  if (waves > record.most_bytes / sizeof(std::vector<u8>)) {
    record.missing = fmt::format("what {} waves did takes more than {} bytes", waves, record.most_bytes);
    return device.launch(record.launch, sources, timing);
  }
  if (checker != nullptr) {
    // The checks execute accesses where they stand that others may come before.
    record.missing = "the run is checked";
    return device.launch(record.launch, sources, timing);
  }
  RecorderFactory recorder(sources, launch, record.most_bytes);
  Expected<TimingResult> result = device.launch(record.launch, recorder, timing);
  if (!result || result->stopped) return result;
  Expected<Recording> recorded = recorder.take();
  if (recorded)
    record.recording = std::move(*recorded);
  else
    record.missing = recorded.error().message;
  return result;
}

// Results of launches one after the other, until it is known which one is shown.
class Launches {
 public:
  void add(TimingResult result) {
    const u64 cycles = result.cycles;
    if (cycles_.empty()) {
      first_ = std::move(result);
    } else {
      // Of launches that took the same time the first one is shown, so that no other has to be kept.
      later_.try_emplace(cycles, std::pair(cycles_.size(), std::move(result)));
    }
    cycles_.push_back(cycles);
  }
  const std::vector<u64>& cycles() const { return cycles_; }
  // The median of all but the first; of an even number the shorter of the two in the middle.
  void finish(RunData& run) {
    run.repeated.cycles = cycles_;
    if (cycles_.size() < 2) {
      run.timing = std::move(first_);
      return;
    }
    std::vector<u64> sorted(cycles_.begin() + 1, cycles_.end());
    std::ranges::sort(sorted);
    auto& [number, result] = later_.at(sorted[(sorted.size() - 1) / 2]);
    run.repeated.shown = number;
    run.timing = std::move(result);
    run.repeated.first = std::move(first_);
  }

 private:
  std::vector<u64> cycles_;
  TimingResult first_;
  std::map<u64, std::pair<std::size_t, TimingResult>> later_;  // by cycles
};

}  // namespace

TimedLaunch timed_launch(const PreparedLaunch& launch) {
  TimedLaunch timed;
  timed.code = launch.module().code.instructions;
  timed.program = &launch.program();
  timed.range = launch.state().range;
  timed.module = &launch.module();
  timed.code_address = launch.state().image_address;
  timed.local_bytes = launch.state().local_bytes;
  return timed;
}

Expected<RunData> execute(DeviceMemory& memory, const Machine& machine, const Module& module,
                          const Program& program, const NdRange& range, std::span<const ArgumentValue> values,
                          const SimulationOptions& options) {
  const Status checked = check_launch(program, range, values);
  if (!checked) return checked.error();
  RunData run;
  run.machine = &machine;
  run.module = &module;
  run.program = &program;
  run.range = range;
  const u64 local_bytes = local_bytes_of(program, values) + range.dynamic_local_bytes;
  run.local_bytes = static_cast<u32>(local_bytes);
  Expected<Occupancy> fits =
      occupancy(machine, occupancy_input(program.needs, range.group_items(), local_bytes));
  if (!fits) return fits.error();
  run.occupancy = std::move(*fits);

  const u64 units = has(machine, "compute.units") ? integer(machine, "compute.units") : 1;
  // The timing model numbers waves by the machine's slots; the functional runner holds as many as the machine
  // holds of this kernel.
  const u32 resident = options.timed
                           ? static_cast<u32>(units * run.occupancy.wave_slots)
                           : functional_resident_waves(range, program.needs.wave_lanes,
                                                       static_cast<u32>(units * run.occupancy.groups_per_cu *
                                                                        run.occupancy.waves_per_group));
  const Expected<HostedImage> image = HostedImage::make(memory, module, options.symbols);
  if (!image) return image.error();
  const u32 times = options.timed ? std::max(1u, options.repeat) : 1;
  run.repeated.asked = times;
  run.repeated.cold = options.cold;
  std::unique_ptr<TimedDevice> device;
  Launches launches;
  for (u32 number = 0; number < times && !run.failed; ++number) {
    Expected<PrintfBuffer> printed = PrintfBuffer::make(memory, module);
    if (!printed) return printed.error();
    Expected<std::unique_ptr<PreparedLaunch>> launch = PreparedLaunch::make(
        memory, module, program, range, values, resident, printed->address(), image->address());
    if (!launch) return launch.error();
    std::unique_ptr<StepChecker> checker;
    if (options.checks.any()) checker = std::make_unique<CheckedRun>(**launch, options.checks);

    if (!options.timed) {
      const Status executed = execute_untimed(machine, **launch, checker.get(), options, run);
      if (!executed) return executed.error();
    } else {
      if (device == nullptr) {
        Expected<std::unique_ptr<TimedDevice>> made = TimedDevice::make(machine);
        if (made) device = std::move(*made);
        if (!made) run.failed = made.error();
      }
      if (device != nullptr) {
        Expected<TimingResult> timing = time_it(*device, **launch, checker.get(), number, options);
        if (!timing) {
          run.failed = timing.error();
          if (number > 0)
            run.failed->message = fmt::format("launch {} of {}: {}", number + 1, times, run.failed->message);
        } else if (timing->stopped) {
          // What was counted of this one; of those before it only the times are told.
          run.failed = stopped().error();
          run.timing = std::move(*timing);
        } else {
          launches.add(std::move(*timing));
        }
      }
    }
    run.printed += printed->text(module);
  }
  if (options.timed) {
    run.assumed_figures = static_cast<u32>(assumed_quantities(machine, "timing.").size());
    if (run.failed) {
      run.repeated.cycles = launches.cycles();
      run.repeated.shown = launches.cycles().size();
    } else {
      launches.finish(run);
    }
  }
  return run;
}

Expected<RunData> simulate(DeviceMemory& memory, const Machine& machine, const Module& module,
                           const Program& program, const NdRange& range,
                           std::span<const ArgumentValue> values, const SimulationOptions& options) {
  Expected<RunData> run = execute(memory, machine, module, program, range, values, options);
  if (run && run->failed) return *run->failed;
  return run;
}

}  // namespace lockstep
