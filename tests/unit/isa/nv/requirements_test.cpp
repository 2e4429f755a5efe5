// What the GPUs before Fermi lack of the PTX that they are given. Expected values: "Target ISA Notes" of the
// PTX manual.
#include <gtest/gtest.h>

#include "isa/nv/module.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr const char* text = R"(.version 3.0
.target sm_20
.address_size 64
.func helper(.param .b64 p)
{
.reg .b64 %rd<3>;
.reg .b32 %r<2>;
ld.param.u64 %rd0, [p];
atom.global.add.u32 %r0, [%rd0], 1;
ret;
}
.visible .entry k(.param .u64 .ptr .global .align 8 out)
{
.reg .b64 %rd<3>;
.reg .f64 %fd<3>;
.reg .f32 %f<3>;
.shared .align 4 .b32 s;
.reg .b32 %r<2>;
ld.param.u64 %rd0, [out];
ld.global.f64 %fd0, [%rd0];
add.rn.f64 %fd0, %fd0, %fd0;
st.global.f64 [%rd0], %fd0;
atom.shared.add.u32 %r0, [s], 1;
ld.f32 %f0, [%rd0];
mul.ftz.f32 %f0, %f0, %f0;
{
.param .b64 a;
st.param.b64 [a], %rd0;
call helper, (a);
}
ret;
}
.visible .entry plain(.param .u64 .ptr .global .align 8 out)
{
.reg .b64 %rd<3>;
.reg .f32 %f<3>;
ld.param.u64 %rd0, [out];
ld.global.f32 %f0, [%rd0];
add.ftz.f32 %f0, %f0, %f0;
st.global.f32 [%rd0], %f0;
ret;
}
)";

std::string lacked(const char* target, const char* kernel) {
  const auto module = nv::load_module(text, *find_target(target), "t.ptx");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : to_string(module.error()));
  if (!module.ok()) return "";
  std::string out;
  for (const LackedFeature& one : (*module)->find(kernel)->lacked)
    out += one.name + " " + one.since + " " + std::to_string(one.instructions) + " " + one.first_at + "\n";
  return out;
}

TEST(PtxRequirements, FirstGenerationLacksAllOfThem) {
  EXPECT_EQ(lacked("sm_10", "k"),
            "double precision sm_13 3 t.ptx:20\n"
            "generic addresses sm_20 1 t.ptx:24\n"
            "global atomics sm_11 1 t.ptx:9\n"
            "local atomics sm_12 1 t.ptx:23\n");
}

TEST(PtxRequirements, Gt200LacksGenericAddresses) {
  EXPECT_EQ(lacked("sm_13", "k"), "generic addresses sm_20 1 t.ptx:24\n");
}

TEST(PtxRequirements, FermiLacksNothing) {
  EXPECT_EQ(lacked("sm_20", "k"), "");
}

TEST(PtxRequirements, WhatAllHaveIsNotNamed) {
  EXPECT_EQ(lacked("sm_10", "plain"), "");
}

}  // namespace
}  // namespace lockstep
