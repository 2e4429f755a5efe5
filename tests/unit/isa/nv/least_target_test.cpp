// Instructions and the first target that has them. Expected values: "Target ISA Notes" of the PTX manual.
#include "isa/nv/least_target.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/nv/inspect.h"
#include "isa/nv/module.h"
#include "machine/target.h"

namespace lockstep {
namespace {

struct Row {
  u32 least;
  const char* statement;
};
constexpr Row rows[] = {
    {30, "shfl.idx.b32 %r0, %r1, %r2, 31"},
    {30, "shfl.sync.idx.b32 %r0, %r1, %r2, 31, -1"},
    {30, "vote.sync.ballot.b32 %r0, %p1, -1"},
    {30, "activemask.b32 %r0"},
    {30, "bar.warp.sync -1"},
    {30, "barrier.sync 0"},
    {30, "fns.b32 %r0, %r1, %r2, %r2"},
    {30, "mov.u64 %rd1, %globaltimer"},
    {32, "shf.l.wrap.b32 %r0, %r1, %r2, %r2"},
    {32, "ld.global.nc.u32 %r0, [%rd0]"},
    {32, "atom.global.and.b64 %rd1, [%rd0], %rd2"},
    {32, "red.global.max.s64 [%rd0], %rd2"},
    {50, "lop3.b32 %r0, %r1, %r2, %r2, 0x96"},
    {53, "fma.rn.f16 %h0, %h1, %h1, %h1"},
    {53, "add.f16x2 %r0, %r1, %r2"},
    {53, "setp.lt.f16 %p1, %h1, %h1"},
    {53, "neg.f16 %h0, %h1"},
    {60, "atom.global.add.f64 %d0, [%rd0], %d1"},
    {60, "red.global.add.noftz.f16x2 [%rd0], %r1"},
    {60, "atom.global.sys.add.u32 %r0, [%rd0], %r1"},
    {60, "atom.shared.cta.add.u32 %r0, [s], %r1"},
    {61, "dp4a.s32.s32 %r0, %r1, %r2, %r2"},
    {61, "dp2a.lo.s32.s32 %r0, %r1, %r2, %r2"},
    {70, "match.any.sync.b32 %r0, %r1, -1"},
    {70, "nanosleep.u32 20"},
    {70, "bmsk.clamp.b32 %r0, %r1, %r2"},
    {70, "szext.clamp.s32 %r0, %r1, %r2"},
    {70, "fence.acq_rel.gpu"},
    {70, "ld.acquire.gpu.global.u32 %r0, [%rd0]"},
    {70, "ld.weak.global.u32 %r0, [%rd0]"},
    {70, "st.release.sys.global.u32 [%rd0], %r1"},
    {70, "st.global.L1::no_allocate.u32 [%rd0], %r1"},
    {70, "atom.relaxed.gpu.global.add.u32 %r0, [%rd0], %r1"},
    {70, "atom.global.cas.b16 %h0, [%rd0], %h1, %h1"},
    {70, "atom.global.add.noftz.f16 %h0, [%rd0], %h1"},
    {72, "cvt.pack.sat.u16.s32 %r0, %r1, %r2"},
    {75, "cvt.pack.sat.u4.s32.b32 %r0, %r1, %r2, %r2"},
    {75, "tanh.approx.f32 %f0, %f1"},
    {75, "tanh.approx.f16 %h0, %h1"},
    {75, "ex2.approx.f16 %h0, %h1"},
    {75, "ld.global.L2::128B.u32 %r0, [%rd0]"},
    {75, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [s]"},
    {75, "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1"},
    {70,
     "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r6,%r7}, "
     "{%r0,%r1,%r2,%r3}"},
    {80,
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r4,%r5}, {%r6}, "
     "{%f0,%f1,%f2,%f3}"},
    {80, "redux.sync.add.s32 %r0, %r1, -1"},
    {80, "fma.rn.bf16 %h0, %h1, %h1, %h1"},
    {80, "fma.rn.relu.f16 %h0, %h1, %h1, %h1"},
    {80, "cvt.rn.bf16.f32 %h0, %f1"},
    {80, "cvt.f32.bf16 %f0, %h1"},
    {80, "cvt.rn.f16x2.f32 %r0, %f1, %f1"},
    {80, "cvt.rn.relu.f16.f32 %h0, %f1"},
    {80, "cvt.rna.tf32.f32 %r0, %f1"},
    {80, "min.f16 %h0, %h1, %h1"},
    {80, "max.bf16x2 %r0, %r1, %r2"},
    {80, "min.NaN.f32 %f0, %f1, %f1"},
    {80, "cp.async.ca.shared.global [s], [%rd0], 4"},
    {80, "cp.async.commit_group"},
    {80, "createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F800000"},
    {80, "prefetch.global.L2::evict_last [%rd0]"},
    {80, "applypriority.global.L2::evict_normal [%rd0], 128"},
    {80, "discard.global.L2 [%rd0], 128"},
    {86, "max.xorsign.abs.f32 %f0, %f1, %f1"},
    {89, "cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f1"},
    {89, "cvt.rn.f16x2.e5m2x2 %r0, %h1"},
    {90, "add.bf16 %h0, %h1, %h1"},
    {90, "setp.lt.bf16 %p1, %h1, %h1"},
    {90, "tanh.approx.bf16 %h0, %h1"},
    {90, "cvt.rn.bf16.s32 %h0, %r1"},
    {90, "cvt.rn.tf32.f32 %r0, %f1"},
    {90, "add.u16x2 %r0, %r1, %r2"},
    {90, "max.s16x2 %r0, %r1, %r2"},
    {90, "elect.sync %r0|%p1, -1"},
    {90, "griddepcontrol.wait"},
    {90, "red.global.add.noftz.bf16x2 [%rd0], %r1"},
    {90, "fence.acq_rel.cluster"},
    {90, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], {%r1}"},
};

std::string text_of(std::string_view target, std::string_view statement) {
  return fmt::format(R"(.version 8.0
.target {}
.address_size 64
.visible .entry k(.param .u64 o)
{{
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.reg .b16 %h<4>;
.reg .f32 %f<4>;
.reg .f64 %d<4>;
.reg .pred %p<3>;
.shared .align 16 .b8 s[64];
ld.param.u64 %rd0, [o];
{};
ret;
}}
)",
                     target, statement);
}

std::string problem(const Target& gpu, std::string_view text_target, std::string_view statement) {
  const auto module = nv::load_module(text_of(text_target, statement), gpu, "t.ptx");
  return module.ok() ? "" : to_string(module.error());
}

// The newest modelled target before the capability, and the oldest from it on.
const Target* beside(u32 capability, bool from) {
  const Target* found = nullptr;
  for (const Target& target : all_targets()) {
    if (target.vendor != Vendor::nvidia || target.compiler_target != target.name) continue;
    const u32 has = target.compute_capability();
    if ((has >= capability) != from) continue;
    if (found == nullptr || (from ? has < found->compute_capability() : has > found->compute_capability()))
      found = &target;
  }
  return found;
}

TEST(LeastTarget, AnInstructionNeedsIt) {
  for (const Row& row : rows) {
    const Target *before = beside(row.least, false), *first = beside(row.least, true);
    ASSERT_TRUE(before != nullptr && first != nullptr) << row.statement;
    EXPECT_EQ(problem(*first, first->name, row.statement), "") << row.statement;
    const std::string message = problem(*before, before->name, row.statement);
    EXPECT_NE(message.find(fmt::format("needs sm_{}, the target is {}", row.least, before->name)),
              std::string::npos)
        << row.statement << ": " << message;
    EXPECT_TRUE(message.starts_with("t.ptx:14: error: ")) << message;
    // It is the text's target that the assembler goes by, not the GPU's.
    EXPECT_EQ(problem(*first, before->name, row.statement), message);
  }
}

TEST(LeastTarget, WhatAllHaveNeedsNone) {
  const Target& fermi = *find_target("sm_20");
  for (const char* statement :
       {"add.u32 %r0, %r1, %r2", "ld.volatile.global.u32 %r0, [%rd0]", "cvt.rn.f16.f32 %h0, %f1",
        "atom.global.add.f32 %f0, [%rd0], %f1", "atom.global.cas.b64 %rd1, [%rd0], %rd1, %rd2", "membar.sys",
        "vote.ballot.b32 %r0, %p1", "prefetch.global.L2 [%rd0]", "bar.red.popc.u32 %r0, 0, %p1",
        "ldu.global.u32 %r0, [%rd0]", "mov.u64 %rd1, %clock64", "isspacep.shared %p1, %rd0"}) {
    EXPECT_EQ(problem(fermi, "sm_20", statement), "") << statement;
  }
}

TEST(LeastTarget, InspectionNamesTheProblem) {
  const auto found =
      nv::inspect(text_of("sm_60", "redux.sync.add.s32 %r0, %r1, -1"), *find_target("sm_60"), "t");
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->functions[0].instructions[1].problem.starts_with(
      "'redux.sync.add.s32' needs sm_80, the target is sm_60\n"));
}

TEST(LeastTarget, TextsForLaterTargetsAreRefused) {
  const char* const plain = "mov.u32 %r0, 1";
  EXPECT_EQ(problem(*find_target("sm_90"), "sm_50", plain), "");
  EXPECT_EQ(problem(*find_target("sm_90"), "sm_90a", plain), "");
  EXPECT_EQ(problem(*find_target("sm_61"), "sm_61, texmode_independent", plain), "");
  EXPECT_EQ(problem(*find_target("sm_61"), "texmode_independent, sm_61", plain), "");
  const std::string later = problem(*find_target("sm_60"), "sm_90", plain);
  EXPECT_NE(later.find("t.ptx:2: error: the PTX is for sm_90, the target is sm_60"), std::string::npos)
      << later;
  EXPECT_NE(later.find("hint: PTX runs on the target that it names and on later ones"), std::string::npos);
  EXPECT_NE(problem(*find_target("sm_60"), "sm_61", plain), "") << "of the same generation";
  // What is made for one architecture runs on no other.
  const std::string other = problem(*find_target("sm_90"), "sm_80a", plain);
  EXPECT_NE(other.find("alone"), std::string::npos) << other;
  EXPECT_NE(problem(*find_target("sm_90"), "sm_100f", plain), "");
  // Compilers have no PTX for the first generation.
  EXPECT_EQ(problem(*find_target("sm_10"), "sm_20", plain), "");
  EXPECT_EQ(problem(*find_target("sm_10"), "sm_10", plain), "");
  EXPECT_NE(problem(*find_target("sm_10"), "sm_30", plain), "");
}

TEST(LeastTarget, NamesOfTargets) {
  EXPECT_EQ(nv::capability_named("sm_90a"), 90u);
  EXPECT_EQ(nv::capability_named("sm_120f"), 120u);
  for (const char* wrong : {"sm_", "sm_7", "sm_90b", "sm_90aa", "compute_90", "70", "sm_99999999999"})
    EXPECT_FALSE(nv::capability_named(wrong)) << wrong;
  const std::string message = problem(*find_target("sm_90"), "hopper", "mov.u32 %r0, 1");
  EXPECT_NE(message.find("'hopper' is no target"), std::string::npos) << message;
}

}  // namespace
}  // namespace lockstep
