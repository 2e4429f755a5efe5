// What the suite asks of a device: compile, allocate, launch, time. The modelled GPU is one backend, OpenCL's
// devices are another, NVIDIA GPUs through their own driver a third.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::dissect {

// What is known of a device before anything is measured; 0 and empty where it does not tell.
struct Traits {
  std::string backend;  // "model", "opencl", "cuda"
  std::string device;   // its own name
  std::string driver;   // name and version of what runs the kernels
  f64 clock_hz = 0;     // by which times become cycles, unless measure the clock is measured
  u32 units = 1;        // compute units
  // Of them, what one work-group can use: an RDNA machine file counts two to a work-group processor.
  u32 units_per_group = 1;
  u32 wave_lanes = 0;
  u32 max_group_items = 0;
  u64 local_bytes = 0;        // that a work-group can have
  u64 memory_bytes = 0;       // that one buffer can have
  u64 last_cache_bytes = 0;   // of the cache in front of memory
  u32 instruction_bytes = 0;  // where all instructions are of one size
  bool half = false, real64 = false;
  // The same launch takes the same time, to the cycle: one try is enough, and a short one.
  bool exact = false;
};

// A kernel of a file of the suite's folder, compiled with macros ("NAME=VALUE").
struct KernelSource {
  std::string file;  // without its ending, which is the backend's: "arithmetic"
  std::string kernel;
  std::vector<std::string> defines;
};

using KernelId = u32;
using BufferId = u32;

struct LocalBytes {
  u64 bytes = 0;
};
// An argument: a buffer, a value of four or eight bytes, or local memory.
struct BufferArgument {
  BufferId id = 0;
};
using Argument = std::variant<BufferArgument, u32, u64, f32, f64, LocalBytes>;

struct Launch {
  KernelId kernel = 0;
  u32 groups = 1;
  u32 group_items = 1;
  std::vector<Argument> arguments;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const Traits& traits() const = 0;

  // The same source and macros give the same kernel again. Errors: "compile-failed" with the compiler's own
  // text, "no-such-file".
  virtual Expected<KernelId> compile(const KernelSource& source) = 0;
  // Bytes of the kernel's code, where the backend knows them, else 0.
  virtual u64 code_bytes(KernelId kernel) const = 0;

  // Memory of zeros. Error: "out-of-device-memory".
  virtual Expected<BufferId> allocate(u64 bytes) = 0;
  virtual void release(BufferId buffer) = 0;
  // From the buffer's begin.
  virtual Status read(BufferId buffer, std::span<u8> bytes) = 0;
  // Empties all caches and translations; false where the device cannot be told to.
  virtual bool make_cold() = 0;

  // Seconds that the device spends on the launch. Errors: those of launching.
  virtual Expected<f64> time(const Launch& launch) = 0;
  // Seconds from the first one's begin to the last one's end of launches queued behind each other.
  virtual Expected<f64> time_queue(std::span<const Launch> launches) = 0;
  // Seconds from the first one's begin to the last one's end of a launch and a copy of so many bytes from the
  // host to the device, which are free to run beside each other; of the copy alone without a launch.
  // Error: "not-modelled".
  virtual Expected<f64> time_with_copy(const Launch* launch, u64 copy_bytes) = 0;
};

}  // namespace lockstep::dissect
