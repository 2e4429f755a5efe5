// Registers as their vendor calls them.
#pragma once
#include <string>

#include "isa/program.h"
#include "isa/register_use.h"

namespace lockstep {

// AMD: v3, a0, s[..] one by one, vcc, exec, m0, scc; its VLIW chips: T3.x. PTX: the text's name of what lies
// there, "%r5", when instruction i reads (`at` 2 * i) or writes (2 * i + 1); the upper half of 64 bits is
// "%rd4.hi". What has no name (values that the
// text does not have in registers) is "row 7" or "scalar 140".
std::string register_name(const Module& module, const Program& program, RegisterFile file, u32 index, u32 at);

// The register of a name that register_name() gives then; false where there is none.
bool find_register(const Module& module, const Program& program, const std::string& name, u32 at,
                   RegisterFile& file, u32& index);

}  // namespace lockstep
