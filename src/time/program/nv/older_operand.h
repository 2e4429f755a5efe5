// Operands as the rewriting for GPUs before Volta asks for them and makes them.
#pragma once
#include "time/program/nv/older.h"

namespace lockstep::lowering {

inline bool is_zero(const LoweredOperand& o) {
  return o.file == LoweredOperand::File::none ||
         (o.file == LoweredOperand::File::general && o.index == LoweredOperand::zero_register &&
          o.bank == 1) ||
         (o.file == LoweredOperand::File::immediate && o.value == 0);
}
inline bool is_true(const LoweredOperand& o) {
  return o.file == LoweredOperand::File::none ||
         (o.file == LoweredOperand::File::predicate && o.bank == 1 &&
          o.index == LoweredOperand::true_predicate && o.modifiers == 0);
}
inline LoweredOperand zero() {
  LoweredOperand o;
  o.file = LoweredOperand::File::general;
  o.index = LoweredOperand::zero_register;
  o.bank = 1;
  return o;
}
inline LoweredOperand truth() {
  LoweredOperand o;
  o.file = LoweredOperand::File::predicate;
  o.index = LoweredOperand::true_predicate;
  o.bank = 1;
  return o;
}
inline LoweredOperand immediate(u64 value) {
  LoweredOperand o;
  o.file = LoweredOperand::File::immediate;
  o.value = value;
  return o;
}
inline LoweredOperand half_of(LoweredOperand o, u8 which) {
  if (o.width == 1 && which == 1) return zero();
  o.value += o.file == LoweredOperand::File::constant ? 4u * which : which;
  o.width = 1;
  return o;
}
// More than the 19 bits and a sign that an ordinary instruction holds.
inline bool is_long(const LoweredOperand& o) {
  if (o.file != LoweredOperand::File::immediate) return false;
  const i64 value = static_cast<i32>(static_cast<u32>(o.value));
  return value < -(1 << 19) || value >= (1 << 19);
}

}  // namespace lockstep::lowering
