// The control-flow graph of a function.
#pragma once
#include <vector>

#include "isa/nv/lower.h"

namespace lockstep::nv {

struct Block {
  u32 begin = 0, end = 0;
  std::vector<u32> next, before;
};

struct Graph {
  std::vector<Block> blocks;
  std::vector<u32> block_of;  // by instruction
};

inline bool is_branch(const Lowered& lowered) {
  return lowered.target != no_index || !lowered.targets.empty();
}

Graph graph_of(const std::vector<Lowered>& code);

inline bool is_virtual(const Operand& operand) {
  return (operand.kind == OperandKind::vector || operand.kind == OperandKind::scalar) &&
         (operand.index & virtual_register) != 0;
}

// Calls of function for each virtual register that the instruction reads or writes.
template <class F>
void for_registers(const Lowered& lowered, F function) {
  for (u32 slot = 0; slot < lowered.in.operand.size(); ++slot) {
    const Operand& operand = lowered.in.operand[slot];
    if (is_virtual(operand))
      function(operand.index & ~virtual_register, ((lowered.defined >> slot) & 1) != 0);
  }
  if (lowered.guard != no_index) function(lowered.guard, false);
  for (const u32 reg : lowered.wide_sources) function(reg, false);
  for (const u32 reg : lowered.wide_results) function(reg, true);
}

}  // namespace lockstep::nv
