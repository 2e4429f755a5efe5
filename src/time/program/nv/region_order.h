// The order of a region's instructions, whose registers are virtual.
#pragma once
#include <set>
#include <vector>

#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

// A name for a virtual register's part.
inline u64 register_key(const LoweredOperand& o, u32 part) {
  return (u64{o.index} * 64 + o.value + part) * 8 + static_cast<u64>(o.file);
}
// General registers that hold what is needed: in front of a region and behind it.
struct RegionLive {
  std::set<u64> before, behind;
};

struct RegionOrder {
  u32 fewest = 0;   // registers that the order which needs the fewest holds at most
  u32 loading = 0;  // the same with the values of the loads that come next
  u32 cycles = 0;   // that the instructions take by the latencies that are reckoned with
};

// Of a region's parts, the order in which each needs few registers: found once, for any limit. Empty: not
// yet.
using OrdersForFew = std::vector<std::vector<u32>>;

// Orders by latency (the longest way to the region's end first) as far as no more than `limit` general
// registers hold something; where that binds, in the order that needs the fewest.
RegionOrder order_region(std::vector<LoweredInstruction>& code, const RegionLive& live, u32 capability,
                         u32 limit, OrdersForFew& known_orders);

}  // namespace lockstep::lowering
