// What the checker's parts share about the instruction at hand.
#pragma once
#include "exec/check/checker.h"
#include "exec/check/flow.h"

namespace lockstep {

struct RunChecker::Step {
  WaveState& wave;
  check::WaveShadow& shadow;
  const Instruction& in;
  const check::Rule& rule;
  u32 index;  // of the instruction
  StepContext& context;
  u64 active;  // lanes

  u32 first_lane() const { return active == 0 ? 0 : static_cast<u32>(std::countr_zero(active)); }
};

// Channels of whose predicate it is not known what it says.
u32 undecided_channels(const check::ByteShadow& shadow, const ByteChannels& channels);

}  // namespace lockstep
