// How far runs are; and runs that do not go on: what ends them, and why nothing can go on any more.
#pragma once
#include <optional>
#include <span>

#include "exec/group.h"

namespace lockstep {

// How far a run is, told now and then while it lasts. Who is told returns false to end the run there.
struct RunProgress {
  u64 groups_done = 0, groups = 0;
  u64 instructions = 0;  // wave-instructions so far
  u64 longest_wave = 0;  // instructions of the wave that ran last; 0 where nobody counts
};

// A wave executed more instructions than it may. `active`: the groups that have begun and not ended.
Diagnostic endless_loop(const PreparedLaunch& launch, const WaveState& wave, u64 most_instructions,
                        std::span<const Group* const> active, const StepChecker* checker);

// Waves wait at a barrier that others of the group, ended, did not reach.
Diagnostic uneven_barrier(const PreparedLaunch& launch, const Group& group, const StepChecker* checker);

// The waves of a group that has come to a barrier wait at barriers of different source lines, which OpenCL C
// does not allow: "divergent-barrier". Nothing where they do not, or the program is none of OpenCL C.
std::optional<Diagnostic> different_barriers(const PreparedLaunch& launch, const Group& group,
                                             const StepChecker* checker);

// Says that no wave of these groups, which are all that have begun, can ever go on, if that is certain: each
// wave either waits at a barrier or, run on its own, comes back to the same registers without having changed
// memory. "deadlock", with every blocked wave's line and what it waits for. Steps the waves to find out and
// undoes what they did. `begun` of all groups have begun; no further one can begin before one of these ends.
std::optional<Diagnostic> find_deadlock(const PreparedLaunch& launch, std::span<Group* const> active,
                                        u64 begun, u64 now_cycles);

// When it is worth to look for a deadlock: after ever longer stretches in which no wave ended, reached a
// barrier or began.
class Patience {
 public:
  explicit Patience(u64 instructions) : first_(instructions), left_(instructions), next_(instructions) {}
  void progress() {
    next_ = first_;
    left_ = first_;
  }
  // Whether to look now, after so many more instructions.
  bool spent(u64 instructions) {
    if (instructions < left_) {
      left_ -= instructions;
      return false;
    }
    next_ *= 4;
    left_ = next_;
    return true;
  }

 private:
  u64 first_, left_, next_;
};

}  // namespace lockstep
