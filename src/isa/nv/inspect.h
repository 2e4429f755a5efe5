// The instructions of a PTX text, known or not.
#pragma once
#include <string>

#include "base/diagnostic.h"
#include "isa/inspection.h"
#include "machine/target.h"

namespace lockstep::nv {

// Error: "bad-ptx" for a text that is no PTX.
Expected<Inspection> inspect(const std::string& text, const Target& target, const std::string& name);

}  // namespace lockstep::nv
