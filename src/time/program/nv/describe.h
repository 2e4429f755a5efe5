// What a PTX opcode is among the nodes' operations.
#pragma once
#include "time/program/nv/ir.h"

namespace lockstep::lowering {

// Fills in what a node of a meaning and its operation is: size, sign and the like. False where the table of
// nodes has nothing of its own for it: Op::other, or what was there.
bool describe(Node& node);

}  // namespace lockstep::lowering
