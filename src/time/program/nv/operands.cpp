#include "time/program/nv/operands.h"

#include <algorithm>

namespace lockstep {
namespace {

// Registers that each bank of the file has to deliver; those that the operand caches hold cost nothing.
std::array<u8, OperandCaches::most_banks> operand_reads(const LoweredInstruction& in, u32 banks,
                                                        OperandCaches& caches) {
  std::array<u8, OperandCaches::most_banks> reads{};
  std::array<u32, LoweredInstruction::most_sources> seen{};
  u32 count = 0;
  for (u32 slot = 0; slot < in.source.size(); ++slot) {
    const LoweredOperand& source = in.source[slot];
    if (source.file != LoweredOperand::File::general || source.index == LoweredOperand::zero_register)
      continue;
    const u32 bank = source.index % banks;
    if (slot < OperandCaches::slots) {
      u32& held = caches.held[slot][bank];
      const bool hit = held == source.index + 1;
      held = (source.modifiers & LoweredOperand::reuse) != 0 ? source.index + 1 : 0;
      if (hit) continue;
    }
    if (std::find(seen.begin(), seen.begin() + count, source.index) != seen.begin() + count) continue;
    seen[count++] = source.index;
    ++reads[bank];
  }
  return reads;
}

}  // namespace

u16 OperandQueues::cycles(const LoweredInstruction& in, u32 banks, OperandCaches& caches) {
  const auto reads = operand_reads(in, banks, caches);
  const u64 issue = std::max(earliest_, done_[next_]);
  u64 all = std::max(issue, done_[(next_ + collecting - 1) % collecting]) + 1;
  for (u32 b = 0; b < banks; ++b) {
    if (reads[b] == 0) continue;
    bank_free_[b] = std::max(bank_free_[b], issue) + reads[b];
    all = std::max(all, bank_free_[b]);
  }
  done_[next_] = all;
  next_ = (next_ + 1) % collecting;
  const u64 waited = issue - earliest_;
  earliest_ = issue + 1;  // while this warp stalls, others collect theirs
  return static_cast<u16>(1 + waited);
}

u16 OperandWindow::waits(const LoweredInstruction& in, u32 banks, OperandCaches& caches, u32 behind) {
  const auto reads = operand_reads(in, banks, caches);
  const u64 earliest = issued_ + behind;
  issued_ = earliest;
  for (u32 b = 0; b < banks; ++b) {
    const u64 until = bank_free_[b] + reads[b];
    if (reads[b] != 0 && until > window) issued_ = std::max(issued_, until - window);
  }
  for (u32 b = 0; b < banks; ++b) {
    if (reads[b] != 0) bank_free_[b] = std::max(bank_free_[b], issued_) + reads[b];
  }
  return static_cast<u16>(issued_ - earliest);
}

}  // namespace lockstep
