// From a program's source to a decoded module: compile, then the ISA room of the target.
#pragma once
#include <memory>
#include <string>

#include "compile/compile.h"
#include "isa/inspection.h"
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
// there are; "no-kernels".
Expected<const Program*> find_kernel(const Module& module, const std::string& name);

// A program's code for looking at, whether or not all of it is known.
struct InspectedProgram {
  Inspection inspection;
  std::string log;  // the compiler's warnings
};
struct InspectedKernel {
  std::string symbol;
  std::string title;  // as the source has it
};

// Errors: those of compile(), and "bad-ptx" for a text that is no PTX.
Expected<InspectedProgram> inspect_program(const CompileRequest& request);

// The kernel of this name, as find_kernel takes it; all kernels for an empty one. Error: "no-such-kernel".
Expected<std::vector<InspectedKernel>> find_inspected_kernels(const InspectedProgram& program,
                                                              const std::string& name);

}  // namespace lockstep
