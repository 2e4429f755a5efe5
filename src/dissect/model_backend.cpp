#include "dissect/model_backend.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <type_traits>

#include "dissect/ptx_folder.h"
#include "exec/device_memory.h"
#include "machine/occupancy.h"
#include "run/launch.h"
#include "run/loader.h"
#include "time/timing.h"

namespace lockstep::dissect {
namespace {

struct LoadedModule {
  LoadedProgram loaded;
  u64 image_address = 0;
  std::map<std::string, KernelId> kernels;
};

struct CompiledKernel {
  const Module* module = nullptr;
  const Program* program = nullptr;
  u64 image_address = 0;
};

class ModelBackend final : public Backend {
 public:
  ModelBackend(const Machine& machine, std::unique_ptr<TimedDevice> device, ModelOptions options)
      : machine_(machine),
        rules_(occupancy_rules(machine)),
        device_(std::move(device)),
        options_(std::move(options)) {
    const Target& target = *machine.target;
    traits_.backend = "model";
    traits_.device = machine.name;
    traits_.driver = "the timing model";
    traits_.clock_hz = static_cast<f64>(run_clock_hz(machine));
    traits_.units = static_cast<u32>(integer(machine, "compute.units"));
    traits_.units_per_group = static_cast<u32>(integer_or(machine, "timing.issue.units_joined", 1));
    traits_.wave_lanes = target.default_width;
    traits_.max_group_items = static_cast<u32>(integer(machine, "occupancy.max_group_items"));
    traits_.local_bytes = integer(machine, "local.bytes_per_group_max") -
                          integer_or(machine, "local.reserved_bytes_per_group", 0);
    traits_.memory_bytes = std::min(integer(machine, "memory.size_bytes"), u64{16} << 30);
    traits_.last_cache_bytes =
        integer_or(machine, "last_level.size_bytes", integer_or(machine, "l2.size_bytes", 0));
    const bool amd = target.isa == IsaFamily::amdgcn;
    traits_.half = amd ? target.major >= 8 : target.compute_capability() >= 53;
    traits_.real64 = amd || has(machine, "rate.f64");
    traits_.exact = true;
  }

  const Traits& traits() const override { return traits_; }

  Expected<KernelId> compile(const KernelSource& source) override {
    std::string key = source.file;
    for (const std::string& define : source.defines) key += "\n" + define;
    auto known = modules_.find(key);
    if (known == modules_.end()) {
      CompileRequest request;
      request.path = options_.directory + "/" + source.file + ".cl";
      request.target = machine_.target;
      request.defines = source.defines;
      Expected<LoadedProgram> loaded = load_program(request);
      if (!loaded) return loaded.error();
      if (!options_.ptx_directory.empty()) {
        const PtxFolder folder(options_.ptx_directory, options_.directory);
        const Expected<std::string> kept = folder.text(source, *machine_.target);
        if (!kept) return kept.error();
      }
      const Expected<u64> image = load_image(memory_, *loaded->module);
      if (!image) return image.error();
      known = modules_.emplace(key, LoadedModule{std::move(*loaded), *image, {}}).first;
    }
    LoadedModule& module = known->second;
    if (const auto kernel = module.kernels.find(source.kernel); kernel != module.kernels.end())
      return kernel->second;
    const Expected<const Program*> program = find_kernel(*module.loaded.module, source.kernel);
    if (!program) return program.error();
    kernels_.push_back({module.loaded.module.get(), *program, module.image_address});
    const auto id = static_cast<KernelId>(kernels_.size() - 1);
    module.kernels.emplace(source.kernel, id);
    return id;
  }

  u64 code_bytes(KernelId kernel) const override {
    const Program& program = *kernels_[kernel].program;
    const std::vector<Instruction>& code = kernels_[kernel].module->code.instructions;
    u64 bytes = 0;
    for (u32 i = program.entry; i < program.end; ++i) bytes += code[i].size;
    return bytes;
  }

  Expected<BufferId> allocate(u64 bytes) override {
    const Expected<u64> address = memory_.allocate(bytes, u64{2} << 20, "buffer");
    if (!address) return address.error();
    buffers_.push_back(*address);
    return static_cast<BufferId>(buffers_.size() - 1);
  }

  void release(BufferId buffer) override { memory_.free(buffers_[buffer]); }

  Status read(BufferId buffer, std::span<u8> bytes) override { return memory_.read(buffers_[buffer], bytes); }

  bool make_cold() override {
    device_->make_cold();
    return true;
  }

  Expected<f64> time(const Launch& launch) override {
    const CompiledKernel& kernel = kernels_[launch.kernel];
    NdRange range;
    range.global[0] = u64{launch.groups} * launch.group_items;
    range.local[0] = launch.group_items;
    const std::vector<ArgumentValue> values = argument_values(launch);
    const Expected<LaunchPlan> plan = plan_launch(machine_, rules_, *kernel.program, range, values);
    if (!plan) return plan.error();
    LaunchOptions options;
    options.threads = options_.threads;
    options.code_in_second_level = false;
    if (options_.go_on)
      options.progress = [this](std::string_view, const RunProgress&) { return options_.go_on(); };
    const Expected<std::unique_ptr<lockstep::Launch>> made =
        lockstep::Launch::prepare(memory_, machine_, *kernel.module, *kernel.program, range, values,
                                  kernel.image_address, *plan, options);
    if (!made) return made.error();
    (*made)->execute(device_.get());
    const RunData& run = (*made)->data();
    if (run.failed) return *run.failed;
    return static_cast<f64>(run.timing->cycles) / traits_.clock_hz;
  }

  Expected<f64> time_queue(std::span<const Launch> launches) override {
    f64 seconds = 0;
    for (const Launch& launch : launches) {
      const Expected<f64> one = time(launch);
      if (!one) return one;
      seconds += *one;
    }
    return seconds;
  }

  Expected<f64> time_with_copy(const Launch*, u64) override {
    return Diagnostic{"not-modelled", {}, "the model has no copies beside kernels", ""};
  }

 private:
  std::vector<ArgumentValue> argument_values(const Launch& launch) const {
    std::vector<ArgumentValue> values;
    for (const Argument& argument : launch.arguments) {
      ArgumentValue value;
      std::visit(
          [&](const auto& given) {
            using T = std::decay_t<decltype(given)>;
            if constexpr (std::is_same_v<T, LocalBytes>) {
              value.local_bytes = given.bytes;
            } else {
              const auto put = [&](const auto& plain) {
                value.bytes.resize(sizeof plain);
                std::memcpy(value.bytes.data(), &plain, sizeof plain);
              };
              if constexpr (std::is_same_v<T, BufferArgument>)
                put(buffers_[given.id]);
              else
                put(given);
            }
          },
          argument);
      values.push_back(std::move(value));
    }
    return values;
  }

  const Machine& machine_;
  const OccupancyRules rules_;
  std::unique_ptr<TimedDevice> device_;
  const ModelOptions options_;
  Traits traits_;
  DeviceMemory memory_;
  std::vector<CompiledKernel> kernels_;
  std::map<std::string, LoadedModule> modules_;  // by source and macros
  std::vector<u64> buffers_;
};

}  // namespace

Expected<std::unique_ptr<Backend>> make_model_backend(const Machine& machine, ModelOptions options) {
  Expected<std::unique_ptr<TimedDevice>> device = TimedDevice::make(machine);
  if (!device) return device.error();
  return std::unique_ptr<Backend>(
      std::make_unique<ModelBackend>(machine, std::move(*device), std::move(options)));
}

}  // namespace lockstep::dissect
