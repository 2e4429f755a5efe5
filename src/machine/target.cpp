#include "machine/target.h"

namespace lockstep {
const Target* find_target(std::string_view name) {
  for (const Target& target : all_targets()) {
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
