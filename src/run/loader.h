// From a program's source to a decoded module: compile, then the ISA room of the target.
#pragma once
#include <memory>
#include <string>

#include "compile/compile.h"
#include "isa/program.h"

namespace lockstep {

struct LoadedProgram {
  std::unique_ptr<Module> module;
  std::string log;  // the compiler's warnings, unchanged
  bool from_cache = false;
};

// Errors: those of compile() and of the ISA room's loader.
Expected<LoadedProgram> load_program(const CompileRequest& request);

// The second half alone, for a program that compile() has made; `name` is the program's for messages.
Expected<std::unique_ptr<Module>> load_compiled(const CompileResult& compiled, const Target& target,
                                                const std::string& name);

// The kernel of this name; with an empty name the only kernel. Errors: "no-such-kernel" with the kernels that
// there are.
Expected<const Program*> find_kernel(const Module& module, const std::string& name);

}  // namespace lockstep
