// The rules' state: see simplify.cpp.
#pragma once
#include <algorithm>

#include "time/program/nv/ir.h"

namespace lockstep::lowering {

class Simplifier {
 public:
  explicit Simplifier(Function& function) : f_(function) {}

  void run() {
    for (u32 round = 0; round < 12; ++round) {
      changed_ = false;
      replaced_.assign(f_.nodes.size(), Ref{});
      for (const u32 b : f_.order) {
        // New nodes are put in front of the one that asks for them.
        const std::vector<u32> list = std::move(f_.blocks[b].nodes);
        f_.blocks[b].nodes.clear();
        for (const u32 number : list) {
          if (f_.nodes[number].dead) continue;
          current_ = number;
          for (Ref& ref : f_.nodes[number].in) ref = normal(ref);
          if (f_.nodes[number].guard.node != none) f_.nodes[number].guard = normal(f_.nodes[number].guard);
          const Ref to = fold(number);
          if (to.node != none && to.node != number) {
            replaced_[number] = to;
            changed_ = true;
            // Its uses that came before (phis) still name it: it stays until the next round.
          }
          f_.blocks[b].nodes.push_back(number);
        }
      }
      for (Node& node : f_.nodes) {
        if (node.dead) continue;
        for (Ref& ref : node.in) ref = normal(ref);
        if (node.guard.node != none) node.guard = normal(node.guard);
      }
      drop_dead(f_);
      merge_equal();
      drop_dead(f_);
      narrow();
      if (!changed_) break;
    }
  }

 private:
  Node& at(const Ref& ref) { return f_.nodes[ref.node]; }
  bool constant(const Ref& ref, u64& value) const { return constant_of(f_, ref, value); }

  Ref make(Node node) {
    node.block = f_.nodes[current_].block;
    node.from = f_.nodes[current_].from;
    const u32 number = f_.add(std::move(node));
    replaced_.push_back({});
    f_.blocks[f_.nodes[number].block].nodes.push_back(number);
    changed_ = true;
    const Node& made = f_.nodes[number];
    return {number, 0, static_cast<u8>(std::max<u8>(made.width, 1))};
  }
  Ref number(u64 value, u8 width) {
    Node node;
    node.op = Op::constant;
    node.value = value;
    node.width = width;
    node.bits = static_cast<u8>(32 * width);
    return make(node);
  }
  Ref truth(bool value) {
    Node node;
    node.op = Op::constant;
    node.predicate = true;
    node.width = 0;
    node.value = value ? 1 : 0;
    return make(node);
  }
  Ref binary(Op op, const Ref& a, const Ref& b, u8 width) {
    Node node;
    node.op = op;
    node.width = width;
    node.bits = static_cast<u8>(32 * width);
    node.in = {a, b};
    return make(node);
  }

  // Through what has been replaced, and to the part of what a wide value was made of.
  Ref normal(Ref ref) {
    while (true) {
      if (ref.node < replaced_.size() && replaced_[ref.node].node != none) {
        const Ref to = replaced_[ref.node];
        u8 modifiers = static_cast<u8>(ref.modifiers ^ to.modifiers);
        if ((ref.modifiers & Ref::absolute) != 0)
          modifiers = ref.modifiers;  // the absolute value of whatever sign
        ref = {to.node, static_cast<u8>(to.part + ref.part), ref.count, modifiers};
        continue;
      }
      const Node& node = f_.nodes[ref.node];
      if (ref.modifiers != 0) return ref;
      if (ref.count == 1 && node.width == 2) {
        if (node.op == Op::pack) {
          ref = node.in[ref.part];
          continue;
        }
        if ((node.op == Op::zext || node.op == Op::sext) && ref.part == 0) {
          ref = node.in[0];
          continue;
        }
        if (node.op == Op::zext && ref.part == 1) {
          u64 value;
          (void)value;
          return ref;  // becomes RZ when it is used
        }
      }
      return ref;
    }
  }

  bool upper_half(const Ref& ref, Ref& word) const;
  void take_halves(Node& node);
  Ref fold_halves(u32 n);
  Ref fold(u32 n);
  Ref fold_add(u32 n);
  Ref fold_logic(u32 n);
  Ref rotated(const Node& node);
  Ref fold_shift(u32 n);
  Ref fold_real(u32 n);
  Ref fold_address(u32 n);
  void merge_equal();
  void narrow();

  Function& f_;
  std::vector<Ref> replaced_;
  u32 current_ = 0;
  bool changed_ = false;
};

}  // namespace lockstep::lowering
