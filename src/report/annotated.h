// The whole listing with what each line and each instruction cost.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "report/run_data.h"

namespace lockstep {

// What the hardware issues for an instruction of the code, where that is not the hardware's own: the
// instruction's index, then the text; in the order of issue.
using LoweredLines = std::vector<std::pair<u32, std::string>>;

// Text, by source line in the order of the file; under each line its instructions in the order of the code.
// Empty where the run was not timed.
std::string annotated_listing(const RunData& run, const LoweredLines& lowered);

}  // namespace lockstep
