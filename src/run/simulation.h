// One launch on one machine, from buffers to the data that the report's views read.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "exec/check/selection.h"
#include "exec/image.h"
#include "report/run_data.h"
#include "run/launch_arguments.h"
#include "time/source/recording.h"
#include "time/timing.h"

namespace lockstep {

// What the waves of a run's first launch did, to be timed again on other machines.
struct LaunchRecord {
  u64 most_bytes = u64{1} << 30;       // of a recording that takes more nothing is kept
  std::optional<Recording> recording;  // nothing until there is one
  std::string missing;                 // why there is none
  TimedLaunch launch;                  // points into the module, which must outlive this
};

struct SimulationOptions {
  std::vector<SymbolContents> symbols;  // what the module's variables hold when the launch begins
  bool timed = true;
  bool counted = false;   // a functional run counts what a timed one does, but for time
  CheckSelection checks;  // none: an unchecked run
  u32 threads = 1;        // of the host; any number gives the same result
  u32 window_cycles = 0;  // of a timed run (TimingOptions)
  u64 instructions_per_wave = u64{1} << 30;
  // Of a timed run: launches one after the other on one device. What an earlier one left in buffers is there
  // for the next, its caches and translations too unless they are to be `cold`. The result is that of the
  // launch with the median time of all but the first.
  u32 repeat = 1;
  bool cold = false;
  LaunchRecord* record = nullptr;  // of a timed run: filled when set
  // Told now and then while the launch runs ("timing", "executing"); false ends it there.
  std::function<bool(std::string_view what, const RunProgress&)> progress;
};

// Device buffers made for arguments: where each lies, and the values for a launch.
class Buffers {
 public:
  // Host memory is taken for what is written: a buffer of zeros costs nothing until a kernel touches it.
  // `progress` is told the bytes that are made and have to be; false ends that. Errors:
  // "out-of-device-memory", "out-of-host-memory" where the contents are more than the host has left,
  // "stopped", those of make_image and make_sampler.
  static Expected<Buffers> make(DeviceMemory& memory, const Target& target,
                                const std::vector<LaunchArgument>& arguments,
                                const std::function<bool(u64 done, u64 all)>& progress = {});
  // The same with contents made elsewhere; empty for what has none.
  static Expected<Buffers> make(DeviceMemory& memory, const Target& target,
                                const std::vector<corpus::Argument>& arguments,
                                const std::vector<std::vector<u8>>& contents);
  const std::vector<ArgumentValue>& values() const { return values_; }
  // The bytes of a buffer or image argument now; of an image without gaps between rows.
  Expected<std::vector<u8>> read(const DeviceMemory& memory, std::size_t argument) const;
  // The same in pieces. Also ends with the error that `take` gives.
  Status read(const DeviceMemory& memory, std::size_t argument,
              const std::function<Status(std::span<const u8>)>& take) const;

 private:
  std::vector<ArgumentValue> values_;
  std::vector<u64> addresses_, sizes_;
  std::vector<std::optional<ImageObject>> images_;
};

// What timing has to know of a launch.
TimedLaunch timed_launch(const PreparedLaunch& launch);

// The needs of a kernel as the occupancy rules ask for them.
OccupancyInput occupancy_input(const KernelNeeds& needs, u32 group_items, u64 local_bytes);

// Runs the launch. Errors: those of check_launch and occupancy, before anything runs. A run that execution or
// timing ended with an error has that in RunData::failed, and what the kernel printed before; one that
// progress() ended has "stopped" there, and what was counted until then.
Expected<RunData> execute(DeviceMemory& memory, const Machine& machine, const Module& module,
                          const Program& program, const NdRange& range, std::span<const ArgumentValue> values,
                          const SimulationOptions& options);

// The same where only a whole run is of use: RunData::failed is an error as well.
Expected<RunData> simulate(DeviceMemory& memory, const Machine& machine, const Module& module,
                           const Program& program, const NdRange& range,
                           std::span<const ArgumentValue> values, const SimulationOptions& options);

}  // namespace lockstep
