#include "machine/target.h"

namespace lockstep {
namespace {

constexpr Target amd(std::string_view name, Architecture architecture, u32 major, u32 minor, u32 stepping) {
  // LLVM's AMDGPU usage guide, "Target Features": gfx10 and later have wavefrontsize32, and default to it.
  const bool wave32 = architecture == Architecture::rdna;
  const std::array<u32, 3> widths = wave32 ? std::array<u32, 3>{32, 64, 0} : std::array<u32, 3>{64, 0, 0};
  return {name,     Vendor::amd, IsaFamily::amdgcn,  architecture, major, minor,
          stepping, widths,      wave32 ? 32u : 64u, name};
}

constexpr Target nvidia(std::string_view name, Architecture architecture, u32 major, u32 minor,
                        std::string_view compiler_target) {
  return {name, Vendor::nvidia, IsaFamily::ptx, architecture, major, minor, 0, {32, 0, 0},
          32,   compiler_target};
}

using enum Architecture;

constexpr Target targets[] = {
    {"cypress", Vendor::amd, IsaFamily::r600, vliw5, 5, 0, 0, {64, 0, 0}, 64, "cypress"},
    {"cayman", Vendor::amd, IsaFamily::r600, vliw4, 6, 0, 0, {64, 0, 0}, 64, "cayman"},
    amd("gfx600", gcn, 6, 0, 0),
    amd("gfx601", gcn, 6, 0, 1),
    amd("gfx701", gcn, 7, 0, 1),
    amd("gfx802", gcn, 8, 0, 2),
    amd("gfx803", gcn, 8, 0, 3),
    amd("gfx900", gcn, 9, 0, 0),
    amd("gfx906", gcn, 9, 0, 6),
    amd("gfx908", cdna, 9, 0, 8),
    amd("gfx90a", cdna, 9, 0, 10),
    amd("gfx942", cdna, 9, 4, 2),
    amd("gfx1010", rdna, 10, 1, 0),
    amd("gfx1030", rdna, 10, 3, 0),
    amd("gfx1100", rdna, 11, 0, 0),
    amd("gfx1201", rdna, 12, 0, 1),
    nvidia("sm_10", tesla, 1, 0, "sm_20"),
    nvidia("sm_13", tesla, 1, 3, "sm_20"),
    nvidia("sm_20", fermi, 2, 0, "sm_20"),
    nvidia("sm_21", fermi, 2, 1, "sm_20"),
    nvidia("sm_35", kepler, 3, 5, "sm_35"),
    nvidia("sm_37", kepler, 3, 7, "sm_37"),
    nvidia("sm_50", maxwell, 5, 0, "sm_50"),
    nvidia("sm_52", maxwell, 5, 2, "sm_52"),
    nvidia("sm_60", pascal, 6, 0, "sm_60"),
    nvidia("sm_61", pascal, 6, 1, "sm_61"),
    nvidia("sm_70", volta, 7, 0, "sm_70"),
    nvidia("sm_75", turing, 7, 5, "sm_75"),
    nvidia("sm_80", ampere, 8, 0, "sm_80"),
    nvidia("sm_86", ampere, 8, 6, "sm_86"),
    nvidia("sm_90", hopper, 9, 0, "sm_90"),
    {"gen9", Vendor::intel, IsaFamily::gen, gen9, 9, 0, 0, {8, 16, 32}, 16, "skl"},
};

}  // namespace

std::span<const Target> all_targets() {
  return targets;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

std::string_view to_string(Vendor vendor) {
  switch (vendor) {
    case Vendor::amd:
      return "amd";
    case Vendor::nvidia:
      return "nvidia";
    case Vendor::intel:
      return "intel";
  }
  return "";
}

std::string_view to_string(IsaFamily family) {
  switch (family) {
    case IsaFamily::amdgcn:
      return "amdgcn";
    case IsaFamily::ptx:
      return "ptx";
    case IsaFamily::r600:
      return "r600";
    case IsaFamily::gen:
      return "gen";
  }
  return "";
}

std::string_view to_string(Architecture architecture) {
  constexpr std::string_view names[] = {"gcn",   "cdna",   "rdna",   "vliw5",   "vliw4",
                                        "tesla", "fermi",  "kepler", "maxwell", "pascal",
                                        "volta", "turing", "ampere", "hopper",  "gen9"};
  return names[static_cast<u8>(architecture)];
}

}  // namespace lockstep
