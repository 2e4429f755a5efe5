// What GPUs before Volta issue in place of Volta's instructions: products in 16-bit steps (5.x, 6.x, 1.x),
// logic and additions of two inputs, shifts of 32 bits, locks for atomics of shared memory. Carries are shown
// as predicates; the hardware has one condition code. Sources: R3D3, CUASM, MAXAS, NV50, NVC0, BU.
#include "time/program/nv/older.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "time/program/nv/generation.h"
#include "time/program/nv/older_operand.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using F = LoweredOperand::File;
using L = LoweredOpcode;

class Rewriter {
 public:
  Rewriter(Selected& s, u32 capability)
      : s_(s), capability_(capability), generation_(generation_of(capability)) {}

  void run() {
    for (auto& region : s_.regions) {
      const std::vector<LoweredInstruction> before = std::move(region);
      region.clear();
      code_ = &region;
      scaled_.clear();
      factors_.clear();
      known_.clear();
      for (const LoweredInstruction& in : before) {
        in_ = &in;
        one();
        forget();
      }
    }
    drop_unread_constants(s_);
  }

 private:
  // What a register was just loaded with, so that products by powers of two are seen.
  O constant_of(const O& o) const {
    if (o.file != F::general || o.bank != 0 || o.modifiers != 0) return o;
    const auto found = known_.find({o.index, o.value});
    return found == known_.end() ? o : immediate(found->second);
  }
  O fresh(u8 width = 1) {
    s_.registers.push_back({F::general, width, width > 1});
    O o;
    o.file = F::general;
    o.width = width;
    o.index = static_cast<u32>(s_.registers.size() - 1);
    return o;
  }
  O fresh_predicate() {
    s_.registers.push_back({F::predicate, 1, false});
    O o;
    o.file = F::predicate;
    o.index = static_cast<u32>(s_.registers.size() - 1);
    return o;
  }
  // What only serves the result needs no guard.
  LoweredInstruction& step(L opcode, std::string_view modifiers, std::initializer_list<O> results,
                           std::initializer_list<O> sources) {
    LoweredInstruction made;
    made.opcode = opcode;
    made.modifiers = modifiers;
    std::copy(results.begin(), results.end(), made.destination.begin());
    std::copy(sources.begin(), sources.end(), made.source.begin());
    made.from = in_->from;
    code_->push_back(std::move(made));
    return code_->back();
  }
  LoweredInstruction& put(L opcode, std::string_view modifiers, std::initializer_list<O> results,
                          std::initializer_list<O> sources) {
    LoweredInstruction& made = step(opcode, modifiers, results, sources);
    made.guard = in_->guard;
    return made;
  }
  LoweredInstruction& same(L opcode) {
    code_->push_back(*in_);
    code_->back().opcode = opcode;
    return code_->back();
  }
  LoweredInstruction& same(L opcode, std::string_view modifiers) {
    LoweredInstruction& made = same(opcode);
    made.modifiers = modifiers;
    return made;
  }
  bool maxwell() const { return generation_ == Generation::maxwell; }
  bool tesla() const { return generation_ == Generation::tesla; }
  bool has(std::string_view word) const { return in_->modifiers.find(word) != std::string::npos; }

  void add(const O& to, const O& a, const O& b) {
    if (is_long(a) || is_long(b)) {
      put(L::iadd32i, "", {to}, {is_long(a) ? b : a, is_long(a) ? a : b});
    } else {
      put(L::iadd, "", {to}, {a, b});
    }
  }
  void logic(const O& to, const O& a, const O& b) {
    const bool whole = is_long(a) || is_long(b);
    put(whole ? L::lop32i : L::lop, "", {to}, {is_long(a) ? b : a, is_long(a) ? a : b});
  }

  // The lower 32 bits of a * b + c.
  void product(const O& to, O a, O b, const O& c) {
    a = constant_of(a);
    b = constant_of(b);
    if (a.file == F::immediate || (a.file != F::general && b.file == F::general)) std::swap(a, b);
    const bool power =
        b.file == F::immediate && std::has_single_bit(static_cast<u32>(b.value)) && b.modifiers == 0;
    if (power && (is_zero(c) || (c.file == F::general && !tesla()))) {
      const O by = immediate(static_cast<u64>(std::countr_zero(static_cast<u32>(b.value))));
      if (is_zero(c)) {
        put(L::shl, "", {to}, {a, by});
      } else {
        put(L::iscadd, "", {to}, {a, c, by});
      }
      return;
    }
    const bool narrow = b.file == F::immediate && (b.value & 0xFFFFFFFF) < 0x10000;
    // Of which 16 bits matter: the product of the lower halves.
    const bool halves = has(".U16");
    switch (generation_) {
      case Generation::maxwell: {
        if (halves) {
          put(L::xmad, "", {to}, {a, b, c});
          return;
        }
        const O low = fresh();
        step(L::xmad, "", {low}, {a, b, c});
        if (narrow) {
          put(L::xmad, ".PSL", {to}, {a, b, low});
          return;
        }
        const O merged = fresh();
        step(L::xmad, ".MRG", {merged}, {a, b, zero()});
        put(L::xmad, ".PSL.CBCC", {to}, {a, merged, low});
        return;
      }
      case Generation::tesla: {
        if (has(".U24")) {
          put(is_zero(c) ? L::imul : L::imad, ".U24.U24", {to}, {a, b, c});
          return;
        }
        if (halves || (is_short(a) && (narrow || is_short(b)))) {
          put(is_zero(c) ? L::imul : L::imad, ".U16.U16", {to}, {a, b, c});
          return;
        }
        const O cross = fresh(), shifted = fresh();
        step(L::imul, ".U16.U16", {cross}, {a, b});
        if (!narrow) step(L::imad, ".U16.U16", {cross}, {a, b, cross});
        step(L::shl, "", {shifted}, {cross, immediate(16)});
        if (is_zero(c)) {
          put(L::imad, ".U16.U16", {to}, {a, b, shifted});
        } else {
          const O low = fresh();
          step(L::imad, ".U16.U16", {low}, {a, b, shifted});
          put(L::iadd, "", {to}, {low, c});
        }
        return;
      }
      default:
        is_zero(c) ? (void)put(L::imul, "", {to}, {a, b}) : (void)put(L::imad, "", {to}, {a, b, c});
    }
  }

  // The upper 32 bits of a * b, and c.
  void upper(const O& to, const O& a, const O& b, const O& c, bool is_signed) {
    switch (generation_) {
      case Generation::maxwell: {
        O parts[4];
        for (O& part : parts) {
          const O before = &part == parts ? zero() : (&part)[-1];
          part = fresh();
          step(L::xmad, "", {part}, {a, b, before});
        }
        put(L::iadd3, ".RS", {to}, {parts[1], parts[2], parts[3]});
        if (!is_zero(c)) put(L::iadd, "", {to}, {to, c});
        return;
      }
      case Generation::tesla: {
        O last = zero();
        for (u32 i = 0; i < 8; ++i) {
          const O next = fresh();
          i % 2 == 0 ? (void)step(L::imad, ".U16.U16", {next}, {a, b, last})
                     : (void)step(L::shr, ".U32", {next}, {last, immediate(16)});
          last = next;
        }
        put(L::iadd, ".X", {to}, {last, c});
        return;
      }
      default:
        is_zero(c) ? (void)put(L::imul_hi, is_signed ? "" : ".U32.U32", {to}, {a, b})
                   : (void)put(L::imad_hi, is_signed ? "" : ".U32.U32", {to}, {a, b, c});
    }
  }

  // A register with this constant, one for all of a region.
  O factor(const O& value) {
    if (value.file != F::immediate) {
      const O moved = fresh();
      step(L::mov, "", {moved}, {value});
      return moved;
    }
    const auto found = factors_.find(value.value);
    if (found != factors_.end()) return found->second;
    const O moved = fresh();
    step(L::mov, "", {moved}, {value});
    factors_[value.value] = moved;
    return moved;
  }

  void wide_product() {
    const O &to = in_->destination[0], &c = in_->source[2];
    O a = in_->source[0], b = in_->source[1];
    const bool is_signed = !has(".U32");
    if (constant_of(a).file == F::immediate || (a.file != F::general && constant_of(b).file != F::immediate))
      std::swap(a, b);
    const bool adds = !is_zero(c);
    const O whole = b;
    b = constant_of(b);
    if (generation_ != Generation::maxwell && b.file == F::immediate && a.file != F::general) b = whole;
    const bool power = b.file == F::immediate && std::has_single_bit(static_cast<u32>(b.value));
    const u32 by = power ? static_cast<u32>(std::countr_zero(static_cast<u32>(b.value))) : 0;
    if (generation_ == Generation::fermi || generation_ == Generation::kepler) {
      if (!adds && by > 0) {
        put(L::shl, "", {half_of(to, 0)}, {a, immediate(by)});
        put(L::shr, is_signed ? "" : ".U32", {half_of(to, 1)}, {a, immediate(32 - by)});
        return;
      }
      if (!adds) {
        put(L::imul, is_signed ? "" : ".U32.U32", {half_of(to, 0)}, {a, b});
        put(L::imul_hi, is_signed ? "" : ".U32.U32", {half_of(to, 1)}, {a, b});
        return;
      }
      const O carry = fresh_predicate();
      O c0 = half_of(c, 0), c1 = half_of(c, 1);
      const O amount = immediate(by);
      if (b.file != F::general && c.file != F::general)  // one operand alone is no register
        b = whole.file == F::general ? whole : factor(b);
      if (by > 0 && generation_ == Generation::kepler) {
        put(L::iscadd, ".CC", {half_of(to, 0), carry}, {a, c0, amount});
      } else {
        put(L::imad, ".U32.U32.CC", {half_of(to, 0), carry}, {a, b, c0});
      }
      put(L::imad_hi, is_signed ? ".X" : ".U32.U32.X", {half_of(to, 1)}, {a, b, c1, carry});
      return;
    }
    O low = half_of(to, 0), high = half_of(to, 1);
    if (by > 0) {
      const auto key = std::tuple(a.index, a.value, by, is_signed);
      const auto known = scaled_.find(key);
      if (known != scaled_.end()) {
        low = known->second.first;
        high = known->second.second;
      } else {
        if (adds) low = fresh(), high = fresh();
        step(L::shl, "", {low}, {a, immediate(by)});
        step(L::shr, is_signed ? "" : ".U32", {high}, {a, immediate(32 - by)});
        if (adds && a.file == F::general) scaled_[key] = {low, high};
      }
    } else {
      if (adds) low = fresh(), high = fresh();
      const LoweredInstruction* const guarded = in_;
      LoweredInstruction plain = *in_;
      if (adds) plain.guard = {};
      in_ = &plain;
      product(low, a, b, zero());
      upper(high, a, b, zero(), is_signed);
      in_ = guarded;
    }
    if (!adds) return;
    const O carry = fresh_predicate();
    put(L::iadd, ".CC", {half_of(to, 0), carry}, {low, half_of(c, 0)});
    put(L::iadd, ".X", {half_of(to, 1)}, {high, half_of(c, 1), carry});
  }

  void addition() {
    const O &to = in_->destination[0], &a = in_->source[0], &b = in_->source[1], &c = in_->source[2];
    const bool with = has(".X"), makes = !is_true(in_->destination[1]);
    if (with || makes) {
      // Of the three one is nothing: sums of three words of 64 bits are Volta's.
      const O second = is_zero(b) ? c : b, carry = in_->source[3];
      if (with && makes) {
        put(L::iadd, ".X.CC", {to, in_->destination[1]}, {a, second, carry});
      } else if (with) {
        put(L::iadd, ".X", {to}, {a, second, carry});
      } else {
        put(L::iadd, ".CC", {to, in_->destination[1]}, {a, second});
      }
      return;
    }
    if (is_zero(c)) return add(to, a, b);
    if (is_zero(b)) return add(to, a, c);
    if (is_zero(a)) return add(to, b, c);
    if (maxwell()) {
      same(L::iadd3);
      return;
    }
    const O sum = fresh();
    step(L::iadd, "", {sum}, {a, b});
    add(to, sum, c);
  }

  void logic_of_three() {
    std::vector<O> sides;
    for (u32 i = 0; i < 3; ++i) {
      if (!is_zero(in_->source[i])) sides.push_back(in_->source[i]);
    }
    const O& to = in_->destination[0];
    const bool tests = !is_true(in_->destination[1]);
    if (maxwell() && sides.size() == 3) {
      same(L::lop3);
    } else if (tests) {
      while (sides.size() < 2) sides.push_back(zero());
      put(L::lop, ".NZ", {to, in_->destination[1]}, {sides[0], sides[1]});
    } else if (sides.size() < 2) {
      put(L::lop, ".PASS_B", {to}, {zero(), sides.empty() ? zero() : sides[0]});
    } else if (sides.size() == 2) {
      logic(to, sides[0], sides[1]);
    } else {
      const O both = fresh();
      step(L::lop, "", {both}, {sides[0], sides[1]});
      logic(to, both, sides[2]);
    }
  }

  void shift() {
    const O &to = in_->destination[0], &x = in_->source[0], &by = in_->source[1], &y = in_->source[2];
    const bool left = has(".L"), keeps = maxwell() || capability_ >= 35;
    if (left && !has(".HI")) {
      put(L::shl, "", {to}, {x, by});
    } else if (!left && is_zero(x)) {
      put(L::shr, has("S32") ? "" : ".U32", {to}, {y, by});
    } else if (!left && (has("64") || has(".W")) && is_zero(y)) {
      put(L::shr, ".U32", {to}, {x, by});
    } else if (maxwell() || (has(".W") && keeps)) {
      same(L::shf);
    } else {
      // What leaves one word comes into the other.
      const O leaves = fresh();
      const bool fixed = by.file == F::immediate && !tesla();
      const O rest = by.file == F::immediate ? immediate(32 - (by.value & 31)) : by;
      if (left) {
        step(L::shr, ".U32", {leaves}, {x, rest});
      } else {
        step(L::shr, ".U32", {leaves}, {x, by});
      }
      const O& other = y;
      if (fixed) {
        put(L::iscadd, "", {to}, {other, leaves, left ? by : rest});
      } else {
        const O shifted = fresh();
        step(L::shl, "", {shifted}, {other, left ? by : rest});
        put(L::lop, ".OR", {to}, {shifted, leaves});
      }
    }
  }

  // A word of shared memory is locked, changed and freed; further rounds are the access's own time.
  void shared_atomic() {
    const O value = fresh(), sum = fresh(), locked = fresh_predicate();
    LoweredInstruction& load = put(L::ldslk, "", {locked, value}, {in_->source[0]});
    load.offset = in_->offset;
    load.carries_access = in_->carries_access;
    load.access = in_->access;
    LoweredInstruction& change = step(L::iadd, "", {sum}, {value, in_->source[1]});
    change.guard = locked;
    LoweredInstruction& store = step(L::stsul, "", {}, {in_->source[0], sum});
    store.offset = in_->offset;
    store.guard = locked;
    if (!is_zero(in_->destination[0])) put(L::mov, "", {in_->destination[0]}, {value});
    LoweredInstruction& again = step(L::bra, "", {}, {});
    again.guard = locked;
    again.guard.modifiers ^= O::complement;
  }

  void one() {
    const LoweredInstruction& in = *in_;
    const O &to = in.destination[0], &a = in.source[0], &b = in.source[1], &c = in.source[2];
    switch (in.opcode) {
      case L::imad:
        if (has(".SHL")) {
          put(L::shl, "", {to}, {a, b});
        } else if (has(".IADD")) {
          add(to, a, b);
        } else {
          product(to, a, b, c);
        }
        return;
      case L::imad_mov:
        put(L::mov, "", {to}, {is_zero(c) ? is_zero(b) ? a : b : c});
        return;
      case L::imad_wide:
        if (in.destination[0].width == 1) return product(to, a, b, c);  // within a sequence
        return wide_product();
      case L::imad_hi:
        return upper(to, a, b, c, !has(".U32"));
      case L::iadd3:
        return addition();
      case L::lop3:
        return logic_of_three();
      case L::shf:
        return shift();
      case L::lea:
        if (has(".SX32")) {
          const O sign = fresh();
          step(L::shr, "", {sign}, {a, immediate(31)});
          put(L::iadd, ".X", {to}, {sign, b, in.source[3]});
        } else if (has(".HI")) {
          same(L::lea);
        } else if (tesla()) {
          const O shifted = fresh();
          step(L::shl, "", {shifted}, {a, c});
          put(L::iadd, "", {to}, {shifted, b});
        } else {
          same(L::iscadd, is_true(in.destination[1]) ? "" : ".CC");
        }
        return;
      case L::mov:
        same(is_long(a) ? L::mov32i : L::mov);
        if (a.file == F::immediate && in.guard.file == F::none && to.file == F::general && to.bank == 0)
          loaded_ = {{to.index, to.value}, a.value};
        return;
      case L::plop3: {
        const O third = c;
        if (!is_true(b) && !is_true(third)) {
          const O both = fresh_predicate();
          step(L::psetp, ".AND.AND", {both, truth()}, {a, b, truth()});
          put(L::psetp, ".AND.AND", {to, truth()}, {both, third, truth()});
        } else {
          put(L::psetp, ".AND.AND", {to, truth()}, {a, is_true(b) ? third : b, truth()});
        }
        return;
      }
      case L::isetp: {
        LoweredInstruction& made = same(L::isetp);
        const std::size_t extended = made.modifiers.find(".EX");
        if (extended != std::string::npos) made.modifiers.replace(extended, 3, ".X");
        return;
      }
      case L::fsel:
        same(L::sel);
        return;
      case L::iabs: {
        LoweredInstruction& made = put(L::i2i, ".S32.S32", {to}, {a});
        made.source[0].modifiers |= O::absolute;
        return;
      }
      case L::i2ip:
        same(L::i2i);
        return;
      case L::sgxt:
        put(L::bfe, has("U32") ? ".U32" : "", {to}, {a, b});
        return;
      case L::bmsk: {
        const O one_bit = fresh();
        step(L::shl, "", {one_bit}, {a, b});
        put(L::iadd, "", {to}, {one_bit, immediate(0xFFFFFFFF)});
        return;
      }
      case L::prmt:
        if (tesla()) {
          const O shifted = fresh();
          step(L::shl, "", {shifted}, {a, immediate(8)});
          put(L::lop, "", {to}, {shifted, is_zero(c) ? a : c});
        } else {
          same(L::prmt);
        }
        return;
      case L::dp4a: {
        if (capability_ >= 61) {
          same(L::dp4a);
          return;
        }
        O sum = c;
        for (u64 i = 0; i < 4; ++i) {
          const O left = fresh(), right = fresh(), next = i == 3 ? to : fresh();
          step(L::bfe, "", {left}, {a, immediate(0x800 + 8 * i)});
          step(L::bfe, "", {right}, {b, immediate(0x800 + 8 * i)});
          step(maxwell() ? L::xmad : L::imad, "", {next}, {left, right, sum});
          sum = next;
        }
        return;
      }
      case L::cs2r:
        if (to.width == 2) {
          put(L::mov, "", {half_of(to, 0)}, {zero()});
          put(L::mov, "", {half_of(to, 1)}, {zero()});
        } else {
          put(L::mov, "", {to}, {zero()});
          if (in.destination[1].file != F::none) put(L::mov, "", {in.destination[1]}, {zero()});
        }
        return;
      case L::frnd:
        same(L::f2f, ".ROUND" + in.modifiers);
        return;
      case L::hadd2:
        if (has(".F32") && capability_ < 60) {
          put(L::f2f, ".F32.F16", {to}, {a});
        } else {
          same(L::hadd2);
        }
        return;
      case L::bssy:
        put(L::ssy, "", {}, {});
        return;
      case L::bsync:
        if (maxwell()) put(L::sync, "", {}, {});  // before, a flag of the instruction in front of it
        return;
      case L::warpsync:
        return;
      case L::ldg:
        same(maxwell() || (has(".CI") && capability_ >= 35) ? L::ldg : L::ld);
        return;
      case L::stg:
        same(maxwell() ? L::stg : L::st);
        return;
      case L::atomg:
        same(L::atom, ".E");
        return;
      case L::red:
        same(L::red, ".E");
        return;
      case L::atoms:
        if (maxwell()) {
          same(L::atoms);
        } else {
          shared_atomic();
        }
        return;
      case L::s2r:
        same(tesla() ? L::mov : L::s2r);
        if (tesla() && a.file == F::special && a.index <= static_cast<u32>(LoweredSpecial::ctaid_z))
          short_.insert(to.index);
        return;
      case L::membar:
        same(L::membar, has("CTA") ? ".CTA" : has("SYS") ? ".SYS" : ".GL");
        return;
      default:
        same(in.opcode);
    }
  }

  // Whether it holds 16 bits: indices of 1.x are so small.
  bool is_short(const O& o) const {
    if (o.file == F::immediate) return o.value < 0x10000;
    if (o.file == F::constant) return o.bank == 0 && o.value < 0x10;  // sizes of groups and launches
    return o.file == F::general && (is_zero(o) || short_.contains(o.index));
  }

  // Scaled indices whose source changes.
  void forget() {
    for (const O& to : in_->destination) {
      if (to.file != F::general || to.bank != 0) continue;
      std::erase_if(scaled_, [&](const auto& entry) { return std::get<0>(entry.first) == to.index; });
      std::erase_if(known_, [&](const auto& entry) { return entry.first.first == to.index; });
    }
    if (loaded_) known_.insert(*loaded_);
    loaded_.reset();
  }

  Selected& s_;
  const u32 capability_;
  const Generation generation_;
  std::vector<LoweredInstruction>* code_ = nullptr;
  const LoweredInstruction* in_ = nullptr;
  std::map<std::tuple<u32, u64, u32, bool>, std::pair<O, O>> scaled_;  // within a region
  std::map<u64, O> factors_;                                           // likewise
  std::map<std::pair<u32, u64>, u64> known_;  // registers that hold a constant, within a region
  std::optional<std::pair<std::pair<u32, u64>, u64>> loaded_;
  std::set<u32> short_;  // virtual registers with 16 bits
};

}  // namespace

void older_instructions(Selected& selected, u32 capability) {
  if (capability < 70) Rewriter(selected, capability).run();
}

}  // namespace lockstep::lowering
