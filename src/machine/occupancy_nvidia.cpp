// NVIDIA. Compute capability 3.0 and up answers as the CUDA toolkit's cuda_occupancy.h does (compared with it
// by tests/unit/machine/nvidia_occupancy_test.cpp); 1.x and 2.x follow NVIDIA's occupancy spreadsheet of
// their time.
#include <fmt/format.h>

#include <algorithm>

#include "machine/occupancy_vendors.h"

namespace lockstep {
namespace {

// The smallest local memory configuration that holds `bytes`; nothing when even the largest is too small.
std::optional<u64> smallest_carveout(const OccupancyRules& rules, u64 bytes) {
  for (const u64 size : rules.carveouts) {
    if (bytes <= size) return size;
  }
  return std::nullopt;
}

bool has_carveout(const OccupancyRules& rules) {
  return rules.target->major >= 7;
}

// Local memory of a compute unit as the launch prefers it.
Expected<u64> preferred_local(const OccupancyRules& rules, const OccupancyInput& input) {
  const u64 most = rules.local_bytes_per_unit;
  if (has_carveout(rules)) {
    std::optional<u32> percent = input.carveout_percent;
    if (!percent && input.cache_preference == CachePreference::l1) percent = 0;
    if (!percent && input.cache_preference == CachePreference::equal) percent = 50;
    const auto size = smallest_carveout(rules, most * percent.value_or(100) / 100);
    LOCKSTEP_ASSERT(size.has_value(), "the largest carveout is smaller than a compute unit's local memory");
    return *size;
  }
  // 2.x and 3.x: the three configurations trade local memory for first-level cache.
  if (rules.carveouts.empty()) return most;
  switch (input.cache_preference) {
    case CachePreference::l1:
      return rules.carveouts.front();
    case CachePreference::equal:
      return rules.carveouts[rules.carveouts.size() / 2];
    default:
      return most;
  }
}

Status add_local_limit(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  const u64 used = input.local_bytes + rules.local_reserved;
  result.local_bytes_allocated = round_up(used, rules.local_granule);
  u64 most = rules.local_bytes_per_group_max;
  if (has_carveout(rules) && input.local_optin && used > most) most = rules.local_bytes_per_group_optin;
  // From 8.0 on the driver's reserve comes on top of what a group may have.
  if (rules.target->major >= 8) most += rules.local_reserved;
  if (result.local_bytes_allocated > most)
    return local_too_large(rules, input.local_bytes, most - rules.local_reserved);

  const Expected<u64> preferred = preferred_local(rules, input);
  if (!preferred.ok()) return preferred.error();
  result.local_bytes_available = *preferred;
  // A group that needs more than was preferred gets it all the same.
  if (result.local_bytes_allocated > *preferred) {
    result.local_bytes_available = rules.local_bytes_per_unit;
    if (has_carveout(rules)) {
      const auto size = smallest_carveout(rules, result.local_bytes_allocated);
      if (!size)
        return local_too_large(rules, input.local_bytes, rules.carveouts.back() - rules.local_reserved);
      result.local_bytes_available = *size;
    }
  }
  if (result.local_bytes_allocated > 0)
    add_limit(result, limit_local, result.local_bytes_available / result.local_bytes_allocated);
  return Success{};
}

// 1.x: a group's registers are one block, of so many waves rounded up.
Status add_group_register_limit(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  const u64 waves = round_up(result.waves_per_group, rules.register_wave_granule);
  const u64 block = round_up(waves * result.wave_width * input.vector_registers, rules.register_granule);
  result.vector_registers_allocated = input.vector_registers;
  if (block > rules.registers_per_group) {
    return impossible("too-many-registers",
                      fmt::format("a work-group needs {} registers; on {} it can have {}", block, rules.id,
                                  rules.registers_per_group),
                      "use a smaller work-group or fewer registers");
  }
  add_limit(result, limit_vector, rules.registers_per_unit / block);
  return Success{};
}

struct WaveRegisters {
  u64 groups = 0;       // 0: the group does not fit
  bool halved = false;  // the group is confined to half of the compute unit
};

// From 2.x on: each wave's registers lie in one of `partitions` register files.
WaveRegisters groups_by_wave_registers(const OccupancyRules& rules, const Occupancy& result, u64 per_wave,
                                       u32 partitions, PartitionedCaching caching) {
  // The launch check pretends that a group's waves fill every partition equally.
  const u64 assumed = per_wave * round_up(result.waves_per_group, partitions);
  if (rules.target->major >= 3 && assumed > rules.registers_per_group) return {};
  if (per_wave * result.waves_per_group > rules.registers_per_group) return {};
  const u64 waves_per_partition = rules.registers_per_unit / partitions / per_wave;
  if (caching != PartitionedCaching::off) {
    const u64 groups = waves_per_partition * (partitions / 2) / result.waves_per_group * 2;
    if (groups > 0 || caching == PartitionedCaching::forced) return {groups, true};
  }
  return {waves_per_partition * partitions / result.waves_per_group, false};
}

}  // namespace

Status nvidia_limits(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  result.unit = "SM";
  result.wave_slots = rules.waves_per_unit;
  if (input.carveout_percent && (!has_carveout(rules) || *input.carveout_percent > 100)) {
    return impossible("no-carveout",
                      has_carveout(rules) ? fmt::format("a carveout of {} percent", *input.carveout_percent)
                                          : fmt::format("{} has no carveout", rules.id),
                      has_carveout(rules)
                          ? "it is a share from 0 to 100"
                          : "compute capability 7.0 and up has one; 2.x and 3.x have a cache preference");
  }
  if (input.vector_registers > rules.registers_per_item_max) {
    return impossible("too-many-registers",
                      fmt::format("{} registers: a work-item of {} has at most {}", input.vector_registers,
                                  rules.id, rules.registers_per_item_max),
                      "");
  }

  PartitionedCaching caching =
      rules.partitioned_caching ? input.partitioned_caching : PartitionedCaching::off;
  std::optional<u64> register_groups;
  if (input.vector_registers > 0 && !rules.registers_by_group) {
    const bool coarse = std::ranges::find(rules.coarse_register_counts, input.vector_registers) !=
                        rules.coarse_register_counts.end();
    const u64 granule = u64{rules.register_granule} * (coarse ? 2 : 1);
    const u64 per_wave = round_up(u64{input.vector_registers} * result.wave_width, granule);
    result.vector_registers_allocated = static_cast<u32>(per_wave / result.wave_width);
    const WaveRegisters fit =
        groups_by_wave_registers(rules, result, per_wave, rules.register_partitions, caching);
    if (!fit.halved) caching = PartitionedCaching::off;
    register_groups = fit.groups;
    if (rules.register_check_partitions != 0 &&
        groups_by_wave_registers(rules, result, per_wave, rules.register_check_partitions, caching).groups ==
            0)
      register_groups = 0;
    if (*register_groups == 0) {
      return impossible("too-many-registers",
                        fmt::format("a work-group of {} waves with {} registers a work-item does not fit {}",
                                    result.waves_per_group, input.vector_registers, rules.id),
                        "use a smaller work-group or fewer registers");
    }
  }

  const u64 slots = rules.waves_per_unit;
  add_limit(result, limit_waves,
            caching == PartitionedCaching::off ? slots / result.waves_per_group
                                               : slots / 2 / result.waves_per_group * 2);
  add_limit(result, limit_groups, rules.groups_per_unit);
  if (register_groups) add_limit(result, limit_vector, *register_groups);
  if (input.vector_registers > 0 && rules.registers_by_group) {
    const Status fits = add_group_register_limit(rules, input, result);
    if (!fits.ok()) return fits;
  }
  const Status fits = add_local_limit(rules, input, result);
  if (!fits.ok()) return fits;
  if (rules.barriers_per_unit != 0 && input.barriers > 0)
    add_limit(result, limit_barriers, rules.barriers_per_unit / input.barriers);
  return Success{};
}

}  // namespace lockstep
