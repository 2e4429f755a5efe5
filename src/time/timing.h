// Times launches on a model of a GPU.
#pragma once
#include <functional>
#include <memory>
#include <span>

#include "exec/progress.h"
#include "isa/program.h"
#include "time/counters.h"
#include "time/source/wave_source.h"

namespace lockstep {

struct LoweredProgram;
struct Machine;

struct TimingOptions {
  // A kernel's first launch on a device finds its code in the second level, as after an earlier launch of the
  // same kernel. The launch overhead of the machine files, measured on kernels queued behind each other,
  // means the same.
  bool code_in_second_level = true;
  u64 most_instructions = ~u64{0};  // wave-instructions after which the run ends with an error
  u32 threads = 1;                  // of the host; any number gives the same result
  u32 window_cycles = 0;            // 0: the longest that is exact; any up to that gives the same result
  // Told now and then; false ends the run, whose result is then what was counted so far.
  std::function<bool(const RunProgress&)> progress;
};

struct TimedLaunch {
  std::span<const Instruction> code;  // of the module
  const Program* program = nullptr;
  const Module* module = nullptr;  // that the program is of
  // NVIDIA: timed in place of what the program is lowered to. It names instructions of `code`.
  const LoweredProgram* lowered = nullptr;
  NdRange range;
  u64 code_address = 0;  // device address at which the module's image lies
  u32 local_bytes = 0;   // of a work-group
};

// Whether there is a timing model for the machine: "not-timed" says that there is none. Other errors: figures
// that contradict each other or are missing.
Status timing_model(const Machine& machine);

// One GPU's caches, translations and open rows, which stay between launches as they do on hardware. Its
// shards live as long as it does; launches on it follow each other.
class TimedDevice {
 public:
  // The machine must outlive the device. Errors: those of timing_model.
  static Expected<std::unique_ptr<TimedDevice>> make(const Machine& machine);
  virtual ~TimedDevice() = default;

  // Errors: a kernel that cannot be timed, a fault in the program, the instruction limit, a launch in which
  // no wave can ever go on (each blocked wave is named with its instruction and what it waits for).
  virtual Expected<TimingResult> launch(const TimedLaunch& launch, SourceFactory& sources,
                                        const TimingOptions& options = {}) = 0;
  // Empties all caches and translations and closes memory's rows: the next launch is as on a new device.
  virtual void make_cold() = 0;
  // Between launches the host, or an engine that copies for it, wrote or read memory, at no cost here. What
  // it writes goes to memory: lines that hold any of these bytes leave the caches, but a cache in front of
  // memory keeps its own up to date. What it reads is written back first, and the lines stay.
  virtual void host_wrote(u64 address, u64 bytes) = 0;
  virtual void host_read(u64 address, u64 bytes) = 0;
  // Cycles of the longest window: what the ways between parts of the GPU, there and back, allow.
  virtual u32 longest_window() const = 0;
};

// One launch on a device that nothing ran on before.
Expected<TimingResult> time_launch(const Machine& machine, const TimedLaunch& launch, SourceFactory& sources,
                                   const TimingOptions& options = {});

}  // namespace lockstep
