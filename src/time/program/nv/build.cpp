// From PTX instructions, whose registers are written again and again, to values. Single assignment after
// Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013).
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "isa/nv/control.h"
#include "isa/nv/memory.h"
#include "isa/nv/register_use.h"
#include "isa/nv/special.h"
#include "isa/nv/wave.h"
#include "isa/semantic.h"
#include "time/program/nv/builder.h"
#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

// Replaces what was found to be something else.
void Builder::settle() {
  for (Node& n : f_.nodes) {
    for (Ref& ref : n.in) ref = resolve(ref);
    n.guard = resolve(n.guard);
  }
  for (Block& block : f_.blocks)
    std::erase_if(block.nodes, [&](u32 number) { return f_.nodes[number].dead; });
}

// Two phis whose values are used as one of 64 bits are one of 64 bits.
void Builder::pair_phis() {
  settle();
  std::map<std::pair<u32, u32>, u32> wide;
  std::vector<std::pair<u32, u32>> left;
  const auto pair_up = [&](const Ref& low, const Ref& high) -> Ref {
    if (low.node == high.node && high.part == low.part + 1) return {low.node, low.part, 2};
    const Node &l = f_.nodes[low.node], &h = f_.nodes[high.node];
    const bool phis =
        l.op == Op::phi && h.op == Op::phi && l.block == h.block && l.width == 1 && h.width == 1;
    if (phis && !replaced_.contains(low.node) && !replaced_.contains(high.node)) {
      Node fresh;
      fresh.op = Op::phi;
      fresh.width = 2;
      fresh.bits = 64;
      fresh.from = l.from;
      current_ = l.block;
      const u32 number = node(fresh, true);
      replaced_[low.node] = {number, 0, 1};
      replaced_[high.node] = {number, 1, 1};
      wide[{low.node, high.node}] = number;
      left.push_back({low.node, high.node});
      return {number, 0, 2};
    }
    const auto found = wide.find({low.node, high.node});
    return found == wide.end() ? Ref{} : Ref{found->second, 0, 2};
  };
  for (u32 i = 0; i < f_.nodes.size(); ++i) {
    if (f_.nodes[i].op == Op::pack && f_.nodes[i].in.size() == 2) {
      const Ref low = f_.nodes[i].in[0], high = f_.nodes[i].in[1];
      pair_up(low, high);
    }
    while (!left.empty()) {
      const auto [low, high] = left.back();
      left.pop_back();
      const u32 number = wide[{low, high}];
      std::vector<Ref> in;
      for (std::size_t k = 0; k < f_.nodes[low].in.size(); ++k) {
        const Ref a = f_.nodes[low].in[k], b = f_.nodes[high].in[k];
        Ref both = pair_up(a, b);
        if (both.node == none) {
          current_ = f_.blocks[f_.nodes[low].block].before[k];
          Node pack;
          pack.op = Op::pack;
          pack.width = 2;
          pack.bits = 64;
          pack.in = {a, b};
          pack.from = f_.blocks[current_].end - 1;
          pack.block = current_;
          const u32 made = f_.add(pack);
          auto& list = f_.blocks[current_].nodes;
          const bool ends = !list.empty() && (f_.nodes[list.back()].op == Op::branch);
          list.insert(ends ? std::prev(list.end()) : list.end(), made);
          both = {made, 0, 2};
        }
        in.push_back(both);
      }
      f_.nodes[number].in = std::move(in);
      f_.nodes[low].dead = f_.nodes[high].dead = true;
    }
  }
  settle();
  for (u32 i = 0; i < f_.nodes.size(); ++i) {  // packs of what are the halves of one value now
    Node& n = f_.nodes[i];
    if (n.op != Op::pack || n.in.size() != 2 || n.in[0].node != n.in[1].node ||
        n.in[1].part != n.in[0].part + 1)
      continue;
    replaced_[i] = {n.in[0].node, n.in[0].part, 2};
    n.dead = true;
  }
  settle();
}

Function build(const Module& module, const Program& program, u32 first, u32 end, bool kernel) {
  return Builder(module, program, first, end, kernel).run();
}

}  // namespace lockstep::lowering
