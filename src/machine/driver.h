// What a GPU's driver chooses for programs.
#pragma once
#include "machine/machine.h"

namespace lockstep {

// The clock of memory while kernels run, Hz: the driver's where it has a lower one for them, else the
// board's. The machine must state the board's.
u64 memory_clock_hz(const Machine& machine);

// A copy whose local memory has banks of another width, as a driver can be told to set them (CUDA:
// cudaDeviceSetSharedMemConfig). Error: "bad-banks" for a width that the GPU does not offer.
Expected<Machine> with_bank_bytes(const Machine& machine, u64 bytes);

}  // namespace lockstep
