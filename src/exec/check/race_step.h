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
  check::Sort sort;  // of its touches
  bool local;        // memory
  u64 lanes;         // to look at
  bool in_row;       // they lie side by side, in their order
  check::Touch now;  // its touches, with lane 0
  bool reported = false;
  check::Touch ordered = {};  // of another wave, and known to come before

  bool writes() const { return sort != check::Sort::read && sort != check::Sort::atomic_load; }
  bool atomic() const { return sort == check::Sort::atomic || sort == check::Sort::atomic_load; }
};

}  // namespace lockstep

namespace lockstep::check {

// What a store writes for one lane, in its place `number` of two; false where it is not known.
bool stored_value(const WaveState& wave, const Instruction& in, const Access& access, u32 number, u32 lane,
                  bool ptx, std::array<u8, 64>& bytes);
// The lanes whose compare-exchange leaves memory as it is, since something else is there than they expect.
u64 failing_exchanges(const WaveState& wave, const Instruction& in, const Access& access, u64 lanes,
                      const StepContext& context);

}  // namespace lockstep::check
