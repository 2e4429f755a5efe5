// Member masks of .sync instructions: which lanes take part together.
#pragma once
#include "isa/nv/splits.h"
#include "isa/shapes.h"

namespace lockstep::nv {

// Operand [5] of an instruction with a member mask, by lane; lanes of `active` without one: all that are
// active.
void member_row(const WaveState& wave, const Instruction& in, Row<u32>& members);

// From Volta on, makes EXEC all lanes whose members have come to this instruction; false when the running
// ones have to wait, and another side has its turn. Before, the lanes that are active together take part.
bool gather_members(WaveState& wave, const Instruction& in, StepContext& context, bool anywhere);
// Behind the instruction: lanes of other sides go their own way again.
void part_members(WaveState& wave, PtxWave& state);

// A cross-lane instruction that waits for its members.
template <class S>
struct Synced : S {
  static constexpr u16 implied = implies::reads_exec | implies::writes_exec;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (!gather_members(wave, in, context, false)) return;
    S::template step<W>(wave, in, context);
    part_members(wave, ptx(wave));
  }
};

}  // namespace lockstep::nv
