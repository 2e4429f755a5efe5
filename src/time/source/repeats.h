// Which accesses of a wave repeat: a load or store whose addresses are those of the same instruction's last
// execution, with no barrier of the group between. What they move could have stayed in a register.
#pragma once
#include <vector>

#include "time/source/segment.h"

namespace lockstep {

class RepeatTable {
 public:
  // Of a wave's instructions that access memory so many are remembered; in one that has more, later ones take
  // the places of earlier ones.
  static constexpr u32 most_instructions = 256;

  // What is known of the wave's accesses before it began belongs to another one.
  void begin_wave(u32 wave) {
    if (wave >= waves_.size()) waves_.resize(wave + 1);
    ++waves_[wave].epoch;
  }

  // Calls repeated(access, end, repeats) for each instruction of the segment that loads or stores, with the
  // range of its accesses.
  template <class See>
  void see(u32 wave, const Segment& segment, See&& repeated) {
    Wave& w = waves_[wave];
    const std::vector<SegmentAccess>& accesses = segment.accesses;
    for (std::size_t at = 0, end = 0; at < accesses.size(); at = end) {
      const u32 instruction = segment.first + accesses[at].instruction;
      Last now{1, 0, w.epoch};
      bool counts = true;
      for (end = at; end < accesses.size() && accesses[end].instruction == accesses[at].instruction; ++end) {
        counts = counts && can_repeat(accesses[end]);
        if (counts) mix(now, segment, accesses[end]);
      }
      if (!counts) continue;
      const u32 place = place_of(instruction);
      if (place >= w.last.size()) w.last.resize(place + 1);
      Last& last = w.last[place];
      const bool same = last.epoch == now.epoch && last.key == now.key && (now.lanes & ~last.lanes) == 0;
      last = now;
      repeated(at, end, same);
    }
    if (segment.end == Event::barrier) ++w.epoch;
  }

 private:
  struct Last {
    u64 key = 0, lanes = 0;  // of all accesses of the instruction's last execution
    u64 epoch = 0;
  };
  struct Wave {
    u64 epoch = 0;  // changes where others may have written what was read before
    std::vector<Last> last;
  };

  // Private memory holds what found no register; atomics change what others see.
  static bool can_repeat(const SegmentAccess& access) {
    const bool plain = access.kind == AccessKind::load || access.kind == AccessKind::store;
    return plain && access.space != Space::private_memory && access.space != Space::image;
  }

  // Of a uniform or strided access fewer lanes repeat what more lanes did; of a list all of them have to be
  // the same.
  static void mix(Last& into, const Segment& segment, const SegmentAccess& access) {
    const auto add = [&](u64 value) {
      into.key = (into.key ^ value) * 0x9E37'79B9'7F4A'7C15;
      into.key ^= into.key >> 32;
    };
    into.lanes |= access.lanes;
    if (access.pattern == Pattern::list) {
      add(access.lanes);
      u32 at = access.list;
      for (u64 rest = access.lanes; rest != 0; rest &= rest - 1) add(segment.addresses[at++]);
      return;
    }
    // The only lane of an access has no stride.
    add(access.base);
    add(static_cast<u64>(access.stride));
  }

  u32 place_of(u32 instruction) {
    if (instruction >= places_.size()) places_.resize(instruction + 1, none);
    u32& place = places_[instruction];
    if (place == none) place = used_++ % most_instructions;
    return place;
  }

  static constexpr u32 none = ~u32{0};
  std::vector<Wave> waves_;
  std::vector<u32> places_;  // by instruction
  u32 used_ = 0;
};

}  // namespace lockstep
