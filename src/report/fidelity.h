// Which instructions of a kernel are executed exactly, which approximately and within what bound, and which
// are not known: a view of the code alone, before any run.
#pragma once
#include <string>

#include "isa/inspection.h"
#include "report/view.h"

namespace lockstep {

// Of one kernel and of the functions that it may call. `title` is the kernel's name for
// people.
Json fidelity_json(const Inspection& inspection, const std::string& kernel, const std::string& title);
std::string fidelity_text(const Json& data);

}  // namespace lockstep
