// Values that are others in disguise. The rules are those by which PTX's spelling differs from what hardware
// has: 64-bit indices of which 32 bits matter, moves, extensions, signs that operands carry.
#include <algorithm>
#include <bit>
#include <optional>

#include "time/program/nv/simplifier.h"

namespace lockstep::lowering {

Ref Simplifier::fold_add(u32 n) {
  Node& node = f_.nodes[n];
  u64 a, b;
  const u8 width = node.width;
  if (node.bits == 8 || width == 0 || node.packed) return {};
  const bool left = constant(node.in[0], a), right = constant(node.in[1], b);
  if (left && right) return number(a + b, width);
  if (left && a != 0) std::swap(node.in[0], node.in[1]);
  if (left && a == 0 && node.in[1].modifiers == 0) return node.in[1];
  if (right && b == 0 && node.in[0].modifiers == 0) return node.in[0];
  if (const Ref turned = rotated(node); turned.node != none) return turned;
  // (x + c) + d
  if (constant(node.in[1], b) && node.in[0].modifiers == 0) {
    const Node& inner = at(node.in[0]);
    u64 c;
    if (inner.op == Op::add && inner.guard.node == none && inner.width == width && constant(inner.in[1], c)) {
      const Ref base = inner.in[0];
      // A loop would have to hand over the product beside its sum.
      const bool leaves_loop = f_.blocks[inner.block].loop != f_.blocks[node.block].loop;
      if (at(base).op == Op::mul && leaves_loop) return {};
      return binary(Op::add, base, number(c + b, width), width);
    }
    if (inner.op == Op::frame) {
      Node moved = inner;
      moved.value += b;
      moved.width = width;
      return make(moved);
    }
    if (inner.op == Op::symbol && (inner.value & 7) == static_cast<u64>(BankWord::ntid_x)) return {};
  }
  // Words below which there is nothing.
  if (width == 2 && constant(node.in[1], b) && (b & 0xFFFFFFFF) == 0 && node.in[0].count == 2) {
    const Node& inner = at(node.in[0]);
    u64 c;
    if (inner.op == Op::pack && constant(inner.in[0], c) && c == 0) {
      const Ref upper = inner.in[1];
      Node pack;
      pack.op = Op::pack;
      pack.width = 2;
      pack.bits = 64;
      pack.in = {number(0, 1), binary(Op::add, upper, number(b >> 32, 1), 1)};
      return make(pack);
    }
  }
  // Constants outwards: addresses take them.
  if (width == 2) {
    for (u32 s = 0; s < 2; ++s) {
      const Node& inner = at(node.in[s]);
      u64 c;
      if (inner.op != Op::add || inner.guard.node != none || inner.width != 2 || node.in[s].count != 2 ||
          node.in[s].modifiers != 0 || !constant(inner.in[1], c) || right || left)
        continue;
      if (f_.blocks[inner.block].loop != f_.blocks[node.block].loop) continue;
      const Ref base = inner.in[0], other = node.in[1 - s];
      const Ref sum = binary(Op::add, base, other, 2);
      return binary(Op::add, sum, number(c, 2), 2);
    }
  }
  // a + -(x): a - x, where the negation is 0 - x.
  for (u32 s = 0; s < 2; ++s) {
    const Node& inner = at(node.in[s]);
    u64 zero;
    if (inner.op == Op::add && inner.guard.node == none && inner.width == width &&
        constant(inner.in[0], zero) && zero == 0 && (inner.in[1].modifiers & Ref::negate) != 0) {
      Ref to = inner.in[1];
      to.modifiers = static_cast<u8>(node.in[s].modifiers ^ Ref::negate);
      f_.nodes[n].in[s] = to;
      changed_ = true;
      return {};
    }
  }
  return {};
}

Ref Simplifier::fold_logic(u32 n) {
  Node& node = f_.nodes[n];
  u64 a, b;
  if (node.predicate) {
    for (u32 s = 0; s < 2; ++s) {
      const Node& side = at(node.in[s]);
      if (side.op != Op::constant) continue;
      const bool value = (side.value != 0) != ((node.in[s].modifiers & Ref::complement) != 0);
      const Ref other = node.in[1 - s];
      if (node.op == Op::and_) return value ? other : truth(false);
      if (node.op == Op::or_) return value ? truth(true) : other;
      Ref inverted = other;
      if (value) inverted.modifiers ^= Ref::complement;
      return inverted;
    }
    return {};
  }
  const u8 width = node.width;
  const u64 ones = width == 2 ? ~u64{0} : 0xFFFFFFFF;
  if (constant(node.in[0], a) && constant(node.in[1], b))
    return number(node.op == Op::and_ ? a & b : node.op == Op::or_ ? a | b : a ^ b, width);
  if (node.op != Op::and_) {
    if (const Ref turned = rotated(node); turned.node != none) return turned;
  }
  if (constant(node.in[0], a)) std::swap(node.in[0], node.in[1]);
  if (constant(node.in[1], b)) {
    if (node.op == Op::and_ && (b & ones) == 0) return number(0, width);
    if (node.op == Op::and_ && (b & ones) == ones) return node.in[0];
    if (node.op != Op::and_ && (b & ones) == 0) return node.in[0];
    const Ref x = node.in[0];
    // Halves that a constant decides.
    if (width == 2 && node.op == Op::and_ && (b >> 32) == 0 && x.count == 2) {
      Node wide;
      wide.op = Op::zext;
      wide.width = 2;
      wide.bits = 64;
      const Ref low = binary(Op::and_, normal({x.node, x.part, 1, 0}), number(b & 0xFFFFFFFF, 1), 1);
      wide.in = {low};
      return make(wide);
    }
    if (width == 2 && x.count == 2 && x.modifiers == 0) {
      const auto trivial = [&](u64 word) { return word == 0 || (node.op == Op::and_ && word == 0xFFFFFFFF); };
      if (trivial(b & 0xFFFFFFFF) || trivial(b >> 32)) {
        const Op op = node.op;
        Node pack;
        pack.op = Op::pack;
        pack.width = 2;
        pack.bits = 64;
        for (u8 i = 0; i < 2; ++i)
          pack.in.push_back(binary(op, normal({x.node, static_cast<u8>(x.part + i), 1, 0}),
                                   number(b >> (32 * i) & 0xFFFFFFFF, 1), 1));
        return make(pack);
      }
    }
    const Node& inner = at(x);
    u64 c;
    if (inner.op == node.op && inner.width == width && inner.guard.node == none && inner.in.size() == 2 &&
        constant(inner.in[1], c)) {
      const Ref base = inner.in[0];
      return binary(node.op, base,
                    number(node.op == Op::and_  ? b & c
                           : node.op == Op::or_ ? b | c
                                                : b ^ c,
                           width),
                    width);
    }
    if (node.op == Op::and_ && inner.op == Op::load && inner.ptx != nullptr && width == 1) {
      if (inner.element_bytes == 1 && !inner.is_signed && (b & 0xFF) == 0xFF) return x;
    }
    if (node.op == Op::and_ && inner.op == Op::extend && !inner.is_signed && inner.value <= 16) {
      const u64 kept = (u64{1} << inner.value) - 1;
      if ((b & kept) == kept) return x;
    }
  }
  // The upper half of what has been extended by zeros decides, or changes nothing.
  if (width == 2 && node.in[0].count == 2 && node.in[1].count == 2) {
    for (u32 s = 0; s < 2; ++s) {
      const Ref x = node.in[s], other = node.in[1 - s];
      if (at(x).op != Op::zext || x.part != 0 || x.modifiers != 0 || other.modifiers != 0) continue;
      Node pack;
      pack.op = Op::pack;
      pack.width = 2;
      pack.bits = 64;
      const Ref low = binary(node.op, normal({other.node, other.part, 1, 0}), normal({x.node, 0, 1, 0}), 1);
      const Ref high = normal({other.node, static_cast<u8>(other.part + 1), 1, 0});
      pack.in = {low, node.op == Op::and_ ? number(0, 1) : high};
      return make(pack);
    }
  }
  if (node.in[0] == node.in[1]) return node.op == Op::xor_ ? number(0, width) : node.in[0];
  return {};
}

Ref Simplifier::fold_shift(u32 n) {
  Node& node = f_.nodes[n];
  u64 a, by;
  if (!constant(node.in[1], by)) return {};
  const u8 width = node.width;
  if (by == 0) return node.in[0];
  if (by >= node.bits && !(node.op == Op::shr && node.is_signed)) return number(0, width);
  if (constant(node.in[0], a)) {
    if (node.op == Op::shl) return number(a << by, width);
    if (!node.is_signed) return number(a >> by, width);
    return number(width == 2 ? static_cast<u64>(static_cast<i64>(a) >> by)
                             : static_cast<u64>(static_cast<i32>(a) >> std::min<u64>(by, 31)),
                  width);
  }
  const Ref x = node.in[0];
  const Node& inner = at(x);
  u64 c;
  if (node.bits == 64 && x.count == 2) {
    // (x << 32) >> k: the low word as a signed or unsigned number.
    const auto from_low_word = [&](const Ref& low) {
      Node wide;
      wide.op = node.is_signed ? Op::sext : Op::zext;
      wide.is_signed = node.is_signed;
      wide.width = 2;
      wide.bits = 64;
      wide.in = {low};
      const Ref whole = make(wide);
      return by == 32 ? whole : binary(Op::shl, whole, number(32 - by, 1), 2);
    };
    if (node.op == Op::shr && inner.op == Op::pack && constant(inner.in[0], c) && c == 0 && by <= 32) {
      return from_low_word(inner.in[1]);
    }
    if (node.op == Op::shr && inner.op == Op::shl && inner.width == 2 && constant(inner.in[1], c) &&
        c == 32 && by <= 32) {
      const Ref from = inner.in[0];
      const Ref low = normal({from.node, from.part, 1, 0});
      return from_low_word(low);
    }
    if (node.op == Op::shr && by >= 32 && !node.is_signed) {
      Node wide;
      wide.op = Op::zext;
      wide.width = 2;
      wide.bits = 64;
      const Ref high = normal({x.node, static_cast<u8>(x.part + 1), 1, 0});
      wide.in = {by == 32 ? high : binary(Op::shr, high, number(by - 32, 1), 1)};
      return make(wide);
    }
    if (node.op == Op::shl && by >= 32) {
      Node pack;
      pack.op = Op::pack;
      pack.width = 2;
      pack.bits = 64;
      const Ref low = normal({x.node, x.part, 1, 0});
      const Ref shifted = by == 32 ? low : binary(Op::shl, low, number(by - 32, 1), 1);
      pack.in = {number(0, 1), shifted};
      return make(pack);
    }
  }
  if (inner.op == node.op && inner.width == width && inner.is_signed == node.is_signed &&
      inner.guard.node == none && inner.bits == node.bits && constant(inner.in[1], c) && c + by < node.bits) {
    const Ref base = inner.in[0];
    Node both = node;
    both.in = {base, number(c + by, 1)};
    return make(both);
  }
  return {};
}

// Signs and absolute values go along with operands.
Ref Simplifier::fold_real(u32 n) {
  Node& node = f_.nodes[n];
  const bool takes = node.op == Op::fadd || node.op == Op::fmul || node.op == Op::ffma ||
                     node.op == Op::fmin || node.op == Op::fmax || (node.op == Op::compare && node.real) ||
                     node.op == Op::math || node.op == Op::fmove || node.op == Op::frcp ||
                     node.op == Op::fdiv;
  const bool selects = node.op == Op::select && f_.capability >= 70 && !node.predicate && node.bits == 32 &&
                       node.width == 1 && (node.real || node.operation.type.floating());
  if (!takes && !selects) return {};
  for (Ref& ref : node.in) {
    if (selects && &ref == &node.in[2]) break;
    const Node& inner = at(ref);
    if (inner.op != Op::fmove || inner.guard.node != none || inner.in.size() != 1 ||
        inner.bits != node.bits || inner.packed != node.packed)
      continue;
    const Ref from = inner.in[0];
    Ref to = from;
    if ((ref.modifiers & Ref::absolute) != 0) {
      to.modifiers = ref.modifiers;
    } else {
      to.modifiers ^= ref.modifiers;
    }
    ref = to;
    changed_ = true;
  }
  if (node.op == Op::fmove && node.in.size() == 1 && node.in[0].modifiers == 0) return node.in[0];
  return {};
}

// The immediate part of an address.
Ref Simplifier::fold_address(u32 n) {
  Node& node = f_.nodes[n];
  if (node.in.empty() || node.ptx == nullptr || node.op == Op::call_value) return {};
  // Memories whose addresses have 32 bits.
  const Addressing where = node.ptx->addressing;
  if (node.in[0].count == 2 && (where == Addressing::local || where == Addressing::scratch ||
                                where == Addressing::scalar || f_.capability < 20)) {
    node.in[0].count = 1;
    node.in[0] = normal(node.in[0]);
    changed_ = true;
  }
  while (true) {
    const Ref base = node.in[0];
    const Node& add = at(base);
    u64 c;
    if (add.op != Op::add || (base.count != add.width && add.width == 2 && base.count == 2) ||
        add.guard.node != none || !constant(add.in[1], c) || add.in[0].modifiers != 0)
      break;
    const i64 offset =
        static_cast<i64>(node.value) + (add.width == 2 ? static_cast<i64>(c) : i64{static_cast<i32>(c)});
    if (offset < -(1 << 23) || offset >= (1 << 23)) break;
    node.value = static_cast<u64>(offset);
    node.in[0] = add.in[0];
    changed_ = true;
  }
  // A table of constants lies at a known place of its bank, which the instruction names.
  const Node& sum = at(node.in[0]);
  for (u32 i = 0; where == Addressing::scalar && sum.op == Op::add && i < 2; ++i) {
    if (at(sum.in[i]).op != Op::symbol || sum.in[1 - i].modifiers != 0 || sum.guard.node != none) continue;
    node.in[0] = sum.in[1 - i];
    node.in[0].count = 1;
    node.in[0] = normal(node.in[0]);
    changed_ = true;
    break;
  }
  return {};
}

// Halves of words: arithmetic takes either, and PRMT any two.
bool Simplifier::upper_half(const Ref& ref, Ref& word) const {
  const Node& inner = f_.at(ref);
  u64 by;
  if (inner.op != Op::shr || inner.width != 1 || inner.bits != 32 || inner.guard.node != none ||
      !constant(inner.in[1], by) || by != 16 || inner.in[0].modifiers != 0)
    return false;
  word = inner.in[0];
  return true;
}
void Simplifier::take_halves(Node& node) {
  const bool arithmetic = node.real && node.bits == 16 && !node.packed &&
                          (node.op == Op::fadd || node.op == Op::fmul || node.op == Op::ffma ||
                           node.op == Op::fmin || node.op == Op::fmax || node.op == Op::compare);
  const nv::ElementType& from = node.operation.from;
  const bool of_half =
      node.op == Op::convert && from.floating() && from.bits == 16 && from.count == 1 && !from.brain;
  if (!arithmetic && !of_half) return;
  for (Ref& ref : node.in) {
    Ref word;
    if ((ref.modifiers & Ref::upper) != 0 || f_.at(ref).predicate || !upper_half(ref, word)) continue;
    ref = {word.node, word.part, 1, static_cast<u8>(ref.modifiers | Ref::upper)};
    changed_ = true;
  }
}
Ref Simplifier::fold_halves(u32 n) {
  Node& node = f_.nodes[n];
  u64 selector, a, b;
  if (node.in.size() != 3 || !constant(node.in[2], selector) || selector != 0x5410) return {};
  if (constant(node.in[0], a) && constant(node.in[1], b)) return number((a & 0xFFFF) | (b & 0xFFFF) << 16, 1);
  Ref low = node.in[0], high = node.in[1], word;
  if (low.modifiers != 0 || high.modifiers != 0) return {};
  const bool low_upper = upper_half(low, word);
  if (low_upper) low = word;
  const bool high_upper = upper_half(high, word);
  if (high_upper) high = word;
  if (!low_upper && high_upper && low == high) return low;
  if (!low_upper && !high_upper) return {};
  Node both = node;
  both.in = {low, high, number((low_upper ? 0x32 : 0x10) | (high_upper ? 0x7600 : 0x5400), 1)};
  return make(both);
}

Ref Simplifier::fold(u32 n) {
  Node& node = f_.nodes[n];
  take_halves(node);
  if (node.guard.node != none) {
    const Node& guard = at(node.guard);
    if (guard.op != Op::constant) return node.effect && !node.in.empty() ? fold_address(n) : Ref{};
  }
  u64 a, b;
  switch (node.op) {
    case Op::phi: {
      std::optional<Ref> same;
      for (const Ref& ref : node.in) {
        if (ref.node == n && ref.part == 0) continue;
        if (same && *same != ref) return {};
        same = ref;
      }
      return same && same->modifiers == 0 ? *same : Ref{};
    }
    case Op::pack:
      if (node.in[0].node == node.in[1].node && node.in[1].part == node.in[0].part + 1 &&
          node.in[0].modifiers == 0)
        return {node.in[0].node, node.in[0].part, 2, 0};
      if (constant(node.in[0], a) && constant(node.in[1], b)) return number(a | b << 32, 2);
      if (constant(node.in[1], b) && b == 0) {
        Node wide;
        wide.op = Op::zext;
        wide.width = 2;
        wide.bits = 64;
        wide.in = {node.in[0]};
        return make(wide);
      }
      return {};
    case Op::prmt:
      return fold_halves(n);
    case Op::add:
      return fold_add(n);
    case Op::mul:
      if (constant(node.in[0], a)) std::swap(node.in[0], node.in[1]);
      if (constant(node.in[0], a) && constant(node.in[1], b)) return number(a * b, node.width);
      if (constant(node.in[1], b)) {
        if (b == 1) return node.in[0];
        if (b == 0) return number(0, node.width);
        if (node.width == 2 && (b & 0xFFFFFFFF) == 0 && node.in[0].count == 2) {
          const Ref x = node.in[0];
          Node pack;
          pack.op = Op::pack;
          pack.width = 2;
          pack.bits = 64;
          pack.in = {number(0, 1), binary(Op::mul, normal({x.node, x.part, 1, 0}), number(b >> 32, 1), 1)};
          return make(pack);
        }
        if (std::has_single_bit(b) && node.bits >= 32)
          return binary(Op::shl, node.in[0], number(static_cast<u64>(std::countr_zero(b)), 1), node.width);
      }
      return {};
    case Op::mul_wide:
      if (constant(node.in[0], a)) std::swap(node.in[0], node.in[1]);
      if (constant(node.in[0], a) && constant(node.in[1], b)) {
        return number(node.is_signed ? static_cast<u64>(i64{static_cast<i32>(a)} * i64{static_cast<i32>(b)})
                                     : u64{static_cast<u32>(a)} * static_cast<u32>(b),
                      2);
      }
      return {};
    case Op::mad: {
      u64 third;
      if (node.in.size() == 3 && constant(node.in[2], third) && third == 0)
        return binary(Op::mul, node.in[0], node.in[1], node.width);
      if (node.in.size() == 3 && node.bits != 24) {
        const Ref c = node.in[2];
        const u8 bits = node.bits;
        const Ref product = binary(Op::mul, node.in[0], node.in[1], f_.nodes[n].width);
        if (bits == 16 && f_.at(product).op == Op::mul) f_.at(product).bits = bits;
        return binary(Op::add, product, c, f_.nodes[n].width);
      }
      return {};
    }
    case Op::and_:
    case Op::or_:
    case Op::xor_:
      return fold_logic(n);
    case Op::shl:
      // An index in bytes: the product that it was, of which the generations before Volta make two
      // instructions.
      if (node.width == 2 && f_.capability >= 20 && f_.capability < 70 && constant(node.in[1], b) && b > 0 &&
          b < 31 && node.in[0].count == 2 && node.in[0].modifiers == 0) {
        const Node& index = at(node.in[0]);
        if (index.op == Op::sext || index.op == Op::zext) {
          Node product;
          product.op = Op::mul_wide;
          product.width = 2;
          product.is_signed = index.op == Op::sext;
          product.in = {index.in[0], number(u64{1} << b, 1)};
          return make(product);
        }
      }
      return fold_shift(n);
    case Op::shr:
      return fold_shift(n);
    case Op::zext:
      if (constant(node.in[0], a)) return number(a, 2);
      return {};
    case Op::sext:
      if (constant(node.in[0], a)) return number(static_cast<u64>(i64{static_cast<i32>(a)}), 2);
      return {};
    case Op::compare:
      // What compares 16 bits looks at 32: extended once for all that ask.
      for (u32 i = 0; i < 2 && node.bits == 16 && !node.real && !node.packed; ++i) {
        if (node.in[i].modifiers != 0 || extended(f_, node.in[i])) continue;
        Node wider;
        wider.op = Op::extend;
        wider.value = 16;
        wider.is_signed = node.is_signed;
        wider.in = {node.in[i]};
        node.in[i] = make(wider);
      }
      return {};
    case Op::extend: {
      const Ref from = node.in[0];
      const Node& inner = at(from);
      const u64 mask = (u64{1} << node.value) - 1;
      if (constant(from, a)) {
        u64 value = a & mask;
        if (node.is_signed && (value >> (node.value - 1)) != 0) value |= ~mask;
        return number(value, node.width);
      }
      if (node.width == 2) {
        Node narrow = node;
        narrow.width = 1;
        narrow.bits = 32;
        const bool sign = node.is_signed;
        const Ref low = make(narrow);
        Node wide;
        wide.op = sign ? Op::sext : Op::zext;
        wide.is_signed = sign;
        wide.width = 2;
        wide.bits = 64;
        wide.in = {low};
        return make(wide);
      }
      // Loads extend, and so do narrower extensions.
      if (inner.op == Op::load && inner.ptx != nullptr && inner.width == 1) {
        const u32 bits = 8 * inner.element_bytes;
        const bool fits = bits == 16        ? node.value == 16 && node.is_signed == inner.is_signed
                          : bits != 8       ? false
                          : inner.is_signed ? node.is_signed
                                            : node.value == 16 || !node.is_signed;
        if (fits) return from;
      }
      if (inner.op == Op::extend && inner.value <= node.value &&
          (inner.is_signed == node.is_signed || (!inner.is_signed && inner.value < node.value)))
        return from;
      if (inner.op == Op::bfe && constant(inner.in[2], b) &&
          b + (node.is_signed && !inner.is_signed) <= node.value && (!inner.is_signed || node.is_signed))
        return from;
      if (inner.op == Op::select && inner.in.size() == 3) {
        u64 c, d;
        if (constant(inner.in[0], c) && constant(inner.in[1], d) && c < (mask >> 1) && d < (mask >> 1))
          return from;
      }
      if (inner.op == Op::and_ && constant(inner.in[1], b) && b < (mask >> 1) + 1) return from;
      return {};
    }
    case Op::select: {
      if (node.in.size() < 3) return {};
      const Node& which = at(node.in[2]);
      if (which.op == Op::constant && which.predicate) {
        const bool value = (which.value != 0) != ((node.in[2].modifiers & Ref::complement) != 0);
        return node.in[value ? 0 : 1];
      }
      if (node.in[0] == node.in[1]) return node.in[0];
      return fold_real(n);
    }
    case Op::load:
    case Op::store:
    case Op::atomic:
      return fold_address(n);
    default:
      return fold_real(n);
  }
}

void simplify(Function& function) {
  Simplifier(function).run();
}

bool extended(const Function& f, const Ref& ref, u32 depth) {
  const Node& n = f.at(ref);
  if (n.op == Op::phi) {
    return depth > 4 ||
           std::all_of(n.in.begin(), n.in.end(), [&](const Ref& in) { return extended(f, in, depth + 1); });
  }
  return n.op == Op::constant || n.op == Op::load || n.op == Op::extend || n.op == Op::select ||
         n.op == Op::min || n.op == Op::max || n.op == Op::special || n.op == Op::bfe ||
         (n.op == Op::lop3 && n.value != 0 && n.value < 16) || n.op == Op::parameter ||
         (n.op == Op::shr && n.bits == 16);
}

}  // namespace lockstep::lowering
