// The first target that has an instruction, of those from sm_30 on: what a text for an older one may not say,
// as the vendor's assembler refuses it. What only the GPUs before Fermi lack is told in reports
// (requirements.h).
#pragma once
#include <optional>

#include "isa/nv/syntax.h"
#include "machine/target.h"

namespace lockstep::nv {

// The capability (major * 10 + minor) that the statement needs beyond `has`; 0: none.
u32 lacked_target(const Statement& statement, u32 has);

// The capability that the special register ("%globaltimer") needs; 0: all that have PTX of 2.0 have it.
u32 special_target(std::string_view name);

// The capability of "sm_90", "sm_90a"; nothing for what names no target.
std::optional<u32> capability_named(std::string_view target);

// Whether the GPU runs PTX of the module's .target: that target and all later ones do, but "sm_90a" is
// for 9.0 alone. Error: "bad-ptx" at the directive's line.
Status check_target(const ModuleTree& tree, const Target& target, std::string_view text,
                    const std::string& name);

}  // namespace lockstep::nv
