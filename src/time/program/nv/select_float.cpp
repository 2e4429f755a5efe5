// Floating point: what the hardware has, and the instructions that stand for what it has not. Where a
// sequence has a slow path (extreme exponents), only the way past it is issued. Sequences: R3D3 and listings
// of the assembler's output.
#include <algorithm>

#include "time/program/nv/select.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using L = LoweredOpcode;

bool Selector::convert(u32 number, const Node& n) {
  const nv::ElementType &to = n.operation.type, &from = n.operation.from;
  const bool wide_source = from.bits == 64;
  const O source = n.in.empty() ? zero() : wide_source ? wide(n.in[0]) : value(n.in[0]);
  const O result_ = result(number);
  if (to.floating() && from.floating()) {
    const bool packs = to.count == 2 || from.count == 2 || (to.bits == 16 && from.bits == 32);
    if (n.operation.to_whole) {
      out(L::frnd, wide_source ? ".F64" : "", {result_}, {source});
    } else if (packs && capability() >= 80) {
      out(L::f2fp, ".PACK_AB", {result_}, {n.in.size() > 1 ? value(n.in[1]) : zero(), source});
    } else if (to.tensor) {  // rounded by adding half of the last place, where it is finite
      sequence("FSETP.GEU.AND @IADD3 LOP3.LUT", {source}, 1, number);
    } else if (from.brain && to.bits == 32) {
      out(L::shf, ".L.U32", {result_}, {source, immediate(16), zero()});
    } else if (to.bits == from.bits) {
      out(wide_source ? L::dadd : L::fadd, "", {result_}, {source, zero()});
    } else if (from.bits == 16 && to.bits == 32) {
      out(L::hadd2, ".F32", {result_}, {source, zero()});
    } else if (from.bits == 16 && to.bits == 64) {
      sequence("HADD2.F32 F2F.F64.F32", {source}, 2, number);
    } else {
      out(L::f2f, "", {result_}, {source});
    }
    return true;
  }
  if (from.floating()) {
    if (to.bits < 32) {
      const O whole = fresh(1);
      out(L::f2i, ".TRUNC.NTZ", {whole}, {source});
      out(L::prmt, "", {result_}, {whole, immediate(0x7710), zero()});
    } else {
      out(L::f2i, to.bits == 64 ? ".S64.TRUNC" : ".TRUNC.NTZ", {result_}, {source});
    }
    return true;
  }
  if (to.floating()) {
    // A load extends what is narrower.
    const Node& made_by = f_.at(n.in[0]);
    const bool loaded =
        made_by.op == Op::load && (made_by.element_bytes == 1 || 8 * made_by.element_bytes == from.bits);
    const bool fast = capability() >= 86 && to.bits == 32 && (from.bits == 32 || (loaded && from.bits < 32));
    if (to.bits == 16) {
      out(L::i2f, ".F16", {result_}, {source});
    } else {
      out(fast ? L::i2fp : L::i2f, to.bits == 64 ? ".F64" : "", {result_}, {source});
    }
    return true;
  }
  // Saturating conversions of integers.
  if (wide_source) {
    sequence("ISETP.LT.U32.AND ISETP.LT.AND.EX SEL SEL", {part(n.in[0], 0), part(n.in[0], 1)}, n.width,
             number);
  } else if (n.packed || n.operation.packs) {
    out(L::i2ip, "", {result_}, {source, n.in.size() > 1 ? value(n.in[1]) : zero()});
  } else {
    sequence("IMNMX IMNMX", {source}, n.width, number);
  }
  return true;
}

// In two uniform registers; the last few that were made are taken again.
O Selector::uniform_double(u64 value) {
  constexpr std::size_t kept_at_once = 8;
  const auto found =
      std::find_if(doubles_.begin(), doubles_.end(), [&](const auto& one) { return one.first == value; });
  if (found != doubles_.end()) {
    std::rotate(found, found + 1, doubles_.end());
    return doubles_.back().second;
  }
  const O pair = uniform_register(2), guard = guard_;
  guard_ = {};
  for (u8 i = 0; i < 2; ++i) {
    O half = pair;
    half.width = 1;
    half.value = i;
    out(L::umov, "", {half}, {immediate(value >> (32 * i) & 0xFFFFFFFF)});
  }
  guard_ = guard;
  if (doubles_.size() == kept_at_once) doubles_.erase(doubles_.begin());
  doubles_.push_back({value, pair});
  return pair;
}

O Selector::wide_real_source(const Ref& ref) {
  const Node& n = f_.nodes[ref.node];
  if (n.op == Op::parameter && n.value >= module_constants) {
    const O word = parameter_word(n);
    O operand = constant_word(word.bank, word.value + 4 * ref.part, 2);
    operand.modifiers = ref.modifiers;
    return operand;
  }
  if (n.op != Op::constant || n.value == 0) return wide(ref);
  if ((n.value & 0xFFFFFFFF) != 0) {
    if (hopper()) {
      const O pair = uniform_double(n.value);
      O operand = pair;
      operand.modifiers = ref.modifiers;
      return operand;
    }
    // The assembler's own constants lie in a bank of their own; where in it is not known here.
    O word;
    word.file = O::File::constant;
    word.bank = 2;
    word.index = O::zero_register;
    word.value = (n.value % 509) * 8;
    word.width = 2;
    word.modifiers = ref.modifiers;
    return word;
  }
  O operand = immediate(n.value >> 32);
  operand.modifiers = ref.modifiers;
  return operand;
}

bool Selector::wide_real(u32 number, const Node& n) {
  const bool arithmetic = n.op == Op::fadd || n.op == Op::fmul || n.op == Op::ffma;
  const auto side = [&](std::size_t i) { return arithmetic ? wide_real_source(n.in[i]) : wide(n.in[i]); };
  const O to = result(number);
  s_.registers[to.index].aligned = true;
  const bool parts = plan_.divergent[number];
  // `registers`: what the routine takes beside what holds something at the branch to it (ptxas of CUDA 13
  // for sm_90: kernels of one operation each, with and without values held across it).
  const auto slow_path = [&](std::string_view text, u8 registers) {
    if (parts) parting(1);
    const O made = sequence(text, {side(0), n.in.size() > 1 ? side(1) : side(0)}, 2, number, registers);
    (void)made;
    if (parts) out(L::bsync, "", {}, {});
    s_.slow_paths += 100;
  };
  switch (n.op) {
    case Op::fadd:
      out(L::dadd, "", {to}, {side(0), side(1)});
      return true;
    case Op::fmul:
      out(L::dmul, "", {to}, {side(0), side(1)});
      return true;
    case Op::ffma:
      out(L::dfma, "", {to}, {side(0), side(1), side(2)});
      return true;
    case Op::fmove:
      out(L::dadd, "", {to}, {zero(), side(0)});
      return true;
    case Op::fmin:
    case Op::fmax: {
      const O which = fresh_predicate();
      out(L::dsetp, ".MIN.AND", {which, truth()}, {side(0), side(1), truth()});
      sequence("IMAD.MOV.U32 IMAD.MOV.U32 FSEL SEL LOP3.LUT", {part(n.in[0], 0), part(n.in[1], 1)}, 2,
               number);
      return true;
    }
    case Op::fdiv:
      slow_path("MUFU.RCP64H MOV DFMA DFMA DFMA DFMA DMUL DFMA FFMA DFMA FSETP.GEU.AND FSETP.GT.AND @BRA",
                18);
      return true;
    case Op::frcp:
      slow_path("MUFU.RCP64H IADD3 LOP3.LUT FSETP.GEU.AND DFMA DFMA DFMA DFMA @BRA", 10);
      return true;
    case Op::fsqrt:
      slow_path(
          "MUFU.RSQ64H MOV MOV DMUL DFMA DFMA DMUL DFMA DMUL IADD3 DFMA IADD3 DFMA ISETP.GE.U32.AND @BRA",
          15);
      return true;
    case Op::math:
      out(L::mufu, ".RCP64H", {to}, {part(n.in[0], 1)});
      return true;
    default:
      sequence("LOP3.LUT LOP3.LUT", {n.in.empty() ? zero() : value(n.in[0])}, n.width, number);
      return true;
  }
}

bool Selector::half(u32 number, const Node& n) {
  const O to = result(number);
  const auto side = [&](std::size_t i) { return i < n.in.size() ? value(n.in[i]) : zero(); };
  switch (n.op) {
    case Op::fadd:
      out(L::hadd2, "", {to}, {side(0), side(1)});
      return true;
    case Op::fmul:
      out(L::hmul2, "", {to}, {side(0), side(1)});
      return true;
    case Op::ffma:
      out(L::hfma2, "", {to}, {side(0), side(1), side(2)});
      return true;
    case Op::fmin:
    case Op::fmax:
      if (capability() >= 80) {
        out(L::hmnmx2, "", {to}, {side(0), side(1), truth()});
      } else {
        sequence("HADD2.F32 HADD2.F32 FMNMX F2F.F16.F32", {side(0), side(1)}, 1, number);
      }
      return true;
    case Op::math:
      n.packed ? (void)sequence("MUFU ^MUFU PRMT", {side(0)}, 1, number)
               : (void)out(L::mufu, "", {to}, {side(0)});
      return true;
    default:
      out(L::hadd2, "", {to}, {zero(), side(0)});
      return true;
  }
}

bool Selector::real(u32 number, const Node& n) {
  if (n.op == Op::convert) return convert(number, n);
  if (n.width == 2) return wide_real(number, n);
  if (n.bits == 16 || n.packed) return half(number, n);
  const O to = result(number);
  const auto side = [&](std::size_t i) { return i < n.in.size() ? value(n.in[i]) : zero(); };
  const bool parts = plan_.divergent[number];
  const auto slow_path = [&](std::string_view text, u8 registers) {
    if (parts) parting(1);
    sequence(text, {side(0), side(1)}, 1, number, registers);
    if (parts) out(L::bsync, "", {}, {});
    s_.slow_paths += 80;
  };
  switch (n.op) {
    case Op::fadd:
      out(L::fadd, "", {to}, {side(0), side(1)});
      return true;
    case Op::fmul:
      out(L::fmul, "", {to}, {side(0), side(1)});
      return true;
    case Op::ffma:
      out(L::ffma, "", {to}, {side(0), side(1), side(2)});
      return true;
    case Op::fmove:
      out(L::fadd, "", {to}, {zero(), side(0)});
      return true;
    case Op::fmin:
    case Op::fmax:
      out(L::fmnmx, "", {to}, {side(0), side(1), truth()});
      return true;
    case Op::fdiv: {
      u64 divisor;  // a constant one's reciprocal is a constant, too
      slow_path(constant_of(f_, n.in[1], divisor)
                    ? "IMAD.MOV.U32 IMAD.MOV.U32 FFMA FFMA FCHK FFMA FFMA FFMA @BRA"
                    : "MUFU.RCP FCHK FFMA FFMA FFMA FFMA FFMA @BRA",
                11);
      return true;
    }
    case Op::fsqrt:
      slow_path("IADD3 ISETP.GT.U32.AND ^MUFU.RSQ @BRA FMUL.FTZ |FMUL.FTZ FFMA FFMA", 5);
      return true;
    case Op::frcp:
      slow_path("IADD3 LOP3.LUT ISETP.GT.U32.AND @BRA MUFU.RCP FFMA FADD.FTZ FFMA", 9);
      return true;
    case Op::math: {
      using M = nv::Mnemonic;
      const M word = n.operation.mnemonic;
      // MUFU's arguments are brought into range by an instruction of their own before Volta.
      const bool reduces = capability() < 70 && (word == M::sin || word == M::cos || word == M::ex2);
      const bool flushes = n.operation.flushes;
      if (reduces) {
        word != M::ex2 ? (void)sequence("RRO.SINCOS MUFU", {side(0)}, 1, number)
        : flushes      ? (void)sequence("RRO.EX2 MUFU.EX2", {side(0)}, 1, number)
                       : (void)sequence("FSETP.GEU.AND @FMUL RRO.EX2 MUFU.EX2 @FMUL", {side(0)}, 1, number);
        return true;
      }
      if (word == M::sqrt && flushes && capability() < 50) {
        sequence("MUFU.RSQ MUFU.RCP", {side(0)}, 1, number);
        return true;
      }
      if (word == M::sin || word == M::cos) {
        sequence("FMUL.RZ MUFU", {side(0)}, 1, number);
      } else if (word == M::tanh || flushes) {
        word == M::div&& n.operation.approximate
            ? (void)sequence("MUFU.RCP FMUL.FTZ", {side(1), side(0)}, 1, number)
        : word == M::div
            ? (void)sequence("FSETP.GT.AND @FMUL @FMUL MUFU.RCP FMUL", {side(0), side(1)}, 1, number)
            : (void)out(L::mufu, word == M::rcp ? ".RCP" : "", {to}, {side(0)});
      } else if (word == M::div) {
        sequence("FSETP.GEU.AND FSETP.GT.AND @FMUL @FMUL MUFU.RCP FMUL", {side(0), side(1)}, 1, number);
      } else {
        sequence("FSETP.GEU.AND @FMUL MUFU @FMUL", {side(0)}, 1, number);
      }
      return true;
    }
    case Op::select:
      out(L::fsel, "", {to}, {side(0), side(1), predicate(n.in[2])});
      return true;
    default:
      out(L::lop3, ".LUT", {to}, {side(0), side(1), zero()});
      return true;
  }
}

}  // namespace lockstep::lowering
