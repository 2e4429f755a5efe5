#include "run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "run/image_argument.h"

namespace lockstep {

Diagnostic run_stopped() {
  return {"stopped", {}, "the run was ended before its end", ""};
}

namespace {

void set_address(ArgumentValue& value, u64 address) {
  value.bytes.resize(sizeof address);
  std::memcpy(value.bytes.data(), &address, sizeof address);
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
    if (written && progress && !progress(done, all)) return Status(run_stopped());
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

namespace {

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

Expected<RunData> execute(DeviceMemory& memory, const Machine& machine, const Module& module,
                          const Program& program, const NdRange& range, std::span<const ArgumentValue> values,
                          const SimulationOptions& options) {
  const Expected<LaunchPlan> plan = plan_launch(machine, occupancy_rules(machine), program, range, values);
  if (!plan) return plan.error();
  const Expected<HostedImage> image = HostedImage::make(memory, module, options.symbols);
  if (!image) return image.error();
  const u32 times = options.timed ? std::max(1u, options.repeat) : 1;
  std::unique_ptr<TimedDevice> device;
  if (options.timed) {
    Expected<std::unique_ptr<TimedDevice>> made = TimedDevice::make(machine);
    if (!made) {
      RunData run = describe_unprepared(machine, module, program, range, *plan, made.error());
      complete_description(run);
      return run;
    }
    device = std::move(*made);
  }
  Launches launches;
  RunData run;
  for (u32 number = 0; number < times && !run.failed; ++number) {
    LaunchOptions each = options;
    if (number > 0) each.record = nullptr;
    Expected<std::unique_ptr<Launch>> launch =
        Launch::prepare(memory, machine, module, program, range, values, image->address(), *plan, each);
    if (!launch) return launch.error();
    if (number > 0 && options.cold) device->make_cold();
    (*launch)->execute(device.get(),
                       times == 1 ? "" : fmt::format("timing launch {} of {}", number + 1, times));
    RunData& one = (*launch)->data();
    if (number == 0) {
      run = std::move(one);
    } else {
      run.printed += one.printed;
      run.violations.add(one.violations);
      run.failed = std::move(one.failed);
      run.stopped = one.stopped;
      run.timing = std::move(one.timing);
      if (run.failed && !run.stopped)
        run.failed->message = fmt::format("launch {} of {}: {}", number + 1, times, run.failed->message);
    }
    // Of a stopped launch there is what was counted; of those before it only the times are told.
    if (run.timing && !run.failed) launches.add(std::move(*run.timing));
  }
  run.repeated.asked = times;
  run.repeated.cold = options.cold;
  if (options.timed) {
    if (run.failed) {
      run.repeated.cycles = launches.cycles();
      run.repeated.shown = launches.cycles().size();
    } else {
      launches.finish(run);
    }
  }
  complete_description(run);
  return run;
}

Expected<RunData> simulate(DeviceMemory& memory, const Machine& machine, const Module& module,
                           const Program& program, const NdRange& range,
                           std::span<const ArgumentValue> values, const SimulationOptions& options) {
  Expected<RunData> run = execute(memory, machine, module, program, range, values, options);
  if (run && run->violations.count() != 0) return run->violations.kept().front();
  if (run && run->failed) return *run->failed;
  return run;
}

}  // namespace lockstep
