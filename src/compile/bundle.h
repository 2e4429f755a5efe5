// Bundles of code objects for several GPUs, as hipcc --genco and clang-offload-bundler write them. Source:
// LLVM, "Clang Offload Bundler", Bundled Code Object Layout.
#pragma once
#include <string>

#include "base/diagnostic.h"
#include "machine/target.h"

namespace lockstep {

bool is_bundle(std::string_view bytes);

// The code object for the target. Errors: "bad-bundle" for one that is cut off or compressed, "wrong-target"
// with the GPUs that it has objects for.
Expected<std::string> take_from_bundle(std::string_view bytes, const Target& target, const std::string& path);

}  // namespace lockstep
