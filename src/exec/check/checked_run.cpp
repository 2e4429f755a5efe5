#include "exec/check/checked_run.h"

namespace lockstep {

CheckedRun::CheckedRun(const PreparedLaunch& launch, const CheckSelection& selection, ViolationLog* log)
    : selection_(selection), log_(log) {
  if (selection.definedness_or_bounds()) run_.emplace(launch, selection, log);
  if (selection.races) races_.emplace(launch, selection, log);
}

void CheckedRun::begin(std::span<WaveState> waves) {
  if (run_) run_->begin(waves);
  if (races_) races_->begin(waves);
}

void CheckedRun::barrier(std::span<WaveState> waves) {
  if (races_) races_->barrier(waves);
}

void CheckedRun::end(std::span<WaveState> waves) {
  if (races_) races_->end(waves);
}

void CheckedRun::before(WaveState& wave, const Instruction& instruction, StepContext& context) {
  if (run_) {
    run_->before(wave, instruction, context);
    if (context.fault.kind != FaultKind::none) {
      raised_ = &*run_;
      return;
    }
  }
  if (races_) races_->before(wave, instruction, context);
}

void CheckedRun::part(WaveState& wave, const Instruction& instruction, StepContext& context) {
  if (!run_) return;
  run_->part(wave, instruction, context);
  if (context.fault.kind != FaultKind::none) raised_ = &*run_;
}

void CheckedRun::access(WaveState& wave, const Instruction& instruction, const Access& access,
                        StepContext& context) {
  if (run_) {
    run_->access(wave, instruction, access, context);
    raised_ = &*run_;
    if (context.fault.kind != FaultKind::none) return;
  }
  if (!races_) return;
  races_->access(wave, instruction, access, context);
  if (context.fault.kind != FaultKind::none) raised_ = &*races_;
}

bool CheckedRun::uneven_barrier(std::span<WaveState> waves, const Diagnostic& diagnostic) {
  if (!selection_.barriers) return true;
  if (log_ == nullptr) return false;
  if (log_->wanted(diagnostic.code, waves[0].pc)) log_->keep(diagnostic);
  return true;
}

std::string CheckedRun::note() const {
  return raised_ != nullptr ? raised_->note() : std::string();
}

u32 CheckedRun::place(const WaveState& wave, u32 instruction) const {
  if (races_) return races_->place(wave, instruction);
  return run_ ? run_->place(wave, instruction) : instruction;
}

}  // namespace lockstep
