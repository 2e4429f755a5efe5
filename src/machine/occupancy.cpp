#include "machine/occupancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "machine/occupancy_vendors.h"

namespace lockstep {
namespace {

u32 small(const Machine& machine, std::string_view key) {
  return static_cast<u32>(integer_or(machine, key, 0));
}

std::vector<u64> list(const Machine& machine, std::string_view key) {
  return has(machine, key) ? integers(machine, key) : std::vector<u64>{};
}

// The result of `input`, or nothing when it cannot run.
std::optional<Occupancy> try_evaluate(const OccupancyRules& rules, const OccupancyInput& input) {
  Expected<Occupancy> result = evaluate_occupancy(rules, input);
  if (!result.ok()) return std::nullopt;
  return std::move(*result);
}

void advise(Occupancy& result, std::string change, u64 value, const std::optional<Occupancy>& changed) {
  OccupancyAdvice advice;
  advice.change = std::move(change);
  advice.value = static_cast<u32>(value);
  if (!changed) {
    advice.text = fmt::format("{}: does not run", advice.change);
    result.advice.push_back(std::move(advice));
    return;
  }
  advice.groups_per_cu = changed->groups_per_cu;
  advice.waves_per_cu = changed->waves_per_cu;
  advice.occupancy = changed->occupancy;
  if (changed->waves_per_cu == result.waves_per_cu) {
    advice.text = fmt::format("{}: no change ({} waves)", advice.change, changed->waves_per_cu);
  } else {
    advice.text = fmt::format("{}: {} instead of {} waves, occupancy {:.3g} instead of {:.3g}, limited by {}",
                              advice.change, changed->waves_per_cu, result.waves_per_cu, changed->occupancy,
                              result.occupancy, changed->limiter);
  }
  result.advice.push_back(std::move(advice));
}

void advise_registers(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  if (input.vector_registers == 0) return;
  OccupancyInput changed = input;
  changed.vector_registers = input.vector_registers + 1;
  advise(result, fmt::format("one more vector register ({})", changed.vector_registers),
         changed.vector_registers, try_evaluate(rules, changed));
  if (result.limiter != limit_vector) return;
  for (u32 registers = input.vector_registers; registers-- > 1;) {
    changed.vector_registers = registers;
    const auto better = try_evaluate(rules, changed);
    if (better && better->waves_per_cu > result.waves_per_cu) {
      advise(result,
             fmt::format("{} vector register{} fewer ({})", input.vector_registers - registers,
                         input.vector_registers - registers == 1 ? "" : "s", registers),
             registers, better);
      return;
    }
  }
}

void advise_scalars(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  if (result.limiter != limit_scalar) return;
  OccupancyInput changed = input;
  for (u32 registers = input.scalar_registers; registers-- > 1;) {
    changed.scalar_registers = registers;
    const auto better = try_evaluate(rules, changed);
    if (better && better->waves_per_cu > result.waves_per_cu) {
      advise(result,
             fmt::format("{} scalar registers fewer ({})", input.scalar_registers - registers, registers),
             registers, better);
      return;
    }
  }
}

void advise_local(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  if (input.local_bytes == 0 || result.limiter != limit_local) return;
  const u64 granule = std::max<u64>(1, rules.local_granule);
  OccupancyInput changed = input;
  // Largest allocation below the present one that lets more waves in, reserve excluded.
  for (u64 total = result.local_bytes_allocated; total >= 2 * granule;) {
    total -= granule;
    if (total <= rules.local_reserved) break;
    changed.local_bytes = std::min(total - rules.local_reserved, input.local_bytes);
    const auto better = try_evaluate(rules, changed);
    if (better && better->waves_per_cu > result.waves_per_cu) {
      advise(result,
             fmt::format("{} bytes of local memory fewer ({})", input.local_bytes - changed.local_bytes,
                         changed.local_bytes),
             changed.local_bytes, better);
      return;
    }
  }
}

void advise_group_size(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  OccupancyInput changed = input;
  if (input.work_group_size > 1) {
    changed.work_group_size = input.work_group_size - 1;
    advise(result, fmt::format("one work-item fewer in a group ({})", changed.work_group_size),
           changed.work_group_size, try_evaluate(rules, changed));
  }
  if (result.waves_per_group > 1) {
    changed.work_group_size = (result.waves_per_group - 1) * result.wave_width;
    advise(result, fmt::format("one wave fewer in a group ({})", changed.work_group_size),
           changed.work_group_size, try_evaluate(rules, changed));
  }
  // The group size nearest to the present one that lets more waves in (local memory per group unchanged).
  for (u32 waves = 1; waves * result.wave_width <= rules.max_group_items; ++waves) {
    for (const i64 candidate : {static_cast<i64>(result.waves_per_group) - waves,
                                static_cast<i64>(result.waves_per_group) + waves}) {
      if (candidate < 1) continue;
      changed.work_group_size = static_cast<u32>(candidate) * result.wave_width;
      const auto better = try_evaluate(rules, changed);
      if (better && better->waves_per_cu > result.waves_per_cu) {
        advise(result, fmt::format("the nearest group size that fits better ({})", changed.work_group_size),
               changed.work_group_size, better);
        return;
      }
    }
  }
}

}  // namespace

void add_limit(Occupancy& result, std::string_view name, u64 groups) {
  OccupancyLimit limit;
  limit.name = name;
  limit.groups_per_cu = static_cast<u32>(std::min<u64>(groups, UINT32_MAX));
  const u64 waves = groups * result.waves_per_group;
  limit.waves_per_cu = static_cast<u32>(
      std::min<u64>(waves, result.wave_slots / result.waves_per_group * result.waves_per_group));
  limit.uncapped = static_cast<f64>(waves) / result.wave_slots;
  result.limits.push_back(limit);
}

Diagnostic impossible(std::string code, std::string message, std::string hint) {
  return {std::move(code), {}, std::move(message), std::move(hint)};
}

Diagnostic local_too_large(const OccupancyRules& rules, u64 wanted, u64 most) {
  return impossible("local-memory-too-large",
                    fmt::format("a work-group needs {} bytes of local memory; on {} it can have {}", wanted,
                                rules.id, most),
                    "use less local memory in a work-group");
}

OccupancyRules occupancy_rules(const Machine& machine) {
  OccupancyRules rules;
  rules.id = machine.id;
  rules.target = machine.target;
  rules.simds_per_unit = small(machine, "compute.simds_per_unit");
  rules.waves_per_simd = small(machine, "occupancy.waves_per_simd");
  rules.waves_per_unit = small(machine, "occupancy.waves_per_unit");
  rules.groups_per_unit = small(machine, "occupancy.groups_per_unit");
  rules.max_group_items = small(machine, "occupancy.max_group_items");
  rules.vgprs_per_simd_lane = small(machine, "occupancy.vgprs_per_simd_lane");
  rules.vgpr_granule = small(machine, "occupancy.vgpr_granule");
  rules.vgprs_per_item_max = small(machine, "occupancy.vgprs_per_item_max");
  rules.vgprs_reserved = small(machine, "occupancy.vgprs_reserved");
  rules.accumulators_unified = small(machine, "occupancy.accumulators_unified") != 0;
  rules.sgprs_per_simd = small(machine, "occupancy.sgprs_per_simd");
  rules.sgpr_granule = small(machine, "occupancy.sgpr_granule");
  rules.sgprs_per_wave_max = small(machine, "occupancy.sgprs_per_wave_max");
  rules.sgprs_trap_handler = small(machine, "occupancy.sgprs_trap_handler");
  rules.sgpr_steps = list(machine, "occupancy.sgpr_steps");
  rules.sgpr_step_waves = list(machine, "occupancy.sgpr_step_waves");
  rules.registers_per_unit = small(machine, "occupancy.registers_per_unit");
  rules.registers_per_group = small(machine, "occupancy.registers_per_group");
  rules.registers_per_item_max = small(machine, "occupancy.registers_per_item_max");
  rules.register_granule = small(machine, "occupancy.register_granule");
  rules.register_wave_granule = small(machine, "occupancy.register_wave_granule");
  rules.register_partitions = small(machine, "occupancy.register_partitions");
  rules.register_check_partitions = small(machine, "occupancy.register_check_partitions");
  rules.registers_by_group =
      has(machine, "occupancy.register_scope") && text(machine, "occupancy.register_scope") == "group";
  rules.partitioned_caching = small(machine, "occupancy.partitioned_caching") != 0;
  rules.coarse_register_counts = list(machine, "occupancy.coarse_register_counts");
  rules.local_bytes_per_unit = integer_or(machine, "local.bytes_per_unit", 0);
  rules.local_bytes_per_group_max = integer_or(machine, "local.bytes_per_group_max", 0);
  rules.local_bytes_per_group_optin = integer_or(machine, "local.bytes_per_group_optin", 0);
  rules.local_reserved = integer_or(machine, "local.reserved_bytes_per_group", 0);
  rules.local_granule = integer_or(machine, "local.granule_bytes", 0);
  rules.local_power_of_two = small(machine, "local.power_of_two") != 0;
  rules.carveouts = list(machine, "local.carveouts_bytes");
  rules.barriers_per_unit = small(machine, "occupancy.barriers_per_unit");
  return rules;
}

Expected<Occupancy> evaluate_occupancy(const OccupancyRules& rules, const OccupancyInput& input) {
  if (input.work_group_size == 0)
    return impossible("no-group-size", "the work-group size is not stated",
                      "state the work-items of a group");
  if (input.work_group_size > rules.max_group_items) {
    return impossible("group-too-large",
                      fmt::format("a work-group of {} work-items is too large for {}: at most {}",
                                  input.work_group_size, rules.id, rules.max_group_items),
                      "launch smaller work-groups");
  }
  Occupancy result;
  result.wave_width = input.wave_width != 0 ? input.wave_width : rules.target->default_width;
  const auto widths = rules.target->wave_widths();
  if (std::ranges::find(widths, result.wave_width) == widths.end()) {
    return impossible("wave-width",
                      fmt::format("{} has no waves of {} lanes", rules.target->name, result.wave_width),
                      fmt::format("its widths: {}", fmt::join(widths, ", ")));
  }
  result.waves_per_group = (input.work_group_size + result.wave_width - 1) / result.wave_width;
  Status filled = Success{};
  switch (rules.target->vendor) {
    case Vendor::amd:
      filled = amd_limits(rules, input, result);
      break;
    case Vendor::nvidia:
      filled = nvidia_limits(rules, input, result);
      break;
    case Vendor::intel:
      filled = intel_limits(rules, input, result);
      break;
  }
  if (!filled.ok()) return filled.error();

  const OccupancyLimit* least = nullptr;
  for (const OccupancyLimit& limit : result.limits) {
    if (least == nullptr || limit.groups_per_cu < least->groups_per_cu) least = &limit;
  }
  result.groups_per_cu = least->groups_per_cu;
  result.limiter = least->name;
  if (result.groups_per_cu == 0) {
    return impossible(
        "group-does-not-fit",
        fmt::format("a work-group of {} work-items does not fit a compute unit of {}: {} run out first",
                    input.work_group_size, rules.id, result.limiter),
        "use a smaller work-group, fewer registers or less local memory");
  }
  result.waves_per_cu = result.groups_per_cu * result.waves_per_group;
  result.occupancy = static_cast<f64>(result.waves_per_cu) / result.wave_slots;
  return result;
}

Expected<Occupancy> occupancy(const Machine& machine, const OccupancyInput& input) {
  const OccupancyRules rules = occupancy_rules(machine);
  Expected<Occupancy> result = evaluate_occupancy(rules, input);
  if (!result.ok()) return result;
  advise_registers(rules, input, *result);
  advise_scalars(rules, input, *result);
  advise_local(rules, input, *result);
  advise_group_size(rules, input, *result);
  return result;
}

u32 items_by_vector_registers(const OccupancyRules& rules, const OccupancyInput& input) {
  if (input.vector_registers == 0) return 0;
  if (rules.registers_per_unit != 0) return rules.registers_per_unit / input.vector_registers;
  const u64 lanes = rules.target->widths[0];
  const u64 simds = rules.target->isa == IsaFamily::r600 ? 1 : rules.simds_per_unit;
  return static_cast<u32>(simds * lanes * (rules.vgprs_per_simd_lane - rules.vgprs_reserved) /
                          input.vector_registers);
}

}  // namespace lockstep
