// Operand fetch and commit: the register file as lane arrays. The quick ways are inline; everything with
// modifiers, parts of registers or lane permutation is in operands.cpp.
#pragma once
#include <cstring>

#include "isa/lane_types.h"
#include "isa/step.h"
#include "isa/wave.h"

namespace lockstep {

// The slow ways. `kind` says how neg, abs and sign extension are meant.
void fetch_modified32(const WaveState& wave, const Instruction& instruction, const Operand& operand,
                      Kind kind, Row<u32>& row);
void fetch_modified64(const WaveState& wave, const Instruction& instruction, const Operand& operand,
                      Kind kind, Row<u64>& row);
void commit_partial(WaveState& wave, const Instruction& instruction, const Operand& operand,
                    const u32* values);
// The active lanes that an instruction with Instruction::partial_write writes: those that its DPP masks and
// sources leave.
u64 written_lanes(const WaveState& wave, const Instruction& instruction);
// Output scale and clamp of float results, in place.
void scale_and_clamp(const WaveState& wave, const Instruction& instruction, Kind kind, u32* values);
void scale_and_clamp(const WaveState& wave, const Instruction& instruction, u64* values);

// OperandKind::derived, a 32-bit value.
u32 derived_value(const WaveState& wave, const Operand& operand);

// A scalar operand or constant, by registers.
inline u32 scalar_value32(const WaveState& wave, const Operand& operand) {
  if (operand.kind == OperandKind::derived) [[unlikely]]
    return derived_value(wave, operand);
  return operand.kind == OperandKind::scalar ? wave.read_scalar(operand.index)
                                             : static_cast<u32>(operand.value);
}
inline u64 scalar_value64(const WaveState& wave, const Operand& operand) {
  if (operand.kind == OperandKind::derived) [[unlikely]]
    return derived_value(wave, operand);
  return operand.kind == OperandKind::scalar ? wave.read_scalar64(operand.index) : operand.value;
}
inline u64 mask_value(const WaveState& wave, const Operand& operand) {
  return operand.kind == OperandKind::scalar ? wave.read_mask(operand.index) : operand.value;
}

// The operand's lanes: its own row where it is a plain register, else `row`, filled.
template <int W>
inline const u32* fetch32(const WaveState& wave, const Instruction& instruction, const Operand& operand,
                          Kind kind, Row<u32>& row) {
  if (operand.plain()) [[likely]] {
    if (operand.kind == OperandKind::vector) return wave.row(operand.index);
    const u32 value = scalar_value32(wave, operand);
    for (int i = 0; i < W; ++i) row.lane[i] = value;
    return row.data();
  }
  fetch_modified32(wave, instruction, operand, kind, row);
  return row.data();
}

// What follows is compiled once for each width: hundreds of meanings share it.

template <int W>
const u64* fetch64(const WaveState& wave, const Instruction& instruction, const Operand& operand, Kind kind,
                   Row<u64>& row);

// A mask operand as a row of 0 and 1.
template <int W>
const u32* fetch_mask(const WaveState& wave, const Operand& operand, Row<u32>& row);

// Under a mask that leaves lanes out.
template <int W>
void commit_some(WaveState& wave, u32 index, const u32* values);

template <int W>
inline bool all_active(const WaveState& wave) {
  return wave.exec() == (W == 64 ? ~u64{0} : 0xFFFFFFFFu);
}

template <int W>
inline void commit_row(WaveState& wave, u32 index, const u32* values) {
  if (all_active<W>(wave)) [[likely]] {
    std::memcpy(wave.row(index), values, W * sizeof(u32));
    return;
  }
  commit_some<W>(wave, index, values);
}

template <int W>
inline void commit32(WaveState& wave, const Instruction& instruction, const Operand& operand,
                     const u32* values) {
  if (instruction.flags & Instruction::partial_write) [[unlikely]] {
    commit_partial(wave, instruction, operand, values);
    return;
  }
  commit_row<W>(wave, operand.index, values);
}

template <int W>
void commit64(WaveState& wave, const Instruction& instruction, const Operand& operand, const u64* values);

// Lane flags, all ones or zeros, become a mask. Lanes that were not active give 0 (AMD) or keep their bit
// (NVIDIA). A lane that DPP keeps from writing counts as not active: the scalar result is written as a whole,
// no lane keeps its bit. Source: "RDNA3 Instruction Set Architecture", "Data Parallel Processing (DPP)";
// LLVM's GCNDPPCombine, which therefore makes no DPP comparison from a DPP move with masks.
template <int W>
void commit_flags(WaveState& wave, const Instruction& instruction, const Operand& operand,
                  const Row<u32>& flags);

}  // namespace lockstep
