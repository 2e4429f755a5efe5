#include "time/program/nv/select.h"

#include <algorithm>
#include <set>

#include "base/assert.h"
#include "isa/nv/control.h"
#include "isa/semantic.h"
#include "time/program/nv/generation.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using F = LoweredOperand::File;
using L = LoweredOpcode;

O Selector::fresh(u8 width) {
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
  if (register_of_[node] == none) register_of_[node] = fresh(std::max<u8>(f_.nodes[node].width, 1)).index;
  O operand;
  operand.file = F::general;
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
  if (!hopper()) return operand;
  const u64 key = u64{bank} << 32 | offset;
  // In front of the outermost loop that it is used in.
  u32 home = block_;
  for (u32 loop = f_.blocks[block_].loop; loop != none && f_.loops[loop].preheader != none;
       loop = f_.loops[loop].parent)
    home = f_.loops[loop].preheader;
  for (u8 w : {u8{1}, u8{2}}) {
    const u64 base = w == 2 ? key & ~u64{7} : key;
    const auto found = words_.find({home, base, w});
    if (found == words_.end() || (width == 2 && w == 1)) continue;
    O from = found->second;
    from.value += (key - base) / 4;
    from.width = width;
    return from;
  }
  s_.registers.push_back({F::uniform, width, width > 1});
  O uniform;
  uniform.file = F::uniform;
  uniform.width = width;
  uniform.index = static_cast<u32>(s_.registers.size() - 1);
  if (home == block_) {
    out(L::uldc, width == 2 ? ".64" : "", {uniform}, {operand});
  } else {
    LoweredInstruction in;
    in.opcode = L::uldc;
    in.modifiers = width == 2 ? ".64" : "";
    in.destination[0] = uniform;
    in.source[0] = operand;
    in.from = f_.blocks[home].end - 1;
    auto& region = s_.regions[plan_.region_of[in.from - f_.first]];
    auto at = region.end();
    while (at != region.begin() &&
           (info(std::prev(at)->opcode).pipe == LoweredPipe::branch || std::prev(at)->opcode == L::bar))
      --at;
    region.insert(at, std::move(in));
  }
  words_[{home, key, width}] = uniform;
  return uniform;
}

O Selector::value(const Ref& ref) {
  const Node& n = f_.nodes[ref.node];
  u64 number;
  O operand;
  const u8 modifiers = ref.modifiers;
  const auto with = [&](O o) {
    o.modifiers ^= modifiers;
    return o;
  };
  switch (n.op) {
    case Op::constant:
      constant_of(f_, {ref.node, ref.part, 1, n.real ? u8{0} : ref.modifiers}, number);
      return number == 0 ? zero() : immediate(number);
    case Op::undefined:
      return zero();
    case Op::parameter: {
      const u64 base = parameter_base(capability());
      if (hopper() && n.width == 2) {
        O both = constant_word(0, base + n.value, 2);
        both.value += ref.part;
        both.width = 1;
        return with(both);
      }
      return with(constant_word(0, base + n.value + 4 * ref.part));
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
      if (high_of_[ref.node] == none) high_of_[ref.node] = fresh(1).index;
      operand.file = F::general;
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

O Selector::moved(const O& operand) {
  const bool cached = guard_.file == F::none && operand.modifiers == 0;
  const auto key = std::tuple(block_, operand.file, u32{operand.bank}, operand.index, operand.value);
  if (cached) {
    const auto found = moved_.find(key);
    if (found != moved_.end()) return found->second;
  }
  const O to = fresh(1);
  out(L::mov, "", {to}, {operand});
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
                       n.op != Op::undefined;
  if (lies_so) {
    O operand = result(ref.node);
    s_.registers[operand.index].aligned = true;
    operand.value = ref.part;
    operand.width = ref.count;
    operand.modifiers = ref.modifiers;
    return operand;
  }
  const auto key = std::pair(ref.node, u64{ref.part});
  const auto found = pairs_.find(key);
  if (found != pairs_.end()) return found->second;
  const O to = fresh(2);
  if (n.op == Op::parameter && hopper()) {
    O word;
    word.file = F::constant;
    word.index = O::zero_register;
    word.value = parameter_base(capability()) + n.value;
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

// Every operand but one has to be a general register.
void Selector::legalise(LoweredInstruction& in) {
  const LoweredOpcodeInfo& what = info(in.opcode);
  if (what.pipe == LoweredPipe::uniform || in.opcode == L::ldc || in.opcode == L::mov ||
      in.opcode == L::s2r || in.opcode == L::bar)
    return;
  u32 others = 0;
  const u32 allowed = what.pipe == LoweredPipe::lsu || what.pipe == LoweredPipe::branch ? 0 : 1;
  const bool memory = what.pipe == LoweredPipe::lsu;
  for (std::size_t i = 0; i < in.source.size(); ++i) {
    O& operand = in.source[i];
    if (operand.file != F::immediate && operand.file != F::constant && operand.file != F::uniform) continue;
    if (memory && (operand.modifiers & O::address) != 0) continue;
    if (memory && operand.file == F::immediate && in.opcode == L::shfl) continue;
    if (in.opcode == L::lea && i == 2) continue;  // how far
    if (++others <= allowed) continue;
    if (operand.width == 2) {
      const O to = fresh(2);
      for (u8 k = 0; k < 2; ++k) {
        O half = to, from = operand;
        half.width = from.width = 1;
        half.value = k;
        from.value += operand.file == F::constant ? 4 * k : k;
        out(L::mov, "", {half}, {from});
      }
      operand = to;
    } else {
      operand = moved(operand);
    }
  }
}

LoweredInstruction& Selector::out(L opcode, std::string_view modifiers, std::initializer_list<O> results,
                                  std::initializer_list<O> sources) {
  LoweredInstruction in;
  in.opcode = opcode;
  in.modifiers = modifiers;
  std::copy(results.begin(), results.end(), in.destination.begin());
  std::copy(sources.begin(), sources.end(), in.source.begin());
  in.from = from_;
  in.guard = guard_;
  in.every = every_;
  legalise(in);
  s_.regions[region_].push_back(std::move(in));
  return s_.regions[region_].back();
}

// Instructions that follow each other, each of which takes what the one before it made and the sources: names
// apart by blanks, "@" for those under the last predicate that was made, "^" for those that take the first
// source, "|" for those that take what the one before them took. The last one makes the result.
O Selector::sequence(std::string_view text, std::initializer_list<O> sources, u8 result_width, u32 number) {
  O last, condition, before, taken;
  std::vector<O> list(sources);
  // The last that is no test makes the result.
  std::size_t result_at = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end_of = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end_of - at);
    const bool tests =
        word.find("SETP") != word.npos || word.find("BRA") != word.npos || word.find("FCHK") != word.npos;
    if (!tests) result_at = text.size() - at;
    at = end_of + 1;
  }
  std::size_t turn = 0;
  const O to = result_width == 0 ? O{} : result(number);
  while (!text.empty()) {
    const bool ends = text.size() == result_at;
    const std::size_t blank = text.find(' ');
    std::string_view word = text.substr(0, blank);
    text = blank == text.npos ? std::string_view{} : text.substr(blank + 1);
    const bool guarded = word[0] == '@';
    if (guarded) word.remove_prefix(1);
    const bool first = word[0] == '^', again = word[0] == '|';
    if (first || again) word.remove_prefix(1);
    std::string_view modifiers;
    const auto opcode = find_lowered_opcode(word, modifiers);
    LOCKSTEP_ASSERT(opcode.has_value(), "sequences name opcodes");
    const bool tests =
        *opcode == L::isetp || *opcode == L::fsetp || *opcode == L::fchk || *opcode == L::dsetp;
    if (*opcode == L::bra) {
      out(*opcode, modifiers, {}, {}).guard = condition;
      continue;
    }
    const bool f64 = info(*opcode).pipe == LoweredPipe::fp64;
    const O a = again ? taken : first || last.file == F::none ? list[0] : last;
    taken = a;
    const O b = list[turn++ % list.size()];
    if (tests) {
      condition = fresh_predicate();
      out(*opcode, modifiers, {condition, truth()}, {a, b, truth()});
      continue;
    }
    const u8 width = f64 ? 2 : ends ? std::max<u8>(result_width, 1) : 1;
    const O made = ends && result_width != 0 ? to : guarded && last.file != F::none ? last : fresh(width);
    const bool three = *opcode == L::ffma || *opcode == L::dfma || *opcode == L::imad ||
                       *opcode == L::imad_hi || *opcode == L::iadd3 || *opcode == L::lop3;
    const bool one = info(*opcode).pipe == LoweredPipe::xu || *opcode == L::iabs || *opcode == L::mov ||
                     *opcode == L::imad_mov;
    const O c = before.file == F::none ? b : before;
    LoweredInstruction& in = one     ? out(*opcode, modifiers, {made}, {a})
                             : three ? out(*opcode, modifiers, {made}, {a, b, c})
                                     : out(*opcode, modifiers, {made}, {a, b});
    if (guarded) in.guard = condition;
    before = last;
    last = made;
  }
  return to;
}

// BSSY: lanes part behind it and meet again at a BSYNC.
void Selector::parting(u32 count) {
  for (u32 i = 0; i < count; ++i) {
    O barrier;
    barrier.file = F::barrier;
    barrier.index = i;
    out(L::bssy, "", {barrier}, {});
  }
}

// Values that phis of the block behind take.
void Selector::copies(u32 b) {
  std::vector<O> zeros;
  for (const u32 next : f_.blocks[b].next) {
    const auto& before = f_.blocks[next].before;
    const std::size_t which =
        static_cast<std::size_t>(std::find(before.begin(), before.end(), b) - before.begin());
    for (const u32 number : f_.blocks[next].nodes) {
      const Node& phi = f_.nodes[number];
      if (phi.op != Op::phi) break;
      if (which >= phi.in.size()) continue;
      const Ref from = phi.in[which];
      // On the way out of a loop: the copy would stand on that way alone, which no PTX instruction stands
      // for.
      if (f_.blocks[b].next.size() > 1 && f_.blocks[b].depth > f_.blocks[next].depth) continue;
      if (from.node == number || f_.nodes[from.node].op == Op::undefined) continue;
      if (phi.predicate) {
        const O to = predicate_result(number), source = predicate(from);
        out(L::plop3, "", {to}, {source});
        continue;
      }
      const O to = result(number);
      for (u8 i = 0; i < phi.width; ++i) {
        O half = to;
        half.width = 1;
        half.value = i;
        const O source = part({from.node, from.part, 1, 0}, i);
        if (source == zero()) {
          zeros.push_back(half);
        } else {
          out(L::mov, "", {half}, {source});
        }
      }
    }
  }
  // Two registers are cleared at once.
  for (std::size_t i = 0; i < zeros.size(); i += 2)
    i + 1 < zeros.size() ? (void)out(L::cs2r, "", {zeros[i], zeros[i + 1]}, {})
                         : (void)out(L::mov, "", {zeros[i]}, {zero()});
}

// What takes a phi's value comes before what makes its next one, so that both can lie in one register.
void Selector::order_block(u32 b) {
  std::vector<u32>& list = f_.blocks[b].nodes;
  if (list.size() > 600 || f_.blocks[b].loop == none) return;
  std::map<u32, u32> place;
  for (u32 i = 0; i < list.size(); ++i) place[list[i]] = i;
  const u32 count = static_cast<u32>(list.size());
  std::vector<std::vector<u32>> after(count);
  u32 effect = none;
  for (u32 i = 0; i < count; ++i) {
    const Node& n = f_.nodes[list[i]];
    const auto needs = [&](const Ref& ref) {
      const auto from = place.find(ref.node);
      if (ref.node != none && from != place.end() && n.op != Op::phi && from->second != i)
        after[from->second].push_back(i);
    };
    for (const Ref& ref : n.in) needs(ref);
    needs(n.guard);
    if (!n.effect) continue;
    if (effect != none) after[effect].push_back(i);
    effect = i;
  }
  const auto reaches = [&](u32 from, u32 to) {
    std::vector<bool> seen(count, false);
    std::vector<u32> left{from};
    while (!left.empty()) {
      const u32 at = left.back();
      left.pop_back();
      if (at == to) return true;
      if (seen[at]) continue;
      seen[at] = true;
      for (const u32 next : after[at]) left.push_back(next);
    }
    return false;
  };
  bool any = false;
  for (const u32 next : f_.blocks[b].next) {
    const auto& before = f_.blocks[next].before;
    const std::size_t which =
        static_cast<std::size_t>(std::find(before.begin(), before.end(), b) - before.begin());
    for (const u32 number : f_.blocks[next].nodes) {
      const Node& phi = f_.nodes[number];
      if (phi.op != Op::phi) break;
      if (which >= phi.in.size()) continue;
      const auto made = place.find(phi.in[which].node);
      if (made == place.end() || f_.nodes[made->first].effect) continue;
      for (u32 i = made->second + 1; i < count; ++i) {
        const Node& user = f_.nodes[list[i]];
        if (user.op == Op::phi || user.op == Op::branch) continue;
        const bool uses =
            std::any_of(user.in.begin(), user.in.end(), [&](const Ref& ref) { return ref.node == number; });
        if (!uses || reaches(made->second, i)) continue;
        after[i].push_back(made->second);
        any = true;
      }
    }
  }
  if (!any) return;
  std::vector<u32> waits(count, 0), ordered;
  for (const auto& edges : after) {
    for (const u32 to : edges) ++waits[to];
  }
  std::set<u32> ready;
  for (u32 i = 0; i < count; ++i) {
    if (waits[i] == 0) ready.insert(i);
  }
  while (!ready.empty()) {
    const u32 i = *ready.begin();
    ready.erase(ready.begin());
    ordered.push_back(list[i]);
    for (const u32 to : after[i]) {
      if (--waits[to] == 0) ready.insert(to);
    }
  }
  LOCKSTEP_ASSERT(ordered.size() == list.size(), "an order that has one stays one");
  list = std::move(ordered);
}

void Selector::block(u32 b) {
  block_ = b;
  pairs_.clear();
  moved_.clear();
  const Block& block = f_.blocks[b];
  const BlockPlan& planned = plan_.blocks[b];
  region_ = plan_.region_of[block.first - f_.first];
  from_ = block.first;
  guard_ = planned.predicated ? predicate(planned.guard) : O{};
  for (u32 i = 0; i < planned.meets; ++i) {
    O barrier;
    barrier.file = F::barrier;
    barrier.index = i;
    out(L::bsync, "", {}, {barrier});
  }
  const auto go_to = [&](u32 from) {
    if (from < block.first || from >= block.end) return;
    const u32 region = plan_.region_of[from - f_.first];
    if (region > region_) region_ = region;
    from_ = plan_.region_of[from - f_.first] == region_ ? from : plan_.regions[region_].first;
  };
  bool ended = false;
  const auto end = [&] {
    if (ended) return;
    ended = true;
    go_to(block.end - 1);
    copies(b);
    parting(planned.parts_at_end);
  };
  for (const u32 number : block.nodes) {
    const Node& n = f_.nodes[number];
    if (n.op == Op::branch || n.op == Op::exit || n.op == Op::trap) end();
    if (n.effect || n.from >= from_) go_to(n.from);
    node(number);
  }
  end();
}

Selected Selector::run(bool entry) {
  uses_ = use_counts(f_);
  register_of_.assign(f_.nodes.size(), none);
  predicate_of_ = second_of_ = high_of_ = register_of_;
  s_.regions.resize(plan_.regions.size());
  if (entry && capability() >= 20) {
    region_ = 0;
    from_ = f_.first;
    O stack;
    stack.file = F::general;
    stack.index = stack_pointer;
    O word;
    word.file = F::constant;
    word.index = O::zero_register;
    word.bank = generation_of(capability()) == Generation::fermi ? 1 : 0;
    word.value = stack_word(capability());
    out(hopper() ? L::ldc : L::mov, "", {stack}, {word});
    if (capability() >= 80) {
      O uniform;
      s_.registers.push_back({F::uniform, 2, true});
      uniform.file = F::uniform;
      uniform.width = 2;
      uniform.index = static_cast<u32>(s_.registers.size() - 1);
      word.value = hopper() ? 0x208 : 0x118;
      word.width = 2;
      out(L::uldc, ".64", {uniform}, {word});
    }
  }
  needs_high_.assign(f_.nodes.size(), false);
  for (const Node& n : f_.nodes) {
    if (n.dead) continue;
    for (const Ref& ref : n.in) {
      const bool adds = n.op == Op::add && n.width == 2 && ref.modifiers == 0 && ref.count == 2;
      if (ref.part + ref.count > 1 && !adds) needs_high_[ref.node] = true;
    }
  }
  const bool local = std::any_of(f_.nodes.begin(), f_.nodes.end(), [](const Node& n) {
    return !n.dead && n.ptx != nullptr && n.ptx->addressing == Addressing::local;
  });
  if (hopper() && local) {  // where a cluster's block has its memory
    O window = fresh(1), block = fresh(1), source;
    source.file = F::special;
    source.index = static_cast<u32>(LoweredSpecial::other);
    out(L::s2ur, "", {block}, {source});
    out(L::umov, "", {window}, {immediate(0x400)});
    out(L::ulea, "", {window}, {block, window, immediate(0x18)});
  }
  for (const u32 b : f_.order) order_block(b);
  for (const u32 b : f_.order) block(b);
  return std::move(s_);
}

void Selector::node(u32 number) {
  const Node& n = f_.nodes[number];
  if (n.dead || n.op == Op::phi) return;
  const O kept = guard_;
  every_ = n.op == Op::branch ? plan_.blocks[n.block].every : n.every;
  if (n.guard.node != none && n.op != Op::branch) guard_ = predicate(n.guard);
  if (n.effect) {
    memory(number, n) || lanes(number, n) || effect(number, n);
  } else if (n.op == Op::compare) {
    compare(number, n);
  } else {
    integer(number, n) || real(number, n);
  }
  guard_ = kept;
  every_ = 1;
}

}  // namespace lockstep::lowering
