// Equal values, and 64-bit ones of which 32 bits matter.
#include <algorithm>
#include <map>

#include "time/program/nv/simplifier.h"

namespace lockstep::lowering {
namespace {

bool is_wide(const Node& node) {
  return node.width == 2;
}

}  // namespace

// Values that a dominating node has made already.
void Simplifier::merge_equal() {
  find_dominators(f_);
  using Key = std::tuple<Op, u8, u8, bool, u64, const Semantic*, std::vector<Ref>, bool>;
  std::map<Key, std::vector<u32>> seen;
  replaced_.assign(f_.nodes.size(), Ref{});
  bool any = false;
  for (const u32 b : f_.order) {
    for (const u32 number : f_.blocks[b].nodes) {
      Node& node = f_.nodes[number];
      for (Ref& ref : node.in) ref = normal(ref);
      if (!is_pure(node) || node.second) continue;
      const bool by_meaning =
          node.op == Op::other || node.op == Op::math || node.op == Op::convert || node.real;
      std::vector<Ref> in = node.in;
      const bool commutes = node.op == Op::add || node.op == Op::mul || node.op == Op::and_ ||
                            node.op == Op::or_ || node.op == Op::xor_ || node.op == Op::mul_wide ||
                            node.op == Op::fadd || node.op == Op::fmul;
      if (commutes) std::sort(in.begin(), in.end());
      const bool sign_counts = node.op != Op::add && node.op != Op::mul && node.op != Op::shl &&
                               node.op != Op::and_ && node.op != Op::or_ && node.op != Op::xor_;
      const bool sign_and_kind = (sign_counts && node.is_signed);
      Key key{node.op,       node.width,    node.bits,
              sign_and_kind, node.value,    by_meaning ? node.meaning : nullptr,
              std::move(in), node.predicate};
      std::vector<u32>& same = seen[std::move(key)];
      u32 found = none;
      for (const u32 other : same) {
        if (dominates(f_, f_.nodes[other].block, b)) found = other;
      }
      if (found == none) {
        same.push_back(number);
      } else {
        replaced_[number] = {found, 0, static_cast<u8>(std::max<u8>(node.width, 1)), 0};
        any = changed_ = true;
      }
    }
  }
  if (!any) return;
  for (Node& node : f_.nodes) {
    if (node.dead) continue;
    for (Ref& ref : node.in) ref = normal(ref);
    if (node.guard.node != none) node.guard = normal(node.guard);
  }
  std::fill(replaced_.begin(), replaced_.end(), Ref{});
}

// 64-bit arithmetic of which only the low word is used.
void Simplifier::narrow() {
  const auto can_narrow = [](const Node& node) {
    const bool op = node.op == Op::add || node.op == Op::mul || node.op == Op::and_ || node.op == Op::or_ ||
                    node.op == Op::xor_ || node.op == Op::shl || node.op == Op::mul_wide ||
                    node.op == Op::phi || node.op == Op::frame || node.op == Op::symbol ||
                    node.op == Op::select;
    return op && is_wide(node) && node.guard.node == none && !node.real;
  };
  // Whose upper half somebody needs, not counting those whose own nobody does.
  std::vector<bool> high(f_.nodes.size(), false);
  for (bool grows = true; grows;) {
    grows = false;
    for (u32 n = 0; n < f_.nodes.size(); ++n) {
      const Node& node = f_.nodes[n];
      if (node.dead || (can_narrow(node) && !high[n])) continue;
      for (const Ref& ref : node.in) {
        if (ref.part + ref.count <= 1 || high[ref.node]) continue;
        high[ref.node] = grows = true;
      }
    }
  }
  for (u32 n = 0; n < f_.nodes.size(); ++n) {
    Node& node = f_.nodes[n];
    if (node.dead || high[n] || !is_wide(node) || node.guard.node != none || node.real) continue;
    const bool can = can_narrow(node);
    if (!can) continue;
    if (node.op == Op::mul_wide) node.op = Op::mul;
    for (std::size_t s = 0; s < node.in.size(); ++s) {
      if (node.in[s].count == 2) node.in[s].count = 1;
    }
    node.width = 1;
    node.bits = 32;
    changed_ = true;
  }
  for (Node& node : f_.nodes) {
    if (node.dead) continue;
    for (Ref& ref : node.in) ref = normal(ref);
  }
}

}  // namespace lockstep::lowering
