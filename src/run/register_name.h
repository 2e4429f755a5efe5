// Registers as their vendor calls them.
#pragma once
#include <string>

#include "isa/program.h"
#include "isa/register_use.h"

namespace lockstep {

// AMD: v3, a0, s[..] one by one, vcc, exec, m0, scc; its VLIW chips: T3.x. What has no name of the vendor's
// (a PTX program's registers lie in rows that it does not number) is "row 7" or "scalar 140".
std::string register_name(const Module& module, const Program& program, RegisterFile file, u32 index);

// The register of a name that register_name() gives; false where there is none.
bool find_register(const Module& module, const Program& program, const std::string& name, RegisterFile& file,
                   u32& index);

}  // namespace lockstep
