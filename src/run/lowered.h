// What NVIDIA's hardware would issue for a kernel, as text; and the registers that it needs.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program.h"

namespace lockstep {

// The text form that docs/lowering.md describes, with the PTX instruction and the line of the source behind
// each instruction. Errors: "not-lowered" for a kernel that is no PTX or whose GPU has no rules yet.
Expected<std::string> lowered_text(const Module& module, const Program& program);

// The same by instruction, for listings that stand beside the code: the index of the PTX instruction that
// each stems from, and its text. Empty where lowered_text() is an error.
std::vector<std::pair<u32, std::string>> lowered_lines(const Module& module, const Program& program);

// Gives each kernel the registers and the spilled bytes of its lowered program, where there are rules for
// its target and the module is not so large that it would take long; then a kernel has them from the second.
void count_lowered_registers(Module& module);
void count_registers_in_large_module(Module& module, const Program& kernel);

}  // namespace lockstep
