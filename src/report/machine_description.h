// What the timing model builds of a machine's file, for people and for programs: `lockstep gpus --describe`.
#pragma once
#include "report/view.h"

namespace lockstep {

inline constexpr u32 machine_description_version = 1;

// Errors: figures that contradict each other or are missing. A GPU without a timing model has what its file
// states, and `timed` is false.
Expected<Json> machine_description(const Machine& machine);
std::string machine_description_text(const Json& data);

}  // namespace lockstep
