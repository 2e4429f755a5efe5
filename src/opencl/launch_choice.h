// Which launches of the process are timed and reported: others run functionally (LOCKSTEP_KERNELS,
// LOCKSTEP_LAUNCH_SKIP, LOCKSTEP_LAUNCH_COUNT).
#pragma once
#include <string>

namespace lockstep::opencl {

// Counts the launch. Asked once for each, in the order in which they run; any thread may ask.
bool choose_launch(const std::string& kernel);

// What is wrong with the variables, as a sentence; empty when nothing is.
const std::string& wrong_choice();

}  // namespace lockstep::opencl
