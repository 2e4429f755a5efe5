// Products of which 16 bits matter, on generations that multiply 16 bits at a time: one instruction instead
// of three or four. clang widens char and short arithmetic to 32 bits and masks between.
#include <algorithm>
#include <bit>

#include "time/program/nv/ir.h"

namespace lockstep::lowering {
namespace {

bool passes_low_bits(Op op) {
  return op == Op::add || op == Op::mul || op == Op::mad || op == Op::and_ || op == Op::or_ ||
         op == Op::xor_ || op == Op::phi || op == Op::move;
}

// How many low bits of its inputs a node looks at that no rule below knows better; 32: all.
u8 looked_at(const Node& node) {
  if (node.op == Op::extend) return static_cast<u8>(std::min<u64>(node.value, 32));
  if (node.op != Op::convert) return 32;
  const nv::ElementType& from = node.operation.from;
  if (from.whole_number() && from.bits < 32) return from.bits;
  return 32;
}

class Halves {
 public:
  explicit Halves(Function& function) : f_(function), needed_(function.nodes.size(), 0) {}

  void run() {
    while (grow()) {
    }
    for (u32 n = 0; n < f_.nodes.size(); ++n) {
      Node& node = f_.nodes[n];
      if (node.dead || !is_word(node) || needed_[n] == 0 || needed_[n] > 16) continue;
      if ((node.op == Op::mul || node.op == Op::mad) && node.bits == 32) node.bits = 16;
    }
    for (Node& node : f_.nodes) {
      if (node.dead) continue;
      for (Ref& ref : node.in) ref = unmasked(ref);
    }
    drop_dead(f_);
  }

 private:
  static bool is_word(const Node& node) {
    return node.width == 1 && !node.real && !node.packed && !node.predicate && node.guard.node == none;
  }

  // Whether somebody was found to need more of a value than was known.
  bool grow() {
    bool grew = false;
    for (u32 n = 0; n < f_.nodes.size(); ++n) {
      const Node& node = f_.nodes[n];
      if (node.dead) continue;
      u8 bits = looked_at(node);
      if (is_word(node) && passes_low_bits(node.op)) bits = needed_[n];
      for (const Ref& ref : node.in) {
        u8 asked = bits;
        u64 mask = 0;
        if (node.op == Op::and_ && node.in.size() == 2 && bits != 0) {
          const Ref& other = &ref == node.in.data() ? node.in[1] : node.in[0];
          if (constant_of(f_, other, mask))
            asked = std::min(bits, static_cast<u8>(std::bit_width(mask & 0xFFFFFFFF)));
        }
        if (ref.node == none || (ref.modifiers != 0 && asked != 0)) asked = 32;
        if (ref.node == none || asked <= needed_[ref.node]) continue;
        needed_[ref.node] = asked;
        grew = true;
      }
      if (node.guard.node != none && needed_[node.guard.node] < 32) {
        needed_[node.guard.node] = 32;
        grew = true;
      }
    }
    return grew;
  }

  // What a mask leaves as it is, as far as anybody looks.
  Ref unmasked(Ref ref) const {
    while (ref.node != none && ref.modifiers == 0 && ref.part == 0 && ref.count == 1) {
      const Node& node = f_.nodes[ref.node];
      u64 mask = 0;
      if (node.op != Op::and_ || !is_word(node) || node.in.size() != 2 || needed_[ref.node] == 0 ||
          needed_[ref.node] > 16)
        break;
      const bool first = constant_of(f_, node.in[0], mask);
      if (!first && !constant_of(f_, node.in[1], mask)) break;
      const u64 looked = (u64{1} << needed_[ref.node]) - 1;
      const Ref& value = node.in[first ? 1 : 0];
      if ((mask & looked) != looked || value.modifiers != 0 || value.count != 1) break;
      ref = value;
    }
    return ref;
  }

  Function& f_;
  std::vector<u8> needed_;  // low bits of a node's word that somebody looks at
};

}  // namespace

void halve_products(Function& function) {
  Halves(function).run();
}

}  // namespace lockstep::lowering
