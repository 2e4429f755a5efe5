// Dependence barriers: an instruction whose result comes at no fixed time raises one or two of its wave's
// barriers, which are lowered when the result is written and when the sources have been read; instructions
// wait for barriers that are down.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

// What a wave waits for that waits for the op's result.
Stall Cluster::barrier_reason(const TimedOp& op) {
  switch (op.pipe) {
    case Pipe::vector_memory:
      return Stall::vector_memory;
    case Pipe::local_memory:
      return Stall::local_memory;
    case Pipe::scalar_memory:
      return Stall::scalar_memory;
    default:
      return Stall::dependency;
  }
}

void Cluster::raise_barrier(Wave& wave, u8 barrier, Stall reason) {
  if (barrier == TimedOp::no_barrier) return;
  Barriers& b = barriers_[wave.handle];
  ++b.raised[barrier];
  b.reason[barrier] = reason;
}

// It will be down at `time`, as far as this operation is concerned.
void Cluster::lower_barrier(Wave& wave, u8 barrier, u64 time) {
  if (barrier == TimedOp::no_barrier) return;
  Barriers& b = barriers_[wave.handle];
  LOCKSTEP_ASSERT(b.raised[barrier] > 0, "a barrier is lowered as often as it was raised");
  --b.raised[barrier];
  b.down[barrier] = std::max(b.down[barrier], time);
}

// The cycle in which these barriers are down; `never` while that is unknown.
u64 Cluster::barriers_down(const Wave& wave, u8 barriers, Stall& why) const {
  const Barriers& b = barriers_[wave.handle];
  u64 time = 0;
  for (u32 bits = barriers; bits != 0; bits &= bits - 1) {
    const u32 barrier = static_cast<u32>(std::countr_zero(bits));
    const u64 down = b.raised[barrier] != 0 ? never : b.down[barrier];
    if (down <= time) continue;
    time = down;
    why = b.reason[barrier];
    if (time == never) return never;
  }
  return time;
}

}  // namespace lockstep
