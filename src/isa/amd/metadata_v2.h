// The kernel metadata of code objects of version 2: YAML in a note.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep::amd {

// The note's text as the metadata of later versions has it: "amdhsa.kernels" with ".name", ".args" and so on.
// Error: "bad-metadata" for a line that is not of the YAML that LLVM writes.
Expected<nlohmann::json> metadata_of_version2(std::string_view yaml, const std::string& name);

}  // namespace lockstep::amd
