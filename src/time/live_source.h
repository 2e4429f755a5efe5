// Live execution as the timing model's source of instructions: waves are stepped as they issue.
#pragma once
#include <unordered_map>
#include <vector>

#include "exec/group.h"
#include "exec/progress.h"
#include "time/wave_source.h"

namespace lockstep {

class LiveSource final : public WaveSource {
 public:
  // `checker` may be null. The launch must outlive the source. A wave that executes more instructions than
  // `most_instructions` faults, and so does one when no wave can ever go on any more (find_deadlock).
  explicit LiveSource(const PreparedLaunch& launch, StepChecker* checker = nullptr,
                      u64 most_instructions = u64{1} << 30);

  void begin_group(u64 group, u32 compute_unit, std::span<const WaveHandle> waves) override;
  const Instruction* peek(WaveHandle wave) override;
  const Outcome& next(WaveHandle wave, u64 now_cycles, u32 compute_unit, u32 simd) override;
  void end_group(u64 group, u32 compute_unit) override;
  Diagnostic fault(WaveHandle wave) override;

  u64 instructions() const { return instructions_; }

 private:
  struct Place {
    WaveState* state = nullptr;
    Group* group = nullptr;
    u32 wave = 0;  // its number in the group
  };
  Place& place(WaveHandle wave);
  std::vector<Group*> active_groups();
  // What the wave's last step means for its group; may end the run with a diagnostic.
  void follow(const Place& at);
  void stop(Diagnostic diagnostic);

  const PreparedLaunch& launch_;
  const Instruction* code_;
  StepContext context_;
  Outcome outcome_;
  std::vector<Place> places_;  // by wave handle
  std::unordered_map<u64, std::unique_ptr<Group>> groups_;
  std::vector<std::unique_ptr<Group>> idle_;
  u64 most_instructions_;
  Patience patience_{u64{1} << 20};
  u64 begun_ = 0;  // groups
  std::optional<Diagnostic> stopped_;
  u64 instructions_ = 0;
  u32 faulted_at_ = 0;
};

}  // namespace lockstep
