// A Target is one ISA generation: what a compiler calls -mcpu, and what an ISA room decodes.
// Several machines (GPUs) share one target.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "base/types.h"

namespace lockstep {

enum class Vendor : u8 { amd, nvidia, intel };

// Which ISA room reads the target's code.
enum class IsaFamily : u8 {
  amdgcn,  // GCN 1-5, CDNA, RDNA
  ptx,     // NVIDIA's virtual ISA, all compute capabilities
  r600,    // AMD VLIW: Evergreen, Northern Islands
  gen,     // Intel Gen9
};

// Targets whose compute units are built alike; finer than IsaFamily, coarser than a target.
enum class Architecture : u8 {
  gcn,
  cdna,
  rdna,
  vliw5,
  vliw4,
  tesla,
  fermi,
  kepler,
  maxwell,
  pascal,
  volta,
  turing,
  ampere,
  hopper,
  gen9
};

struct Target {
  std::string_view name;  // as clang's -mcpu / -target-cpu spells it; "sm_10" and "gen9" are ours
  Vendor vendor;
  IsaFamily isa;
  Architecture architecture;
  // AMD: gfx<major><minor><stepping> (gfx90a is 9, 0, 10). NVIDIA: compute capability major.minor, stepping
  // 0. Intel: the Gen number. VLIW: the chip's own R600 generation (Evergreen 5, Northern Islands 6).
  u32 major, minor, stepping;
  // Work-items per wave that the hardware can run, narrowest first; unused entries are 0.
  std::array<u32, 3> widths;
  u32 default_width;  // what the compiler chooses when it is not told
  // The target that is really handed to the compiler: clang has no PTX below sm_20 and no sm_21 scheduling.
  std::string_view compiler_target;

  // The non-zero part of `widths`.
  std::span<const u32> wave_widths() const {
    std::size_t count = 0;
    while (count < widths.size() && widths[count] != 0) ++count;
    return {widths.data(), count};
  }
  // 10 * major + minor: "7.5" is 75. Only for NVIDIA.
  u32 compute_capability() const { return 10 * major + minor; }
};

// Every target, in a fixed order: AMD, NVIDIA, Intel, each oldest first.
std::span<const Target> all_targets();

// nullptr when no target has this name (case matters, as for the compilers).
const Target* find_target(std::string_view name);

std::string_view to_string(Vendor vendor);              // "amd", "nvidia", "intel"
std::string_view to_string(IsaFamily family);           // "amdgcn", "ptx", "r600", "gen"
std::string_view to_string(Architecture architecture);  // "gcn", "cdna", "rdna", "vliw5", ...

}  // namespace lockstep
