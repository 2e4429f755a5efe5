#include "run/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "count/counter.h"
#include "exec/check/checked_run.h"
#include "exec/functional.h"
#include "exec/printf.h"
#include "run/accuracy.h"
#include "time/source/live.h"
#include "time/source/recorder.h"

namespace lockstep {

OccupancyInput occupancy_input(const KernelNeeds& needs, u32 group_items, u64 local_bytes) {
  OccupancyInput input;
  input.work_group_size = group_items;
  input.vector_registers = needs.architectural_registers();
  input.accumulator_registers = needs.accumulation_registers;
  input.scalar_registers = needs.scalar_registers;
  input.local_bytes = local_bytes;
  input.wave_width = needs.wave_lanes;
  return input;
}

namespace {

u64 local_bytes_of(const Program& program, const NdRange& range, std::span<const ArgumentValue> values) {
  u64 bytes = program.needs.local_bytes + range.dynamic_local_bytes;
  for (const ArgumentValue& value : values) bytes += value.local_bytes;
  return bytes;
}

RunData description(const Machine& machine, const Module& module, const Program& program,
                    const NdRange& range, const LaunchPlan& plan) {
  RunData run;
  run.machine = &machine;
  run.module = &module;
  run.program = &program;
  run.range = range;
  run.local_bytes = static_cast<u32>(plan.local_bytes);
  run.occupancy = plan.occupancy;
  return run;
}

}  // namespace

Expected<LaunchPlan> plan_launch(const Machine& machine, const OccupancyRules& rules, const Program& program,
                                 const NdRange& range, std::span<const ArgumentValue> values) {
  const Status checked = check_launch(*machine.target, program, range, values);
  if (!checked) return checked.error();
  LaunchPlan plan;
  plan.local_bytes = local_bytes_of(program, range, values);
  Expected<Occupancy> fits =
      evaluate_occupancy(rules, occupancy_input(program.needs, range.group_items(), plan.local_bytes));
  if (!fits) return fits.error();
  plan.occupancy = std::move(*fits);
  const u64 units = has(machine, "compute.units") ? integer(machine, "compute.units") : 1;
  plan.machine_waves = static_cast<u32>(units * plan.occupancy.wave_slots);
  plan.resident_waves =
      static_cast<u32>(units * plan.occupancy.groups_per_cu * plan.occupancy.waves_per_group);
  return plan;
}

u64 most_group_items(const OccupancyRules& rules, const Program& program) {
  const u64 whole = std::min<u64>(program.needs.most_work_items, rules.max_group_items);
  const u64 lanes = program.needs.wave_lanes;
  for (u64 items = whole; items > lanes; items = (items - 1) / lanes * lanes) {
    if (evaluate_occupancy(
            rules, occupancy_input(program.needs, static_cast<u32>(items), program.needs.local_bytes)))
      return items;
  }
  return std::min(whole, lanes);
}

// The buffer of a kernel that prints, while it runs.
class Launch::PrintfBuffer {
 public:
  static Expected<std::unique_ptr<PrintfBuffer>> make(DeviceMemory& memory, const Module& module) {
    std::unique_ptr<PrintfBuffer> made(new PrintfBuffer(memory, module));
    if (module.printf_formats.empty()) return made;
    Expected<u64> address = memory.allocate(printf_buffer_bytes, 4096, "printf buffer");
    if (!address) return address.error();
    made->address_ = *address;
    made->bytes_ = {memory.view().at(*address), printf_buffer_bytes};
    const Status ready = prepare_printf_buffer(memory, *address, printf_buffer_bytes, module.printf_formats);
    if (!ready) return ready.error();
    return made;
  }
  ~PrintfBuffer() {
    if (address_ != 0) memory_.free(address_);
  }
  PrintfBuffer(const PrintfBuffer&) = delete;
  PrintfBuffer& operator=(const PrintfBuffer&) = delete;
  u64 address() const { return address_; }
  std::string text() const {
    return address_ == 0 ? std::string() : printf_text(bytes_, module_.printf_formats, memory_.view());
  }

 private:
  PrintfBuffer(DeviceMemory& memory, const Module& module) : memory_(memory), module_(module) {}
  DeviceMemory& memory_;
  const Module& module_;
  u64 address_ = 0;
  std::span<const u8> bytes_;
};

Launch::Launch(const LaunchOptions& options) : options_(options) {}
Launch::~Launch() = default;

Expected<std::unique_ptr<Launch>> Launch::prepare(DeviceMemory& memory, const Machine& machine,
                                                  const Module& module, const Program& program,
                                                  const NdRange& range, std::span<const ArgumentValue> values,
                                                  u64 image_address, const LaunchPlan& plan,
                                                  const LaunchOptions& options) {
  std::unique_ptr<Launch> made(new Launch(options));
  made->run_ = description(machine, module, program, range, plan);
  Expected<std::unique_ptr<PrintfBuffer>> printed = PrintfBuffer::make(memory, module);
  if (!printed) return printed.error();
  made->printf_buffer_ = std::move(*printed);
  // The timing model numbers waves by the machine's slots; the functional runner holds as many as the machine
  // holds of this kernel.
  const u32 resident = options.timed
                           ? plan.machine_waves
                           : functional_resident_waves(range, program.needs.wave_lanes, plan.resident_waves);
  Expected<std::unique_ptr<PreparedLaunch>> prepared = PreparedLaunch::make(
      memory, module, program, range, values, resident, made->printf_buffer_->address(), image_address);
  if (!prepared) return prepared.error();
  made->prepared_ = std::move(*prepared);
  if (options.checks.any())
    made->checker_ = std::make_unique<CheckedRun>(*made->prepared_, options.checks, &made->run_.violations);
  return made;
}

void Launch::stop() {
  run_.stopped = true;
  run_.failed = Diagnostic{"stopped", {}, "the run was ended before its end", ""};
}

// Error: figures that counting needs and that the machine lacks. What ended the run is in RunData::failed.
Status Launch::execute_untimed() {
  FunctionalOptions functional;
  functional.threads = options_.threads;
  functional.instructions_per_wave = options_.instructions_per_wave;
  functional.checker = checker_.get();
  if (options_.runner != nullptr) {
    functional.threads = 1;
    functional.runner = [this](u32) { return options_.runner; };
  }
  if (options_.progress) {
    functional.progress = [&](const RunProgress& so_far) { return options_.progress("executing", so_far); };
  }
  std::unique_ptr<LaunchCounter> counter;
  if (options_.counted) {
    const Expected<CountingRules> rules = counting_rules(*run_.machine, run_.program->needs.wave_lanes);
    if (!rules) return rules.error();
    counter = std::make_unique<LaunchCounter>(*run_.module, *rules, options_.threads);
    counter->watch(functional);
  }
  Expected<FunctionalResult> result = run_functional(*prepared_, functional);
  if (counter != nullptr) run_.counts = counter->result();
  if (!result) return result.error();
  if (result->stopped) stop();
  run_.functional = std::move(*result);
  return Success{};
}

Expected<TimingResult> Launch::time_it(TimedDevice& device, const std::string& what) {
  LiveFactory sources(*prepared_, checker_.get(), options_.instructions_per_wave);
  TimingOptions timing;
  timing.threads = options_.threads;
  timing.window_cycles = options_.window_cycles;
  timing.code_in_second_level = options_.code_in_second_level;
  if (options_.progress)
    timing.progress = [&](const RunProgress& so_far) { return options_.progress(what, so_far); };
  for (const MemoryRange& range : prepared_->written_by_host()) device.host_wrote(range.address, range.bytes);
  const TimedLaunch launch = timed_launch(*prepared_);
  if (options_.record == nullptr) return device.launch(launch, sources, timing);
  LaunchRecord& record = *options_.record;
  record.launch = launch;
  const u64 waves = prepared_->state().range.total_groups() * prepared_->state().waves_per_group;
  if (waves > record.most_bytes / sizeof(std::vector<u8>)) {
    record.missing = fmt::format("what {} waves did takes more than {} bytes", waves, record.most_bytes);
    return device.launch(launch, sources, timing);
  }
  if (checker_ != nullptr) {
    // The checks execute accesses where they stand that others may come before.
    record.missing = "the run is checked";
    return device.launch(launch, sources, timing);
  }
  RecorderFactory recorder(sources, *prepared_, record.most_bytes);
  Expected<TimingResult> result = device.launch(launch, recorder, timing);
  if (!result || result->stopped) return result;
  Expected<Recording> recorded = recorder.take();
  if (recorded)
    record.recording = std::move(*recorded);
  else
    record.missing = recorded.error().message;
  return result;
}

void Launch::execute(TimedDevice* device, std::string_view what) {
  if (options_.timed) {
    LOCKSTEP_ASSERT(device != nullptr, "a timed launch runs on a device");
    Expected<TimingResult> timing = time_it(*device, what.empty() ? "timing" : std::string(what));
    if (!timing) {
      run_.failed = timing.error();
    } else {
      if (timing->stopped) stop();
      run_.timing = std::move(*timing);
    }
  } else {
    const Status done = execute_untimed();
    if (!done) run_.failed = done.error();
  }
  run_.printed = printf_buffer_->text();
}

void complete_description(RunData& run) {
  const Expected<Occupancy> advised =
      occupancy(*run.machine, occupancy_input(run.program->needs, run.range.group_items(), run.local_bytes));
  if (advised) run.occupancy = *advised;
  if (!run.timing) return;
  run.timing_figures = static_cast<u32>(std::ranges::count_if(
      run.machine->quantities, [](const Quantity& one) { return one.info->key.starts_with("timing."); }));
  run.assumed_figures = static_cast<u32>(assumed_quantities(*run.machine, "timing.").size());
  run.accuracy = model_accuracy(run.machine->id);
}

RunData describe_unprepared(const Machine& machine, const Module& module, const Program& program,
                            const NdRange& range, const LaunchPlan& plan, Diagnostic why) {
  RunData run = description(machine, module, program, range, plan);
  run.failed = std::move(why);
  return run;
}

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

}  // namespace lockstep
