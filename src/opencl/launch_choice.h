// Which launches of the process are timed and reported: others run functionally (LOCKSTEP_KERNELS,
// LOCKSTEP_LAUNCH_SKIP, LOCKSTEP_LAUNCH_COUNT).
#pragma once
#include <string>

#include "base/types.h"
#include "isa/launch.h"

namespace lockstep::opencl {

// Counts the launch. Asked once for each, in the order in which they run; any thread may ask.
bool choose_launch(const std::string& kernel);

// What is asked of the costliest launches of the process, and of no others: what-ifs (LOCKSTEP_WHAT_IF says
// of how many), and what waves did over the time (LOCKSTEP_PICTURES; of ten).
bool what_ifs_wanted();
bool pictures_wanted();

struct Costly {
  bool what_ifs = false, pictures = false;
};

// What shall be asked of this launch, which took so many nanoseconds of modelled time: it is one of the
// costliest so far, and no launch like it was among them.
Costly choose_costly(const std::string& kernel, const NdRange& range, f64 time_ns);

// What is wrong with the variables, as a sentence; empty when nothing is.
const std::string& wrong_choice();

}  // namespace lockstep::opencl
