#include "time/program/nv/allocate.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/assert.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/latency.h"
#include "time/program/nv/place.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;

// Finds which virtual registers that copies connect can share hardware registers; coalesce() takes the copies
// off.
class Sharing {
 public:
  Sharing(const Function& f, const Plan& plan, Selected& s)
      : f_(f),
        plan_(plan),
        s_(s),
        live_(find_liveness(f, plan, s)),
        groups_(s.registers.size()),
        group_of_(s.registers.size()),
        offset_of_(s.registers.size(), 0) {
    std::iota(group_of_.begin(), group_of_.end(), 0);
    for (u32 v = 0; v < groups_.size(); ++v) {
      groups_[v].members = {{v, 0}};
      groups_[v].aligned = s.registers[v].aligned;
      for (u32 k = 0; k < s.registers[v].width; ++k)
        groups_[v].at.push_back({live_.ranges[live_.first_unit[v] + k], {}});
    }
    for (std::size_t r = 0; r < s.regions.size(); ++r) {
      for (u32 i = 0; i < s.regions[r].size(); ++i) {
        const LoweredInstruction& in = s.regions[r][i];
        if (is_copy(in)) copies_[2 * (live_.begin_of[r] + i) + 1] = &in;
        for (const O& to : in.destination) {
          if (!is_virtual(to)) continue;
          auto& at = groups_[to.index].at;
          for (std::size_t k = to.value; k < std::min<std::size_t>(at.size(), to.value + to.width); ++k)
            at[k].written.push_back(2 * (live_.begin_of[r] + i) + 1);
        }
      }
    }
  }

  // By region: whether each instruction is a copy within one register now.
  std::vector<std::vector<bool>> run() {
    std::vector<std::vector<bool>> joined;
    for (const auto& region : s_.regions) joined.emplace_back(region.size(), false);
    // Copies in the innermost loops first.
    std::vector<u32> order = f_.order;
    std::stable_sort(order.begin(), order.end(),
                     [&](u32 a, u32 b) { return f_.blocks[a].depth > f_.blocks[b].depth; });
    // What one joins may show that others hold equal values.
    for (bool more = true; more;) {
      more = false;
      for (const u32 b : order) {
        const u32 first = plan_.region_of[f_.blocks[b].first - f_.first],
                  last = plan_.region_of[f_.blocks[b].end - 1 - f_.first];
        const Range guarded = plan_.blocks[b].predicated
                                  ? Range{2 * live_.begin_of[first], 2 * live_.begin_of[last + 1]}
                                  : Range{0, 0};
        for (auto at = copies_.lower_bound(2 * live_.begin_of[first]);
             at != copies_.end() && at->first < 2 * live_.begin_of[last + 1]; ++at) {
          const u32 number = at->first / 2;
          u32 r = first;
          while (live_.begin_of[r + 1] <= number) ++r;
          const u32 i = number - live_.begin_of[r];
          if (joined[r][i] || !try_join(at->second->destination[0], at->second->source[0], guarded)) continue;
          joined[r][i] = more = true;
        }
      }
    }
    return joined;
  }

  // One virtual register for each group.
  void rename() const {
    std::vector<VirtualRegister> registers;
    std::vector<u32> number(groups_.size(), none);
    for (u32 v = 0; v < s_.registers.size(); ++v) {
      const u32 group = group_of_[v];
      if (number[group] != none) continue;
      number[group] = static_cast<u32>(registers.size());
      registers.push_back(
          {s_.registers[v].file, static_cast<u8>(groups_[group].at.size()), groups_[group].aligned});
    }
    for (auto& region : s_.regions) {
      for (LoweredInstruction& in : region) {
        for_operands(in, [&](O& operand, bool) {
          if (!is_virtual(operand)) return;
          operand.value += offset_of_[operand.index];
          operand.index = number[group_of_[operand.index]];
        });
      }
    }
    s_.registers = std::move(registers);
  }

 private:
  static bool is_copy(const LoweredInstruction& in) {
    if (in.opcode != LoweredOpcode::mov && in.opcode != LoweredOpcode::plop3) return false;
    if (in.source[1].file != File::none || in.source[0].modifiers != 0 || in.routine) return false;
    const O &to = in.destination[0], &from = in.source[0];
    return is_virtual(to) && is_virtual(from) && to.file == from.file && to.width == 1 && from.width == 1;
  }

  // Virtual registers that share hardware registers.
  struct Register {
    Ranges held;
    std::vector<u32> written;  // places
  };
  struct Group {
    std::vector<std::pair<u32, u32>> members;  // virtual register, where its first part lies
    std::vector<Register> at;
    bool aligned = false;
  };

  // One register of a group.
  struct Place {
    u32 group, at;
    bool operator==(const Place&) const = default;
  };
  const Register& held_in(Place place) const { return groups_[place.group].at[place.at]; }
  Place place_of(const O& operand) const {
    return {group_of_[operand.index], offset_of_[operand.index] + static_cast<u32>(operand.value)};
  }

  // Whether both hold something at once that no copy from one to the other has made equal.
  bool clash(Place a, Place b) const {
    const auto copies = [&](u32 place, Place to, Place from) {
      const auto copy = copies_.find(place);
      return copy != copies_.end() && place_of(copy->second->destination[0]) == to &&
             place_of(copy->second->source[0]) == from;
    };
    const auto equal_from = [&](u32 place) { return copies(place, a, b) || copies(place, b, a); };
    const auto changes = [&](Place in, u32 begin, u32 end) {
      return std::ranges::any_of(held_in(in).written, [&](u32 place) {
        return place > begin && place < end && !equal_from(place) && !copies(place, in, in);
      });
    };
    const Ranges &x = held_in(a).held, &y = held_in(b).held;
    for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
      const u32 begin = std::max(x[i].begin, y[j].begin), end = std::min(x[i].end, y[j].end);
      if (begin < end && (!equal_from(begin) || changes(a, begin, end) || changes(b, begin, end)))
        return true;
      x[i].end <= y[j].end ? ++i : ++j;
    }
    return false;
  }

  // `guarded`: the places of the block under whose guard the copy stands.
  bool try_join(const O& to, const O& from, Range guarded) {
    const auto [a, at_a] = place_of(to);
    const auto [b, at_b] = place_of(from);
    if (a == b) return at_a == at_b;
    if (s_.registers[to.index].file != s_.registers[from.index].file) return false;
    // B's registers begin at this one of A's.
    const i64 shift = i64{at_a} - i64{at_b};
    const auto size = [&](u32 group) { return static_cast<i64>(groups_[group].at.size()); };
    if (shift < 0 && size(b) < size(a)) return false;
    const i64 low = std::min<i64>(0, shift);
    const i64 high = std::max<i64>(size(a), shift + size(b));
    if (high - low > 4) return false;
    if (high - low > std::max(size(a), size(b))) return false;
    if (groups_[b].aligned && size(b) > 1 && (shift - low) % std::min<i64>(size(b), 4) != 0) return false;
    if (groups_[a].aligned && size(a) > 1 && (-low) % size(a) != 0) return false;
    for (i64 k = 0; k < size(b); ++k) {
      const i64 place = k + shift;
      if (place < 0 || place >= size(a)) continue;
      const Register& other = groups_[b].at[static_cast<std::size_t>(k)];
      // What is made and used under the guard alone is in other lanes than what was there before.
      const bool inside = guarded.end != 0 && !other.held.empty() &&
                          other.held.front().begin >= guarded.begin && other.held.back().end <= guarded.end;
      if (!inside && clash({a, static_cast<u32>(place)}, {b, static_cast<u32>(k)})) return false;
    }
    Group joined;
    joined.at.resize(static_cast<std::size_t>(high - low));
    joined.aligned = groups_[a].aligned || groups_[b].aligned;
    for (const auto& [which, by] : {std::pair(a, -low), std::pair(b, shift - low)}) {
      for (std::size_t k = 0; k < groups_[which].at.size(); ++k) {
        Register& to = joined.at[k + static_cast<std::size_t>(by)];
        const Register& from = groups_[which].at[k];
        merge(to.held, from.held);
        to.written.insert(to.written.end(), from.written.begin(), from.written.end());
      }
      for (const auto& [member, where] : groups_[which].members) {
        joined.members.push_back({member, where + static_cast<u32>(by)});
        group_of_[member] = a;
        offset_of_[member] = where + static_cast<u32>(by);
      }
    }
    groups_[b] = {};
    groups_[a] = std::move(joined);
    return true;
  }

  const Function& f_;
  const Plan& plan_;
  Selected& s_;
  const Liveness live_;
  std::vector<Group> groups_;
  std::vector<u32> group_of_, offset_of_;
  std::map<u32, const LoweredInstruction*> copies_;  // by the place at which they write
};

// Takes off the region's instructions that `goes` names: (instruction, its number); whether there were any.
template <class Goes>
bool take_off(std::vector<LoweredInstruction>& region, Goes goes) {
  std::size_t number = 0;
  return std::erase_if(region, [&](const LoweredInstruction& in) { return goes(in, number++); }) != 0;
}

}  // namespace

void coalesce(const Function& f, const Plan& plan, Selected& s) {
  for (;;) {
    Sharing sharing(f, plan, s);
    const std::vector<std::vector<bool>> joined = sharing.run();
    // What a copy on the way out of a loop would make lies there all through the loop where it cannot share a
    // register: without that copy the others are judged again.
    bool apart = false;
    for (std::size_t r = 0; r < s.regions.size(); ++r)
      apart |= take_off(s.regions[r], [&](const LoweredInstruction& in, std::size_t i) {
        return in.on_way_out && !joined[r][i];
      });
    if (apart) continue;
    for (std::size_t r = 0; r < s.regions.size(); ++r)
      take_off(s.regions[r], [&](const LoweredInstruction&, std::size_t i) { return bool{joined[r][i]}; });
    return sharing.rename();
  }
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

u32 held_at(const Liveness& live, const Selected& s, u32 place) {
  u32 held = 0;
  for (u32 v = 0; v < s.registers.size(); ++v) {
    if (s.registers[v].file != File::general) continue;
    for (u32 k = 0; k < s.registers[v].width; ++k) {
      held += std::ranges::any_of(live.ranges[live.first_unit[v] + k], [&](const Range& range) {
        return range.begin <= place && place < range.end;
      });
    }
  }
  return held;
}

// Registers that are held at branches to routines, with those that the routines take.
u32 routines_need(const Liveness& live, const Selected& s) {
  u32 most = 0;
  for (std::size_t r = 0; r < s.regions.size(); ++r) {
    for (std::size_t i = 0; i < s.regions[r].size(); ++i) {
      if (s.regions[r][i].routine_registers == 0) continue;
      const u32 place = 2 * (live.begin_of[r] + static_cast<u32>(i)) + 1;
      most = std::max(most, held_at(live, s, place) + 1 + s.regions[r][i].routine_registers);
    }
  }
  return most;
}

// Registers of loops whose turns follow each other in the machine's code: what each turn loads is on its way
// at once, and lies where its address lay.
u32 turns_need(const Liveness& live, const Selected& s, const Plan& plan) {
  u32 most = 0;
  for (std::size_t r = 0; r < s.regions.size(); ++r) {
    const u32 turns = plan.regions[r].unrolled;
    if (turns < 2) continue;
    std::set<u32> made;
    u32 held = 0, loaded = 0;
    for (u32 i = 0; i < s.regions[r].size(); ++i) {
      const LoweredInstruction& in = s.regions[r][i];
      held = std::max(held, held_at(live, s, 2 * (live.begin_of[r] + i) + 1));
      if (is_memory(in) && only_reads(in) && in.opcode != LoweredOpcode::ldc) {
        u32 own = in.destination[0].width;
        for (const O& o : in.source)
          if ((o.modifiers & O::address) != 0 && made.contains(o.index)) own = std::max<u32>(own, o.width);
        loaded += own;
      }
      for (const O& o : in.destination)
        if (is_virtual(o) && o.file == File::general) made.insert(o.index);
    }
    most = std::max(most, held + 1 + (turns - 1) * loaded);
  }
  return most;
}

}  // namespace

Allocated allocate(const Function& f, const Plan& plan, Selected& s, u32 first, Rest rest, bool bound) {
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
  std::vector<u32> loaded_at;
  for (std::size_t r = 0; by_reader && r < s.regions.size(); ++r) {
    for (u32 i = 0; i < s.regions[r].size(); ++i) {
      const LoweredInstruction& in = s.regions[r][i];
      if (is_memory(in) && only_reads(in) && in.opcode != LoweredOpcode::ldc)
        loaded_at.push_back(2 * (live.begin_of[r] + i) + 1);
    }
  }
  PlacingInput input{f, s, live, awake, together, first, loaded_at};
  Places places = place_registers(input, nullptr);
  const auto level = [&](u32 registers) {
    return f.residency.level(registers + beside_allocated(f.capability));
  };
  const u32 full = f.residency.full_occupancy();
  if (by_reader && bound && level(places.registers) > full) {
    // Pairs and quads first where that leaves more waves.
    input.wide_first = true;
    Places wide_first = place_registers(input, nullptr);
    input.wide_first = level(wide_first.registers) < level(places.registers);
    if (input.wide_first) places = std::move(wide_first);
  }
  if (by_reader && banks == 2) {
    // By sides, as long as that costs no occupancy.
    const Sides sides = sides_of(together);
    Places by_sides = place_registers(input, &sides);
    if (level(std::max(by_sides.registers, routines)) <= level(std::max(places.registers, routines)))
      places = std::move(by_sides);
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
  // Copies within a register; those of a routine stand for instructions that the assembler has there.
  for (auto& region : s.regions) {
    std::erase_if(region, [](const LoweredInstruction& in) {
      return in.opcode == LoweredOpcode::mov && !in.routine && in.source[1].file == File::none &&
             in.source[0].modifiers == 0 && in.source[0].file == File::general &&
             in.destination[0] == in.source[0];
    });
  }
  const u32 beside = beside_allocated(f.capability);
  u32 registers = std::max(places.registers, routines) + beside;
  // Loads of further turns take no occupancy.
  if (by_reader) {
    const u32 turns = turns_need(awake, s, plan) + beside;
    registers = std::max(registers, std::min(turns, full));
  }
  return {registers, places.uniform, places.predicates, places.fits};
}

}  // namespace lockstep::lowering
