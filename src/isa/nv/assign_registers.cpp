// Which registers of a function live where, and the rows and scalars that they lie in.
#include <algorithm>
#include <map>

#include "isa/nv/flow_graph.h"

namespace lockstep::nv {
namespace {

struct Interval {
  u32 begin = no_index, end = 0;
  void cover(u32 at) {
    begin = std::min(begin, at);
    end = std::max(end, at);
  }
};

using Bits = std::vector<u64>;

// From the first to the last place where each register holds something that is still read.
std::vector<Interval> live_intervals(const LoweredFunction& function) {
  const Graph graph = graph_of(function.code);
  const std::size_t words = (function.registers.size() + 63) / 64;
  std::vector<Bits> in(graph.blocks.size(), Bits(words)), reads = in, kills = in;
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    for (u32 i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
      const Lowered& lowered = function.code[i];
      for_registers(lowered, [&](u32 reg, bool written) {
        if (!written && ((kills[b][reg / 64] >> (reg % 64)) & 1) == 0)
          reads[b][reg / 64] |= u64{1} << (reg % 64);
      });
      for_registers(lowered, [&](u32 reg, bool written) {
        if (!written) return;
        // A guarded write leaves what was there in the other lanes.
        if (lowered.guard != no_index) {
          if (((kills[b][reg / 64] >> (reg % 64)) & 1) == 0) reads[b][reg / 64] |= u64{1} << (reg % 64);
        } else {
          kills[b][reg / 64] |= u64{1} << (reg % 64);
        }
      });
    }
  }
  std::vector<Bits> out(graph.blocks.size(), Bits(words));
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 b = static_cast<u32>(graph.blocks.size()); b-- > 0;) {
      for (const u32 n : graph.blocks[b].next) {
        for (std::size_t w = 0; w < words; ++w) out[b][w] |= in[n][w];
      }
      for (std::size_t w = 0; w < words; ++w) {
        const u64 live = reads[b][w] | (out[b][w] & ~kills[b][w]);
        changed |= live != in[b][w];
        in[b][w] = live;
      }
    }
  }
  // Even places: an instruction's reads; odd ones: its writes.
  std::vector<Interval> intervals(function.registers.size());
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    for (u32 reg = 0; reg < function.registers.size(); ++reg) {
      if (((in[b][reg / 64] >> (reg % 64)) & 1) != 0) intervals[reg].cover(2 * graph.blocks[b].begin);
      if (((out[b][reg / 64] >> (reg % 64)) & 1) != 0) intervals[reg].cover(2 * graph.blocks[b].end - 1);
    }
    for (u32 i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
      for_registers(function.code[i],
                    [&](u32 reg, bool written) { intervals[reg].cover(2 * i + (written ? 1 : 0)); });
    }
  }
  return intervals;
}

}  // namespace

RegisterCount assign_registers(LoweredFunction& function, u32 row_base, u32 scalar_base) {
  const std::vector<Interval> intervals = live_intervals(function);
  std::vector<u32> order;
  for (u32 reg = 0; reg < intervals.size(); ++reg) {
    if (intervals[reg].begin != no_index) order.push_back(reg);
  }
  std::sort(order.begin(), order.end(), [&](u32 a, u32 b) {
    return std::pair(intervals[a].begin, a) < std::pair(intervals[b].begin, b);
  });
  std::vector<u32> place(intervals.size(), 0);
  std::vector<bool> row_taken, scalar_taken;
  std::multimap<u32, u32> active;  // by end
  RegisterCount use;
  u32 rows_live = 0;
  for (const u32 reg : order) {
    while (!active.empty() && active.begin()->first < intervals[reg].begin) {
      const u32 done = active.begin()->second;
      const bool predicate = function.registers[done] == Type::pred_;
      const u32 count = bytes_of(function.registers[done]) == 8 ? 2 : 1;
      for (u32 i = 0; i < (predicate ? 1 : count); ++i)
        (predicate ? scalar_taken : row_taken)[place[done] + i] = false;
      if (!predicate) rows_live -= count;
      active.erase(active.begin());
    }
    const bool predicate = function.registers[reg] == Type::pred_;
    const u32 count = !predicate && bytes_of(function.registers[reg]) == 8 ? 2 : 1;
    std::vector<bool>& taken = predicate ? scalar_taken : row_taken;
    u32 at = 0;
    while (true) {
      bool fits = true;
      for (u32 i = 0; i < count; ++i) fits &= at + i >= taken.size() || !taken[at + i];
      if (fits) break;
      at += count;
    }
    if (taken.size() < at + count) taken.resize(at + count, false);
    for (u32 i = 0; i < count; ++i) taken[at + i] = true;
    place[reg] = at;
    if (!predicate) {
      rows_live += count;
      use.most_live_rows = std::max(use.most_live_rows, rows_live);
    }
    active.emplace(intervals[reg].end, reg);
  }
  use.rows = static_cast<u32>(row_taken.size());
  use.scalars = static_cast<u32>(scalar_taken.size());
  const auto number = [&](u32 reg) {
    return place[reg] + (function.registers[reg] == Type::pred_ ? scalar_base : row_base);
  };
  for (const u32 reg : order)
    function.placed.push_back({reg, number(reg), intervals[reg].begin, intervals[reg].end});
  for (Lowered& lowered : function.code) {
    for (Operand& operand : lowered.in.operand) {
      if (is_virtual(operand)) operand.index = number(operand.index & ~virtual_register);
    }
    if (lowered.guard != no_index) lowered.in.guard_register = number(lowered.guard);
    for (std::vector<u32>* list : {&lowered.wide_results, &lowered.wide_sources}) {
      for (u32& reg : *list) {
        lowered.wide_rows.push_back(bytes_of(function.registers[reg]) == 8 ? 2 : 1);
        reg = number(reg);
      }
    }
  }
  return use;
}

}  // namespace lockstep::nv
