// The timed program of AMD machine code: one TimedOp for each instruction.
#pragma once
#include <span>

#include "isa/program.h"
#include "time/program/timed_op.h"

namespace lockstep {

struct Machine;

// Costs by the machine's keys timing.valu.issue_cycles.*, timing.valu.result_cycles.*, timing.matrix.*,
// timing.salu.*. `code_address` is where the module's image lies in device memory. Errors: "not-timed" for an
// instruction that the model does not have, "missing-figure".
Expected<TimedProgram> timed_program_amd(const Machine& machine, const Program& program,
                                         std::span<const Instruction> code, u64 code_address);

}  // namespace lockstep
