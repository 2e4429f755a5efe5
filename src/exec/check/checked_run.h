// The checkers of one checked launch as one: what RunChecker and RaceChecker find, as selected.
#pragma once
#include <optional>

#include "exec/check/checker.h"
#include "exec/check/races.h"

namespace lockstep {

class CheckedRun final : public StepChecker {
 public:
  // Buffers are checked for unwritten bytes where DeviceMemory::track_written() was called before they were
  // made. With a log the run goes on after violations.
  CheckedRun(const PreparedLaunch& launch, const CheckSelection& selection, ViolationLog* log = nullptr);

  void begin(std::span<WaveState> waves) override;
  void barrier(std::span<WaveState> waves) override;
  void end(std::span<WaveState> waves) override;
  void before(WaveState& wave, const Instruction& instruction, StepContext& context) override;
  void part(WaveState& wave, const Instruction& instruction, StepContext& context) override;
  void access(WaveState& wave, const Instruction& instruction, const Access& access,
              StepContext& context) override;
  bool uneven_barrier(std::span<WaveState> waves, const Diagnostic& diagnostic) override;
  bool sees_lanes_at_barriers() const override { return true; }
  std::string note() const override;
  u32 place(const WaveState& wave, u32 instruction) const override;

  const RaceChecker* races() const { return races_ ? &*races_ : nullptr; }

 private:
  CheckSelection selection_;
  ViolationLog* log_;
  std::optional<RunChecker> run_;
  std::optional<RaceChecker> races_;
  const StepChecker* raised_ = nullptr;
};

}  // namespace lockstep
