// Live execution as the timing model's source of instructions: waves are stepped as they issue.
#pragma once
#include <unordered_map>
#include <vector>

#include "exec/group.h"
#include "time/wave_source.h"

namespace lockstep {

class LiveSource final : public WaveSource {
 public:
  // `checker` may be null. The launch must outlive the source.
  explicit LiveSource(const PreparedLaunch& launch, StepChecker* checker = nullptr);

  void begin_group(u64 group, u32 compute_unit, std::span<const WaveHandle> waves) override;
  const Instruction* peek(WaveHandle wave) override;
  const Outcome& next(WaveHandle wave, u64 now_cycles, u32 compute_unit, u32 simd) override;
  void end_group(u64 group, u32 compute_unit) override;
  Diagnostic fault(WaveHandle wave) override;

  u64 instructions() const { return instructions_; }

 private:
  struct Place {
    Group* group = nullptr;
    u32 wave = 0;
  };
  Place& place(WaveHandle wave);

  const PreparedLaunch& launch_;
  const Instruction* code_;
  StepContext context_;
  Outcome outcome_;
  std::vector<Place> places_;  // by wave handle
  std::unordered_map<u64, std::unique_ptr<Group>> groups_;
  std::vector<std::unique_ptr<Group>> idle_;
  u64 instructions_ = 0;
  u32 faulted_at_ = 0;
};

}  // namespace lockstep
