// What the model needs of each instruction, worked out once per launch. Only inside src/time.
#pragma once
#include "time/gcn5_device.h"

namespace lockstep::gcn5 {

// Errors: an instruction of a class that is not modelled.
Status describe(const Instruction& instruction, const Gcn5Parameters& parameters, u64 code_address,
                InstructionInfo& info);

}  // namespace lockstep::gcn5
