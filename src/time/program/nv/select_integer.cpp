// Integers, predicates, and what has none of its own.
#include <algorithm>
#include <string>

#include "time/program/nv/generation.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using L = LoweredOpcode;

void Selector::compare(u32 number, const Node& n) {
  const O third = n.in.size() > 2 ? predicate(n.in[2]) : truth();
  const O to = predicate_result(number);
  constexpr std::string_view words[] = {".EQ", ".NE", ".LT", ".LE", ".GT", ".GE", ".NUM", ".NAN"};
  std::string modifiers(words[n.value]);
  if (n.real && n.bits == 64) {
    out(L::dsetp, modifiers + ".AND", {to, truth()}, {wide(n.in[0]), wide_real_source(n.in[1]), third});
  } else if (n.real && n.bits == 32 && !n.packed) {
    out(L::fsetp, modifiers + ".AND", {to, truth()}, {value(n.in[0]), value(n.in[1]), third});
  } else if (n.real) {
    out(L::hsetp2, modifiers + ".AND", {to, truth()}, {value(n.in[0]), value(n.in[1]), third});
  } else if (n.bits == 64) {
    const O low = fresh_predicate();
    out(L::isetp, modifiers + ".U32.AND", {low, truth()}, {part(n.in[0], 0), part(n.in[1], 0), truth()});
    out(L::isetp, modifiers + (n.is_signed ? ".AND.EX" : ".U32.AND.EX"), {to, truth()},
        {part(n.in[0], 1), part(n.in[1], 1), third, low});
  } else {
    O side[2];
    for (u32 i = 0; i < 2; ++i) {
      side[i] = value(n.in[i]);
      if (n.bits >= 32 || extended(f_, n.in[i])) continue;
      const O wider = fresh(1);
      out(L::prmt, "", {wider}, {side[i], immediate(n.is_signed ? 0x9910 : 0x7710), zero()});
      side[i] = wider;
    }
    out(L::isetp, modifiers + (n.is_signed ? ".AND" : ".U32.AND"), {to, truth()}, {side[0], side[1], third});
  }
}

bool Selector::wide_integer(u32 number, const Node& n) {
  const O to = result(number);
  const O low = half_register(to, 0), high = half_register(to, 1);
  u64 by;
  switch (n.op) {
    case Op::add: {
      const O carry = fresh_predicate();
      for (u32 i = 0; i < 2; ++i) {
        const Node& side = f_.at(n.in[i]);
        if (side.op != Op::sext || n.in[i].modifiers != 0 || n.in[i].count != 2 || needs_high_[n.in[i].node])
          continue;
        const O narrow = value(side.in[0]);
        out(L::iadd3, "", {low, carry}, {narrow, part(n.in[1 - i], 0), zero()});
        out(L::lea, ".HI.X.SX32", {high}, {narrow, part(n.in[1 - i], 1), immediate(1), carry});
        return true;
      }
      out(L::iadd3, "", {low, carry}, {part(n.in[0], 0), part(n.in[1], 0), zero()});
      out(L::iadd3, ".X", {high}, {part(n.in[0], 1), part(n.in[1], 1), zero(), carry});
      return true;
    }
    case Op::add3: {
      const O carry = fresh_predicate(), second = fresh_predicate();
      out(L::iadd3, "", {low, carry, second}, {part(n.in[0], 0), part(n.in[1], 0), part(n.in[2], 0)});
      out(L::iadd3, ".X", {high}, {part(n.in[0], 1), part(n.in[1], 1), part(n.in[2], 1), carry, second});
      return true;
    }
    case Op::shift_add: {
      const O carry = fresh_predicate();
      out(L::lea, "", {low, carry}, {part(n.in[0], 0), part(n.in[1], 0), immediate(n.value)});
      out(L::lea, ".HI.X", {high}, {part(n.in[0], 0), part(n.in[1], 1), part(n.in[0], 1), carry});
      return true;
    }
    case Op::mul_wide:
      out(L::imad_wide, n.is_signed ? "" : ".U32", {to}, {value(n.in[0]), value(n.in[1]), zero()});
      s_.registers[to.index].aligned = true;
      return true;
    case Op::mad_wide: {
      const Node& third = f_.at(n.in[2]);
      const bool as_constant = third.op == Op::parameter && !hopper() && third.width == 2;
      O addend = as_constant ? value(n.in[2]) : wide(n.in[2]);
      if (as_constant) addend.width = 2;
      O second = value(n.in[1]);
      if (as_constant && second.file != O::File::general) second = moved(second);
      out(L::imad_wide, n.is_signed ? "" : ".U32", {to}, {value(n.in[0]), second, addend});
      s_.registers[to.index].aligned = true;
      return true;
    }
    case Op::mul:
    case Op::mad: {
      const O addend = n.op == Op::mad ? wide(n.in[2]) : zero();
      if (n.op == Op::mad) s_.registers[to.index].aligned = true;
      out(L::imad_wide, ".U32", {to}, {part(n.in[0], 0), part(n.in[1], 0), addend});
      O middle;
      for (u32 i = 0; i < 2; ++i) {
        const O upper = part(n.in[i], 1);
        if (upper == zero()) continue;
        const O sum = fresh(1);
        out(L::imad, "", {sum},
            {upper, part(n.in[1 - i], 0), middle.file == O::File::none ? zero() : middle});
        middle = sum;
      }
      if (middle.file != O::File::none) out(L::iadd3, "", {high}, {high, middle, zero()});
      return true;
    }
    case Op::mul_high: {
      sequence("IMAD.WIDE.U32 IMAD.WIDE.U32 IADD3 IMAD.WIDE.U32 IADD3.X IMAD.WIDE.U32",
               {part(n.in[0], 0), part(n.in[1], 0)}, 2, number);
      return true;
    }
    case Op::shl:
    case Op::shr: {
      const bool left = n.op == Op::shl;
      const bool fixed = constant_of(f_, n.in[1], by);
      const O distance = value(n.in[1]);
      if (fixed && by >= 32 && !left) {
        out(L::shf, n.is_signed ? ".R.S32.HI" : ".R.U32.HI", {low},
            {zero(), immediate(by - 32), part(n.in[0], 1)});
        out(L::shf, ".R.S32.HI", {high}, {zero(), immediate(31), part(n.in[0], 1)});
        return true;
      }
      out(L::shf,
          left          ? ".L.U32"
          : n.is_signed ? ".R.S64"
                        : ".R.U64",
          {low}, {part(n.in[0], 0), distance, left ? zero() : part(n.in[0], 1)});
      out(L::shf,
          left          ? ".L.U64.HI"
          : n.is_signed ? ".R.S32.HI"
                        : ".R.U32.HI",
          {high}, {left ? part(n.in[0], 0) : zero(), distance, part(n.in[0], 1)});
      return true;
    }
    case Op::lop3:
      for (u8 i = 0; i < 2; ++i) {
        O sides[3] = {zero(), zero(), zero()};
        for (std::size_t s = 0; s < n.in.size() && s < 3; ++s) sides[s] = part(n.in[s], i);
        out(L::lop3, ".LUT", {half_register(to, i)}, {sides[0], sides[1], sides[2]});
      }
      return true;
    case Op::select: {
      const O which = predicate(n.in[2]);
      for (u8 i = 0; i < 2; ++i) {
        out(n.real || (n.operation.type.floating() && n.operation.type.bits == 64) ? L::fsel : L::sel, "",
            {half_register(to, i)}, {part(n.in[0], i), part(n.in[1], i), which});
      }
      return true;
    }
    case Op::min:
    case Op::max: {
      const O first = fresh_predicate(), both = fresh_predicate();
      out(L::isetp, ".LT.U32.AND", {first, truth()}, {part(n.in[0], 0), part(n.in[1], 0), truth()});
      out(L::isetp, ".LT.AND.EX", {both, truth()}, {part(n.in[0], 1), part(n.in[1], 1), truth(), first});
      for (u8 i = 0; i < 2; ++i)
        out(L::sel, "", {half_register(to, i)}, {part(n.in[0], i), part(n.in[1], i), both});
      return true;
    }
    case Op::abs:
      sequence("ISETP IADD3 IADD3.X SEL SEL", {part(n.in[0], 0), part(n.in[0], 1)}, 2, number);
      return true;
    case Op::bfe:
      sequence("SHF.R.U64 SHF.R.U32.HI LOP3.LUT LOP3.LUT", {part(n.in[0], 0), part(n.in[0], 1)}, 2, number);
      return true;
    case Op::div:
    case Op::rem:
      if (capability() >= 70) {
        divide_wide(number, n);
        return true;
      }
      parting(1);
      sequence(
          "LOP3.LUT ISETP @BRA I2F.U32.RP MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD.MOV IMAD IMAD.HI.U32 "
          "IMAD.HI.U32 IMAD.MOV IMAD ISETP @IADD3 @IADD3 ISETP @IADD3 ISETP @LOP3.LUT MOV",
          {part(n.in[0], 0), part(n.in[1], 0)}, 2, number,
          n.op == Op::div && n.is_signed ? 15
          : n.is_signed                  ? 13
                                         : 11);
      out(L::bsync, "", {}, {});
      s_.slow_paths += 80;
      return true;
    default:
      if (n.real || n.op == Op::convert) return false;
      sequence(n.op == Op::brev ? "BREV BREV" : "IADD3 IADD3.X", {n.in.empty() ? zero() : value(n.in[0])}, 2,
               number);
      return true;
  }
}

// A quotient or remainder, by the divisor's reciprocal.
void Selector::divide(u32 number, const Node& n) {
  const bool quotient = n.op == Op::div;
  const O divisor = value(n.in[1]), reciprocal = value(n.in[2]);
  O dividend = value(n.in[0]);
  if (n.is_signed) {
    const O without_sign = fresh(1);
    out(L::iabs, "", {without_sign}, {dividend});
    dividend = without_sign;
  }
  const O estimate = fresh(1);
  out(L::imad_hi, ".U32", {estimate}, {reciprocal, dividend, zero()});
  const std::initializer_list<O> sources = {estimate, dividend, divisor};
  if (n.is_signed) {
    const O of_divisor = fresh(1);
    out(L::iabs, "", {of_divisor}, {divisor});
    sequence(
        quotient
            ? "IMAD.MOV IMAD ISETP @IMAD.IADD @IADD3 ISETP.GE.U32.AND LOP3.LUT ISETP @IADD3 ISETP.GE.AND "
              "@IMAD.MOV @LOP3.LUT"
            : "IMAD.MOV IMAD ISETP.GT.U32.AND @IMAD.IADD ISETP.GT.U32.AND @IMAD.IADD ISETP.GE.AND "
              "ISETP.NE.AND @IMAD.MOV @LOP3.LUT",
        {estimate, dividend, of_divisor}, 1, number);
    return;
  }
  sequence(quotient ? "IMAD.MOV IMAD ISETP @IADD3 @IADD3 ISETP @IADD3 ISETP @LOP3.LUT"
                    : "IMAD.MOV IMAD ISETP @IMAD.IADD ISETP @IMAD.IADD ISETP @LOP3.LUT",
           sources, 1, number);
}

bool Selector::integer(u32 number, const Node& n) {
  switch (n.op) {
    case Op::constant:
    case Op::parameter:
    case Op::bank:
    case Op::symbol:
    case Op::undefined:
    case Op::zext:
    case Op::pack:
      return true;
    case Op::special: {
      O source;
      source.file = O::File::special;
      source.index = static_cast<u32>(n.value);
      out(L::s2r, "", {result(number)}, {source});
      return true;
    }
    case Op::frame: {
      // Only as an address that other instructions take; in front of memory instructions it is R1.
      const O to = result(number);
      O stack;
      stack.file = O::File::general;
      stack.index = stack_pointer;
      const O carry = fresh_predicate();
      out(L::iadd3, "", {half_register(to, 0), carry}, {stack, constant_word(0, 0x20), immediate(n.value)});
      if (n.width == 2)
        out(L::iadd3, ".X", {half_register(to, 1)}, {zero(), constant_word(0, 0x24), zero(), carry});
      return true;
    }
    case Op::sext:
      if (!needs_high_[number]) return true;
      out(L::shf, ".R.S32.HI", {part({number, 0, 2, 0}, 1)}, {zero(), immediate(31), value(n.in[0])});
      return true;
    default:
      break;
  }
  if (n.predicate) {
    if (n.op == Op::move && n.in[0].part == Ref::second) return true;
    if (n.op == Op::select || n.op == Op::and_ || n.op == Op::or_ || n.op == Op::xor_ || n.op == Op::move) {
      O sides[3] = {truth(), truth(), truth()};
      for (std::size_t i = 0; i < n.in.size() && i < 3; ++i) sides[i] = predicate(n.in[i]);
      out(L::plop3, ".LUT", {predicate_result(number), truth()}, {sides[0], sides[1], sides[2]});
      return true;
    }
    if (n.real || n.op == Op::convert || n.op == Op::other) {
      out(L::isetp, ".NE.AND", {predicate_result(number), truth()},
          {n.in.empty() ? zero() : value(n.in[0]), zero(), truth()});
      return true;
    }
    return false;
  }
  if (n.width == 2)
    return wide_integer(number, n) || (n.op == Op::convert ? convert(number, n) : wide_real(number, n));
  if ((n.real && n.op != Op::select) || n.op == Op::convert) return false;
  const O to = result(number);
  const auto side = [&](std::size_t i) { return i < n.in.size() ? value(n.in[i]) : zero(); };
  // 16-bit operands of what looks at all 32 bits.
  const auto whole = [&](std::size_t i) {
    if (n.bits >= 32 || extended(f_, n.in[i])) return side(i);
    const O wider = fresh(1);
    out(L::prmt, "", {wider}, {side(i), immediate(n.is_signed ? 0x9910 : 0x7710), zero()});
    return wider;
  };
  u64 by, length;
  switch (n.op) {
    case Op::add: {
      const bool negative = (n.in[1].modifiers & Ref::negate) != 0 || (n.in[0].modifiers & Ref::negate) != 0;
      if (n.bits == 16 && negative && !n.packed) {
        sequence("IMAD.MOV PRMT IMAD.IADD", {side(1), side(0)}, 1, number);
        return true;
      }
      if (side(0) == zero() && negative) {
        out(L::imad_mov, "", {to}, {zero(), zero(), side(1)});
      } else {
        out(L::iadd3, "", {to}, {side(0), side(1), zero()});
      }
      return true;
    }
    case Op::add3:
      out(L::iadd3, "", {to}, {side(0), side(1), side(2)});
      return true;
    case Op::mul:
    case Op::mad:
      out(L::imad,
          n.bits == 24 && capability() < 20   ? ".U24"
          : n.bits == 16 && capability() < 70 ? ".U16"
                                              : "",
          {to}, {side(0), side(1), n.op == Op::mad ? side(2) : zero()});
      return true;
    case Op::mul_high:
      if (n.bits == 16) {
        sequence("IMAD SHF.R.U32.HI", {side(0), side(1)}, 1, number);
      } else {
        out(L::imad_hi, n.is_signed ? "" : ".U32", {to}, {side(0), side(1), zero()});
        // The division's products need no carries of the lower halves.
        if (generation_of(capability()) == Generation::maxwell) {
          out(L::iadd, ".CC", {fresh(1)}, {to, zero()});
          out(L::iadd, ".X", {to}, {to, zero()});
        }
      }
      return true;
    case Op::mad_high:
      out(L::imad_hi, n.is_signed ? "" : ".U32", {to}, {side(0), side(1), side(2)});
      return true;
    case Op::shift_add:
      out(L::lea, "", {to}, {side(0), side(1), immediate(n.value)});
      return true;
    case Op::high_add:
      out(L::lea, ".HI", {to}, {side(0), side(1), immediate(32 - n.value)});
      return true;
    case Op::shl:
      if (n.bits == 16 && !constant_of(f_, n.in[1], by)) {
        sequence("LOP3.LUT ISETP.GT.U32.AND SHF.L.U32 SEL", {side(1), side(0)}, 1, number);
      } else {
        out(constant_of(f_, n.in[1], by) ? L::imad : L::shf,
            constant_of(f_, n.in[1], by) ? ".SHL.U32" : ".L.U32", {to}, {side(0), side(1), zero()});
      }
      return true;
    case Op::shr:
      if (n.bits == 16 && !constant_of(f_, n.in[1], by)) {
        sequence("LOP3.LUT ISETP.GT.U32.AND SHF.R.U32.HI SEL", {side(1), side(0)}, 1, number);
      } else {
        out(L::shf, n.is_signed ? ".R.S32.HI" : ".R.U32.HI", {to}, {zero(), side(1), whole(0)});
      }
      return true;
    case Op::funnel:
      out(L::shf, n.operation.left ? ".L.W.U32.HI" : ".R.W.U32", {to}, {side(0), side(2), side(1)});
      return true;
    case Op::min:
    case Op::max: {
      const O a = whole(0), b = whole(1);
      O which = truth();
      if (n.op == Op::max) which.modifiers = O::complement;
      const std::string_view sign = n.is_signed ? "" : ".U32";
      if (n.in.size() == 3 && n.guard.node == none) {
        out(L::viaddmnmx, sign, {to}, {a, b, whole(2), which});
      } else {
        out(L::imnmx, sign, {to}, {a, b, which});
      }
      return true;
    }
    case Op::abs:
      out(L::iabs, "", {to}, {whole(0)});
      return true;
    case Op::extend:
      if (n.is_signed && capability() < 70) {
        out(L::i2i, n.value == 8 ? ".S32.S8" : ".S32.S16", {to}, {side(0)});
      } else if (n.is_signed) {
        out(L::prmt, "", {to}, {side(0), immediate(n.value == 8 ? 0x8880 : 0x9910), zero()});
      } else {
        out(L::lop3, ".LUT", {to}, {side(0), immediate((u64{1} << n.value) - 1), zero()});
      }
      return true;
    case Op::lop3:
      if (n.second) {
        out(L::lop3, ".LUT", {to, predicate_result(number, true)}, {side(0), side(1), side(2)});
      } else {
        out(L::lop3, ".LUT", {to}, {side(0), side(1), side(2)});
      }
      return true;
    case Op::and_:
    case Op::or_:
    case Op::xor_:
      out(L::lop3, ".LUT", {to}, {side(0), side(1), zero()});
      return true;
    case Op::select:
      out(n.real || (n.operation.type.floating() && n.operation.type.bits == 32) ? L::fsel : L::sel, "", {to},
          {side(0), side(1), predicate(n.in[2])});
      return true;
    case Op::bfe: {
      if (capability() < 70) {
        capability() < 20
            ? (void)sequence("SHF.L.U32 SHF.L.U32", {side(0), side(1)}, 1, number)
            : (void)out(L::bfe, n.is_signed ? "" : ".U32", {to}, {side(0), in_register(n.in[1])});
        return true;
      }
      const bool known = constant_of(f_, n.in[1], by) && constant_of(f_, n.in[2], length);
      if (known && by % 8 == 0 && (length == 8 || (length == 16 && !n.is_signed))) {
        if (n.is_signed) {
          out(L::prmt, "", {to}, {side(0), immediate(0x8880 + 0x1111 * (by / 8)), zero()});
        } else if (by + length == 32) {
          out(L::shf, ".R.U32.HI", {to}, {zero(), side(1), side(0)});
        } else {
          out(L::prmt, "", {to}, {side(0), immediate(0x7770 + by / 8), zero()});
        }
      } else if (known && by == 0) {
        out(L::sgxt, n.is_signed ? "" : ".U32", {to}, {side(0), side(2)});
      } else if (known && by + length >= 32) {
        out(L::shf, n.is_signed ? ".R.S32.HI" : ".R.U32.HI", {to}, {zero(), side(1), side(0)});
      } else {
        sequence(known ? "SHF.R.U32.HI SGXT" : "PRMT PRMT SHF.R.U32.HI SGXT", {side(0), side(1)}, 1, number);
      }
      return true;
    }
    case Op::bfi: {
      if (capability() < 70) {
        capability() < 20
            ? (void)sequence("SHF.L.U32 LOP3.LUT LOP3.LUT", {side(0), side(1)}, 1, number)
            : (void)out(L::bfi, "", {to}, {side(0), in_register(n.in[2]), in_register(n.in[1])});
        return true;
      }
      const bool known = constant_of(f_, n.in[2], by) && constant_of(f_, n.in[3], length);
      if (known && by % 8 == 0 && length % 8 == 0) {
        out(L::prmt, "", {to}, {side(0), immediate(0x5410), side(1)});
      } else {
        sequence(known ? "IMAD.SHL.U32 LOP3.LUT" : "PRMT PRMT BMSK SHF.L.U32 LOP3.LUT", {side(0), side(1)}, 1,
                 number);
      }
      return true;
    }
    case Op::prmt:
      out(L::prmt, "", {to}, {side(0), side(2), side(1)});
      return true;
    case Op::popc:
      n.bits == 64 ? (void)sequence("POPC POPC IADD3", {part(n.in[0], 0), part(n.in[0], 1)}, 1, number)
                   : (void)out(L::popc, "", {to}, {side(0)});
      return true;
    case Op::clz:
      sequence(n.bits == 64 ? "FLO.U32 ISETP FLO.U32 IADD3 SEL" : "FLO.U32 IADD3",
               {part(n.in[0], 0), n.bits == 64 ? part(n.in[0], 1) : zero()}, 1, number);
      return true;
    case Op::bfind:
      sequence(n.bits == 64 ? "FLO.U32 ISETP FLO.U32 SEL" : "FLO.U32", {side(0)}, 1, number);
      return true;
    case Op::brev:
      out(L::brev, "", {to}, {side(0)});
      return true;
    case Op::reciprocal:
      sequence(n.is_signed
                   ? "IABS I2F.RP MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD.MOV.U32 IMAD.MOV IMAD IMAD.HI.U32"
                   : "I2F.U32.RP MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD.MOV.U32 IMAD.MOV IMAD "
                     "IMAD.HI.U32",
               {side(0)}, 1, number);
      return true;
    case Op::div:
    case Op::rem: {
      if (n.in.size() > 2 && f_.at(n.in[2]).op == Op::reciprocal) {
        divide(number, n);
        return true;
      }
      const Generation generation = generation_of(capability());
      if (n.bits != 16 && (generation == Generation::fermi || generation == Generation::kepler)) {
        // A routine that is called: the reciprocal's steps in integers.
        out(L::call, "", {}, {});
        sequence(n.is_signed ? "IABS IABS FLO LOP3.LUT SHF.L.U32 I2I IMUL IMAD.HI IMUL IMAD.HI IMUL IMAD.HI "
                               "IMUL IMAD.HI IMUL "
                               "IMAD.HI IMUL IADD ISETP @IADD @IADD ISETP @IADD @IADD LOP ISETP @IADD LOP"
                             : "FLO LOP3.LUT SHF.L.U32 I2I IMUL IMAD.HI IMUL IMAD.HI IMUL IMAD.HI IMUL "
                               "IMAD.HI IMUL IMAD.HI IMUL "
                               "IADD ISETP @IADD @IADD ISETP @IADD @IADD",
                 {side(0), side(1)}, 1, number);
        out(L::ret, "", {}, {});
        return true;
      }
      if (n.bits != 16 && generation == Generation::tesla) {
        sequence(n.is_signed
                     ? "IADD LOP IADD LOP I2F I2F MUFU.RCP IADD FMUL F2I IMAD IADD I2F FMUL F2I IADD IMAD "
                       "IADD ISETP "
                       "@IADD LOP SHR IADD LOP"
                     : "I2F I2F MUFU.RCP IADD FMUL F2I IMAD IADD I2F FMUL F2I IADD IMAD IADD ISETP @IADD",
                 {side(0), side(1)}, 1, number);
        return true;
      }
      if (n.bits == 16) {
        sequence(n.is_signed ? "IABS I2F.U16 IABS I2F.U16 MUFU.RCP FMUL F2I.U16 LOP3.LUT ISETP @IMAD.MOV PRMT"
                             : "LOP3.LUT I2F.U16 LOP3.LUT I2F.U16 MUFU.RCP FMUL F2I.U16 PRMT",
                 {side(0), side(1)}, 1, number);
      }
      return true;
    }
    case Op::move:
      out(L::mov, "", {to}, {side(0)});
      return true;
    case Op::other: {
      using M = nv::Mnemonic;
      const M mnemonic = n.operation.mnemonic;
      if (mnemonic == M::dp4a || mnemonic == M::dp2a) {
        out(L::dp4a, ".4A", {to}, {side(0), side(1), side(2)});
      } else if (mnemonic == M::prmt) {
        out(L::prmt, "", {to}, {side(0), side(2), side(1)});
      } else if (mnemonic == M::sad) {
        out(L::vabsdiff, "", {to}, {side(0), side(1), side(2)});
      } else if (mnemonic == M::cnot) {
        sequence("ISETP.EQ.AND SEL", {side(0)}, 1, number);
      } else {
        out(L::iadd3, "", {to}, {side(0), side(1), zero()});
      }
      if (n.second)
        out(L::isetp, ".NE.AND", {predicate_result(number, true), truth()}, {to, zero(), truth()});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace lockstep::lowering
