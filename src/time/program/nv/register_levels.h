// How many registers a work-item may have without costing occupancy.
#pragma once
#include <algorithm>

#include "base/types.h"
#include "isa/nv/register_bounds.h"

namespace lockstep::lowering {

// What the assembler knows of how many waves are resident beside each other.
struct Residency {
  u32 capability = 0;
  u32 group_waves = 0;  // 0: not known
  u32 local_bytes = 0;  // of a group, static
  u32 said = 0;         // registers that the kernel's text leaves a work-item (nv::registers_said)

  // Waves of a multiprocessor whose work-items have so many registers each (CUDA C++ Programming Guide,
  // "Technical Specifications per Compute Capability"): 16384 registers for each of four partitions, in
  // granules of 256 a wave.
  u32 waves_of(u32 registers) const {
    const u32 by_registers = std::min(nv::most_waves(capability), 512 / in_granules(registers) * 4);
    if (group_waves == 0) return by_registers;
    u32 groups = std::min(nv::most_groups(capability), by_registers / group_waves);
    if (local_bytes != 0) groups = std::min(groups, local_memory() / (local_bytes + kept_of_local_memory()));
    return groups * group_waves;
  }

  // The most that leave as many waves as `registers` do.
  u32 level(u32 registers) const {
    constexpr u32 most = 256;
    if (registers <= said) return said;
    u32 result = in_granules(registers);
    const u32 at_least = waves_of(result);
    while (result < most && waves_of(result + granule) == at_least) result += granule;
    return std::min(result, 255u);
  }
  // Registers that cost no waves that anybody wants.
  u32 full_occupancy() const { return said != 0 ? said : capability < 70 ? 32 : level(1); }

 private:
  static constexpr u32 granule = 8;
  static u32 in_granules(u32 registers) {
    return std::clamp((registers + granule - 1) / granule * granule, granule, 256u);
  }
  u32 local_memory() const {
    const u32 kilobytes = capability < 75    ? 96
                          : capability == 75 ? 64
                          : capability == 80 ? 164
                          : capability < 90  ? 100
                                             : 228;
    return kilobytes * 1024;
  }
  u32 kept_of_local_memory() const { return capability < 80 ? 0 : 1024; }
};

}  // namespace lockstep::lowering
