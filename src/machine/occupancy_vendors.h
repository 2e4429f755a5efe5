// What the vendors' occupancy rules share; only for the occupancy sources.
#pragma once
#include "machine/occupancy.h"

namespace lockstep {

// Names of the limits, in the order in which ties are broken.
inline constexpr std::string_view limit_waves = "wave slots";
inline constexpr std::string_view limit_groups = "work-group slots";
inline constexpr std::string_view limit_vector = "vector registers";
inline constexpr std::string_view limit_scalar = "scalar registers";
inline constexpr std::string_view limit_local = "local memory";
inline constexpr std::string_view limit_barriers = "barriers";

constexpr u64 round_up(u64 value, u64 granule) {
  return granule == 0 ? value : (value + granule - 1) / granule * granule;
}

// Adds a limit to result.limits; result's waves_per_group and wave_slots must be set.
void add_limit(Occupancy& result, std::string_view name, u64 groups);

Diagnostic impossible(std::string code, std::string message, std::string hint);

// Too much local memory for a group: shared by the vendors.
Diagnostic local_too_large(const OccupancyRules& rules, u64 wanted, u64 most);

// Each fills unit, widths, allocations and limits; the caller picks the smallest.
Status amd_limits(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result);
Status nvidia_limits(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result);
Status intel_limits(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result);

}  // namespace lockstep
