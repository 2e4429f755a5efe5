#include "machine/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace lockstep {
namespace {

struct AxisNames {
  SweepAxis axis;
  std::string_view name, short_name, label;
};

constexpr AxisNames axes[] = {
    {SweepAxis::group_size, "group_size", "local", "work-items in a group"},
    {SweepAxis::vector_registers, "vector_registers", "vgprs", "vector registers of a work-item"},
    {SweepAxis::scalar_registers, "scalar_registers", "sgprs", "scalar registers of a wave"},
    {SweepAxis::local_bytes, "local_bytes", "lds", "local memory of a group, bytes"},
};

const AxisNames& names_of(SweepAxis axis) {
  return axes[static_cast<u8>(axis)];
}

struct Range {
  u64 first = 0, last = 0, step = 1;
};

// The values to try; last < first when the machine has no such quantity.
Range range_of(const OccupancyRules& rules, const OccupancyInput& input, SweepAxis axis) {
  const u64 width = input.wave_width != 0 ? input.wave_width : rules.target->default_width;
  switch (axis) {
    case SweepAxis::group_size:
      return {width, rules.max_group_items, width};
    case SweepAxis::vector_registers: {
      const u64 most = std::max(rules.vgprs_per_item_max, rules.registers_per_item_max);
      // CDNA's 512 are 256 of each kind.
      return {1, rules.accumulators_unified ? 256 : most, 1};
    }
    case SweepAxis::scalar_registers:
      return {1, rules.sgprs_per_wave_max, 1};
    case SweepAxis::local_bytes: {
      const u64 most = std::max(rules.local_bytes_per_group_max, rules.local_bytes_per_group_optin);
      return {rules.local_granule, most, rules.local_granule};
    }
  }
  return {1, 0, 1};
}

u64 value_of(const OccupancyInput& input, SweepAxis axis) {
  switch (axis) {
    case SweepAxis::group_size:
      return input.work_group_size;
    case SweepAxis::vector_registers:
      return input.vector_registers;
    case SweepAxis::scalar_registers:
      return input.scalar_registers;
    case SweepAxis::local_bytes:
      return input.local_bytes;
  }
  return 0;
}

void set_value(OccupancyInput& input, SweepAxis axis, u64 value) {
  switch (axis) {
    case SweepAxis::group_size:
      input.work_group_size = static_cast<u32>(value);
      break;
    case SweepAxis::vector_registers:
      input.vector_registers = static_cast<u32>(value);
      break;
    case SweepAxis::scalar_registers:
      input.scalar_registers = static_cast<u32>(value);
      break;
    case SweepAxis::local_bytes:
      input.local_bytes = value;
      break;
  }
}

}  // namespace

Expected<Sweep> sweep(const Machine& machine, const OccupancyInput& input, SweepAxis axis) {
  const OccupancyRules rules = occupancy_rules(machine);
  const Range range = range_of(rules, input, axis);
  if (range.last < range.first) {
    return Diagnostic{"nothing-to-sweep",
                      {},
                      fmt::format("the occupancy of {} does not depend on '{}'", machine.id, to_string(axis)),
                      "sweep over group_size or local_bytes"};
  }
  if (axis != SweepAxis::group_size && input.work_group_size == 0)
    return Diagnostic{
        "no-group-size", {}, "the work-group size is not stated", "state the work-items of a group"};
  Sweep result;
  result.gpu = machine.name;
  result.axis = axis;
  result.unit = "CU";
  result.current = value_of(input, axis);
  for (u64 value = range.first; value <= range.last; value += range.step) {
    OccupancyInput changed = input;
    set_value(changed, axis, value);
    SweepRow row;
    row.value = value;
    const Expected<Occupancy> answer = evaluate_occupancy(rules, changed);
    if (answer.ok()) {
      row.ok = true;
      row.groups_per_cu = answer->groups_per_cu;
      row.waves_per_cu = answer->waves_per_cu;
      row.occupancy = answer->occupancy;
      row.limiter = answer->limiter;
      result.unit = answer->unit;
    } else {
      row.reason = answer.error().message;
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

std::string_view to_string(SweepAxis axis) {
  return names_of(axis).name;
}

std::string_view axis_label(SweepAxis axis) {
  return names_of(axis).label;
}

Expected<SweepAxis> find_sweep_axis(std::string_view name) {
  std::vector<std::string> known;
  for (const AxisNames& candidate : axes) {
    if (candidate.name == name || candidate.short_name == name) return candidate.axis;
    known.emplace_back(candidate.name);
    known.emplace_back(candidate.short_name);
  }
  const std::vector<std::string> near = nearest_names(name, known, 1);
  return Diagnostic{
      "unknown-axis",
      {},
      fmt::format("there is no sweep over '{}'", name),
      near.empty() ? "sweeps: local, vgprs, sgprs, lds" : fmt::format("did you mean '{}'?", near[0])};
}

std::string sweep_table(const Sweep& sweep) {
  std::string table = fmt::format("{}, by {}\n{:>17} {:>9} {:>8} {:>9}  {}\n", sweep.gpu,
                                  names_of(sweep.axis).label, to_string(sweep.axis),
                                  fmt::format("groups/{}", sweep.unit == "SIMD engine" ? "CU" : sweep.unit),
                                  "waves", "occupancy", "limited by");
  for (std::size_t first = 0; first < sweep.rows.size();) {
    const SweepRow& row = sweep.rows[first];
    std::size_t last = first;
    const auto same = [&](const SweepRow& other) {
      return other.ok == row.ok && other.groups_per_cu == row.groups_per_cu &&
             other.waves_per_cu == row.waves_per_cu && other.limiter == row.limiter;
    };
    while (last + 1 < sweep.rows.size() && same(sweep.rows[last + 1])) ++last;
    const std::string values = first == last ? fmt::format("{}", row.value)
                                             : fmt::format("{} - {}", row.value, sweep.rows[last].value);
    if (row.ok) {
      table += fmt::format("{:>17} {:>9} {:>8} {:>9.3f}  {}\n", values, row.groups_per_cu, row.waves_per_cu,
                           row.occupancy, row.limiter);
    } else {
      table += fmt::format("{:>17} {:>9} {:>8} {:>9}  does not run\n", values, "-", "-", "-");
    }
    first = last + 1;
  }
  return table;
}

}  // namespace lockstep
