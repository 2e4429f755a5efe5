#include "time/program/nv/lowered.h"

#include <algorithm>

#include "base/assert.h"

namespace lockstep {

std::string_view name(LoweredSpecial special) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(LoweredSpecial::count)> names = {
      "SR_TID.X",  "SR_TID.Y",  "SR_TID.Z",   "SR_CTAID.X", "SR_CTAID.Y",     "SR_CTAID.Z",
      "SR_LANEID", "SR_VIRTID", "SR_CLOCKLO", "SR_CLOCKHI", "SR_VIRTUALSMID", "SR_EQMASK",
      "SR_LTMASK", "SR_LEMASK", "SR_GTMASK",  "SR_GEMASK",  "SR_OTHER"};
  LOCKSTEP_ASSERT(special < LoweredSpecial::count, "a special register is one of the list");
  return names[static_cast<std::size_t>(special)];
}

u32 region_of(const LoweredProgram& program, u32 instruction) {
  const auto after = std::upper_bound(program.regions.begin(), program.regions.end(), instruction,
                                      [](u32 at, const LoweredRegion& region) { return at < region.first; });
  if (after == program.regions.begin()) return no_region;
  const LoweredRegion& region = *std::prev(after);
  if (instruction - region.first >= region.count) return no_region;
  return static_cast<u32>(std::prev(after) - program.regions.begin());
}

}  // namespace lockstep
