// From r600 assembly text to a Module.
#pragma once
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "isa/program.h"

namespace lockstep::vliw {

// Decodes every kernel of the text: every function whose control flow ends with CF_END. What is not asked at
// run time is asked here: registers are those that the kernel says it has, jumps lead to instructions,
// clauses are as long as the instruction that starts them says. Errors: "bad-assembly",
// "unknown-instruction", "bad-operand", "bad-jump", with the source's line or the text's as place.
Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name);

}  // namespace lockstep::vliw
