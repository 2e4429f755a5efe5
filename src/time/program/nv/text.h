// The text form of lowered programs: what the assembler's own tools print for the machine's code, with the
// control words in front of each instruction and where it comes from behind it. docs/lowering.md describes
// it.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "time/program/nv/lowered.h"

namespace lockstep {

// `comment`, if any, gives what is said behind an instruction about the PTX instruction that it stems from.
std::string print_lowered(const LoweredProgram& program,
                          const std::function<std::string(u32 from)>& comment = {});
std::string print_lowered(const LoweredInstruction& instruction);

// Reads what print_lowered wrote. Error: "bad-lowered" with the line.
Expected<LoweredProgram> read_lowered(std::string_view text, const std::string& name);

}  // namespace lockstep
