#include "isa/nv/register_bounds.h"

#include <algorithm>

namespace lockstep::nv {
namespace {

u64 registers_of_unit(u32 capability) {
  return capability < 12 ? 8192 : capability < 20 ? 16384 : capability < 30 ? 32768 : 65536;
}
}  // namespace

u32 most_waves(u32 capability) {
  if (capability < 12) return 24;
  if (capability < 20 || capability == 75) return 32;
  return capability < 30 || capability == 86 || capability == 89 ? 48 : 64;
}
u32 most_groups(u32 capability) {
  if (capability < 30) return 8;
  return capability < 50 || capability == 75 || capability == 86 ? 16 : capability == 89 ? 24 : 32;
}

u32 most_registers(u32 capability, u64 group_items) {
  const u32 most = capability < 20 ? 124 : capability < 32 ? 63 : 255;
  if (group_items == 0) return most;
  const u64 waves = (group_items + 31) / 32;
  const u64 each = registers_of_unit(capability) / (32 * waves) / 8 * 8;
  return static_cast<u32>(std::clamp<u64>(each, 8, most));
}

u32 registers_said(u32 capability, const RegisterBounds& bounds) {
  constexpr u32 least = 16;  // fewer are not worth a store and a load of each value
  u32 result = 0;
  if (bounds.registers != 0)
    result = std::min(std::max(bounds.registers, least), most_registers(capability, u64{bounds.items}));
  const u64 waves = u64{bounds.groups} * ((u64{bounds.items} + 31) / 32);
  if (waves == 0 || bounds.groups > most_groups(capability) || waves > most_waves(capability)) return result;
  const u64 partitions = capability < 20 ? 1 : capability < 30 ? 2 : 4;
  const u32 by_groups = most_registers(capability, (waves + partitions - 1) / partitions * partitions * 32);
  return result == 0 ? by_groups : std::min(result, by_groups);
}

u32 most_registers(u32 capability, const RegisterBounds& bounds) {
  const u32 said = registers_said(capability, bounds);
  return said != 0 ? said : most_registers(capability, u64{bounds.items});
}

}  // namespace lockstep::nv
