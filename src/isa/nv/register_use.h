// Which registers a PTX instruction reads and writes: see isa/register_use.h.
#pragma once
#include "isa/instruction.h"
#include "isa/register_use.h"

namespace lockstep::nv {

struct Tables;

// Rows are the wave's, predicates and the carry flag its scalars. `tables` are the module's.
void register_use(const Instruction& instruction, const Tables* tables, RegisterUse& use);

}  // namespace lockstep::nv
