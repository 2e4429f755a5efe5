// How an access, a fence or a wait orders memory, and what it asks of caches: decoded once, from the bits of
// an encoding or the words of a PTX instruction. Execution, checks and timing read this and never the text.
#pragma once
#include "base/types.h"

namespace lockstep {

// A weak access promises nothing to other work-items; the others are what PTX calls strong and OpenCL atomic.
// Volatile accesses are relaxed ones. Machine code that spells an acquire as a load and a cache invalidation
// says `relaxed` of the load.
enum class Order : u8 { weak, relaxed, acquire, release, acquire_release, sequential };

// Who shares what: the work-items of a wave, a group, some neighbouring compute units (a shader array, a
// cluster), the device, all devices and the host.
enum class Scope : u8 { wave, group, cluster, device, system };

// What the program expects of the line's future.
enum class Reuse : u8 {
  normal,
  streaming,    // used once: the first to be evicted
  keep,         // the last to be evicted
  unchanged,    // leaves the line's place in the order of eviction as it is
  last_use,     // not used again: may be dropped without being written back
  no_allocate,  // is not kept at all
};

struct AccessPolicy {
  // Bits of `flags`.
  static constexpr u8 is_volatile = 1;  // may not be merged, repeated or left out
  static constexpr u8 read_only = 2;  // by a path that does not see stores of the launch (ld.global.nc, ldu)
  static constexpr u8 waits_for_stores = 4;  // no access: all earlier stores of the wave have been performed
  static constexpr u8 joins_lanes = 8;       // no access: orders the wave's work-items among each other
  // An atomic of which nothing in the program shows when it is performed, before or behind others.
  static constexpr u8 unobserved = 16;

  Order order = Order::weak;
  Scope scope = Scope::wave;  // of the order: for whom the access or fence is ordered
  Scope cached =
      Scope::wave;  // the nearest cache that may serve a load or keep a store is one that these share
  Reuse reuse = Reuse::normal;
  u8 flags = 0;

  bool strong() const { return order != Order::weak; }
  bool has(u8 flag) const { return (flags & flag) != 0; }
  bool operator==(const AccessPolicy&) const = default;
};

}  // namespace lockstep
