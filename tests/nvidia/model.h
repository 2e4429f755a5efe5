// A PTX kernel on the model, for comparison with a real GPU.
#pragma once
#include <string>
#include <vector>

#include "nvidia/operations.h"
#include "run/loader.h"

namespace lockstep::nv {

// The PTX text as a module of the target. Errors: the reader's.
Expected<LoadedProgram> load_ptx(const std::string& text, const std::string& target);

// What the operation's kernel of `module` writes for the given inputs (inputs_of its kind): `words` 64-bit
// words for each item.
Expected<std::vector<u64>> run_operation(const Module& module, const Operation& operation,
                                         const std::vector<u64>& inputs);

// FNV-1a over the words' bytes, as the runner's "hash" prints it.
u64 hash_of(const std::vector<u64>& words);

}  // namespace lockstep::nv
