// What one instruction of the hardware does and PTX spells as several.
#include <algorithm>
#include <bit>

#include "time/program/nv/ir.h"

namespace lockstep::lowering {
namespace {

class Fuser {
 public:
  explicit Fuser(Function& function) : f_(function) {}

  void run() {
    uses_ = use_counts(f_);
    if (f_.capability >= 70) keep_words();
    if (f_.capability >= 70) multiply_once();
    if (f_.capability == 75) split_addresses();
    for (const u32 b : f_.order) {
      for (const u32 number : f_.blocks[b].nodes) {
        Node& node = f_.nodes[number];
        if (node.dead || node.guard.node != none || node.packed || node.fused) continue;
        if (node.op == Op::add) add(node);
        if (node.op == Op::and_ || node.op == Op::or_ || node.op == Op::xor_)
          node.predicate ? combine(node) : logic(node);
        if (node.op == Op::compare) test(node);
        if (node.op == Op::prmt && f_.capability >= 80) convert_both(node);
        if (is_extreme(node) && f_.capability >= 90) take_sum(node);
      }
    }
    drop_dead(f_);
  }

 private:
  bool is(const Ref& ref, Op op, u8 width) const {
    const Node& node = f_.at(ref);
    return node.op == op && node.width == width && ref.part == 0 && ref.count == std::max<u8>(width, 1) &&
           ref.modifiers == 0 && node.guard.node == none && !node.packed;
  }
  bool alone(const Ref& ref, Op op, u8 width) const { return is(ref, op, width) && uses_[ref.node] == 1; }
  // Not over a loop's border: the source would be made again in each turn.
  bool near(const Ref& ref, const Node& node) const {
    return f_.blocks[f_.at(ref).block].loop == f_.blocks[node.block].loop &&
           f_.at(ref).uniform == node.uniform;
  }

  static bool is_extreme(const Node& node) {
    return (node.op == Op::min || node.op == Op::max) && node.width == 1 && node.bits == 32 &&
           node.in.size() == 2;
  }
  // The lesser or greater of a sum and something: VIADDMNMX.
  void take_sum(Node& node) {
    for (u32 s = 0; s < 2; ++s) {
      const Ref side = node.in[s], other = node.in[1 - s];
      if (!near(side, node) || !alone(side, Op::add, 1) || f_.at(side).bits != 32 || counts(f_.at(side)) ||
          f_.at(side).in[0].modifiers != 0 || f_.at(side).in[1].modifiers != 0)
        continue;
      node.in = {f_.at(side).in[0], f_.at(side).in[1], other};
      return;
    }
  }
  // Adds something or nothing, by a predicate: that is an addition and a guarded move, which takes no third.
  bool counts(const Node& node) const {
    return std::any_of(node.in.begin(), node.in.end(), [&](const Ref& ref) {
      u64 c;
      const Node& which = f_.at(ref);
      return which.op == Op::select && which.in.size() == 3 && uses_[ref.node] == 1 &&
             ((constant_of(f_, which.in[0], c) && c == 0) || (constant_of(f_, which.in[1], c) && c == 0));
    });
  }

  // How many bits of a word can be other than zero.
  u64 bits_at_most(const Ref& ref) const {
    const Node& n = f_.at(ref);
    u64 c;
    if (ref.modifiers != 0 || ref.part != 0 || n.width != 1 || n.guard.node != none || n.real) return 32;
    if (n.in.size() != 2 || !constant_of(f_, n.in[1], c)) return 32;
    if (n.op == Op::and_) return static_cast<u64>(std::bit_width(c & 0xFFFFFFFF));
    return n.op == Op::shr && n.bits == 32 && !n.is_signed && c < 32 ? 32 - c : 32;
  }

  // An index in bytes that several additions take and no bit of which reaches the upper word.
  void keep_words() {
    const u32 count = static_cast<u32>(f_.nodes.size());
    for (u32 i = 0; i < count; ++i) {
      u64 by;
      if (f_.nodes[i].dead || f_.nodes[i].op != Op::shl || f_.nodes[i].width != 2 || uses_[i] < 2 ||
          f_.nodes[i].uniform || f_.nodes[i].guard.node != none || !constant_of(f_, f_.nodes[i].in[1], by))
        continue;
      const Ref wide = f_.nodes[i].in[0];
      if (f_.at(wide).op != Op::zext || wide.part != 0 || wide.modifiers != 0 ||
          bits_at_most(f_.at(wide).in[0]) + by > 32)
        continue;
      Node word = f_.nodes[i];
      word.width = 1;
      word.bits = 32;
      word.in = {f_.at(wide).in[0], f_.nodes[i].in[1]};
      const u32 made = f_.add(std::move(word));
      uses_.push_back(1);
      auto& list = f_.blocks[f_.nodes[i].block].nodes;
      list.insert(std::find(list.begin(), list.end(), i), made);
      f_.nodes[i].op = Op::zext;
      f_.nodes[i].in = {Ref{made}};
    }
  }

  // Both words of a product, where PTX has an instruction for each.
  void multiply_once() {
    std::vector<Ref> instead(f_.nodes.size());
    bool any = false;
    // A product that is added to something is one instruction with that.
    std::vector<bool> added(f_.nodes.size(), false);
    for (const Node& n : f_.nodes) {
      if (n.dead || n.op != Op::add || n.width != 1) continue;
      for (const Ref& ref : n.in) added[ref.node] = added[ref.node] || uses_[ref.node] == 1;
    }
    const auto word = [&](const Node& n, Op op) {
      return !n.dead && n.op == op && n.width == 1 && n.bits == 32 && n.guard.node == none && !n.uniform &&
             !n.real && !n.packed && n.in.size() == 2;
    };
    for (Block& block : f_.blocks) {
      for (std::size_t i = 0; i < block.nodes.size(); ++i) {
        const Node& upper = f_.nodes[block.nodes[i]];
        if (!word(upper, Op::mul_high) || added[block.nodes[i]]) continue;
        for (std::size_t k = 0; k < block.nodes.size(); ++k) {
          const Node& lower = f_.nodes[block.nodes[k]];
          const bool same =
              word(lower, Op::mul) && ((lower.in[0] == upper.in[0] && lower.in[1] == upper.in[1]) ||
                                       (lower.in[0] == upper.in[1] && lower.in[1] == upper.in[0]));
          if (!same || added[block.nodes[k]] || instead[block.nodes[k]].node != none) continue;
          Node both = upper;
          both.op = Op::mul_wide;
          both.width = 2;
          both.bits = 64;
          const u32 low_number = block.nodes[k], high_number = block.nodes[i], made = f_.add(std::move(both));
          instead.resize(f_.nodes.size());
          added.push_back(false);
          uses_.push_back(uses_[low_number] + uses_[high_number]);
          instead[low_number] = {made, 0, 1, 0};
          instead[high_number] = {made, 1, 1, 0};
          block.nodes.insert(block.nodes.begin() + static_cast<std::ptrdiff_t>(std::min(i, k)), made);
          ++i;
          any = true;
          break;
        }
      }
    }
    if (!any) return;
    for (Node& user : f_.nodes) {
      for (Ref& ref : user.in) {
        if (ref.node == none || instead[ref.node].node == none) continue;
        const Ref to = instead[ref.node];
        ref.node = to.node;
        ref.part = to.part;
      }
    }
    uses_ = use_counts(f_);
  }

  // Turing's memory instructions add a pair of uniform registers to the address: what the uniform datapath
  // makes, and a base that the launch gives where several addresses have one index.
  void split_addresses() {
    std::vector<bool> elsewhere(f_.nodes.size(), false);
    for (const Node& n : f_.nodes) {
      if (n.dead) continue;
      const bool accesses = (n.op == Op::load || n.op == Op::store || n.op == Op::atomic) &&
                            n.ptx != nullptr && n.ptx->addressing != Addressing::local &&
                            n.ptx->addressing != Addressing::scratch &&
                            n.ptx->addressing != Addressing::scalar;
      for (std::size_t i = accesses ? 1 : 0; i < n.in.size(); ++i) elsewhere[n.in[i].node] = true;
    }
    for (u32 i = 0; i < f_.nodes.size(); ++i) {
      Node& n = f_.nodes[i];
      if (n.dead || n.op != Op::add || n.width != 2 || n.guard.node != none || n.uniform || elsewhere[i] ||
          uses_[i] == 0)
        continue;
      for (u32 s = 0; s < 2 && !n.fused; ++s) {
        const Ref base = n.in[s], index = n.in[1 - s];
        const bool pairs = base.part == 0 && base.count == 2 && index.count == 2 && base.modifiers == 0 &&
                           index.modifiers == 0 && f_.at(index).op != Op::parameter;
        const bool given =
            f_.at(base).op == Op::parameter && uses_[index.node] > 1 && f_.at(index).op != Op::mul_wide;
        n.fused = pairs && (given || f_.at(base).uniform);
        if (n.fused && s == 1) std::swap(n.in[0], n.in[1]);
      }
    }
  }

  void add(Node& node) {
    u64 c;
    if (node.bits < 32) return;
    // What is taken off is a product: of it the factor can be negative.
    for (u32 s = 0; s < 2 && node.width == 1; ++s) {
      Ref side = node.in[s];
      if (side.modifiers != Ref::negate || !near(side, node)) continue;
      side.modifiers = 0;
      if (!alone(side, Op::mul, 1)) continue;
      const Ref other = node.in[1 - s];
      node.op = Op::mad;
      node.in = {f_.at(side).in[0], f_.at(side).in[1], other};
      node.in[0].modifiers ^= Ref::negate;
      return;
    }
    for (u32 s = 0; s < 2; ++s) {
      const Ref side = node.in[s], other = node.in[1 - s];
      if (!near(side, node)) continue;
      if (node.width == 1 && alone(side, Op::mul, 1)) {
        node.op = Op::mad;
        if (f_.at(side).bits == 24 || (f_.at(side).bits == 16 && f_.capability < 70))
          node.bits = f_.at(side).bits;
        node.in = {f_.at(side).in[0], f_.at(side).in[1], other};
        return;
      }
      // Where the product takes two instructions, so do product and sum: it is made again for each sum.
      // From Volta on one instruction does both: no product is kept for several sums either.
      const bool one = f_.capability >= 70 || (f_.capability >= 20 && f_.capability < 50);
      const bool again = one && is(side, Op::mul_wide, 2);
      if (node.width == 2 && f_.capability >= 20 && (again || alone(side, Op::mul_wide, 2)) &&
          other.modifiers == 0) {
        node.op = Op::mad_wide;
        node.is_signed = f_.at(side).is_signed;
        node.in = {f_.at(side).in[0], f_.at(side).in[1], other};
        return;
      }
    }
    // The addend goes in with the lower product.
    for (u32 s = 0; s < 2 && node.width == 2 && f_.capability >= 70; ++s) {
      const Ref side = node.in[s], other = node.in[1 - s];
      if (!near(side, node) || !alone(side, Op::mul, 2) || other.modifiers != 0 ||
          f_.at(other).op == Op::constant)
        continue;
      node.op = Op::mad;
      node.in = {f_.at(side).in[0], f_.at(side).in[1], other};
      return;
    }
    for (u32 s = 0; s < 2; ++s) {
      const Ref side = node.in[s], other = node.in[1 - s];
      if (!near(side, node)) continue;
      // Two words with a carry between them from 5.x on.
      if (f_.capability < (node.width == 2 ? 50u : 20u)) continue;
      if (alone(side, Op::shl, node.width) && constant_of(f_, f_.at(side).in[1], c) && c < 32) {
        node.op = Op::shift_add;
        node.value = c;
        node.in = {f_.at(side).in[0], other};
        return;
      }
    }
    for (u32 s = 0; s < 2 && node.width == 1 && f_.capability >= 50; ++s) {
      const Ref side = node.in[s], other = node.in[1 - s];
      if (!near(side, node) || !alone(side, Op::shr, 1) || f_.at(side).is_signed || f_.at(side).bits != 32 ||
          !constant_of(f_, f_.at(side).in[1], c) || c == 0 || c >= 32)
        continue;
      node.op = Op::high_add;
      node.value = c;
      node.in = {f_.at(side).in[0], other};
      return;
    }
    // Sums of three words from 5.x on, of three double words from 7.0 on, which has two carries.
    if (f_.capability < (node.width == 2 ? 70u : 50u)) return;
    for (u32 s = 0; s < 2; ++s) {
      const Ref side = node.in[s], other = node.in[1 - s];
      if (!near(side, node) || !alone(side, Op::add, node.width) || f_.at(side).bits < 32 || counts(node) ||
          counts(f_.at(side)))
        continue;
      node.op = Op::add3;
      node.in = {f_.at(side).in[0], f_.at(side).in[1], other};
      return;
    }
  }

  void logic(Node& node) {
    // Bits behind those of a shift: an addition.
    u64 by, low;
    if (node.op == Op::or_ && node.width == 1 && node.in.size() == 2 && node.bits == 32 &&
        f_.capability >= 20 && constant_of(f_, node.in[1], low) && alone(node.in[0], Op::shl, 1) &&
        near(node.in[0], node) && f_.at(node.in[0]).bits == 32 &&
        constant_of(f_, f_.at(node.in[0]).in[1], by) && by < 32 && (low & 0xFFFFFFFF) >> by == 0) {
      node.in[0] = f_.at(node.in[0]).in[0];
      node.op = Op::shift_add;
      node.value = by;
      return;
    }
    std::vector<Ref> in;
    const auto put = [&](const Ref& ref) {
      if (std::find(in.begin(), in.end(), ref) == in.end()) in.push_back(ref);
    };
    // Complements are part of the table.
    const auto plain = [&](Ref ref) {
      const Node& inner = f_.at(ref);
      u64 c;
      const bool inverts = inner.op == Op::lop3 && inner.in.size() == 1 && inner.width == node.width &&
                           inner.guard.node == none;
      (void)c;
      return inverts ? inner.in[0] : ref;
    };
    std::vector<Ref> sides = node.in;
    u64 c;
    const u64 ones = node.width == 2 ? ~u64{0} : 0xFFFFFFFF;
    if (node.op == Op::xor_ && sides.size() == 2 && constant_of(f_, sides[1], c) && (c & ones) == ones)
      sides.pop_back();
    for (Ref& side : sides) side = plain(side);
    for (const Ref& side : sides) put(side);
    for (u32 s = 0; s < sides.size(); ++s) {
      if (!alone(sides[s], Op::lop3, node.width) || !near(sides[s], node)) continue;
      std::vector<Ref> merged;
      for (const Ref& ref : in) {
        if (ref == sides[s]) continue;
        if (std::find(merged.begin(), merged.end(), ref) == merged.end()) merged.push_back(ref);
      }
      for (const Ref& ref : f_.at(sides[s]).in) {
        if (std::find(merged.begin(), merged.end(), ref) == merged.end()) merged.push_back(ref);
      }
      if (merged.size() > (f_.capability >= 50 ? 3u : 2u)) continue;
      in = std::move(merged);
    }
    // How many bits the result has at most, where a mask says so.
    node.value = 0;
    for (const Ref& side : sides) {
      if (node.op == Op::and_ && constant_of(f_, side, c))
        node.value = static_cast<u64>(std::bit_width(c & ones));
    }
    node.op = Op::lop3;
    node.in = std::move(in);
  }

  // Two floats become the halves of a word at once.
  void convert_both(Node& node) {
    u64 selector;
    if (node.in.size() != 3 || !constant_of(f_, node.in[2], selector) || selector != 0x5410) return;
    for (u32 s = 0; s < 2; ++s) {
      if (!alone(node.in[s], Op::convert, 1) || !near(node.in[s], node)) return;
      const nv::ElementType &to = f_.at(node.in[s]).operation.type, &from = f_.at(node.in[s]).operation.from;
      if (!to.floating() || to.bits != 16 || to.count != 1 || !from.floating() || from.bits != 32) return;
    }
    const Node low = f_.at(node.in[0]), high = f_.at(node.in[1]);
    if (low.operation.type.brain != high.operation.type.brain) return;
    node.op = Op::convert;
    node.real = true;
    node.operation = low.operation;
    node.meaning = low.meaning;
    node.in = {low.in[0], high.in[0]};
  }

  // A comparison with and, or, xor of another predicate.
  void combine(Node& node) {
    for (u32 s = 0; s < node.in.size(); ++s) {
      const Ref side = node.in[s];
      const Node& compare = f_.at(side);
      const bool single = uses_[side.node] == 1 && (side.modifiers == 0 || !compare.real) && side.part == 0 &&
                          compare.guard.node == none;
      if (compare.op != Op::compare || !single || compare.in.size() != 2 || compare.bits == 64) continue;
      Node both = compare;
      both.in.push_back(node.in[1 - s]);
      both.from = node.from;
      both.block = node.block;
      const Op how = node.op;
      node = both;
      node.is_signed = compare.is_signed;
      (void)how;
      return;
    }
  }

  // LOP3 says whether its result is zero.
  void test(Node& node) {
    u64 c;
    if (node.real || node.in.size() != 2 || node.bits != 32 || f_.capability < 50) return;
    const Compare which = static_cast<Compare>(node.value);
    if ((which != Compare::eq && which != Compare::ne) || !constant_of(f_, node.in[1], c) || c != 0) return;
    Node& source = f_.at(node.in[0]);
    if (source.op != Op::lop3 || source.uniform || source.width != 1 || node.in[0].count != 1 ||
        source.guard.node != none || source.second)
      return;
    if (source.block != node.block) return;
    source.second = true;
    Ref to{node.in[0].node, Ref::second, 1, 0};
    if (which == Compare::eq) to.modifiers = Ref::complement;
    node.op = Op::move;
    node.in = {to};
    node.predicate = true;
    rename(node);
  }

  // Users of a predicate that is only another name.
  void rename(Node& node) {
    u32 number = none;
    for (const u32 candidate : f_.blocks[node.block].nodes) {
      if (&f_.nodes[candidate] == &node) number = candidate;
    }
    const Ref to = node.in[0];
    for (Node& user : f_.nodes) {
      if (user.dead) continue;
      const auto change = [&](Ref& ref) {
        if (ref.node != number) return;
        ref = {to.node, to.part, 1, static_cast<u8>(ref.modifiers ^ to.modifiers)};
      };
      for (Ref& ref : user.in) change(ref);
      if (user.guard.node != none) change(user.guard);
    }
  }

  Function& f_;
  std::vector<u32> uses_;
};

}  // namespace

void fuse(Function& function) {
  Fuser(function).run();
}

}  // namespace lockstep::lowering
