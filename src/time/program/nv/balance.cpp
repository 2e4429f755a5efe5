#include "time/program/nv/balance.h"

#include <bit>

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;
using L = LoweredOpcode;
using P = LoweredPipe;

bool is_zero(const O& o) {
  return o.file == File::none || (o.file == File::general && o.index == O::zero_register) ||
         (o.file == File::immediate && o.value == 0);
}
bool is_register(const O& o) {
  return o.file == File::general && o.modifiers == 0 && o.width == 1;
}
O register_zero() {
  O o;
  o.file = File::general;
  o.index = O::zero_register;
  return o;
}
O immediate(u64 value) {
  O o;
  o.file = File::immediate;
  o.value = value;
  return o;
}
bool one_result(const LoweredInstruction& in) {
  return in.destination[0].file == File::general && in.destination[0].width == 1 &&
         (in.destination[1].file == File::none || is_zero(in.destination[1]));
}

// An addition of two that the multiplier can do: its sources.
bool is_addition(const LoweredInstruction& in, O& a, O& b) {
  if (in.opcode != L::iadd3 || !in.modifiers.empty() || !one_result(in) || in.source[3].file != File::none)
    return false;
  if (!is_zero(in.source[2]) || is_zero(in.source[0]) || is_zero(in.source[1])) return false;
  a = in.source[0], b = in.source[1];
  return true;
}

// Puts it on the multipliers; false where it has to stay.
bool to_multiplier(LoweredInstruction& in) {
  O a, b;
  if (in.opcode == L::mov && in.modifiers.empty() && one_result(in) && in.source[1].file == File::none &&
      in.source[0].modifiers == 0) {
    in.opcode = L::imad_mov;
    in.modifiers = ".U32";
    in.source = {register_zero(), register_zero(), in.source[0]};
    return true;
  }
  if (is_addition(in, a, b) && is_register(a) && is_register(b)) {
    in.opcode = L::imad;
    in.modifiers = ".IADD";
    in.source = {a, immediate(1), b};
    return true;
  }
  if (in.opcode == L::lea && in.modifiers.empty() && one_result(in) && is_register(in.source[0]) &&
      is_register(in.source[1]) && in.source[2].file == File::immediate && in.source[2].value < 31) {
    in.opcode = L::imad;
    in.source = {in.source[0], immediate(u64{1} << in.source[2].value), in.source[1]};
    return true;
  }
  return false;
}

// Puts it on the integer unit; false where it has to stay.
bool to_integer(LoweredInstruction& in) {
  if (in.opcode != L::imad || in.modifiers != ".SHL.U32" || !one_result(in)) return false;
  in.opcode = L::shf;
  in.modifiers = ".L.U32";
  return true;
}

bool to_matrix_side(LoweredInstruction& in) {
  if (!in.modifiers.empty()) return false;
  constexpr u64 ones = 0x3C003C00;
  switch (in.opcode) {
    case L::hfma2:
      break;
    case L::hadd2:
      if (in.source[2].file != File::none || !is_register(in.source[0]) || !is_register(in.source[1]))
        return false;
      in.source = {in.source[0], immediate(ones), in.source[1]};
      break;
    case L::hmul2:
      if (in.source[2].file != File::none) return false;
      in.source[2] = register_zero();
      break;
    default:
      return false;
  }
  in.opcode = L::hfma2_mma;
  return true;
}

}  // namespace

void balance(std::span<LoweredInstruction> code, u32 capability) {
  const bool two_half_units = capability == 80 || capability >= 90;
  i32 integer = 0, multiplier = 0, half = 0, matrix = 0;
  for (LoweredInstruction& in : code) {
    const P pipe = info(in.opcode).pipe;
    if (pipe == P::alu && multiplier <= integer) to_multiplier(in);
    if (pipe == P::fma_heavy && integer < multiplier) to_integer(in);
    if (pipe == P::half && two_half_units && matrix <= half) to_matrix_side(in);
    O a, b;
    if (capability >= 90 && is_addition(in, a, b) && (!is_register(a) || !is_register(b))) {
      in.opcode = L::viadd;
      in.source = {a, b};
    }
    switch (info(in.opcode).pipe) {
      case P::alu:
        ++integer;
        break;
      case P::fma:
      case P::fma_heavy:
        ++multiplier;
        break;
      case P::half:
        ++(in.opcode == L::hfma2_mma ? matrix : half);
        break;
      default:
        break;
    }
  }
}

}  // namespace lockstep::lowering
