#include "time/program/nv/allocate.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/latency.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;

bool is_virtual(const O& operand) {
  const bool file =
      operand.file == File::general || operand.file == File::uniform || operand.file == File::predicate;
  return file && operand.bank == 0 && operand.index != stack_pointer;
}

struct Range {
  u32 begin, end;  // half-open, in half instructions
};
using Ranges = std::vector<Range>;

// `copy`: where one is copied to the other, which does not keep them apart as long as both hold that.
bool overlap(const Ranges& a, const Ranges& b, u32 copy = ~u32{0}) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].end <= b[j].begin) {
      ++i;
    } else if (b[j].end <= a[i].begin) {
      ++j;
    } else if (std::max(a[i].begin, b[j].begin) == copy) {
      if (a[i].end <= b[j].end) {
        ++i;
      } else {
        ++j;
      }
    } else {
      return true;
    }
  }
  return false;
}

void merge(Ranges& to, const Ranges& from) {
  Ranges all;
  all.reserve(to.size() + from.size());
  std::merge(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(all),
             [](const Range& a, const Range& b) { return a.begin < b.begin; });
  to.clear();
  for (const Range& range : all) {
    if (!to.empty() && range.begin <= to.back().end) {
      to.back().end = std::max(to.back().end, range.end);
    } else {
      to.push_back(range);
    }
  }
}

// Where each 32-bit register or predicate holds something that is still read. Instructions are numbered in
// the order of regions; each has two places: reads, then writes.
struct Liveness {
  std::vector<u32> first_unit;  // by virtual register
  std::vector<Ranges> ranges;   // by unit
  std::vector<u32> begin_of;    // number of each region's first instruction
};

template <class Visit>
void for_operands(LoweredInstruction& in, Visit visit) {
  for (O& operand : in.source) visit(operand, false);
  visit(in.guard, false);
  for (O& operand : in.destination) visit(operand, true);
}

Liveness find_liveness(const Function& f, const Plan& plan, Selected& s, Rest rest = {}) {
  Liveness live;
  u32 units = 0;
  for (const VirtualRegister& reg : s.registers) {
    live.first_unit.push_back(units);
    units += reg.width;
  }
  live.ranges.resize(units);
  // Places of each block.
  std::vector<u32>& begin_of = live.begin_of;
  begin_of.assign(plan.regions.size() + 1, 0);
  for (std::size_t r = 0; r < plan.regions.size(); ++r)
    begin_of[r + 1] = begin_of[r] + static_cast<u32>(s.regions[r].size()) + 1;
  const std::size_t words = (units + 63) / 64, blocks = f.blocks.size();
  using Bits = std::vector<u64>;
  std::vector<Bits> in(blocks, Bits(words)), out = in, reads = in, kills = in;
  std::vector<std::pair<u32, u32>> span(blocks);
  const auto set = [](Bits& bits, u32 i) { bits[i / 64] |= u64{1} << (i % 64); };
  const auto has = [](const Bits& bits, u32 i) { return (bits[i / 64] >> (i % 64) & 1) != 0; };
  const auto units_of = [&](const O& operand, auto visit) {
    if (!is_virtual(operand)) return;
    const u32 width = s.registers[operand.index].width;
    for (u32 k = 0; k < operand.width && operand.value + k < width; ++k)
      visit(live.first_unit[operand.index] + static_cast<u32>(operand.value) + k);
  };
  // What only one block under a guard knows is nowhere else.
  std::vector<u32> home(units, none);
  constexpr u32 several = none - 1;
  for (const u32 b : f.order) {
    const u32 first = plan.region_of[f.blocks[b].first - f.first],
              last = plan.region_of[f.blocks[b].end - 1 - f.first];
    for (u32 r = first; r <= last; ++r) {
      for (LoweredInstruction& instruction : s.regions[r]) {
        for_operands(instruction, [&](O& operand, bool) {
          units_of(operand,
                   [&](u32 unit) { home[unit] = home[unit] == none || home[unit] == b ? b : several; });
        });
      }
    }
  }
  const auto keeps_old = [&](const LoweredInstruction& in, u32 b, u32 unit) {
    return in.guard.file != File::none && !(plan.blocks[b].predicated && home[unit] == b);
  };
  for (const u32 b : f.order) {
    const u32 first = plan.region_of[f.blocks[b].first - f.first],
              last = plan.region_of[f.blocks[b].end - 1 - f.first];
    span[b] = {first, last};
    for (u32 r = first; r <= last; ++r) {
      for (LoweredInstruction& instruction : s.regions[r]) {
        for_operands(instruction, [&](O& operand, bool written) {
          units_of(operand, [&](u32 unit) {
            const bool keeps = keeps_old(instruction, b, unit);
            if (!written && !has(kills[b], unit)) set(reads[b], unit);
            if (written && keeps && !has(kills[b], unit)) set(reads[b], unit);
            if (written && !keeps) set(kills[b], unit);
          });
        });
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = f.order.size(); i-- > 0;) {
      const u32 b = f.order[i];
      for (std::size_t w = 0; w < words; ++w) {
        u64 after = 0;
        for (const u32 next : f.blocks[b].next) after |= in[next][w];
        out[b][w] = after;
        const u64 before = reads[b][w] | (after & ~kills[b][w]);
        changed |= before != in[b][w];
        in[b][w] = before;
      }
    }
  }
  // A guarded write does not need what was there where nothing reaches it.
  std::vector<u32> end(units);
  for (const u32 b : f.order) {
    Bits now = out[b];
    const auto [first, last] = span[b];
    const u32 top = 2 * begin_of[last + 1];
    for (u32 unit = 0; unit < units; ++unit) {
      if (has(now, unit)) end[unit] = top;
    }
    for (u32 r = last + 1; r-- > first;) {
      for (std::size_t i = s.regions[r].size(); i-- > 0;) {
        LoweredInstruction& instruction = s.regions[r][i];
        const u32 place = 2 * (begin_of[r] + static_cast<u32>(i));
        for_operands(instruction, [&](O& operand, bool written) {
          if (!written) return;
          units_of(operand, [&](u32 unit) {
            const bool keeps = keeps_old(instruction, b, unit);
            if (!has(now, unit)) {
              live.ranges[unit].push_back({place + 1, place + 2});  // written for nobody: it takes a register
            } else if (!keeps) {
              live.ranges[unit].push_back({place + 1, end[unit]});
              now[unit / 64] &= ~(u64{1} << (unit % 64));
            }
          });
        });
        const u32 rests = 2 * (is_fixed(instruction, f.capability) ? rest.fixed : rest.memory);
        for_operands(instruction, [&](O& operand, bool written) {
          units_of(operand, [&](u32 unit) {
            if (has(now, unit) || (written && !keeps_old(instruction, b, unit))) return;
            set(now, unit);
            end[unit] = place + 1 + (operand.file == File::general ? rests : 0);
          });
        });
      }
    }
    for (u32 unit = 0; unit < units; ++unit) {
      if (has(now, unit)) live.ranges[unit].push_back({2 * begin_of[first], end[unit]});
    }
  }
  for (Ranges& ranges : live.ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    Ranges joined;
    for (const Range& range : ranges) {
      if (!joined.empty() && range.begin <= joined.back().end) {
        joined.back().end = std::max(joined.back().end, range.end);
      } else {
        joined.push_back(range);
      }
    }
    ranges = std::move(joined);
  }
  return live;
}

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

// For each 32-bit register: others that some instruction reads with it, and about how often.
using ReadTogether = std::vector<std::vector<std::pair<u32, u64>>>;

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
  Allocated result;
  struct Bank {
    std::vector<Ranges> used, awake;
    u32 most;
  };
  Bank general{{}, {}, f.most_registers - beside_allocated(f.capability)}, uniform{{}, {}, 63},
      predicates{{}, {}, 7};
  general.used.resize(first + 2);
  general.used[1].push_back({0, ~u32{0}});  // R1: the stack pointer
  for (u32 i = 2; i < first; ++i) general.used[i].push_back({0, ~u32{0}});
  general.awake = general.used;
  std::vector<u32> order(s.registers.size()), place(s.registers.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  const auto begin_of = [&](u32 v) {
    u32 begin = ~u32{0};
    for (u32 k = 0; k < s.registers[v].width; ++k) {
      const Ranges& ranges = live.ranges[live.first_unit[v] + k];
      if (!ranges.empty()) begin = std::min(begin, ranges[0].begin);
    }
    return begin;
  };
  u32 widest = 1;  // of aligned values: what is narrower fills up what they leave
  for (const VirtualRegister& reg : s.registers) {
    if (reg.file == File::general && reg.aligned)
      widest = std::max(widest, reg.width > 2 ? 4u : u32{reg.width});
  }
  std::vector<u32> begins(s.registers.size());
  for (u32 v = 0; v < begins.size(); ++v) begins[v] = begin_of(v);
  constexpr u32 granule = 8, full = 32;                   // of a work-item, 3.x to 6.x: all waves fit with 32
  std::vector<u32> bank_of(live.ranges.size(), ~u32{0});  // of what has its place
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return begins[a] < begins[b]; });
  for (const u32 v : order) {
    const VirtualRegister& reg = s.registers[v];
    if (begins[v] == ~u32{0}) continue;
    Bank& bank = reg.file == File::general ? general : reg.file == File::uniform ? uniform : predicates;
    const u32 step = reg.aligned && reg.width > 1 ? (reg.width > 2 ? 4 : 2) : 1;
    const auto is_free = [&](u32 at, u32 k) {
      return at >= bank.used.size() || !overlap(bank.used[at], live.ranges[live.first_unit[v] + k]);
    };
    const auto fits = [&](u32 at) {
      for (u32 k = 0; k < reg.width; ++k) {
        if (!is_free(at + k, k)) return false;
      }
      return true;
    };
    // Whether a wider value could lie there instead.
    const auto whole = [&](u32 at) {
      const u32 first = at - at % widest;
      for (u32 k = 0; k < widest; ++k) {
        if (!is_free(first + k, 0)) return false;
      }
      return true;
    };
    // How often its bank would have to deliver another register for the same instruction.
    const auto meets = [&](u32 at) {
      u64 times = 0;
      for (u32 k = 0; banks != 0 && &bank == &general && k < reg.width; ++k) {
        for (const auto& [other, weight] : together[live.first_unit[v] + k])
          times += bank_of[other] == (at + k) % banks ? weight : 0;
      }
      return times;
    };
    const u32 end = static_cast<u32>(bank.used.size());
    u32 chosen = ~u32{0}, first_free = ~u32{0};
    u64 least = ~u64{0};
    for (u32 at = 0; at + reg.width <= end && least != 0; at += step) {
      if (!fits(at)) continue;
      if (first_free == ~u32{0}) first_free = at;
      if (&bank == &general && reg.width < widest && whole(at)) continue;
      const u64 times = meets(at);
      if (times < least) chosen = at, least = times;
    }
    if (chosen == ~u32{0} && first_free != ~u32{0}) chosen = first_free, least = meets(chosen);
    for (u32 at = 0; chosen == ~u32{0}; at += step) {
      if (at + reg.width > bank.most) {  // what does not fit shares the last ones
        place[v] = at = bank.most - reg.width - (bank.most - reg.width) % step;
        break;
      }
      if (fits(at)) chosen = at, least = meets(at);
    }
    // Where that costs a cycle, one that only rests, such as a source's that ends here.
    for (u32 at = 0; by_reader && &bank == &general && least != 0 && at + reg.width <= end; at += step) {
      bool rests = at >= first;
      for (u32 k = 0; k < reg.width && rests; ++k)
        rests = !overlap(bank.awake[at + k], awake.ranges[awake.first_unit[v] + k]);
      const u64 times = rests ? meets(at) : least;
      if (times < least) chosen = at, least = times;
    }
    // Others that the wave is given in any case, or that take no occupancy. (From Volta on a bank more seldom
    // costs anything: what is free already is chosen from.)
    u32 given = 0;
    if (chosen != ~u32{0} && least != 0 && f.capability < 70) {
      const u32 last = std::max(end, chosen + reg.width);
      given = std::max((last + granule - 1) / granule * granule, std::min(last + banks, full));
      given = std::min(given, bank.most);
    }
    for (u32 at = (end + step - 1) / step * step; at + reg.width <= given && least != 0; at += step) {
      const u64 times = meets(at);
      if (times < least) chosen = at, least = times;
    }
    if (chosen == ~u32{0}) continue;
    if (end < chosen + reg.width) {
      bank.used.resize(chosen + reg.width);
      bank.awake.resize(chosen + reg.width);
    }
    for (u32 k = 0; k < reg.width; ++k) {
      merge(bank.used[chosen + k], live.ranges[live.first_unit[v] + k]);
      if (by_reader) merge(bank.awake[chosen + k], awake.ranges[awake.first_unit[v] + k]);
      if (banks != 0 && &bank == &general) bank_of[live.first_unit[v] + k] = (chosen + k) % banks;
    }
    place[v] = chosen;
  }
  for (auto& region : s.regions) {
    for (LoweredInstruction& in : region) {
      for_operands(in, [&](O& operand, bool) {
        if (operand.file == File::general && operand.index == stack_pointer) {
          operand.index = 1;
        } else if (is_virtual(operand)) {
          operand.index = place[operand.index] + static_cast<u32>(operand.value);
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
  result.registers =
      std::max(static_cast<u32>(general.used.size()), routines) + beside_allocated(f.capability);
  result.uniform = static_cast<u32>(uniform.used.size());
  result.predicates = static_cast<u32>(predicates.used.size());
  return result;
}

}  // namespace lockstep::lowering
