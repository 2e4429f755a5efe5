// The text that LLVM's r600 back end writes: what is put right in it, and what it gets wrong.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep::r600 {

// Without encodings, with what they alone say; RAT operations and fetches of texels under their own names
// (compile/r600_repairs.h, r600_images.h).
std::string finished_text(std::string_view assembly);

// A packet that hardware would execute differently than the program says; nothing where there is none.
std::optional<Diagnostic> misplaced_read(std::string_view assembly, const std::string& path);

// What the back end has written that is no program of this hardware: operations outside of any clause,
// packets with more literals than one can have; nothing where there is none.
std::optional<Diagnostic> malformed(std::string_view assembly, const std::string& path);

// The kernels whose control flow the back end has left unfinished. `notes` are parameter_notes().
std::vector<std::string> unfinished_kernels(std::string_view assembly, std::string_view notes);

}  // namespace lockstep::r600
