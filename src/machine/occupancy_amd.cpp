// AMD: GCN, CDNA and RDNA after LLVM's AMDGPUBaseInfo.cpp (getOccupancyWithNumSGPRs,
// getNumWavesPerEUWithNumVGPRs, getMaxWorkGroupsPerCU), VLIW after AMD's OpenCL programming guide.
#include <fmt/format.h>

#include <algorithm>

#include "machine/occupancy_vendors.h"

namespace lockstep {
namespace {

// Vector registers of a lane once the accumulators have joined them: CDNA 2 and later place accumulators
// behind the vector registers, from a multiple of four on; CDNA 1 has a second file of the same size for them
// (LLVM, getTotalNumVGPRs).
u32 total_vgprs(const OccupancyRules& rules, const OccupancyInput& input) {
  if (!rules.accumulators_unified || input.accumulator_registers == 0)
    return std::max(input.vector_registers, input.accumulator_registers);
  return static_cast<u32>(round_up(input.vector_registers, 4)) + input.accumulator_registers;
}

// Waves of a SIMD by their scalar registers.
u32 waves_by_sgprs(const OccupancyRules& rules, const OccupancyInput& input, u32 allocated) {
  if (input.trap_handler) return std::min(rules.waves_per_simd, rules.sgprs_per_simd / allocated);
  for (std::size_t i = 0; i < rules.sgpr_steps.size(); ++i) {
    if (input.scalar_registers <= rules.sgpr_steps[i])
      return std::min(rules.waves_per_simd, static_cast<u32>(rules.sgpr_step_waves[i]));
  }
  return std::min(rules.waves_per_simd, static_cast<u32>(rules.sgpr_step_waves.back()));
}

Status check_registers(const OccupancyRules& rules, const OccupancyInput& input, u32 vgprs) {
  if (vgprs > rules.vgprs_per_item_max ||
      (rules.accumulators_unified && (input.vector_registers > 256 || input.accumulator_registers > 256))) {
    return impossible("too-many-registers",
                      fmt::format("{} vector registers: a work-item of {} has at most {}", vgprs, rules.id,
                                  rules.vgprs_per_item_max),
                      rules.accumulators_unified ? "at most 256 of them ordinary and 256 accumulators" : "");
  }
  if (input.accumulator_registers > 0 && rules.target->architecture != Architecture::cdna)
    return impossible("no-accumulators", fmt::format("{} has no accumulator registers", rules.id), "");
  if (rules.sgprs_per_wave_max != 0 && input.scalar_registers > rules.sgprs_per_wave_max) {
    return impossible("too-many-registers",
                      fmt::format("{} scalar registers: a wave of {} has at most {}", input.scalar_registers,
                                  rules.id, rules.sgprs_per_wave_max),
                      "");
  }
  return Success{};
}

}  // namespace

Status amd_limits(const OccupancyRules& rules, const OccupancyInput& input, Occupancy& result) {
  const bool rdna = rules.target->architecture == Architecture::rdna;
  const bool vliw = rules.target->isa == IsaFamily::r600;
  if (input.cu_mode && !rdna) {
    return impossible("no-cu-mode", fmt::format("{} has no CU mode", rules.id),
                      "only RDNA chooses between CU and WGP mode");
  }
  // RDNA's WGP is two CUs of the machine file; in CU mode a group keeps to one of them.
  const u32 units = rdna && !input.cu_mode ? 2 : 1;
  const u32 simds = vliw ? 1 : rules.simds_per_unit * units;
  result.unit = vliw ? "SIMD engine" : units == 2 ? "WGP" : "CU";
  result.wave_slots = vliw ? rules.waves_per_unit : rules.waves_per_simd * simds;
  add_limit(result, limit_waves, result.wave_slots / result.waves_per_group);

  // A group of one wave needs no barrier, and barriers are what limits groups (VLIW: LLVM gives 8 whatever
  // the size).
  if (result.waves_per_group > 1 || vliw) add_limit(result, limit_groups, u64{rules.groups_per_unit} * units);

  const u32 vgprs = total_vgprs(rules, input);
  const Status fits = check_registers(rules, input, vgprs);
  if (!fits.ok()) return fits;
  if (vgprs > 0) {
    // The file states the narrowest wave; one twice as wide has half as many registers, in half as large
    // granules.
    const u32 ratio = result.wave_width / rules.target->widths[0];
    const u32 file = rules.vgprs_per_simd_lane / ratio - rules.vgprs_reserved;
    result.vector_registers_allocated =
        static_cast<u32>(round_up(vgprs, std::max(1u, rules.vgpr_granule / ratio)));
    const u32 waves = file / result.vector_registers_allocated;
    add_limit(result, limit_vector,
              u64{vliw ? waves : std::min(waves, rules.waves_per_simd)} * simds / result.waves_per_group);
  }
  if (input.scalar_registers > 0 && !rules.sgpr_steps.empty()) {
    result.scalar_registers_allocated =
        static_cast<u32>(round_up(input.scalar_registers, rules.sgpr_granule)) +
        (input.trap_handler ? rules.sgprs_trap_handler : 0);
    add_limit(result, limit_scalar,
              u64{waves_by_sgprs(rules, input, result.scalar_registers_allocated)} * simds /
                  result.waves_per_group);
  }

  // local.bytes_per_unit is a WGP's on RDNA.
  result.local_bytes_available =
      rdna && input.cu_mode ? rules.local_bytes_per_unit / 2 : rules.local_bytes_per_unit;
  const u64 most = std::min(rules.local_bytes_per_group_max, result.local_bytes_available);
  if (input.local_bytes > most) return local_too_large(rules, input.local_bytes, most);
  if (input.local_bytes > 0) {
    result.local_bytes_allocated = round_up(input.local_bytes, rules.local_granule);
    add_limit(result, limit_local, result.local_bytes_available / result.local_bytes_allocated);
  }
  return Success{};
}

}  // namespace lockstep
