// How many cycles an instruction's issue takes because of the register banks that it reads.
#pragma once
#include <array>

#include "time/program/nv/lowered.h"

namespace lockstep {

// What a wave's operand caches hold: an entry for each bank and slot, of a register that was read with
// `.reuse`, until that slot reads the bank again (HU).
struct OperandCaches {
  static constexpr u32 slots = 3, most_banks = 8;
  std::array<std::array<u32, most_banks>, slots> held{};  // register + 1; 0: none
};

// Before Volta two instructions at a time collect their operands, each bank delivers one a cycle to the older
// one first, and they leave in order: what the published mixes of three instructions take (CUAB).
class OperandQueues {
 public:
  // Cycles until the next instruction can issue, one where nothing waits.
  u16 cycles(const LoweredInstruction& in, u32 banks, OperandCaches& caches);

 private:
  static constexpr u32 collecting = 2;
  u64 earliest_ = 0;                                        // the next instruction's issue
  std::array<u64, OperandCaches::most_banks> bank_free_{};  // cycles
  std::array<u64, collecting> done_{};                      // when the last ones had all operands
  u32 next_ = 0;
};

// From Volta on an instruction reads its operands in the three cycles behind its issue, from banks that
// deliver one a cycle each, and does not issue before all of them have their turn (HU). Multiply-adds of
// three registers one behind the other so take 1.5 cycles each, as an H200 has them, and one that two in one
// bank would hold up goes at once beside such as leave it free. 97 sequences of FFMA and of IMAD, which its
// pipe takes every other cycle, are within 7 % and 11 % of an H200, 1 % in the mean (operands.txt in
// experiments/h200-timing).
class OperandWindow {
 public:
  // Cycles that its issue is put off, where its pipe would take it `behind` cycles after the one before.
  u16 waits(const LoweredInstruction& in, u32 banks, OperandCaches& caches, u32 behind);

 private:
  static constexpr u64 window = 3;
  u64 issued_ = 0;
  std::array<u64, OperandCaches::most_banks> bank_free_{};  // cycles
};

}  // namespace lockstep
