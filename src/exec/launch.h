// Preparing a launch: the image, arguments and private memory in device memory, and the group's shape.
#pragma once
#include <memory>
#include <span>

#include "base/diagnostic.h"
#include "exec/device_memory.h"
#include "isa/launch.h"
#include "isa/program.h"

namespace lockstep {

// Bytes of device memory.
struct MemoryRange {
  u64 address = 0, bytes = 0;
};

// A launch whose pieces lie in device memory; they are freed with it.
class PreparedLaunch {
 public:
  // `resident_waves` is how many waves may exist at once: each gets its private memory. Errors:
  // "wrong-arguments" when the number or sizes of values do not fit the kernel's parameters, "bad-range" when
  // the group's size does not fit the kernel or is zero, "out-of-device-memory". A kernel that prints needs a
  // buffer from prepare_printf_buffer (exec/printf.h). `image_address` is load_image()'s, so that
  // launches share the module's variables; where it is 0 the launch has an image of its own.
  static Expected<std::unique_ptr<PreparedLaunch>> make(DeviceMemory& memory, const Module& module,
                                                        const Program& program, const NdRange& range,
                                                        std::span<const ArgumentValue> values,
                                                        u32 resident_waves, u64 printf_buffer_address = 0,
                                                        u64 image_address = 0);
  ~PreparedLaunch();
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;

  const LaunchState& state() const { return state_; }
  const Module& module() const { return *state_.module; }
  const Program& program() const { return *state_.program; }
  DeviceMemory& memory() const { return *memory_; }
  u32 resident_waves() const { return resident_waves_; }
  GroupId group(u64 linear) const;
  // What the host wrote for this launch alone: arguments and the like.
  std::span<const MemoryRange> written_by_host() const { return written_; }

 private:
  explicit PreparedLaunch(DeviceMemory& memory) : memory_(&memory) {}
  Expected<u64> place(std::span<const u8> bytes, const char* name);

  DeviceMemory* memory_;
  LaunchState state_;
  u32 resident_waves_ = 0;
  std::vector<u64> allocations_;
  std::vector<MemoryRange> written_;
};

// Puts the module's image (code, constants and variables with their initial values) into device memory, where
// variables that await the host's contents count as unwritten; the caller frees it. 0 where there is none.
// Error: "out-of-device-memory".
Expected<u64> load_image(DeviceMemory& memory, const Module& module);

// Checks a range and argument values against a kernel before anything is allocated; the errors of
// PreparedLaunch::make. The target says what a kernel would need for larger groups.
Status check_launch(const Target& target, const Program& program, const NdRange& range,
                    std::span<const ArgumentValue> values);

}  // namespace lockstep
