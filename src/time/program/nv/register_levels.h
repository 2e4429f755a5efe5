// How many registers a work-item may have without costing occupancy.
#pragma once
#include <algorithm>

#include "base/types.h"

namespace lockstep::lowering {

// What the assembler knows of how many waves are resident beside each other.
struct Residency {
  u32 capability = 0;
  u32 group_waves = 0;  // 0: not known
  u32 local_bytes = 0;  // of a group, static

  // Waves of a multiprocessor whose work-items have so many registers each (CUDA C++ Programming Guide,
  // "Technical Specifications per Compute Capability"): 16384 registers for each of four partitions, in
  // granules of 256 a wave.
  u32 waves(u32 registers) const {
    const u32 most = capability == 75 ? 32 : capability == 86 || capability == 89 ? 48 : 64;
    const u32 by_registers = std::min(most, 512 / registers * 4);
    if (group_waves == 0) return by_registers;
    const u32 most_groups = capability == 75 || capability == 86 ? 16 : capability == 89 ? 24 : 32;
    u32 groups = std::min(most_groups, by_registers / group_waves);
    if (local_bytes != 0) groups = std::min(groups, local_memory() / (local_bytes + kept_of_local_memory()));
    return groups * group_waves;
  }

  // The most that leave as many waves as `registers` do.
  u32 level(u32 registers) const {
    constexpr u32 granule = 8, most = 256;
    u32 result = std::clamp((registers + granule - 1) / granule * granule, granule, most);
    const u32 at_least = waves(result);
    while (result < most && waves(result + granule) == at_least) result += granule;
    return std::min(result, 255u);
  }
  u32 full_occupancy() const { return capability < 70 ? 32 : level(1); }

 private:
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
