// Registers: which virtual ones can be one, and which of the hardware's each gets.
#pragma once
#include "time/program/nv/region_order.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

// Makes copies vanish whose two sides can share a register.
void coalesce(const Function& function, const Plan& plan, Selected& selected);

// What virtual general registers hold in front of each region and behind it.
std::vector<RegionLive> live_in_regions(const Function& function, const Plan& plan, Selected& selected);

struct Allocated {
  u32 registers = 0, uniform = 0, predicates = 0;
};
// Names hardware registers instead of virtual ones. `first`: how many general registers are taken already
// (callers').
// A register is not used again for `rest` instructions behind its last use: its reader may not have read it
// yet.
Allocated allocate(const Function& function, const Plan& plan, Selected& selected, u32 first, u32 rest);

}  // namespace lockstep::lowering
