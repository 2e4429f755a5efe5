#include "opencl/timed_devices.h"

#include <algorithm>

namespace lockstep::opencl {

void TimedDevices::access(const MemoryRange& range, bool wrote) {
  if (range.bytes == 0) return;
  const std::lock_guard lock(mutex_);
  for (auto& [machine, entry] : entries_) {
    // Loops that write or read piece by piece stay one entry.
    if (!entry.since.empty()) {
      Access& last = entry.since.back();
      const u64 end = last.range.address + last.range.bytes;
      if (last.wrote == wrote && range.address >= last.range.address && range.address <= end) {
        last.range.bytes = std::max(end, range.address + range.bytes) - last.range.address;
        continue;
      }
    }
    entry.since.push_back({range, wrote});
  }
}

Expected<TimedDevices::Launch> TimedDevices::next(const Machine& machine, const std::string& kernel,
                                                  std::span<const MemoryRange> buffers) {
  const std::lock_guard lock(mutex_);
  if (!entries_.contains(&machine)) {
    Expected<std::unique_ptr<TimedDevice>> made = TimedDevice::make(machine);
    if (!made) return made.error();
    entries_[&machine].device = std::move(*made);
  }
  Entry& entry = entries_[&machine];
  for (const Access& access : entry.since) {
    if (access.wrote)
      entry.device->host_wrote(access.range.address, access.range.bytes);
    else
      entry.device->host_read(access.range.address, access.range.bytes);
  }
  entry.since.clear();
  if (last_ != nullptr && last_ != &machine) {
    for (const MemoryRange& range : buffers) entry.device->host_wrote(range.address, range.bytes);
  }
  last_ = &machine;
  return Launch{entry.device.get(), ++entry.launches, ++entry.of_kernel[kernel]};
}

}  // namespace lockstep::opencl
