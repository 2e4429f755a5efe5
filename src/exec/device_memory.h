// The modelled GPU's global memory: allocations in one stretch of device addresses, backed by host memory
// that costs only what programs touch. Device addresses do not depend on the host's.
#pragma once
#include <map>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "isa/step.h"

namespace lockstep {

// What kernels may do with an allocation, by the host's promise. Checked runs alone ask.
enum class KernelUse : u8 { loads_and_stores, loads, stores };

struct Allocation {
  u64 address = 0;
  u64 bytes = 0;
  std::string name;  // for messages
  KernelUse use = KernelUse::loads_and_stores;
};

// Allocations may be made, freed and looked for by several threads at once; what lies in them is their users'
// to keep in order.
class DeviceMemory {
 public:
  // Device addresses start here: clear of the flat apertures and of small integers.
  static constexpr u64 first_address = u64{0x10} << 32;

  // Reserves address space for `capacity_bytes`, or for as much as the host grants.
  explicit DeviceMemory(u64 capacity_bytes = u64{64} << 30);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Zeroed memory at a multiple of `alignment` (a power of two, at least 256 is taken), with a gap behind it.
  // The lowest place that fits. Error: "out-of-device-memory".
  Expected<u64> allocate(u64 bytes, u64 alignment, std::string name);
  // Frees an allocation's memory; an address that allocate() did not return is a broken invariant.
  void free(u64 address);
  // Of an allocation that begins at the address.
  void set_use(u64 address, KernelUse use);

  // Errors: "outside-allocation" unless the range lies within one allocation.
  Status write(u64 address, std::span<const u8> bytes);
  Status read(u64 address, std::span<u8> bytes) const;
  // Repeats `pattern` (not empty) over `bytes`.
  Status fill(u64 address, u64 bytes, std::span<const u8> pattern);
  // The ranges may overlap.
  Status copy(u64 to, u64 from, u64 bytes);

  // The allocation that holds the whole range, if one does.
  std::optional<Allocation> find(u64 address, u64 bytes) const;
  // The allocation that holds the address or is nearest to it; none when there are none.
  std::optional<Allocation> nearest(u64 address) const;

  u64 allocated_bytes() const { return allocated_; }
  u64 high_water_bytes() const { return high_water_; }  // the most that was ever allocated at once
  u64 capacity_bytes() const { return capacity_; }
  // What instructions may touch: everything up to the highest allocation so far.
  GlobalMemory view() const { return {host_, first_address, accessible_}; }

  // Which bytes anybody wrote; kept only once asked for, from when on every new allocation starts unwritten.
  // Host writes and the checker mark; marking is safe between threads, and ignores what is not device memory.
  void track_written();
  bool tracks_written() const { return tracked_; }
  void mark_written(u64 address, u64 bytes);
  void mark_unwritten(u64 address, u64 bytes);
  // Bit i: byte address + i was written; up to 16 bytes.
  u32 written_mask(u64 address, u32 bytes) const;
  // The first byte of the range that nobody wrote; nothing where all are written or nothing is tracked.
  std::optional<u64> first_unwritten(u64 address, u64 bytes) const;

 private:
  // With the mutex held.
  const Allocation* holder(u64 address, u64 bytes) const;
  bool holds(u64 address, u64 bytes) const;  // takes the mutex
  bool make_accessible(u64 bytes);
  void clear_pages(u8* memory, u64 offset, u64 bytes);

  u8* host_ = nullptr;
  u64 capacity_ = 0;
  u64 accessible_ = 0;
  u64 allocated_ = 0;
  u64 high_water_ = 0;
  mutable std::shared_mutex mutex_;  // of what follows
  std::map<u64, Allocation> allocations_;
  bool tracked_ = false;
  u64* shadow_ = nullptr;  // a bit per byte of the capacity, reserved like the memory itself
};

}  // namespace lockstep
