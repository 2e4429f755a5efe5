// How long windows may be, and which cycles a window is for which kind of shard.
//
// If all shards went through the same cycles, a window could be no longer than the shortest way between two
// of them. But kinds run one after the other: what the ones send arrives in the same round at those that run
// behind them, whose windows begin later by up to the way between. So it is the way there and back that
// bounds a window, twice as much.
//
// A kind that is far away from all others may run between the phases: whenever a host thread would wait for
// other threads.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"

namespace lockstep {

// Mail from a shard of kind `from` to one of kind `to` takes at least so many cycles.
struct MailWay {
  u32 from = 0, to = 0;
  u32 cycles = 1;
};

struct WindowPlan {
  struct Kind {
    u32 phase = 0;  // kinds run in this order
    u32 late = 0;   // cycles by which its windows begin later than the earliest kind's
    // Ordered accesses are performed by it (shard.h): in the order of time, whichever shard it is.
    bool performs = true;
    // It runs at any time behind its thread's first phase of a round and before its first one of the next,
    // whatever other threads do meanwhile. It performs nothing. (Its phase says nothing.)
    bool between = false;
  };
  std::vector<Kind> kinds;
  u32 length = 1;  // cycles

  u32 latest() const;
  u32 phases() const;
};

// The plan for windows of this length: with the kinds' phases, and windows that begin as early as the ways
// allow. No kinds where there is none.
WindowPlan plan_windows(std::span<const WindowPlan::Kind> kinds, std::span<const MailWay> ways, u32 length);
// The one with the longest windows up to `most`; there is one where no way is shorter than a cycle.
WindowPlan longest_windows(std::span<const WindowPlan::Kind> kinds, std::span<const MailWay> ways, u32 most);

}  // namespace lockstep
