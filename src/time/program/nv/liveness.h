// Where a function's virtual registers hold something that is still read.
#pragma once
#include <vector>

#include "time/program/nv/ranges.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

inline bool is_virtual(const LoweredOperand& operand) {
  using File = LoweredOperand::File;
  const bool file =
      operand.file == File::general || operand.file == File::uniform || operand.file == File::predicate;
  return file && operand.bank == 0 && operand.index != stack_pointer;
}

// visit(operand, written)
template <class Visit>
void for_operands(LoweredInstruction& in, Visit visit) {
  for (LoweredOperand& operand : in.source) visit(operand, false);
  visit(in.guard, false);
  for (LoweredOperand& operand : in.destination) visit(operand, true);
}

// For how many instructions behind its last use a register is not used again: after arithmetic, and after
// memory instructions, which may not have read it yet.
struct Rest {
  u32 fixed = 0, memory = 0;
};

// Where each 32-bit register or predicate holds something that is still read. Instructions are numbered in
// the order of regions; each has two places: reads, then writes.
struct Liveness {
  std::vector<u32> first_unit;  // by virtual register
  std::vector<Ranges> ranges;   // by unit
  std::vector<u32> begin_of;    // number of each region's first instruction
};
Liveness find_liveness(const Function& function, const Plan& plan, Selected& selected, Rest rest = {});

}  // namespace lockstep::lowering
