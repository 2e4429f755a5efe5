// A slice of a shared cache: in-order look-ups at its bandwidth, misses with those who wait for them, its
// store policy, atomics in turn. One class for every level beyond the compute units.
#pragma once
#include <deque>
#include <vector>

#include "time/engine/shard.h"
#include "time/memory/hierarchy.h"
#include "time/units/cache_tags.h"

namespace lockstep {

struct SliceCounts {
  u64 reads = 0, writes = 0, atomics = 0;      // requests
  u64 hits = 0, merges = 0, misses = 0;        // of reads and atomics; and writes that found a line or not
  u64 read_bytes = 0, write_bytes = 0;         // delivered, taken in
  u64 write_backs = 0, blocked = 0, atomic_wait_cycles = 0;
  u64 busy_cycles = 0, most_waiting = 0;
  u64 by_purpose[4] = {};                      // requests
};

class Slice;

}  // namespace lockstep
