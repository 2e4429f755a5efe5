// The GPUs of one context as the timing model keeps them over an application's launches: what lies in their
// caches, and what the host's copies do to it.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "exec/launch.h"
#include "time/timing.h"

namespace lockstep::opencl {

class TimedDevices {
 public:
  // The host or a command of its wrote or read bytes of the context's memory. Any thread may say so, also
  // while a launch runs: it counts from the next launch on.
  void host_wrote(u64 address, u64 bytes) { access({address, bytes}, true); }
  void host_read(u64 address, u64 bytes) { access({address, bytes}, false); }

  struct Launch {
    TimedDevice* device = nullptr;
    u64 on_device = 0, of_kernel = 0;  // which one it is, from 1
  };
  // The machine's device, ready for a launch of this kernel: it knows what the host did since the one before.
  // `buffers`: what the launch may reach; where another device of the context ran the launch before, they
  // come from there as the host's copies do. `kernel` tells kernels apart. One thread at a time. The machine
  // must outlive this. Errors: those of timing_model.
  Expected<Launch> next(const Machine& machine, const std::string& kernel,
                        std::span<const MemoryRange> buffers);

 private:
  struct Access {
    MemoryRange range;
    bool wrote = false;
  };
  struct Entry {
    std::unique_ptr<TimedDevice> device;
    std::vector<Access> since;  // the last launch
    u64 launches = 0;
    std::map<std::string, u64> of_kernel;
  };
  void access(const MemoryRange& range, bool wrote);

  std::mutex mutex_;
  std::map<const Machine*, Entry> entries_;
  const Machine* last_ = nullptr;
};

}  // namespace lockstep::opencl
