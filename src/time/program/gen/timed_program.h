// The timed program of Intel's machine code: one TimedOp for each instruction.
#pragma once
#include "isa/program.h"
#include "time/program/timed_op.h"

namespace lockstep {

struct Machine;

// Costs by the machine's keys timing.eu.*. `code_address` is where the module's image lies in device memory.
// Errors: "missing-figure".
Expected<TimedProgram> timed_program_gen(const Machine& machine, const Module& module, u64 code_address);

}  // namespace lockstep
