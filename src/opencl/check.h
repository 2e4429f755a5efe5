// Checked kernels: LOCKSTEP_CHECK, and what the process ends with (LOCKSTEP_CHECK_EXIT), where a launch
// failed as well.
#pragma once
#include <string>

#include "exec/check/selection.h"
#include "exec/check/violations.h"
#include "opencl/types.h"

namespace lockstep::opencl {

// Reads the environment once: LOCKSTEP_CHECK as parse_checks takes it (nothing or empty: no checks),
// LOCKSTEP_CHECK_EXIT a number from 1 to 255. False, with a message, where one of them is not understood.
bool checks_are_known();
const CheckSelection& chosen_checks();

// Tells the user and the context's callback of each, and remembers that there were some.
void report_violations(_cl_context& context, const std::string& kernel, const ViolationLog& log);
// A launch failed: LOCKSTEP_CHECK_EXIT is for that, too.
void remember_failure();

}  // namespace lockstep::opencl
