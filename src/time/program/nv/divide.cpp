// Divisions of 32-bit integers are products with a reciprocal, which the assembler makes once for all
// divisions by one divisor and in front of loops in which that does not change.
#include "time/program/nv/ir.h"

namespace lockstep::lowering {

void share_reciprocals(Function& function) {
  for (Block& block : function.blocks) {
    const std::vector<u32> list = std::move(block.nodes);
    block.nodes.clear();
    for (const u32 number : list) {
      Node& n = function.nodes[number];
      const bool divides = (n.op == Op::div || n.op == Op::rem) && n.width == 1 && n.bits == 32 && !n.real;
      if (divides) {
        Node reciprocal;
        reciprocal.op = Op::reciprocal;
        reciprocal.width = 1;
        reciprocal.bits = 32;
        reciprocal.is_signed = n.is_signed;
        reciprocal.in = {n.in[1]};
        reciprocal.block = n.block;
        reciprocal.from = n.from;
        const u32 made = function.add(std::move(reciprocal));
        n.in.insert(n.in.begin() + 2, Ref{made});
        block.nodes.push_back(made);
      }
      block.nodes.push_back(number);
    }
  }
}

}  // namespace lockstep::lowering
