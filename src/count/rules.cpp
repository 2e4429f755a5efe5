#include "count/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace lockstep {
namespace {

struct Reader {
  const Machine& machine;
  std::string missing;
  u32 operator()(std::string_view key) {
    if (has(machine, key)) return static_cast<u32>(integer(machine, key));
    if (missing.empty()) missing = key;
    return 1;
  }
};

}  // namespace

std::string CountingRules::transaction() const {
  switch (coalescing) {
    case Coalescing::groups:
    case Coalescing::wide_groups:
      return fmt::format("{} of {} bytes", line_bytes > smallest_segment ? "line" : "sector", line_bytes);
    default:
      return fmt::format("segment of {} to {} bytes", smallest_segment, largest_segment);
  }
}

Expected<CountingRules> counting_rules(const Machine& machine, u32 wave_lanes) {
  Reader get{machine, {}};
  CountingRules rules;
  rules.wave_lanes = wave_lanes;
  if (machine.target->isa == IsaFamily::ptx) {
    const u32 capability = machine.target->compute_capability();
    rules.scalar_line_bytes = 0;
    rules.banks = rules.local_lanes_at_once = get("local.banks");
    rules.local_pairs_share = integer_or(machine, "timing.lds.pairs_share", 0) != 0;
    rules.lanes_at_once = wave_lanes;
    if (capability < 20) {
      rules.coalescing = capability < 12 ? Coalescing::in_order : Coalescing::segments;
      rules.line_bytes = largest_segment;
    } else {
      // From Volta on what a wave's lanes touch is counted at once, as Nsight Compute does.
      rules.coalescing = capability < 70 ? Coalescing::wide_groups : Coalescing::groups;
      rules.line_bytes = get(capability < 30                   ? "l1.line_bytes"
                             : has(machine, "l1.sector_bytes") ? "l1.sector_bytes"
                                                               : "l2.sector_bytes");
    }
  } else if (machine.target->isa == IsaFamily::r600) {
    // A quarter of a wave at a time, as many work-items as a SIMD engine has processors; local memory looks
    // at half a wave, as many lanes as it has banks (AMD APP OpenCL Programming Guide, "Global Memory
    // Optimization", "LDS").
    rules.scalar_line_bytes = 0;
    rules.lanes_at_once = get("compute.lanes_per_simd");
    rules.line_bytes = get("l1.line_bytes");
    rules.banks = rules.local_lanes_at_once = get("local.banks");
  } else if (machine.target->isa == IsaFamily::gen) {
    // A message to the data port has at most 16 channels; local memory takes them at once.
    constexpr u32 channels = 16;
    rules.scalar_line_bytes = 0;
    rules.lanes_at_once = std::min(wave_lanes, channels);
    rules.line_bytes = get("l2.line_bytes");
    rules.banks = rules.local_lanes_at_once = get("local.banks");
  } else {
    rules.lanes_at_once = get("timing.vmem.lanes_per_address_cycle");
    rules.line_bytes = get("l1.line_bytes");
    rules.scalar_line_bytes = get("scalar.line_bytes");
    rules.banks = get("local.banks") / static_cast<u32>(integer_or(machine, "timing.issue.units_joined", 1));
    rules.local_lanes_at_once = get("timing.lds.lanes_per_cycle");
  }
  if (get.missing.empty()) return rules;
  return Diagnostic{
      "missing-figure",
      {machine.path, 0, 0},
      fmt::format("the machine {} lacks {}, by which accesses are counted", machine.id, get.missing),
      "state it in the machine's file, or run with --no-counts"};
}

Transactions count_transactions(const CountingRules& rules, const Access& access) {
  if (rules.coalescing == Coalescing::segments)
    return count_segments(access, rules.wave_lanes, HalfWaves::segments);
  if (rules.coalescing == Coalescing::in_order)
    return count_segments(access, rules.wave_lanes, HalfWaves::in_order);
  u32 at_once = rules.lanes_at_once;
  if (rules.coalescing == Coalescing::wide_groups)
    at_once /= std::bit_ceil(std::max<u32>(1, std::min<u32>(16, access.bytes) / 4));
  const u32 made = count_lines(access, rules.wave_lanes, at_once, rules.line_bytes);
  const u32 bytes = static_cast<u32>(std::popcount(access.lanes)) * access.bytes;
  return {made, std::min(made, (bytes + rules.line_bytes - 1) / rules.line_bytes)};
}

}  // namespace lockstep
