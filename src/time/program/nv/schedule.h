// The order within regions, and the control words.
#pragma once
#include <span>

#include "time/program/nv/region_order.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

struct Scheduled {
  u32 fewest = 0;              // registers that an order for few holds at most
  u32 loading = 0;             // the same with the values of the loads that come next
  u64 cycles = 0;              // of a warp by itself, each loop taken to go round as often
  std::vector<u64> cycles_of;  // by region
};
// Orders each region's instructions, whose registers are virtual, by latency, as far as no more than `limit`
// general registers hold something; `limits`: instead of it, by region, where not empty. `known_orders`, by
// region: what other calls for the same instructions found.
Scheduled schedule(const Function& function, const Plan& plan, Selected& selected, u32 limit,
                   std::vector<OrdersForFew>& known_orders, std::span<const u32> limits = {});

// Stall counts, barriers, yield and reuse of instructions with hardware registers.
void finish_control(const Function& function, const Plan& plan, Selected& selected);

// The same for a straight line by itself, which may be a loop's body; operands say their reuse themselves.
void control_line(std::span<LoweredInstruction> code, u32 capability);

}  // namespace lockstep::lowering
