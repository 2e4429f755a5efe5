// A launch's arguments: what a user said of each, fitted to a kernel's parameters.
#pragma once
#include <span>
#include <vector>

#include "corpus/case.h"
#include "isa/program.h"
#include "run/argument_text.h"

namespace lockstep {

// An argument with everything that is needed to make it, as often as wanted.
struct LaunchArgument {
  // Name, kind, the elements' type and count, an image's shape, a sampler; contents that are generated.
  corpus::Argument argument;
  std::vector<u8> bytes;  // a value's, or a buffer's or image's contents that were given and not generated
  bool given = false;     // `bytes` holds the contents
  bool null_pointer = false;
};

// The arguments in the kernel's order; files are read. Errors, with the whole argument as their place where
// it is one that was given: "wrong-arguments" for a name that the kernel lacks or that is given twice,
// parameters of which nothing is said, a kind or type that does not fit; "bad-argument" for a value that does
// not fit the type; "wrong-shape" for a file whose array is another one; those of corpus::read_npy.
Expected<std::vector<LaunchArgument>> place_arguments(const Program& program,
                                                      const std::vector<ArgumentText>& given);

// The same for arguments that a corpus case or an experiment describes.
std::vector<LaunchArgument> launch_arguments(const std::vector<corpus::Argument>& arguments);

// What a variable of the module holds when a launch begins, as hipMemcpyToSymbol and cudaMemcpyToSymbol make
// it.
struct SymbolContents {
  const ModuleVariable* variable = nullptr;
  std::vector<u8> bytes;  // all of the variable's
};

// Contents of variables; files are read. Names are the source's, with or without scopes, or symbols. Errors
// as place_arguments(), with --symbol as their place; also "wrong-arguments" for contents of another size.
Expected<std::vector<SymbolContents>> place_symbols(const Module& module,
                                                    const std::vector<ArgumentText>& given);

}  // namespace lockstep
