// One launch on one machine, from buffers to the data that the report's views read.
#pragma once
#include <functional>
#include <optional>

#include "exec/image.h"
#include "report/run_data.h"
#include "run/launch.h"
#include "run/launch_arguments.h"

namespace lockstep {

Diagnostic run_stopped();  // "stopped"

struct SimulationOptions : LaunchOptions {
  std::vector<SymbolContents> symbols;  // what the module's variables hold when the launch begins
  // Of a timed run: launches one after the other on one device. What an earlier one left in buffers is there
  // for the next, its caches and translations too unless they are to be `cold`. The result is that of the
  // launch with the median time of all but the first.
  u32 repeat = 1;
  bool cold = false;
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

// Runs the launch. Errors: those of check_launch and occupancy, before anything runs. A run that execution or
// timing ended with an error has that in RunData::failed, and what the kernel printed before; one that
// progress() ended has "stopped" there, and what was counted until then. What checks found is in
// RunData::violations: it ends no run.
Expected<RunData> execute(DeviceMemory& memory, const Machine& machine, const Module& module,
                          const Program& program, const NdRange& range, std::span<const ArgumentValue> values,
                          const SimulationOptions& options);

// The same where only a whole run is of use: what checks found first is an error, and so is RunData::failed.
Expected<RunData> simulate(DeviceMemory& memory, const Machine& machine, const Module& module,
                           const Program& program, const NdRange& range,
                           std::span<const ArgumentValue> values, const SimulationOptions& options);

}  // namespace lockstep
