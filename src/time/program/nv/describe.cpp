#include "time/program/nv/describe.h"

#include <algorithm>

namespace lockstep::lowering {
namespace {

using M = nv::Mnemonic;

struct DescribedRow {
  M mnemonic;
  Op integer, real;
};
constexpr DescribedRow described_rows[] = {
    {M::add, Op::add, Op::fadd},         {M::sub, Op::add, Op::fadd},     {M::and_, Op::and_, Op::other},
    {M::or_, Op::or_, Op::other},        {M::xor_, Op::xor_, Op::other},  {M::not_, Op::xor_, Op::other},
    {M::shl, Op::shl, Op::other},        {M::shr, Op::shr, Op::other},    {M::min, Op::min, Op::fmin},
    {M::max, Op::max, Op::fmax},         {M::neg, Op::add, Op::fmove},    {M::abs, Op::abs, Op::fmove},
    {M::selp, Op::select, Op::select},   {M::bfe, Op::bfe, Op::other},    {M::bfi, Op::bfi, Op::other},
    {M::prmt, Op::prmt, Op::other},      {M::popc, Op::popc, Op::other},  {M::clz, Op::clz, Op::other},
    {M::bfind, Op::bfind, Op::other},    {M::brev, Op::brev, Op::other},  {M::div, Op::div, Op::fdiv},
    {M::rem, Op::rem, Op::other},        {M::fma, Op::other, Op::ffma},   {M::rcp, Op::other, Op::frcp},
    {M::sqrt, Op::other, Op::fsqrt},     {M::rsqrt, Op::other, Op::math}, {M::ex2, Op::other, Op::math},
    {M::lg2, Op::other, Op::math},       {M::sin, Op::other, Op::math},   {M::cos, Op::other, Op::math},
    {M::tanh, Op::other, Op::math},      {M::shf, Op::funnel, Op::other}, {M::lop3, Op::lop3, Op::other},
    {M::setp, Op::compare, Op::compare},
};

// Of a register's share: packed types' both elements.
u8 bits_of(const nv::ElementType& type) {
  return type.kind == nv::ElementType::Kind::none ? u8{8} : static_cast<u8>(type.bits * type.count);
}

void describe_convert(Node& node) {
  const nv::Operation& operation = node.operation;
  const nv::ElementType &to = operation.type, &from = operation.from;
  const bool wide_register = operation.wide_register || bits_of(to) == 64;
  node.width = wide_register ? 2 : 1;
  if (!to.whole_number() || !from.whole_number() || operation.saturates) {
    node.op = Op::convert;
    node.bits = bits_of(to);
    node.real = !to.whole_number();
    return;
  }
  const u8 source = bits_of(from), result = bits_of(to);
  node.is_signed = from.is_signed();
  if (result == 64 && source == 32) {
    node.op = node.is_signed ? Op::sext : Op::zext;
    node.bits = 64;
    return;
  }
  if (source >= 32 && result >= 32) {  // truncation, or nothing
    node.op = Op::move;
    node.bits = result;
    return;
  }
  // The narrower of both says what is kept, and its sign how it is extended.
  node.op = Op::extend;
  node.value = std::min(source, result);
  if (result < source) node.is_signed = to.is_signed();
  node.bits = static_cast<u8>(wide_register ? 64 : 32);
  // 16-bit registers hold whatever above their 16 bits.
  if (result == 16 && node.value == 16) node.op = Op::move;
}

}  // namespace

bool describe(Node& node) {
  if (!nv::computes(*node.meaning)) return false;
  const nv::Operation& operation = node.operation;
  const nv::ElementType& type = operation.type;
  const M mnemonic = operation.mnemonic;
  node.bits = bits_of(type);
  node.real = type.floating();
  node.packed = type.count == 2;
  node.is_signed = type.is_signed();
  node.width = node.bits == 64 ? 2 : 1;
  if (type.kind == nv::ElementType::Kind::predicate) {
    node.predicate = true;
    node.width = 0;
  }
  if (mnemonic == M::cvt) {
    describe_convert(node);
    return true;
  }
  if (mnemonic == M::mov || mnemonic == M::cvta) {
    node.op = Op::move;
    return true;
  }
  if (mnemonic == M::mul || mnemonic == M::mad || mnemonic == M::mul24 || mnemonic == M::mad24) {
    const bool third = mnemonic == M::mad || mnemonic == M::mad24;
    if (mnemonic == M::mul24 || mnemonic == M::mad24) node.bits = 24;
    if (node.real) {
      node.op = third ? Op::ffma : Op::fmul;
    } else if (operation.wide) {
      node.op = third ? Op::mad_wide : Op::mul_wide;
      if (node.bits == 16) {
        node.op = third ? Op::mad : Op::mul;
        node.bits = 32;
      } else {
        node.bits = 64;
        node.width = 2;
      }
    } else {
      node.op = third ? (operation.high ? Op::mad_high : Op::mad) : (operation.high ? Op::mul_high : Op::mul);
    }
    return !operation.carries;
  }
  node.op = Op::other;
  if (operation.carries || operation.has_mode) return false;
  for (const DescribedRow& row : described_rows) {
    if (row.mnemonic != mnemonic) continue;
    node.op = node.real ? row.real : row.integer;
    if (mnemonic == M::setp) {
      node.value = static_cast<u64>(operation.comparison);
      node.predicate = true;
      node.width = 0;
    }
    if (mnemonic == M::lop3) node.value = 3;
    const bool approximates =
        operation.approximate && (mnemonic == M::div || mnemonic == M::sqrt || mnemonic == M::rcp);
    if (approximates || operation.full_range) node.op = Op::math;
    if (mnemonic == M::popc || mnemonic == M::clz || mnemonic == M::bfind) node.width = 1;
    return node.op != Op::other;
  }
  return false;
}

}  // namespace lockstep::lowering
