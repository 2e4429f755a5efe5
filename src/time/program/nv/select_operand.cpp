// What instructions take and make: virtual registers, constants, words of the launch.
#include <algorithm>

#include "time/program/nv/generation.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using F = LoweredOperand::File;
using L = LoweredOpcode;

O Selector::uniform_register(u8 width) {
  s_.registers.push_back({F::uniform, width, width > 1});
  O operand;
  operand.file = F::uniform;
  operand.width = width;
  operand.index = static_cast<u32>(s_.registers.size() - 1);
  return operand;
}
O Selector::fresh(u8 width) {
  if (uniform_) return uniform_register(width);
  s_.registers.push_back({F::general, width, width > 1});
  O operand;
  operand.file = F::general;
  operand.width = width;
  operand.index = static_cast<u32>(s_.registers.size() - 1);
  return operand;
}
O Selector::fresh_predicate() {
  s_.registers.push_back({F::predicate, 1, false});
  O operand;
  operand.file = F::predicate;
  operand.index = static_cast<u32>(s_.registers.size() - 1);
  return operand;
}
O Selector::result(u32 node) {
  const bool uniform = f_.nodes[node].uniform;
  const u8 width = std::max<u8>(f_.nodes[node].width, 1);
  if (register_of_[node] == none)
    register_of_[node] = (uniform ? uniform_register(width) : fresh(width)).index;
  O operand;
  operand.file = uniform ? F::uniform : F::general;
  operand.width = std::max<u8>(f_.nodes[node].width, 1);
  operand.index = register_of_[node];
  return operand;
}
O Selector::predicate_result(u32 node, bool second) {
  std::vector<u32>& list = second ? second_of_ : predicate_of_;
  if (list[node] == none) list[node] = fresh_predicate().index;
  O operand;
  operand.file = F::predicate;
  operand.index = list[node];
  return operand;
}
O Selector::immediate(u64 value) {
  O operand;
  operand.file = F::immediate;
  operand.value = value;
  return operand;
}
O Selector::zero() {
  O operand;
  operand.file = F::general;
  operand.index = O::zero_register;
  operand.bank = 1;  // a hardware register, not a virtual one
  return operand;
}
O Selector::truth() {
  O operand;
  operand.file = F::predicate;
  operand.index = O::true_predicate;
  operand.bank = 1;
  return operand;
}

// A word of a constant bank: an operand as it is, but from Hopper on, where it goes through a uniform
// register.
O Selector::constant_word(u32 bank, u64 offset, u8 width) {
  O operand;
  operand.file = F::constant;
  operand.bank = static_cast<u8>(bank);
  operand.index = O::zero_register;
  operand.value = offset;
  operand.width = width;
  if (!hopper() && !uniform_) return operand;
  // Neighbouring words are loaded together.
  if (width == 1 && hopper() && words_used_.contains({operand.bank, offset}) &&
      words_used_.contains({operand.bank, offset ^ 4})) {
    O pair = operand;
    pair.value &= ~u64{7};
    pair.width = 2;
    O from = uniform_word(pair);
    from.value += offset >> 2 & 1;
    from.width = 1;
    return from;
  }
  return uniform_word(operand);
}

// In a uniform register.
O Selector::uniform_word(const O& operand) {
  const u64 key = u64{operand.bank} << 32 | operand.value;
  const u8 width = operand.width;
  // In front of the outermost loop that it is used in, as long as registers are left for others.
  constexpr u32 held_over_loops = 48;
  const u32 before = in_front_of_loops();
  for (const u32 home : {before, block_}) {
    for (u8 w : {u8{1}, u8{2}}) {
      const u64 base = w == 2 ? key & ~u64{7} : key;
      const auto found = words_.find({home, base, w});
      if (found == words_.end() || (width == 2 && w == 1)) continue;
      O from = found->second;
      from.value += (key - base) / 4;
      from.width = width;
      return from;
    }
  }
  u32 home = block_;
  if (before != none && held_over_[before] + width <= held_over_loops) {
    home = before;
    held_over_[before] += width;
  }
  const O uniform = uniform_register(width);
  const std::string_view mods = width == 2 ? ".64" : "";
  if (home == block_)
    out(L::uldc, mods, {uniform}, {operand});
  else
    load_at_end_of(home, L::uldc, mods, uniform, operand);
  words_[{home, key, width}] = uniform;
  word_of_[uniform.index] = operand;
  return uniform;
}

O Selector::value(const Ref& ref) {
  const Node& n = f_.nodes[ref.node];
  u64 number;
  O operand;
  const u8 modifiers = ref.modifiers;
  const auto with = [&](O o) {
    o.modifiers ^= modifiers & static_cast<u8>(~Ref::upper);
    return o;
  };
  switch (n.op) {
    case Op::constant:
      constant_of(f_, {ref.node, ref.part, 1, n.real ? u8{0} : ref.modifiers}, number);
      return number == 0 ? zero() : immediate(number);
    case Op::undefined:
      return zero();
    case Op::parameter: {
      const O word = parameter_word(n);
      if (hopper() && n.width == 2) {
        O both = constant_word(word.bank, word.value, 2);
        both.value += ref.part;
        both.width = 1;
        return with(both);
      }
      return with(constant_word(word.bank, word.value + 4 * ref.part));
    }
    case Op::bank: {
      const u64 words[] = {0x0,
                           0x4,
                           0x8,
                           0xC,
                           0x10,
                           0x14,
                           hopper() ? 0x4Cu : 0x94u,
                           hopper() ? 0x50u : 0x98u,
                           hopper() ? 0x54u : 0x9Cu};
      return with(constant_word(0, n.value < 9 ? words[n.value] : 0x80 + 4 * n.value));
    }
    case Op::symbol:
      return with(constant_word(4, (n.value >> 3) % 0x8000 * 8 + 4 * ref.part));
    case Op::zext:
      return ref.part == 0 ? value(n.in[0]) : zero();
    case Op::pack:
      return value(n.in[ref.part]);
    case Op::sext: {
      if (ref.part == 0) return value(n.in[0]);
      if (high_of_[ref.node] == none) high_of_[ref.node] = (n.uniform ? uniform_register(1) : fresh(1)).index;
      operand.file = n.uniform ? F::uniform : F::general;
      operand.index = high_of_[ref.node];
      return operand;
    }
    default:
      operand = result(ref.node);
      operand.value = ref.part;
      operand.width = 1;
      return with(operand);
  }
}

// The block in front of the outermost loop that this one lies in; none where there is no such block.
u32 Selector::in_front_of_loops() const {
  u32 before = none;
  for (u32 loop = f_.blocks[block_].loop; loop != none; loop = f_.loops[loop].parent) {
    if (f_.loops[loop].preheader == none) break;
    before = f_.loops[loop].preheader;
  }
  return before;
}

// Loads a word of the launch's at the end of a block that has been selected, in front of its branch.
void Selector::load_at_end_of(u32 block, L opcode, std::string_view modifiers, const O& to, const O& word) {
  LoweredInstruction in;
  in.opcode = opcode;
  in.modifiers = modifiers;
  in.destination[0] = to;
  in.source[0] = word;
  in.from = f_.blocks[block].end - 1;
  auto& region = s_.regions[plan_.region_of[in.from - f_.first]];
  auto at = region.end();
  while (at != region.begin() &&
         (info(std::prev(at)->opcode).pipe == LoweredPipe::branch || std::prev(at)->opcode == L::bar))
    --at;
  region.insert(at, std::move(in));
}

O Selector::moved(const O& operand) {
  const bool cached = guard_.file == F::none && operand.modifiers == 0;
  const u32 before = in_front_of_loops();
  // What the launch gives is loaded once, in front of the loops that want it.
  const auto early = before != none && hopper() && operand.file == F::uniform && operand.modifiers == 0
                         ? word_of_.find(operand.index)
                         : word_of_.end();
  if (early != word_of_.end()) {
    const auto outside = std::tuple(before, operand.file, u32{operand.bank}, operand.index, operand.value);
    if (const auto found = moved_.find(outside); found != moved_.end()) return found->second;
    O from = early->second;
    from.value += 4 * operand.value;
    from.width = 1;
    const O to = fresh(1);
    load_at_end_of(before, L::ldc, "", to, from);
    return moved_[outside] = to;
  }
  const auto key = std::tuple(block_, operand.file, u32{operand.bank}, operand.index, operand.value);
  if (cached) {
    const auto found = moved_.find(key);
    if (found != moved_.end()) return found->second;
  }
  const O to = fresh(1);
  // What the launch gives need not go through a uniform register.
  const auto word = operand.file == F::uniform && hopper() ? word_of_.find(operand.index) : word_of_.end();
  if (word != word_of_.end() && operand.modifiers == 0) {
    O from = word->second;
    from.value += 4 * operand.value;
    from.width = 1;
    out(L::ldc, "", {to}, {from});
  } else {
    out(L::mov, "", {to}, {operand});
  }
  if (cached) moved_[key] = to;
  return to;
}

O Selector::in_register(const Ref& ref) {
  const O operand = value(ref);
  return operand.file == F::general ? operand : moved(operand);
}

O Selector::predicate(const Ref& ref) {
  const Node& n = f_.nodes[ref.node];
  O operand;
  if (n.op == Op::constant || n.op == Op::undefined) {
    operand = truth();
    if (n.value == 0) operand.modifiers = O::complement;
  } else {
    operand = predicate_result(ref.node, ref.part == Ref::second);
  }
  if ((ref.modifiers & Ref::complement) != 0) operand.modifiers ^= O::complement;
  return operand;
}

O Selector::wide(const Ref& ref) {
  const Node& n = f_.nodes[ref.node];
  if (ref.count == 1) return in_register(ref);
  const bool lies_so = n.op != Op::zext && n.op != Op::sext && n.op != Op::pack && n.op != Op::constant &&
                       n.op != Op::parameter && n.op != Op::symbol && n.op != Op::bank &&
                       n.op != Op::undefined && (uniform_ || !n.uniform);
  if (lies_so) {
    O operand = result(ref.node);
    s_.registers[operand.index].aligned = true;
    operand.value = ref.part;
    operand.width = ref.count;
    operand.modifiers = ref.modifiers;
    return operand;
  }
  if (uniform_ && n.op == Op::parameter) {
    const O word = parameter_word(n);
    return constant_word(word.bank, word.value + 4 * ref.part, 2);
  }
  const auto key = std::pair(ref.node, uniform_ ? ~u64{ref.part} : u64{ref.part});
  const auto found = pairs_.find(key);
  if (found != pairs_.end()) return found->second;
  const O to = fresh(2);
  if (n.op == Op::parameter && hopper()) {
    O word = parameter_word(n);
    word.value += 4 * ref.part;
    word.width = 2;
    out(L::ldc, ".64", {to}, {word});
  } else if (n.op == Op::constant && n.value == 0) {
    out(L::cs2r, "", {to}, {});
  } else {
    for (u8 i = 0; i < 2; ++i) {
      O half = to;
      half.width = 1;
      half.value = i;
      out(L::mov, "", {half}, {part({ref.node, ref.part, 1, 0}, i)});
    }
  }
  pairs_[key] = to;
  return to;
}

}  // namespace lockstep::lowering
