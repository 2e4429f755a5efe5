#include "time/program/nv/allocate.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/latency.h"
#include "time/program/nv/place.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;

// Virtual registers that share hardware registers.
struct Group {
  std::vector<std::pair<u32, u32>> members;  // virtual register, where its first part lies
  std::vector<Ranges> at;                    // by register of the group
  bool aligned = false;
};

}  // namespace

void coalesce(const Function& f, const Plan& plan, Selected& s) {
  Liveness live = find_liveness(f, plan, s);
  std::vector<Group> groups(s.registers.size());
  std::vector<u32> group_of(s.registers.size()), offset_of(s.registers.size(), 0);
  std::iota(group_of.begin(), group_of.end(), 0);
  for (u32 v = 0; v < groups.size(); ++v) {
    groups[v].members = {{v, 0}};
    groups[v].aligned = s.registers[v].aligned;
    for (u32 k = 0; k < s.registers[v].width; ++k)
      groups[v].at.push_back(live.ranges[live.first_unit[v] + k]);
  }
  // `guarded`: the places of the block under whose guard the copy stands.
  const auto try_join = [&](const O& to, const O& from, u32 place_of_copy, Range guarded) {
    const u32 a = group_of[to.index], b = group_of[from.index];
    const u32 at_a = offset_of[to.index] + static_cast<u32>(to.value),
              at_b = offset_of[from.index] + static_cast<u32>(from.value);
    if (a == b) return at_a == at_b;
    if (s.registers[to.index].file != s.registers[from.index].file) return false;
    // B's registers begin at this one of A's.
    const i64 shift = i64{at_a} - i64{at_b};
    if (shift < 0 && groups[b].at.size() < groups[a].at.size()) return false;
    const i64 low = std::min<i64>(0, shift);
    const i64 high =
        std::max<i64>(static_cast<i64>(groups[a].at.size()), shift + static_cast<i64>(groups[b].at.size()));
    if (high - low > 4) return false;
    if (high - low > static_cast<i64>(std::max(groups[a].at.size(), groups[b].at.size()))) return false;
    if (groups[b].aligned && groups[b].at.size() > 1 &&
        (shift - low) % static_cast<i64>(std::min<std::size_t>(groups[b].at.size(), 4)) != 0)
      return false;
    if (groups[a].aligned && groups[a].at.size() > 1 && (-low) % static_cast<i64>(groups[a].at.size()) != 0)
      return false;
    for (i64 k = 0; k < static_cast<i64>(groups[b].at.size()); ++k) {
      const i64 place = k + shift;
      if (place < 0 || place >= static_cast<i64>(groups[a].at.size())) continue;
      const u32 copy = place == i64{at_a} ? place_of_copy : ~u32{0};
      const Ranges& others = groups[b].at[static_cast<std::size_t>(k)];
      // What is made and used under the guard alone is in other lanes than what was there before.
      const bool inside = guarded.end != 0 && !others.empty() && others.front().begin >= guarded.begin &&
                          others.back().end <= guarded.end;
      if (!inside && overlap(groups[a].at[static_cast<std::size_t>(place)], others, copy)) return false;
    }
    Group joined;
    joined.at.resize(static_cast<std::size_t>(high - low));
    joined.aligned = groups[a].aligned || groups[b].aligned;
    for (const auto& [which, by] : {std::pair(a, -low), std::pair(b, shift - low)}) {
      for (std::size_t k = 0; k < groups[which].at.size(); ++k)
        merge(joined.at[k + static_cast<std::size_t>(by)], groups[which].at[k]);
      for (const auto& [member, where] : groups[which].members) {
        joined.members.push_back({member, where + static_cast<u32>(by)});
        group_of[member] = a;
        offset_of[member] = where + static_cast<u32>(by);
      }
    }
    groups[b] = {};
    groups[a] = std::move(joined);
    return true;
  };
  // Copies in the innermost loops first.
  std::vector<u32> order = f.order;
  std::stable_sort(order.begin(), order.end(),
                   [&](u32 a, u32 b) { return f.blocks[a].depth > f.blocks[b].depth; });
  for (const u32 b : order) {
    const u32 first = plan.region_of[f.blocks[b].first - f.first],
              last = plan.region_of[f.blocks[b].end - 1 - f.first];
    for (u32 r = first; r <= last; ++r) {
      u32 number_in_region = 0;
      const Range guarded = plan.blocks[b].predicated
                                ? Range{2 * live.begin_of[first], 2 * live.begin_of[last + 1]}
                                : Range{0, 0};
      std::erase_if(s.regions[r], [&](LoweredInstruction& in) {
        const u32 written = 2 * (live.begin_of[r] + number_in_region++) + 1;
        if (in.opcode != LoweredOpcode::mov && in.opcode != LoweredOpcode::plop3) return false;
        if (in.source[1].file != File::none || in.source[0].modifiers != 0 || in.routine) return false;
        const O &to = in.destination[0], &from = in.source[0];
        return is_virtual(to) && is_virtual(from) && to.file == from.file && to.width == 1 &&
               from.width == 1 && try_join(to, from, written, guarded);
      });
    }
  }
  // One virtual register for each group.
  std::vector<VirtualRegister> registers;
  std::vector<u32> number(groups.size(), none);
  for (u32 v = 0; v < s.registers.size(); ++v) {
    const u32 group = group_of[v];
    if (number[group] != none) continue;
    number[group] = static_cast<u32>(registers.size());
    registers.push_back(
        {s.registers[v].file, static_cast<u8>(groups[group].at.size()), groups[group].aligned});
  }
  for (auto& region : s.regions) {
    for (LoweredInstruction& in : region) {
      for_operands(in, [&](O& operand, bool) {
        if (!is_virtual(operand)) return;
        operand.value += offset_of[operand.index];
        operand.index = number[group_of[operand.index]];
      });
    }
  }
  s.registers = std::move(registers);
}

std::vector<RegionLive> live_in_regions(const Function& f, const Plan& plan, Selected& s) {
  const Liveness live = find_liveness(f, plan, s);
  std::vector<RegionLive> result(s.regions.size());
  for (u32 v = 0; v < s.registers.size(); ++v) {
    if (s.registers[v].file != File::general) continue;
    O part;
    part.file = File::general;
    part.index = v;
    for (u32 k = 0; k < s.registers[v].width; ++k) {
      for (const Range& range : live.ranges[live.first_unit[v] + k]) {
        // The regions at whose begin or end it holds.
        auto r = static_cast<std::size_t>(
            std::upper_bound(live.begin_of.begin(), live.begin_of.end(), range.begin / 2) -
            live.begin_of.begin() - 1);
        for (; r < s.regions.size() && 2 * live.begin_of[r] < range.end; ++r) {
          const u32 begin = 2 * live.begin_of[r], end = begin + 2 * static_cast<u32>(s.regions[r].size());
          if (range.begin <= begin) result[r].before.insert(register_key(part, k));
          if (range.begin <= end && end < range.end) result[r].behind.insert(register_key(part, k));
        }
      }
    }
  }
  return result;
}

namespace {

ReadTogether read_together(const Function& f, const Plan& plan, const Selected& s, const Liveness& live) {
  ReadTogether result(live.ranges.size());
  const auto add = [&](u32 unit, u32 other, u64 times) {
    for (auto& [known, weight] : result[unit]) {
      if (known != other) continue;
      weight += times;
      return;
    }
    result[unit].push_back({other, times});
  };
  std::vector<u32> units;
  for (const u32 b : f.order) {
    const u32 first = plan.region_of[f.blocks[b].first - f.first],
              last = plan.region_of[f.blocks[b].end - 1 - f.first];
    constexpr u32 turns_shift = 3, deepest = 6;  // a loop's turns where nothing is known of them
    const u64 times = u64{1} << (turns_shift * std::min(f.blocks[b].depth, deepest));
    for (u32 r = first; r <= last; ++r) {
      for (const LoweredInstruction& in : s.regions[r]) {
        units.clear();
        for (const O& source : in.source) {
          if (!is_virtual(source) || source.file != File::general) continue;
          const u32 width = s.registers[source.index].width;
          for (u32 k = 0; k < source.width && source.value + k < width; ++k)
            units.push_back(live.first_unit[source.index] + static_cast<u32>(source.value) + k);
        }
        std::ranges::sort(units);
        units.erase(std::unique(units.begin(), units.end()), units.end());
        for (std::size_t i = 0; i < units.size(); ++i) {
          for (std::size_t j = 0; j < units.size(); ++j) {
            if (i != j) add(units[i], units[j], times);
          }
        }
      }
    }
  }
  return result;
}

// Registers that are held at branches to routines, with those that the routines take.
u32 routines_need(const Liveness& live, const Selected& s) {
  u32 most = 0;
  for (std::size_t r = 0; r < s.regions.size(); ++r) {
    for (std::size_t i = 0; i < s.regions[r].size(); ++i) {
      if (s.regions[r][i].routine_registers == 0) continue;
      const u32 place = 2 * (live.begin_of[r] + static_cast<u32>(i)) + 1;
      u32 held = 1 + s.regions[r][i].routine_registers;  // the stack pointer
      for (u32 v = 0; v < s.registers.size(); ++v) {
        if (s.registers[v].file != File::general) continue;
        for (u32 k = 0; k < s.registers[v].width; ++k) {
          const Ranges& ranges = live.ranges[live.first_unit[v] + k];
          held += std::any_of(ranges.begin(), ranges.end(),
                              [&](const Range& range) { return range.begin <= place && place < range.end; });
        }
      }
      most = std::max(most, held);
    }
  }
  return most;
}

}  // namespace

Allocated allocate(const Function& f, const Plan& plan, Selected& s, u32 first, Rest rest) {
  const bool by_reader = f.capability >= 70;
  Liveness live = find_liveness(f, plan, s, by_reader ? rest : Rest{});
  for (u32 v = 0; !by_reader && rest.fixed != 0 && v < s.registers.size(); ++v) {
    if (s.registers[v].file != File::general) continue;
    for (u32 k = 0; k < s.registers[v].width; ++k) {
      Ranges longer;
      for (Range range : live.ranges[live.first_unit[v] + k])
        merge(longer, {{range.begin, range.end + 2 * rest.fixed}});
      live.ranges[live.first_unit[v] + k] = std::move(longer);
    }
  }
  // Without the times that registers rest.
  const Liveness awake = by_reader ? find_liveness(f, plan, s) : Liveness{};
  const u32 routines = by_reader ? routines_need(awake, s) : 0;
  const u32 banks = spread_banks(f.capability);
  const ReadTogether together = banks != 0 ? read_together(f, plan, s, live) : ReadTogether{};
  const PlacingInput input{f, s, live, awake, together, first};
  Places places = place_registers(input, nullptr);
  if (by_reader && banks == 2) {
    // By sides, as long as that costs no occupancy.
    const auto given = [&](u32 registers) {
      constexpr u32 granule = 8;
      const u32 needed = std::max(registers, routines) + beside_allocated(f.capability);
      return std::max((needed + granule - 1) / granule * granule, registers_of_full_occupancy(f.capability));
    };
    const Sides sides = sides_of(together);
    Places by_sides = place_registers(input, &sides);
    if (given(by_sides.registers) <= given(places.registers)) places = std::move(by_sides);
  }
  for (auto& region : s.regions) {
    for (LoweredInstruction& in : region) {
      for_operands(in, [&](O& operand, bool) {
        if (operand.file == File::general && operand.index == stack_pointer) {
          operand.index = 1;
        } else if (is_virtual(operand)) {
          operand.index = places.at[operand.index] + static_cast<u32>(operand.value);
          operand.value = 0;
        }
        if (operand.file == File::general || operand.file == File::predicate || operand.file == File::uniform)
          operand.bank = 0;
      });
    }
  }
  // Copies within a register.
  for (auto& region : s.regions) {
    std::erase_if(region, [](const LoweredInstruction& in) {
      return in.opcode == LoweredOpcode::mov && in.source[1].file == File::none &&
             in.source[0].modifiers == 0 && in.source[0].file == File::general &&
             in.destination[0] == in.source[0];
    });
  }
  Allocated result{std::max(places.registers, routines) + beside_allocated(f.capability), places.uniform,
                   places.predicates};
  return result;
}

}  // namespace lockstep::lowering
