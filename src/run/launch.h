// One launch of a kernel, as every door makes it: prepared, executed, described. What ended it early and what
// checks found are part of its description.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "exec/check/selection.h"
#include "exec/launch.h"
#include "machine/occupancy.h"
#include "report/run_data.h"
#include "time/source/recording.h"
#include "time/timing.h"

namespace lockstep {

class CheckedRun;
struct StepRunner;

// What the waves of a launch did, to be timed again on other machines.
struct LaunchRecord {
  u64 most_bytes = u64{1} << 30;       // of a recording that takes more nothing is kept
  std::optional<Recording> recording;  // nothing until there is one
  std::string missing;                 // why there is none
  TimedLaunch launch;                  // points into the module, which must outlive this
};

struct LaunchOptions {
  bool timed = true;
  bool counted = false;   // an untimed launch counts what a timed one does, but for time
  CheckSelection checks;  // none: an unchecked launch. What they find is recorded, and the launch goes on.
  u32 threads = 1;        // of the host; any number gives the same result
  u32 window_cycles = 0;  // of a timed launch, as code_in_second_level (TimingOptions)
  bool code_in_second_level = true;
  u64 instructions_per_wave = u64{1} << 30;
  LaunchRecord* record = nullptr;  // of a timed launch: filled when set
  StepRunner* runner = nullptr;    // of an untimed one: runs its waves, on one thread (exec/run_wave.h)
  // Told now and then while the launch runs ("timing", "executing"); false ends it there.
  std::function<bool(std::string_view what, const RunProgress&)> progress;
};

// The needs of a kernel as the occupancy rules ask for them.
OccupancyInput occupancy_input(const KernelNeeds& needs, u32 group_items, u64 local_bytes);

// What a work-group of the launch asks of a compute unit, and how many waves the device has room for.
struct LaunchPlan {
  u64 local_bytes = 0;  // per group: the kernel's own, those of arguments, the launch's dynamic ones
  Occupancy occupancy;
  u32 machine_waves = 0;   // slots of the device
  u32 resident_waves = 0;  // of this kernel that it holds at once
};

// Errors: those of check_launch and evaluate_occupancy.
Expected<LaunchPlan> plan_launch(const Machine& machine, const OccupancyRules& rules, const Program& program,
                                 const NdRange& range, std::span<const ArgumentValue> values);

// Work-items of the largest group that every launch of the kernel may have: by its own limits, and by what a
// compute unit holds of its registers and its local memory.
u64 most_group_items(const OccupancyRules& rules, const Program& program);

// What timing has to know of a launch.
TimedLaunch timed_launch(const PreparedLaunch& launch);

class Launch {
 public:
  // Takes device memory for what the launch needs, which is given back with it; the caller keeps other
  // threads from `memory` meanwhile, but not while it executes. `image_address`: load_image()'s. The machine,
  // the module and the program must outlive the launch. Errors: those of PreparedLaunch::make.
  static Expected<std::unique_ptr<Launch>> prepare(DeviceMemory& memory, const Machine& machine,
                                                   const Module& module, const Program& program,
                                                   const NdRange& range,
                                                   std::span<const ArgumentValue> values, u64 image_address,
                                                   const LaunchPlan& plan, const LaunchOptions& options);
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  // Once. A timed launch needs a device; `what` is told to progress() where it is not empty.
  void execute(TimedDevice* device, std::string_view what = {});
  // What is known of it: RunData::failed has what ended it, RunData::violations what checks found.
  RunData& data() { return run_; }

 private:
  class PrintfBuffer;
  explicit Launch(const LaunchOptions& options);
  void stop();
  Status execute_untimed();
  Expected<TimingResult> time_it(TimedDevice& device, const std::string& what);

  LaunchOptions options_;
  RunData run_;
  std::unique_ptr<PrintfBuffer> printf_buffer_;
  std::unique_ptr<PreparedLaunch> prepared_;
  std::unique_ptr<CheckedRun> checker_;
};

// Fills in what reports say beside what the launch did: what would change its occupancy, how many assumed
// figures its time rests on.
void complete_description(RunData& run);

// A description of a launch that could not be prepared.
RunData describe_unprepared(const Machine& machine, const Module& module, const Program& program,
                            const NdRange& range, const LaunchPlan& plan, Diagnostic why);

}  // namespace lockstep
