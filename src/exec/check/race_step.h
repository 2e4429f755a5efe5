// One access of one instruction, as the race checker looks at it.
#pragma once
#include <bit>

#include "exec/check/flow.h"
#include "exec/check/races.h"

namespace lockstep {

struct RaceChecker::Step {
  WaveState& wave;
  const Instruction& in;
  const Access& access;
  StepContext& context;
  Group& group;
  check::WaveClock& clock;
  check::RaceShadow& shadow;
  check::SyncPlaces& places;
  u64 base;  // address of the shadow's beginning
  u32 index;
  u32 flags;   // of its touches
  bool local;  // memory
  bool writes;
  u64 lanes;         // to look at
  bool in_row;       // they lie side by side, in their order
  check::Touch now;  // its touches, with lane 0
  bool reported = false;
  check::Touch ordered = {};  // of another wave, and known to come before

  bool atomic() const { return (flags & check::Touch::atomic) != 0; }
};

}  // namespace lockstep
