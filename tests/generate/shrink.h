// Reducing a module to a small one that still fails.
#pragma once
#include <functional>

#include "tree.h"

namespace lockstep::generate {

// Whether a module still shows what is looked for. Called with well-defined modules, some of which do not
// compile (a declaration is gone that something uses): those do not show it.
using Shows = std::function<bool(const Module&)>;

// Leaves out kernels and statements, replaces statements by their bodies and expressions by parts and
// constants, as long as the result shows it; at most `tests` calls.
Module shrink(Module module, const Shows& shows, u32 tests);

}  // namespace lockstep::generate
