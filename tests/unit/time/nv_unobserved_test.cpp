// Which atomics have a place among others' that shows.
#include <gtest/gtest.h>

#include "isa/nv/module.h"
#include "time/source/advance.h"

namespace lockstep {
namespace {

std::unique_ptr<Module> load(const std::string& body) {
  const std::string text =
      ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 a, .param .u64 b)\n{\n"
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>;\n.shared .b32 s;\n"
      "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x;\n" +
      body + "\nret;\n}\n";
  auto module = nv::load_module(text, *find_target("sm_80"), "k.ptx");
  EXPECT_TRUE(module) << (module ? "" : to_string(module.error()));
  return module ? std::move(*module) : nullptr;
}

// How many of a kernel's atomics are unobserved; those are not ordered, the others are.
int unobserved(const std::string& body) {
  const auto module = load(body);
  if (module == nullptr) return -1;
  const std::vector<u8>& rules = advance_rules(*module).bits;
  int count = 0;
  for (u32 i = 0; i < rules.size(); ++i) {
    const bool is = module->code.instructions[i].policy.has(AccessPolicy::unobserved);
    if (is) {
      EXPECT_EQ(rules[i] & advance::ordered, 0);
    }
    count += is;
  }
  return count;
}

TEST(NvUnobserved, SumsThatNothingReads) {
  const std::string sum = "atom.global.add.u32 %r2, [%rd1], %r1; ";
  EXPECT_EQ(unobserved(sum), 1);
  EXPECT_EQ(unobserved(sum + "ld.global.nc.u32 %r3, [%rd2]; red.global.add.u32 [%rd2], %r3;"), 2);
  EXPECT_EQ(unobserved(sum + "ld.shared.u32 %r3, [s]; st.global.u32 [%rd2], %r3;"), 1);
  EXPECT_EQ(unobserved("atom.global.min.s32 _, [%rd1], %r1;"), 1);
}

TEST(NvUnobserved, WhateverTellsOneOrderFromAnother) {
  const std::string sum = "atom.global.add.u32 %r2, [%rd1], %r1; ";
  EXPECT_EQ(unobserved(sum + "st.global.u32 [%rd2], %r2;"), 0) << "its result is read";
  EXPECT_EQ(unobserved(sum + "ld.global.u32 %r3, [%rd2];"), 0) << "memory is read that it may change";
  EXPECT_EQ(unobserved(sum + "ld.u32 %r3, [%rd2];"), 0);
  EXPECT_EQ(unobserved(sum + "red.global.max.u32 [%rd1], %r1;"), 0) << "a sum and a maximum do not commute";
  EXPECT_EQ(unobserved(sum + "membar.gl;"), 0);
  EXPECT_EQ(unobserved("red.global.add.f32 [%rd1], %f1;"), 0) << "sums of floats round";
  EXPECT_EQ(unobserved("red.global.inc.u32 [%rd1], %r1;"), 0);
  EXPECT_EQ(unobserved("atom.global.exch.b32 %r2, [%rd1], %r1;"), 0);
  EXPECT_EQ(unobserved("red.release.gpu.global.add.u32 [%rd1], %r1;"), 0);
  EXPECT_EQ(unobserved("@%p1 bra L; " + sum + "L: setp.eq.u32 %p1, %r2, 0;"), 0);
}

// What nothing reads takes no register that others would wait for, whatever the operation.
TEST(NvUnobserved, ResultsThatNothingReadsAreNoResults) {
  const auto returned = [](const std::string& body) {
    const auto module = load(body);
    if (module == nullptr) return -1;
    int count = 0;
    for (const Instruction& in : module->code.instructions)
      count += in.cost == Cost::vmem_atomic && (in.flags & Instruction::returns) != 0 &&
               in.operand[0].kind != OperandKind::none;
    return count;
  };
  EXPECT_EQ(returned("atom.global.add.f32 %f2, [%rd1], %f1;"), 0);
  EXPECT_EQ(returned("atom.global.cas.b32 %r2, [%rd1], %r1, %r3;"), 0);
  EXPECT_EQ(returned("atom.global.add.f32 %f2, [%rd1], %f1; st.global.f32 [%rd1], %f2;"), 1);
  EXPECT_EQ(returned("atom.global.exch.b32 %r2, [%rd1], %r1; mov.u32 %r2, 0;"), 1)
      << "named twice: not looked into";
}

}  // namespace
}  // namespace lockstep
