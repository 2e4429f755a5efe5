// The hardware's registers that instructions read and write, by number.
#pragma once
#include <algorithm>

#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

// visit(operand, written, guard)
template <class Visit>
void registers_of(const LoweredInstruction& in, Visit visit) {
  using File = LoweredOperand::File;
  for (const LoweredOperand& operand : in.source) {
    if (operand.file != File::none) visit(operand, false, false);
  }
  if (in.guard.file != File::none) visit(in.guard, false, true);
  for (const LoweredOperand& operand : in.destination) {
    if (operand.file != File::none) visit(operand, true, false);
  }
}

// General, uniform, predicates, uniform predicates.
inline constexpr u32 register_names = 256 + 64 + 8 + 8, no_name = ~u32{0};
inline u32 name_of(const LoweredOperand& o, u32 k) {
  using O = LoweredOperand;
  using File = LoweredOperand::File;
  switch (o.file) {
    case File::general:
      return o.index == O::zero_register ? no_name : o.index + k < 255 ? o.index + k : no_name;
    case File::uniform:
      return o.index == O::zero_uniform ? no_name : 256 + std::min(o.index + k, 62u);
    case File::predicate:
      return o.index == O::true_predicate ? no_name : 320 + o.index;
    case File::uniform_predicate:
      return o.index == O::true_predicate ? no_name : 328 + o.index;
    case File::constant:
      return o.index == O::zero_register || k != 0 ? no_name : o.index;
    default:
      return no_name;
  }
}

}  // namespace lockstep::lowering
