// What each wave of a launch did over the time, for pictures: when it was resident, for what it waited, when
// its loads were under way, what lines and banks it wanted. Noted where a launch is timed for it, and nowhere
// else.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "time/stall.h"
#include "time/units/coalescer.h"

namespace lockstep {

struct LaunchTrace {
  struct Wave {
    u64 group = 0;
    u32 wave = 0;  // of the group
    u32 unit = 0, simd = 0, slot = 0;
    u64 begin = 0, end = 0;  // cycles, half-open
  };
  struct Wait {
    u32 wave = 0;         // index in `waves`
    u32 instruction = 0;  // in front of which it waited
    Stall reason = Stall::launch;
    u64 begin = 0, end = 0;
  };
  struct Load {
    u32 wave = 0;
    u64 begin = 0, end = 0;  // from its issue to its last line
  };
  struct Touch {  // of a line of memory, by a load, a store or an atomic
    u64 cycle = 0, line = 0;
    u32 unit = 0;
  };
  struct Cache {
    std::string name;
    u64 bytes = 0;
    bool shared = false;  // by all units; else each has one
  };
  // What is asked for: at most so many waits and so many loads of each cluster of units, those that come
  // first. Waits of fewer cycles than `least_cycles` are not kept one by one.
  u64 most_each = 1000;
  u32 least_cycles = 4;
  u64 bucket_cycles = 1;  // of `buckets`, over all waves
  u64 most_touches = 0;   // of each cluster of units, those that come first
  // What was found.
  std::vector<Wave> waves;
  std::vector<Wait> waits;
  std::vector<Load> loads;
  std::vector<std::array<u64, stall_count>> buckets;  // wave-cycles of each reason
  u64 left_out = 0;                                   // waits and loads beyond those asked for
  std::vector<Touch> touches;                         // of each cluster in the order of their issue
  u64 touches_left_out = 0;
  u32 line_bytes = 0;           // of a touch: the first level's
  std::vector<Cache> caches;    // what holds lines, the first level first
  std::vector<u64> bank_turns;  // by bank of local memory: turns in which it had a word to serve
  u64 turns = 0;                // that accesses to local memory took

  void wait(u32 wave, u32 instruction, Stall reason, u64 begin, u64 end) {
    for (u64 at = begin; at < end;) {
      const u64 bucket = at / bucket_cycles, next = std::min(end, (bucket + 1) * bucket_cycles);
      if (bucket >= buckets.size()) buckets.resize(bucket + 1);
      buckets[bucket][static_cast<std::size_t>(reason)] += next - at;
      at = next;
    }
    if (!waits.empty() && waits.back().wave == wave && waits.back().reason == reason &&
        waits.back().instruction == instruction && waits.back().end == begin) {
      waits.back().end = end;
    } else if (end - begin >= least_cycles) {
      if (waits.size() < most_each)
        waits.push_back({wave, instruction, reason, begin, end});
      else
        ++left_out;
    }
  }
  void load(u32 wave, u64 begin, u64 end) {
    if (loads.size() < most_each)
      loads.push_back({wave, begin, end});
    else
      ++left_out;
  }
  void touch(u64 cycle, u32 unit, std::span<const LineAccess> lines) {
    for (const LineAccess& one : lines) {
      if (touches.size() < most_touches)
        touches.push_back({cycle, one.address / line_bytes, unit});
      else
        ++touches_left_out;
    }
  }
  // What another cluster noted, behind this one's.
  void add(LaunchTrace other) {
    const u32 first = static_cast<u32>(waves.size());
    waves.insert(waves.end(), other.waves.begin(), other.waves.end());
    for (Wait one : other.waits) {
      one.wave += first;
      waits.push_back(one);
    }
    for (Load one : other.loads) {
      one.wave += first;
      loads.push_back(one);
    }
    if (buckets.size() < other.buckets.size()) buckets.resize(other.buckets.size());
    for (std::size_t i = 0; i < other.buckets.size(); ++i) {
      for (std::size_t reason = 0; reason < stall_count; ++reason)
        buckets[i][reason] += other.buckets[i][reason];
    }
    left_out += other.left_out;
    touches.insert(touches.end(), other.touches.begin(), other.touches.end());
    touches_left_out += other.touches_left_out;
    bank_turns.resize(std::max(bank_turns.size(), other.bank_turns.size()));
    for (std::size_t i = 0; i < other.bank_turns.size(); ++i) bank_turns[i] += other.bank_turns[i];
    turns += other.turns;
  }
};

}  // namespace lockstep
