// The order in which a function's code lies.
#pragma once
#include "isa/nv/syntax.h"

namespace lockstep::nv {

// Lays what a text has out of its natural order (as LLVM's NVPTX back end writes it, which places no blocks)
// so that code comes behind what leads to it, but for the ends of loops. What falls through stays together;
// a text in natural order stays as it is. Statements keep their line and place; which of them jump back in
// the text is noted in any case (Statement::jumps_back).
void put_in_natural_order(FunctionTree& function);

}  // namespace lockstep::nv
