// Which accesses come before which: vector clocks of waves and of the places through which they synchronise.
//
// A wave's clock counts its releases. Within a group every wave knows a clock of every other; of waves of
// other groups it knows those that reached it through atomics. What does not fit the bounds counts as known:
// the checker would rather miss a race than report one that is none.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace lockstep::check {

// A point in a wave's execution; waves are numbered through the launch.
struct Stamp {
  u32 wave = 0;
  u32 clock = 0;
};

// What a point of execution comes behind, by wave in ascending order.
using Stamps = std::vector<Stamp>;

// The greater clock of each wave.
Stamps joined(const Stamps& a, const Stamps& b);
// Raises one wave's clock.
void raise(Stamps& stamps, const Stamp& stamp);

// A place in memory that atomics synchronise through.
struct SyncPlace {
  Stamps released;
  bool everything = false;  // more than the bounds allow: who acquires it knows all
};

struct WaveClock {
  u32 wave = 0;                           // in the launch
  u32 first = 0;                          // of its group
  u32 clock = 1;                          // of what it does now
  u32 barrier_clock = 1;                  // its clock after the last barrier, of its own lanes too
  u32 met_clock = 1;                      // its clock when the group last met
  std::vector<u32> known;                 // clocks of the group's waves that come before
  std::shared_ptr<const Stamps> foreign;  // of other groups' waves
  bool everything = false;
  std::vector<u32> calls;  // the instructions that called the functions at hand, the outermost first
  bool waited = false;     // for its earlier memory instructions, and stored nothing since

  // Whether what `stamp` names comes before what this wave does now.
  bool behind(const Stamp& stamp) const {
    const u32 in_group = stamp.wave - first;
    if (in_group < known.size()) return stamp.wave == wave || known[in_group] >= stamp.clock;
    return everything || (foreign != nullptr && behind_foreign(stamp));
  }
  bool behind_foreign(const Stamp& stamp) const;
  void acquire(const SyncPlace& place);
  void release(SyncPlace& place);
};

// All waves of a group met.
void meet(std::vector<WaveClock>& waves);

// The places of one memory, by dword. Bounded: places that come too late share one.
class SyncPlaces {
 public:
  static constexpr std::size_t most_places = std::size_t{1} << 18;
  static constexpr std::size_t most_stamps = std::size_t{1} << 14;  // of one place

  SyncPlace& at(u64 address);
  // The place, or null where nothing was released.
  const SyncPlace* find(u64 address) const;
  void clear();

 private:
  std::unordered_map<u64, SyncPlace> places_;
  SyncPlace rest_;
  bool overflowed_ = false;
};

}  // namespace lockstep::check
