// One work-group in execution: its waves and local memory. The functional runner and the timing model both
// step it.
#pragma once
#include <memory>
#include <vector>

#include "exec/launch.h"
#include "isa/step.h"
#include "isa/wave.h"

namespace lockstep {

enum class WaveStatus : u8 { running, at_barrier, ended };

struct Group {
  GroupId id;
  std::vector<WaveState> waves;
  std::vector<WaveStatus> status;
  std::vector<u8> local;
  u32 running = 0;  // waves that are neither at a barrier nor ended
  u32 at_barrier = 0;

  // Begins group `linear`, its waves in the given resident slots. Reuses what an earlier group allocated.
  void begin(const PreparedLaunch& launch, u64 linear, std::span<const u32> slots);
  bool done() const { return running == 0 && at_barrier == 0; }
  // All waves that have not ended wait at the barrier.
  bool barrier_complete() const { return running == 0 && at_barrier > 0; }
  void release_barrier();
  void arrive(u32 wave);
  void end(u32 wave);
};

// A context for stepping waves of this launch.
StepContext make_context(const PreparedLaunch& launch);

// "work-item (x, y, z), local (x, y, z), group (x, y, z)"
std::string work_item_text(const PreparedLaunch& launch, u32 group, u32 wave_in_group, u32 lane);

const char* fault_code(FaultKind kind);  // of its diagnostic

// What a fault means, in words, with the work-item, the group and the source line that it happened at. The
// checker, which may be null, has more to say about where and why.
Diagnostic describe_fault(const PreparedLaunch& launch, const WaveState& wave, u32 instruction,
                          const Fault& fault, const StepChecker* checker = nullptr);

}  // namespace lockstep
