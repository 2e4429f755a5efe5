#include "isa/nv/operation.h"

#include <gtest/gtest.h>

#include "isa/nv/memory.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

Operation of(std::string_view name) {
  const Opcode* row = opcodes().find(name);
  EXPECT_NE(row, nullptr) << name;
  return row == nullptr ? Operation{} : operation_of(*row->meaning);
}

TEST(PtxOperation, WordsAreDecoded) {
  const Operation wide = of("mul.wide.u32");
  EXPECT_EQ(wide.mnemonic, Mnemonic::mul);
  EXPECT_TRUE(wide.wide && !wide.high);
  EXPECT_TRUE(of("mad.hi.s32").high);
  EXPECT_TRUE(of("shf.l.wrap.b32").left);
  EXPECT_FALSE(of("shf.r.wrap.b32").left);
  EXPECT_TRUE(of("div.full.f32").full_range);
  const Operation division = of("div.approx.ftz.f32");
  EXPECT_TRUE(division.approximate && division.flushes && division.type.floating());
  EXPECT_TRUE(of("add.cc.u32").carries && of("subc.u32").carries && !of("add.u32").carries);
  EXPECT_TRUE(of("prmt.b32.f4e").has_mode && !of("prmt.b32").has_mode);
  EXPECT_EQ(of("prmt.b32.b4e").type.bits, 32);
  EXPECT_EQ(of("setp.ltu.f32").comparison, Comparison::lt);
  EXPECT_EQ(of("setp.hs.u32").comparison, Comparison::ge);
  EXPECT_EQ(of("setp.hi.u32").comparison, Comparison::gt);
}

TEST(PtxOperation, TypesOfConversionsAreDecoded) {
  const Operation brain = of("cvt.rn.bf16x2.f32");
  EXPECT_TRUE(brain.type.brain && brain.type.count == 2 && brain.type.bits == 16);
  EXPECT_TRUE(brain.from.floating() && brain.from.bits == 32 && !brain.from.brain);
  const Operation small = of("cvt.rn.satfinite.e4m3x2.f32");
  EXPECT_TRUE(small.type.floating() && small.type.bits == 8 && small.type.count == 2);
  EXPECT_TRUE(of("cvt.rna.tf32.f32").type.tensor && !of("cvt.rna.tf32.f32").from.tensor);
  EXPECT_TRUE(of("cvt.rzi.s32.f32").to_whole && of("cvt.rzi.s32.f32").type.is_signed());
  EXPECT_TRUE(of("cvt.pack.sat.s16.s32").packs);
}

// What the opcode says and what its meaning computes with agree, for every row of the table.
TEST(PtxOperation, TypesAgreeWithTheMeanings) {
  u32 conversions = 0, others = 0;
  for (const auto& [name, row] : opcodes().rows()) {
    const Operation operation = operation_of(*row.meaning);
    const u32 bits = operation.type.bits * operation.type.count;
    if (operation.mnemonic == Mnemonic::cvt) {
      ++conversions;
      EXPECT_NE(operation.type.kind, ElementType::Kind::none) << name;
      EXPECT_NE(operation.from.kind, ElementType::Kind::none) << name;
      const bool wide = operation.wide_register || bits == 64;
      EXPECT_EQ(registers_of(row.meaning->result, 32), wide ? 2u : 1u) << name;
    } else if (operation.mnemonic != Mnemonic::other && operation.type.kind != ElementType::Kind::none) {
      ++others;
      using M = Mnemonic;
      const M m = operation.mnemonic;
      if (row.meaning->result == Kind::mask) continue;
      // Counts of bits are words whatever they count; a wide product has twice its sources' size.
      const bool word = m == M::popc || m == M::clz || m == M::bfind;
      const u32 result = operation.wide ? 2 * bits : bits;
      EXPECT_EQ(registers_of(row.meaning->result, 32), result == 64 && !word ? 2u : 1u) << name;
      const bool doubles = row.meaning->source[0] == Kind::f64;
      EXPECT_TRUE(!doubles || (operation.type.floating() && bits == 64)) << name;
    }
  }
  EXPECT_GT(conversions, 1000u);
  EXPECT_GT(others, 500u);
}

TEST(PtxOperation, AtomicsSayWhatTheyDo) {
  EXPECT_EQ(operation_of(*find_atomic("add.u32")).mnemonic, Mnemonic::add);
  EXPECT_FALSE(operation_of(*find_atomic("add.u32")).type.floating());
  EXPECT_EQ(operation_of(*find_atomic("min.s32")).mnemonic, Mnemonic::min);
  EXPECT_EQ(operation_of(*find_atomic("xor.b32")).mnemonic, Mnemonic::xor_);
  EXPECT_EQ(operation_of(*find_atomic("cas.b32")).mnemonic, Mnemonic::other);
  const Operation half = operation_of(*find_atomic("add.noftz.f16x2"));
  EXPECT_EQ(half.mnemonic, Mnemonic::add);
  EXPECT_TRUE(half.type.floating() && half.type.bits == 16);
  EXPECT_EQ(operation_of(*find_atomic("add.f32")).type.bits, 32);
  EXPECT_FALSE(computes(*find_atomic("add.f32")));
}

}  // namespace
}  // namespace lockstep::nv
