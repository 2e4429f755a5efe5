#include "time/program/nv/liveness.h"

#include <algorithm>

#include "time/program/nv/latency.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using File = LoweredOperand::File;

Liveness find_liveness(const Function& f, const Plan& plan, Selected& s, Rest rest) {
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
    return in.guard.file != File::none && !in.own_lanes && !(plan.blocks[b].predicated && home[unit] == b);
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

}  // namespace lockstep::lowering
