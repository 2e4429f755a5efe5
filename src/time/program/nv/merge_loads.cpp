// Loads of local memory that lie side by side become one wide load, as the vendor's assembler makes them
// where the alignment can be seen: in a block, from one base, without a store, an atomic or a barrier between
// them.
#include <algorithm>
#include <bit>
#include <map>

#include "time/program/nv/ir.h"

namespace lockstep::lowering {
namespace {

constexpr u32 most_aligned = 16;

class LoadMerger {
 public:
  explicit LoadMerger(Function& function) : f_(function) {}

  void run() {
    for (Block& block : f_.blocks) {
      std::vector<u32> open;
      for (const u32 number : block.nodes) {
        const Node& n = f_.nodes[number];
        if (is_candidate(n)) {
          open.push_back(number);
        } else if (n.effect && n.op != Op::load) {
          merge(open);
          open.clear();
        }
      }
      merge(open);
    }
    if (moved_.empty()) return;
    for (Node& n : f_.nodes) {
      if (n.dead) continue;
      for (Ref& ref : n.in) follow(ref);
    }
    for (Block& block : f_.blocks)
      std::erase_if(block.nodes, [&](u32 number) { return f_.nodes[number].dead; });
  }

 private:
  static bool is_candidate(const Node& n) {
    return n.op == Op::load && !n.dead && n.ptx != nullptr && n.ptx->addressing == Addressing::local &&
           n.guard.node == none && n.in.size() == 1 && !n.ptx->policy.strong() && bytes(n) >= 4 &&
           bytes(n) == n.width * 4u;
  }
  // 0: not whole registers.
  static u32 bytes(const Node& n) {
    const bool narrow = n.name.find("16") != n.name.npos || n.name.find("u8") != n.name.npos ||
                        n.name.find("i8") != n.name.npos || n.name.find("byte") != n.name.npos;
    return narrow ? 0 : n.width * 4u;
  }
  static i64 offset(const Node& n) { return static_cast<i32>(n.value); }

  // A power of two, at most 16, that divides the value; phis are taken to keep what goes into them.
  u32 alignment(const Ref& ref, u32 depth = 0) {
    const Node& n = f_.at(ref);
    if (n.op == Op::constant)
      return n.value == 0 ? most_aligned : std::min<u64>(most_aligned, n.value & (~n.value + 1));
    if (depth > 8) return 1;
    const auto found = known_.find(ref.node);
    if (found != known_.end()) return found->second;
    u32 result = 1;
    known_[ref.node] = most_aligned;  // of a loop's own value, while it is looked at
    switch (n.op) {
      case Op::phi:
      case Op::add:
      case Op::move:
        result = most_aligned;
        for (const Ref& in : n.in) result = in.node == none ? 1 : std::min(result, alignment(in, depth + 1));
        break;
      case Op::shl: {
        u64 by = 0;
        if (n.in.size() == 2 && constant_of(f_, n.in[1], by))
          result = std::min<u32>(most_aligned, 1u << std::min<u64>(by, 4));
        break;
      }
      case Op::mul: {
        u64 by = 0;
        for (const Ref& in : n.in) {
          if (constant_of(f_, in, by) && by != 0) result = std::min<u64>(most_aligned, by & (~by + 1));
        }
        break;
      }
      default:
        break;
    }
    known_[ref.node] = result;
    return result;
  }

  void merge(const std::vector<u32>& open) {
    if (open.size() < 2) return;
    std::map<Ref, std::vector<u32>> by_base;
    for (const u32 number : open) by_base[f_.nodes[number].in[0].plain()].push_back(number);
    for (auto& [base, loads] : by_base) {
      if (loads.size() < 2) continue;
      known_.clear();
      const u32 aligned = alignment(base);
      if (aligned < 8) continue;
      std::stable_sort(loads.begin(), loads.end(),
                       [&](u32 a, u32 b) { return offset(f_.nodes[a]) < offset(f_.nodes[b]); });
      for (std::size_t i = 0; i < loads.size();) i += merge_from(loads, i, aligned);
    }
  }

  // Puts together what begins with the i-th load and fills 16 or 8 aligned bytes; gives how many loads that
  // were.
  std::size_t merge_from(const std::vector<u32>& loads, std::size_t i, u32 aligned) {
    const i64 begin = offset(f_.nodes[loads[i]]);
    for (u32 wide = aligned; wide >= 8; wide /= 2) {
      if ((begin & (wide - 1)) != 0) continue;
      i64 at = begin;
      std::size_t end = i;
      while (end < loads.size() && offset(f_.nodes[loads[end]]) == at &&
             at + bytes(f_.nodes[loads[end]]) <= begin + wide)
        at += bytes(f_.nodes[loads[end++]]);
      if (at != begin + wide || end - i < 2) continue;
      // The first in program order stands for all.
      const u32 keeper =
          *std::min_element(loads.begin() + static_cast<i64>(i), loads.begin() + static_cast<i64>(end),
                            [&](u32 a, u32 b) { return f_.nodes[a].from < f_.nodes[b].from; });
      for (std::size_t k = i; k < end; ++k) {
        const u8 part = static_cast<u8>((offset(f_.nodes[loads[k]]) - begin) / 4);
        moved_[loads[k]] = {keeper, part};
        if (loads[k] != keeper) f_.nodes[loads[k]].dead = true;
      }
      f_.nodes[keeper].width = static_cast<u8>(wide / 4);
      f_.nodes[keeper].value = static_cast<u64>(static_cast<u32>(begin));
      return end - i;
    }
    return 1;
  }

  void follow(Ref& ref) const {
    const auto found = moved_.find(ref.node);
    if (found == moved_.end()) return;
    ref.node = found->second.first;
    ref.part = static_cast<u8>(ref.part + found->second.second);
  }

  Function& f_;
  std::map<u32, u32> known_;                 // alignments
  std::map<u32, std::pair<u32, u8>> moved_;  // loads: which one makes them, from which register on
};

}  // namespace

void merge_loads(Function& function) {
  LoadMerger(function).run();
}

}  // namespace lockstep::lowering
