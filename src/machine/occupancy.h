// Occupancy: how many work-groups and waves of a kernel a compute unit holds at a time, and what limits them.
//
//   OccupancyInput input;
//   input.work_group_size = 256;
//   input.vector_registers = 27;
//   auto result = occupancy(machine, input);   // result->waves_per_cu, result->limiter, ...
//
// AMD follows LLVM's AMDGPUBaseInfo.cpp and the GCN documents that the machine files cite; NVIDIA gives, for
// compute capability 3.0 and up, the answers of the CUDA toolkit's occupancy calculator; the older ones
// follow the calculator's tables of their time.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"
#include "machine/machine.h"

namespace lockstep {

// NVIDIA: how a compute unit's storage is split between cache and local memory, in the terms of the CUDA 8
// API.
enum class CachePreference : u8 { none, local, l1, equal };

// NVIDIA 5.2, 5.3 and 6.1: caching global loads in the first level confines a group to half of a compute
// unit.
enum class PartitionedCaching : u8 { off, preferred, forced };

// What a kernel and its launch need. Registers are per lane (vector) and per wave (scalar).
struct OccupancyInput {
  u32 work_group_size = 0;        // work-items; must be stated
  u32 vector_registers = 0;       // AMD: VGPRs per lane (VLIW: 128-bit GPRs); NVIDIA: registers per thread
  u32 accumulator_registers = 0;  // CDNA: AccVGPRs per lane
  u32 scalar_registers = 0;       // GCN, CDNA: SGPRs with VCC and the other special ones, as .sgpr_count says
  u64 local_bytes = 0;            // local memory of a work-group, static and dynamic
  u32 barriers = 1;               // barriers that the kernel uses; a kernel without any: 0
  u32 wave_width = 0;             // lanes; 0: the target's default (RDNA: 32 or 64; Intel: 8, 16 or 32)
  bool cu_mode = false;           // RDNA: a group is confined to one CU (the compiler's -mcumode)
  bool trap_handler = false;      // GCN, CDNA: a trap handler takes scalar registers of every wave
  std::optional<u32>
      carveout_percent;  // NVIDIA 7.0 and up: share of the storage wanted as local memory, 0 to 100
  CachePreference cache_preference = CachePreference::none;  // NVIDIA 3.x, and 7.0 and up without a carveout
  bool local_optin = true;  // NVIDIA 7.0 and up: the kernel asked for more local memory than the default
  PartitionedCaching partitioned_caching = PartitionedCaching::off;
};

// One resource's answer, as if the others had no end.
struct OccupancyLimit {
  std::string_view name;  // "wave slots", "work-group slots", "vector registers", "scalar registers", "local
                          // memory", "barriers"
  u32 groups_per_cu = 0;
  u32 waves_per_cu = 0;  // not above the wave slots
  f64 uncapped = 0;      // waves of groups_per_cu over the wave slots: may be above 1
};

// What a small change of the launch would do.
struct OccupancyAdvice {
  std::string change;  // "one more vector register (28)", "the next group size that fits better (320)"
  u32 value = 0;       // the changed quantity's new value
  u32 groups_per_cu = 0, waves_per_cu = 0;
  f64 occupancy = 0;
  std::string text;  // a sentence
};

struct Occupancy {
  std::string_view
      unit;  // what a "cu" is here, in the vendor's word: "CU", "WGP", "SM", "subslice", "SIMD engine"
  u32 wave_width = 0;  // lanes
  u32 waves_per_group = 0;
  u32 wave_slots = 0;  // of a cu
  std::vector<OccupancyLimit>
      limits;  // those that apply: a resource that the kernel doesn't use is not listed
  u32 groups_per_cu = 0;
  u32 waves_per_cu = 0;
  f64 occupancy = 0;  // waves_per_cu / wave_slots
  std::string_view
      limiter;  // the name of the limit that decides; of several equal ones the first in `limits`
  u32 vector_registers_allocated = 0;   // per lane, after rounding
  u32 scalar_registers_allocated = 0;   // per wave, after rounding, trap handler included
  u64 local_bytes_allocated = 0;        // per group, after rounding and the driver's reserve
  u64 local_bytes_available = 0;        // of a cu, in the configuration used
  std::vector<OccupancyAdvice> advice;  // filled by occupancy(), empty from evaluate_occupancy()
};

// A machine's occupancy rules as plain numbers, for callers that ask many times (sweeps, searches,
// dispatchers). 0 means that a rule does not exist for this machine.
struct OccupancyRules {
  std::string id;
  const Target* target = nullptr;
  u32 simds_per_unit = 0, waves_per_simd = 0, waves_per_unit = 0;
  u32 groups_per_unit = 0, max_group_items = 0;
  // AMD
  u32 vgprs_per_simd_lane = 0, vgpr_granule = 0, vgprs_per_item_max = 0, vgprs_reserved = 0;
  bool accumulators_unified = false;
  u32 sgprs_per_simd = 0, sgpr_granule = 0, sgprs_per_wave_max = 0, sgprs_trap_handler = 0;
  std::vector<u64> sgpr_steps, sgpr_step_waves;
  // NVIDIA
  u32 registers_per_unit = 0, registers_per_group = 0, registers_per_item_max = 0, register_granule = 0;
  u32 register_wave_granule = 0, register_partitions = 0, register_check_partitions = 0;
  bool registers_by_group = false, partitioned_caching = false;
  std::vector<u64> coarse_register_counts;
  // Local memory and barriers
  u64 local_bytes_per_unit = 0, local_bytes_per_group_max = 0, local_bytes_per_group_optin = 0;
  u64 local_reserved = 0, local_granule = 0;
  bool local_power_of_two = false;
  std::vector<u64> carveouts;
  u32 barriers_per_unit = 0;
};

OccupancyRules occupancy_rules(const Machine& machine);

// The occupancy of one launch. Errors (a group that can never run there): no work-group size or one above the
// machine's limit, too many registers for a work-item or a group, more local memory than a group or compute
// unit has, a wave width or an option that the target lacks.
Expected<Occupancy> evaluate_occupancy(const OccupancyRules& rules, const OccupancyInput& input);

// The same with `advice`: what one more register, one less, one wave less, less local memory would change.
Expected<Occupancy> occupancy(const Machine& machine, const OccupancyInput& input);

// Work-items whose vector registers fit a compute unit when nothing is rounded: registers / registers per
// item. 0 when the input uses none.
u32 items_by_vector_registers(const OccupancyRules& rules, const OccupancyInput& input);

}  // namespace lockstep
