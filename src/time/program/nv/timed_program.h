// What PTX costs: the lowered program's instructions by the figures of a machine file.
#pragma once
#include <span>

#include "isa/program.h"
#include "time/program/timed_op.h"

namespace lockstep {

struct LoweredProgram;
struct Machine;

// Errors: "missing-figure".
// `code`: what LoweredInstruction::from counts.
Expected<TimedProgram> timed_program_nv(const Machine& machine, std::span<const Instruction> code,
                                        const LoweredProgram& lowered, u64 code_address);

// The same of the module's kernel, lowered as the vendor's assembler would; `cuts` as lower_kernel takes
// them. Errors also: those of lowering.
Expected<TimedProgram> timed_program_nv(const Machine& machine, const Module& module, const Program& program,
                                        std::span<const u8> cuts, u64 code_address);

}  // namespace lockstep
