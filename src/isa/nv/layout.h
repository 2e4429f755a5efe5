// Where the variables of a PTX module lie.
#pragma once
#include "isa/nv/lower.h"
#include "isa/program.h"

namespace lockstep::nv {

// The address of what lies nowhere: external variables, textures.
inline constexpr u64 nowhere64 = ~u64{0};

// Fills `layout` and the image's fixups. Error: "bad-ptx" for initial values that name nothing.
Status lay_out(const ModuleTree& tree, std::string_view text, const std::string& name, Layout& layout,
               std::vector<AddressFixup>& fixups);

}  // namespace lockstep::nv
