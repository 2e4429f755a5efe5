// Intel Gen9: "The Compute Architecture of Intel Processor Graphics Gen9", sections 5.3 to 5.5. Every
// hardware thread has its own 128 general registers, so registers never limit how many run: a kernel that
// needs more spills.
#include <fmt/format.h>

#include <bit>

#include "machine/occupancy_vendors.h"

namespace lockstep {

Status intel_limits(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  result.unit = "subslice";
  result.wave_slots = rules.waves_per_unit;
  add_limit(result, limit_waves, result.wave_slots / result.waves_per_group);
  add_limit(result, limit_groups, rules.groups_per_unit);
  if (input.local_bytes > rules.local_bytes_per_group_max)
    return local_too_large(rules, input.local_bytes, rules.local_bytes_per_group_max);
  result.local_bytes_available = rules.local_bytes_per_unit;
  if (input.local_bytes > 0) {
    result.local_bytes_allocated = round_up(input.local_bytes, rules.local_granule);
    if (rules.local_power_of_two) result.local_bytes_allocated = std::bit_ceil(result.local_bytes_allocated);
    add_limit(result, limit_local, result.local_bytes_available / result.local_bytes_allocated);
  }
  // A group of one thread synchronises without a barrier register.
  if (rules.barriers_per_unit != 0 && input.barriers > 0 && result.waves_per_group > 1)
    add_limit(result, limit_barriers, rules.barriers_per_unit / input.barriers);
  return Success{};
}

}  // namespace lockstep
