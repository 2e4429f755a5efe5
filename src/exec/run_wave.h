// The inner loop of functional execution: one wave, step after step.
#pragma once
#include "isa/instruction.h"
#include "isa/step.h"

namespace lockstep {

// Sees nothing and costs nothing.
struct NoWatch {
  void before(const WaveState&) {}
  void after(const WaveState&, const Instruction&, const StepContext&) {}
};

// Runs one wave until something happens or the budget is spent; returns the instructions executed. `watch` is
// told of each step, before it with the wave's program counter at its instruction.
template <bool Checked, class Watch>
inline u64 run_wave(WaveState& wave, StepContext& context, const Instruction* code, u64 budget,
                    Watch& watch) {
  u64 left = budget;
  while (left != 0) {
    const Instruction& instruction = code[wave.pc];
    --left;
    watch.before(wave);
    ++wave.pc;
    if constexpr (Checked) {
      context.checker->before(wave, instruction, context);
      if (context.event != Event::none) break;
    }
    instruction.run(wave, instruction, context);
    watch.after(wave, instruction, context);
    if (context.event != Event::none) break;
  }
  wave.instructions += budget - left;
  return budget - left;
}

// Runs the waves of one host thread in place of the functional runner, to see each step.
struct StepRunner {
  virtual ~StepRunner() = default;
  // As run_wave, which it calls; checked where the context has a checker.
  virtual u64 run(WaveState& wave, StepContext& context, const Instruction* code, u64 budget) = 0;
};

}  // namespace lockstep
