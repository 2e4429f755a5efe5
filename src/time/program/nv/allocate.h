// Registers: which virtual ones can be one, and which of the hardware's each gets.
#pragma once
#include "time/program/nv/liveness.h"
#include "time/program/nv/region_order.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

// Makes copies vanish whose two sides can share a register.
void coalesce(const Function& function, const Plan& plan, Selected& selected);

// What virtual general registers hold in front of each region and behind it.
std::vector<RegionLive> live_in_regions(const Function& function, const Plan& plan, Selected& selected);

struct Allocated {
  u32 registers = 0, uniform = 0, predicates = 0;
  bool fits = true;  // values have registers of their own
};
// Registers that a kernel has beside the highest that its code names: from Volta on the program counter lies
// in two (110 of the corpus' 119 kernels as ptxas of CUDA 13 makes them for sm_90).
constexpr u32 beside_allocated(u32 capability) {
  return capability >= 70 ? 2 : 0;
}
// Names hardware registers instead of virtual ones. `first`: how many general registers are taken already
// (callers'); `bound`: a limit has to be kept.
Allocated allocate(const Function& function, const Plan& plan, Selected& selected, u32 first, Rest rest,
                   bool bound);

}  // namespace lockstep::lowering
