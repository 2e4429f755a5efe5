#include "time/program/nv/select.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/assert.h"
#include "isa/nv/control.h"
#include "isa/semantic.h"
#include "time/program/nv/generation.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using F = LoweredOperand::File;
using L = LoweredOpcode;

// Every operand but one has to be a general register.
void Selector::legalise(LoweredInstruction& in) {
  const LoweredOpcodeInfo& what = info(in.opcode);
  if (what.pipe == LoweredPipe::uniform || in.opcode == L::ldc || in.opcode == L::mov ||
      in.opcode == L::s2r || in.opcode == L::bar)
    return;
  u32 others = 0;
  const u32 allowed = what.pipe == LoweredPipe::lsu || what.pipe == LoweredPipe::branch ? 0 : 1;
  const bool memory = what.pipe == LoweredPipe::lsu;
  const auto is_number = [&](const O& operand) {
    return operand.file == F::immediate && !(in.opcode == L::lea && &operand == &in.source[2]);
  };
  if (allowed == 1 && std::any_of(in.source.begin(), in.source.end(), is_number)) {
    for (O& operand : in.source) {
      if (operand.file == F::uniform && operand.width == 1 && word_of_.contains(operand.index))
        operand = moved(operand);
    }
  }
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

namespace {

L uniform_form(L opcode) {
  switch (opcode) {
    case L::iadd3:
      return L::uiadd3;
    case L::imad:
    case L::imad_mov:
      return L::uimad;
    case L::imad_wide:
      return L::uimad_wide;
    case L::lop3:
      return L::ulop3;
    case L::shf:
      return L::ushf;
    case L::lea:
      return L::ulea;
    case L::prmt:
      return L::uprmt;
    case L::sgxt:
      return L::usgxt;
    case L::mov:
      return L::umov;
    case L::s2r:
      return L::s2ur;
    default:
      return opcode;
  }
}

}  // namespace

LoweredInstruction& Selector::out(L opcode, std::string_view modifiers, std::initializer_list<O> results,
                                  std::initializer_list<O> sources) {
  LoweredInstruction in;
  in.opcode = uniform_ ? uniform_form(opcode) : opcode;
  in.modifiers = modifiers;
  std::copy(results.begin(), results.end(), in.destination.begin());
  std::copy(sources.begin(), sources.end(), in.source.begin());
  in.from = from_;
  in.guard = guard_;
  in.every = every_;
  in.routine = routine_;
  legalise(in);
  s_.regions[region_].push_back(std::move(in));
  return s_.regions[region_].back();
}

// Instructions that follow each other, each of which takes what the one before it made and the sources: names
// apart by blanks, "@" for those under the last predicate that was made, "^" for those that take the first
// source, "|" for those that take what the one before them took. The last one makes the result.
O Selector::sequence(std::string_view text, std::initializer_list<O> sources, u8 result_width, u32 number,
                     u8 routine_registers) {
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
      LoweredInstruction& in = out(*opcode, modifiers, {}, {});
      in.guard = condition;
      in.routine_registers = routine_registers;
      const Node& n = f_.nodes[number];
      if (n.real) in.slow_way = n.from;
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
  return result_width == 0 ? last : to;
}

// BSSY: lanes part behind it and meet again at a BSYNC.
void Selector::parting(u32 count) {
  for (u32 i = 0; i < count; ++i) {
    O barrier;
    barrier.file = F::barrier;
    barrier.index = i;
    // Before Ampere the barrier that stands is put away first.
    if (capability() >= 70 && capability() < 80) out(L::bmov, ".32.CLEAR", {}, {barrier});
    out(L::bssy, "", {barrier}, {});
  }
}

// Values that phis of the block behind take.
void Selector::copies(u32 b) {
  std::vector<O> zeros;
  std::vector<std::pair<O, O>> on_way_out;
  for (const u32 next : f_.blocks[b].next) {
    const auto& before = f_.blocks[next].before;
    const std::size_t which =
        static_cast<std::size_t>(std::find(before.begin(), before.end(), b) - before.begin());
    for (const u32 number : f_.blocks[next].nodes) {
      const Node& phi = f_.nodes[number];
      if (phi.op != Op::phi) break;
      if (which >= phi.in.size()) continue;
      const Ref from = phi.in[which];
      if (from.node == number || f_.nodes[from.node].op == Op::undefined) continue;
      // On the way out of a loop: a copy would stand on that way alone, which no PTX instruction stands for.
      if (f_.blocks[b].next.size() > 1 && f_.blocks[b].depth > f_.blocks[next].depth) {
        for (u8 i = 0; i < phi.width && !phi.predicate; ++i) {
          O half = result(number);
          half.width = 1;
          half.value = i;
          const O source = part({from.node, from.part, 1, 0}, i);
          if (source.file == F::general && source.bank == 0) on_way_out.push_back({half, source});
        }
        continue;
      }
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
  // Behind all others: what a phi of the loop and one behind it take is one value then.
  for (const auto& [to, from] : on_way_out) out(L::mov, "", {to}, {from}).on_way_out = true;
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
  // When nodes come, where they may: as they stand. What would hold up a region's work behind a barrier comes
  // up instead.
  std::vector<u32> turn(count);
  std::iota(turn.begin(), turn.end(), 0u);
  const auto come_by = [&](u32 i, u32 when) {
    std::vector<u32> left{i};
    while (!left.empty()) {
      const u32 at = left.back();
      left.pop_back();
      if (turn[at] <= when || f_.nodes[list[at]].effect) continue;
      turn[at] = when;
      for (const Ref& ref : f_.nodes[list[at]].in) {
        if (const auto from = place.find(ref.node); from != place.end()) left.push_back(from->second);
      }
    }
  };
  const auto region = [&](u32 i) {
    const u32 from = f_.nodes[list[i]].from;
    const bool inside = from >= f_.blocks[b].first && from < f_.blocks[b].end;
    return inside ? plan_.region_of[from - f_.first] : none;
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
        if (region(i) != region(made->second)) come_by(i, made->second);
      }
    }
  }
  if (!any) return;
  std::vector<u32> waits(count, 0), ordered;
  for (const auto& edges : after) {
    for (const u32 to : edges) ++waits[to];
  }
  std::set<std::pair<u32, u32>> ready;
  for (u32 i = 0; i < count; ++i) {
    if (waits[i] == 0) ready.insert({turn[i], i});
  }
  while (!ready.empty()) {
    const u32 i = ready.begin()->second;
    ready.erase(ready.begin());
    ordered.push_back(list[i]);
    for (const u32 to : after[i]) {
      if (--waits[to] == 0) ready.insert({turn[to], to});
    }
  }
  LOCKSTEP_ASSERT(ordered.size() == list.size(), "an order that has one stays one");
  list = std::move(ordered);
}

void Selector::block(u32 b) {
  block_ = b;
  pairs_.clear();
  doubles_.clear();
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
  // What order_block has moved up stays in front of the effects that follow: each has its own instruction's
  // accesses.
  std::vector<u32> effect_behind(block.nodes.size() + 1, block.end - 1);
  for (std::size_t i = block.nodes.size(); i-- > 0;) {
    const Node& n = f_.nodes[block.nodes[i]];
    effect_behind[i] = n.effect ? std::min(n.from, effect_behind[i + 1]) : effect_behind[i + 1];
  }
  // YIELD comes first, but for a load whose address is there: such loops of volatile loads wait for the load
  // beside it (experiments/h200-timing/yield_cost.txt).
  bool yields = turn_yields(b);
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    const u32 number = block.nodes[i];
    const Node& n = f_.nodes[number];
    const bool nothing = n.dead || n.op == Op::phi || n.fused;
    if (yields && !nothing && n.op != Op::load) yielding(block.first), yields = false;
    if (n.op == Op::branch || n.op == Op::exit || n.op == Op::trap) end();
    const u32 from = n.effect ? n.from : std::min(n.from, effect_behind[i]);
    if (n.effect || from >= from_) go_to(from);
    node(number);
    if (yields && !nothing) yielding(block.first), yields = false;
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
      const O uniform = uniform_register(2);
      word.value = hopper() ? 0x208 : 0x118;
      word.width = 2;
      out(L::uldc, ".64", {uniform}, {word});
    }
  }
  for (const Node& n : f_.nodes) {
    if (n.dead || n.op != Op::parameter || n.width != 1) continue;
    const O word = parameter_word(n);
    words_used_.insert({word.bank, word.value});
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
  drop_unused_words();
  return std::move(s_);
}

// Words of the launch that went to vector registers after all.
void Selector::drop_unused_words() {
  std::set<u32> read;
  for (const auto& region : s_.regions) {
    for (const LoweredInstruction& in : region) {
      for (const O& operand : in.source) {
        if (operand.file == F::uniform) read.insert(operand.index);
      }
    }
  }
  for (auto& region : s_.regions) {
    std::erase_if(region, [&](const LoweredInstruction& in) {
      return in.opcode == L::uldc && word_of_.contains(in.destination[0].index) &&
             !read.contains(in.destination[0].index);
    });
  }
}

void Selector::node(u32 number) {
  const Node& n = f_.nodes[number];
  if (n.dead || n.op == Op::phi || n.fused) return;
  if ((n.op == Op::branch ? plan_.blocks[n.block].every : n.every) == 0) return;  // unrolled whole
  const O kept = guard_;
  uniform_ = n.uniform;
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
  uniform_ = false;
}

}  // namespace lockstep::lowering
