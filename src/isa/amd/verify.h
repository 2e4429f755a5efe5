// What is asked of a code object before anything of it runs.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "isa/amd/module.h"

namespace lockstep::amd {

// As a branch's target: it leads to none.
inline constexpr u32 no_instruction = ~u32{0};

// The module's kernels as their metadata has them: names, arguments, sizes. Errors: "bad-metadata".
Status verify_metadata(const Module& module, const std::string& name);

// The code that each kernel reaches: its registers are the kernel's, its branches lead to instructions. Calls
// whose target the code computes as LLVM does (s_getpc_b64 and a constant) are followed. Sets each
// descriptor's registers and rows, by which a launch makes the waves, and the kernels' needs where their
// metadata says less than the descriptor. `functions` are the instructions at which functions begin,
// ascending. Errors: "register-range", "bad-jump", with the instruction's source line, or `name`, as place.
Status verify_code(Module& module, std::span<const std::shared_ptr<KernelDescriptor>> descriptors,
                   std::span<const u32> functions, const std::string& name);

}  // namespace lockstep::amd
