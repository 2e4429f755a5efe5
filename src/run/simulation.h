// One launch on one machine, from buffers to the data that the report's views read.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "corpus/case.h"
#include "exec/check/selection.h"
#include "exec/image.h"
#include "report/run_data.h"

namespace lockstep {

struct SimulationOptions {
  bool timed = true;
  CheckSelection checks;  // none: an unchecked run
  u32 threads = 1;        // functional runs; timing takes one
  u64 instructions_per_wave = u64{1} << 30;
  std::function<void(std::string_view what, u64 done, u64 all)> progress;
};

// Device buffers made from argument texts (corpus::Argument): where each lies, and the values for a launch.
class Buffers {
 public:
  // Errors: "out-of-device-memory", those of make_image and make_sampler.
  static Expected<Buffers> make(DeviceMemory& memory, const Target& target,
                                const std::vector<corpus::Argument>& arguments,
                                const std::vector<std::vector<u8>>& contents);
  const std::vector<ArgumentValue>& values() const { return values_; }
  // The bytes of a buffer or image argument now; of an image without gaps between rows.
  Expected<std::vector<u8>> read(const DeviceMemory& memory, std::size_t argument) const;

 private:
  std::vector<ArgumentValue> values_;
  std::vector<u64> addresses_, sizes_;
  std::vector<std::optional<ImageObject>> images_;
};

// The needs of a kernel as the occupancy rules ask for them.
OccupancyInput occupancy_input(const KernelNeeds& needs, u32 group_items, u64 local_bytes);

// Runs the launch. Errors: those of check_launch and occupancy, before anything runs. A run that execution or
// timing ended with an error has that in RunData::failed, and what the kernel printed before.
Expected<RunData> execute(DeviceMemory& memory, const Machine& machine, const Module& module,
                          const Program& program, const NdRange& range, std::span<const ArgumentValue> values,
                          const SimulationOptions& options);

// The same where only a whole run is of use: RunData::failed is an error as well.
Expected<RunData> simulate(DeviceMemory& memory, const Machine& machine, const Module& module,
                           const Program& program, const NdRange& range,
                           std::span<const ArgumentValue> values, const SimulationOptions& options);

// The time of the same launch, begun afresh by `again`, with each assumed figure that timing reads 20 %
// larger. Fills RunData's sensitivity.
Status measure_sensitivity(RunData& run, const std::function<Expected<TimingResult>(const Machine&)>& again,
                           const std::function<void(u64 done, u64 all)>& progress);

// Runs with at most this many wave-instructions have their sensitivity measured without being asked.
inline constexpr u64 short_run_instructions = 100'000;

}  // namespace lockstep
