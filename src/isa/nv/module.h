// From PTX text to a Module.
#pragma once
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "isa/program.h"

namespace lockstep::nv {

// Decodes every kernel and function of the text. Registers are as many as live at one place: an estimate of
// what NVIDIA's assembler would use. Errors: "bad-ptx" with the text's line; `name` is the file's.
Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name);

}  // namespace lockstep::nv
