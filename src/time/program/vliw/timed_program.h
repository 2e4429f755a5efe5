// The timed program of AMD's VLIW machine code: one TimedOp for each packet, fetch, export and instruction of
// the control-flow program.
#pragma once
#include "isa/program.h"
#include "time/program/timed_op.h"

namespace lockstep {

struct Machine;

// Costs by the machine's keys timing.packet.*, timing.clause.*. `code_address` is where the module's image
// lies in device memory. Errors: "missing-figure".
Expected<TimedProgram> timed_program_vliw(const Machine& machine, const Module& module, u64 code_address);

}  // namespace lockstep
