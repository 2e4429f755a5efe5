// What a GPU's driver chooses for programs.
#pragma once
#include "machine/machine.h"

namespace lockstep {

// The clock of memory while kernels run, Hz: the driver's where it has a lower one for them, else the
// board's. The machine must state the board's.
u64 memory_clock_hz(const Machine& machine);

}  // namespace lockstep
