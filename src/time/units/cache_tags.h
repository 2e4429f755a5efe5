// The tags of a set-associative cache with LRU replacement. An entry whose line is still on its way carries
// the number of its outstanding miss and is not replaced.
#pragma once
#include <vector>

#include "base/assert.h"
#include "base/types.h"
#include "time/units/divider.h"

namespace lockstep {

class CacheTags {
 public:
  static constexpr u32 none = ~0u;
  static constexpr u32 arrived = ~0u;  // no outstanding miss
  static constexpr u64 invalid = ~u64{0};

  CacheTags() = default;
  CacheTags(u32 sets, u32 ways) : ways_(ways), by_sets_(sets) {
    LOCKSTEP_ASSERT(sets > 0 && ways > 0, "a cache has sets and ways");
    const std::size_t entries = std::size_t{sets} * ways;
    line_.assign(entries, invalid);
    used_.assign(entries, 0);
    miss_.assign(entries, arrived);
  }

  u32 entries() const { return static_cast<u32>(line_.size()); }
  u64 line(u32 entry) const { return line_[entry]; }
  u32 miss(u32 entry) const { return miss_[entry]; }
  void set_miss(u32 entry, u32 miss) { miss_[entry] = miss; }
  void invalidate(u32 entry) { line_[entry] = invalid; }

  // `line` is a line number; `index` chooses the set (callers that hash pass something else than the line).
  u32 find(u64 line, u64 index) {
    const u32 base = first_of(index);
    for (u32 way = 0; way < ways_; ++way) {
      if (line_[base + way] == line) {
        used_[base + way] = ++clock_;
        return base + way;
      }
    }
    return none;
  }

  // The entry to take for a new line: an empty one, else the least recently used one. `none` when lines are
  // on their way to all. The caller reads what was there before it calls `place`.
  u32 victim(u64 index) const {
    const u32 base = first_of(index);
    u32 best = none;
    for (u32 way = 0; way < ways_; ++way) {
      const u32 entry = base + way;
      if (miss_[entry] != arrived) continue;
      if (line_[entry] == invalid) return entry;
      if (best == none || used_[entry] < used_[best]) best = entry;
    }
    return best;
  }

  void place(u32 entry, u64 line, u32 miss) {
    line_[entry] = line;
    miss_[entry] = miss;
    used_[entry] = ++clock_;
  }

  // The next to go, unless it is used again.
  void age(u32 entry) { used_[entry] = 0; }

  // Lines on their way are dropped too: they arrive for those who wait and are not kept.
  // What was on its way will not come.
  void drop_misses() {
    for (std::size_t i = 0; i < miss_.size(); ++i) {
      if (miss_[i] == arrived) continue;
      miss_[i] = arrived;
      line_[i] = invalid;
    }
  }

  void invalidate_all() {
    for (u64& line : line_) line = invalid;
  }

 private:
  u32 first_of(u64 index) const { return static_cast<u32>(by_sets_.remainder(index)) * ways_; }

  u32 ways_ = 1;
  Divider by_sets_;
  u64 clock_ = 0;
  std::vector<u64> line_, used_;
  std::vector<u32> miss_;
};

}  // namespace lockstep
