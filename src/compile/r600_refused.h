// What a module of LLVM IR has that cannot become a program of AMD's VLIW GPUs, said before LLVM's r600 back
// end fails on it or, worse, passes it on.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep::r600 {

// The first of these, with its place where the module has places ("compile-failed"): inline assembly, whose
// text the back end copies unread to where no clause is; variables of the program in global memory, which it
// has no addresses for. `path`: of the source. Inline assembly without text and operands (a barrier for the
// compiler) is none.
std::optional<Diagnostic> refused(std::string_view module, const std::string& path);

}  // namespace lockstep::r600
