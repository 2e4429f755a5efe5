// From the text that compile/gen.h makes to a Module.
#pragma once
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "isa/program.h"

namespace lockstep::gen {

// Decodes every kernel of the text. What is not asked at run time is asked here: registers, regions and types
// are those that there are, jumps lead to instructions, messages are known. Errors: "bad-assembly",
// "unknown-instruction", "bad-operand", "bad-jump", "not-supported", with the source's line or the text's as
// place.
Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name);

}  // namespace lockstep::gen
