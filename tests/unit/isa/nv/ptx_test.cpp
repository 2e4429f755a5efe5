// PTX from text to results: small kernels over one buffer. Expected values come from the PTX manual's
// definitions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "isa/nv/module.h"
#include "isa/step.h"
#include "isa/wave.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr u64 base_address = u64{0x10} << 32;
constexpr u64 arguments_at = 3072, private_at = 8192;

struct Result {
  std::vector<u8> memory = std::vector<u8>(16384, 0);
  bool ended = false;
  u64 instructions = 0;
  FaultKind fault = FaultKind::none;

  template <class T>
  T at(u32 index) const {
    T value;
    std::memcpy(&value, memory.data() + index * sizeof(T), sizeof(T));
    return value;
  }
};

std::string kernel(const std::string& body) {
  return ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 .ptr .global .align 8 "
         "out)\n{\n"
         ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<30>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.reg "
         ".f64 %fd<9>;\n"
         "ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd2, %rd0, "
         "%rd1;\n" +
         body + "\nret;\n}\n";
}

// One wave of 32 work-items; the kernel's argument is the buffer.
Result run(const std::string& text, const char* target_name = "sm_70", u64 most = 100000) {
  Result result;
  const Target* target = find_target(target_name);
  constexpr std::string_view written = ".target sm_70\n";
  std::string for_target = text;
  for_target.replace(text.find(written), written.size(), fmt::format(".target {}\n", target_name));
  Expected<std::unique_ptr<Module>> module = nv::load_module(for_target, *target, "test.ptx");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : to_string(module.error()));
  if (!module.ok()) return result;
  LaunchState state;
  state.module = module->get();
  state.program = &(*module)->programs.at(0);
  state.range.global = {32, 1, 1};
  state.range.local = {32, 1, 1};
  state.private_base = base_address + private_at;
  state.private_bytes_per_item = (state.program->needs.private_bytes + 3) / 4 * 4;
  state.private_bytes_per_wave = state.private_bytes_per_item * 32;
  state.arguments_address = base_address + arguments_at;
  std::memcpy(result.memory.data() + arguments_at, &base_address, 8);
  std::vector<u8> local(1024);
  WaveState wave;
  wave.local = local;
  (*module)->isa->begin_wave(wave, state, GroupId{});
  StepContext context;
  context.global = {result.memory.data(), base_address, result.memory.size()};
  while (result.instructions < most) {
    const Instruction& instruction = (*module)->code.instructions[wave.pc++];
    instruction.run(wave, instruction, context);
    ++result.instructions;
    if (context.event == Event::end || context.event == Event::fault) break;
    context.event = Event::none;
  }
  result.ended = context.event == Event::end;
  result.fault = context.fault.kind;
  return result;
}

std::string error_of(const std::string& text) {
  Expected<std::unique_ptr<Module>> module = nv::load_module(text, *find_target("sm_70"), "test.ptx");
  return module.ok() ? "" : to_string(module.error());
}

TEST(Ptx, StoresWhatItComputes) {
  const Result r = run(kernel("mad.lo.s32 %r1, %r0, 3, 7;\nst.global.u32 [%rd2], %r1;"));
  EXPECT_TRUE(r.ended);
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), lane * 3 + 7);
}

TEST(Ptx, BranchesPartAndMeet) {
  const Result r = run(kernel(R"(
setp.lt.u32 %p1, %r0, 10;
@%p1 bra SMALL;
mov.u32 %r1, 200;
bra.uni DONE;
SMALL: mov.u32 %r1, 100;
DONE: vote.sync.ballot.b32 %r2, %p1, 0xffffffff;
add.u32 %r1, %r1, %r0;
add.u32 %r1, %r1, %r2;
st.global.u32 [%rd2], %r1;)"));
  // All lanes vote together again: the ballot has the ten small lanes' bits in every lane.
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), (lane < 10 ? 100 : 200) + lane + 0x3FF);
}

// One path ends: lanes that do not take it meet all the same. Odd lanes come by another way to the place
// where all of the wave store what the first of its even lanes has left in shared memory.
TEST(Ptx, LanesMeetWhereNoneOfThemEnds) {
  for (const char* target : {"sm_60", "sm_70"}) {
    const Result result =
        run(kernel(".shared .b32 s;\n"
                   "and.b32 %r1, %r0, 1;\nsetp.eq.u32 %p0, %r1, 0;\nsetp.gt.u32 %p1, %r0, 99;\n"
                   "@%p0 bra EVEN;\n"
                   "@%p1 bra NEVER;\nbra JOIN;\n"
                   "EVEN:\nst.shared.u32 [s], 7;\n@%p1 bra NEVER;\n"
                   "JOIN:\nbar.sync 0;\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd2], %r2;\nret;\n"
                   "NEVER:\nexit;"),
            target);
    EXPECT_TRUE(result.ended);
    for (u32 i = 0; i < 32; ++i) EXPECT_EQ(result.at<u32>(i), 7u) << target << " lane " << i;
  }
}

// LLVM computes addresses in a frame with "or" where the variable's alignment allows it, also in a function
// whose caller's variables need less.
TEST(Ptx, FramesOfCalleesAreAligned) {
  const std::string text =
      ".version 7.8\n.target sm_70\n.address_size 64\n"
      ".func (.param .b32 result) f(.param .b32 x)\n{\n.local .align 32 .b8 v[32];\n.reg .b64 %rd<4>;\n"
      ".reg .b32 %r<3>;\nmov.u64 %rd0, v;\nor.b64 %rd1, %rd0, 16;\nld.param.u32 %r0, [x];\n"
      "st.local.u32 [%rd1], %r0;\nld.local.u32 %r1, [%rd0+16];\nst.param.b32 [result], %r1;\nret;\n}\n" +
      kernel(
          ".local .align 4 .b8 mine[12];\nst.local.u32 [mine+8], %r0;\n{\n.param .b32 a;\n.param .b32 b;\n"
          "st.param.b32 [a], %r0;\ncall.uni (b), f, (a);\nld.param.b32 %r1, [b];\n}\n"
          "ld.local.u32 %r2, [mine+8];\nadd.u32 %r1, %r1, %r2;\nst.global.u32 [%rd2], %r1;")
          .substr(std::string(".version 7.8\n.target sm_70\n.address_size 64\n").size());
  const Result result = run(text);
  EXPECT_TRUE(result.ended);
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(result.at<u32>(i), 2 * i);
}

TEST(Ptx, LoopsRunAsLongAsEachLaneNeeds) {
  const Result r = run(kernel(R"(
mov.u32 %r1, 0;
mov.u32 %r2, 0;
LOOP: setp.gt.u32 %p1, %r1, %r0;
@%p1 bra DONE;
add.u32 %r2, %r2, %r1;
add.u32 %r1, %r1, 1;
bra.uni LOOP;
DONE: st.global.u32 [%rd2], %r2;)"));
  EXPECT_TRUE(r.ended);
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), lane * (lane + 1) / 2);
}

// Lane 1 spins until lane 0, which waits where both sides of the branch meet, has stored.
const char* const spinning = R"(
setp.eq.u32 %p1, %r0, 1;
setp.gt.u32 %p2, %r0, 1;
@%p2 bra OUT;
@%p1 bra SPIN;
bra.uni MEET;
SPIN: ld.volatile.global.u32 %r1, [%rd0+256];
setp.eq.u32 %p3, %r1, 0;
@%p3 bra SPIN;
MEET: mov.u32 %r2, 1;
st.volatile.global.u32 [%rd0+256], %r2;
OUT:)";

TEST(Ptx, LanesThatWaitForEachOtherFinishOnVolta) {
  EXPECT_TRUE(run(kernel(spinning), "sm_70").ended);
  EXPECT_TRUE(run(kernel(spinning), "sm_90").ended);
}

TEST(Ptx, LanesThatWaitForEachOtherHangBeforeVolta) {
  EXPECT_FALSE(run(kernel(spinning), "sm_60").ended);
  EXPECT_FALSE(run(kernel(spinning), "sm_20").ended);
}

TEST(Ptx, GuardsLeaveOtherLanesAlone) {
  const Result r = run(kernel(R"(
mov.u32 %r1, 5;
and.b32 %r2, %r0, 1;
setp.ne.u32 %p1, %r2, 0;
@%p1 mov.u32 %r1, 6;
@!%p1 add.u32 %r1, %r1, 10;
st.global.u32 [%rd2], %r1;)"));
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), lane % 2 == 1 ? 6u : 15u);
}

TEST(Ptx, CallsPassParametersThroughFrames) {
  const std::string text = R"(.version 7.8
.target sm_70
.address_size 64
.func (.param .b32 result) twice_plus(.param .b32 a, .param .b64 b)
{
.reg .b32 %r<4>;
.reg .b64 %rd<2>;
ld.param.u32 %r1, [a];
ld.param.u64 %rd1, [b];
cvt.u32.u64 %r2, %rd1;
mad.lo.u32 %r3, %r1, 2, %r2;
st.param.b32 [result], %r3;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<4>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
{
.param .b32 p0;
.param .b64 p1;
.param .b32 back;
mov.u64 %rd3, 1000;
st.param.b32 [p0], %r1;
st.param.b64 [p1], %rd3;
call.uni (back), twice_plus, (p0, p1);
ld.param.b32 %r2, [back];
}
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd4, %rd1, %rd2;
st.global.u32 [%rd4], %r2;
ret;
}
)";
  const Result r = run(text);
  EXPECT_TRUE(r.ended);
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), 2 * lane + 1000);
}

TEST(Ptx, ShufflesMoveValues) {
  const Result r = run(
      kernel("shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xffffffff;\nshfl.sync.up.b32 %r2|%p1, %r0, 4, 0, "
             "0xffffffff;\nselp.u32 %r3, 1000, 0, %p1;\nadd.u32 %r1, %r1, %r3;\nst.global.u32 [%rd2], %r1;\n"
             "st.global.u32 [%rd2+128], %r2;"));
  for (u32 lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(r.at<u32>(lane), (lane ^ 1) + (lane >= 4 ? 1000 : 0));
    EXPECT_EQ(r.at<u32>(32 + lane), lane >= 4 ? lane - 4 : lane);
  }
}

TEST(Ptx, BitFieldsAndPermutes) {
  const Result r = run(kernel(R"(
bfe.s32 %r1, 0xf0, 4, 4;
bfi.b32 %r2, 0xff, 0x12345678, 8, 4;
prmt.b32 %r3, 0x33221100, 0x77665544, 0x7531;
lop3.b32 %r4, 0xff00ff00, 0xf0f0f0f0, 0xcccccccc, 0x96;
brev.b32 %r5, 1;
st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};
st.global.u32 [%rd0+16], %r5;)"));
  EXPECT_EQ(r.at<u32>(0), 0xFFFFFFFFu);
  EXPECT_EQ(r.at<u32>(1), 0x12345F78u);
  EXPECT_EQ(r.at<u32>(2), 0x77553311u);
  EXPECT_EQ(r.at<u32>(3), 0xFF00FF00u ^ 0xF0F0F0F0u ^ 0xCCCCCCCCu);
  EXPECT_EQ(r.at<u32>(4), 0x80000000u);
}

TEST(Ptx, ConversionsSaturate) {
  const Result r = run(kernel(R"(
cvt.rzi.s32.f32 %r1, 0f4F800000;
cvt.sat.u8.s32 %r2, 300;
cvt.rni.s32.f32 %r3, 0f40200000;
mov.u32 %r6, 200;
cvt.s32.s8 %r4, %r6;
st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};)"));
  EXPECT_EQ(r.at<u32>(0), 0x7FFFFFFFu);  // 2^32
  EXPECT_EQ(r.at<u32>(1), 255u);
  EXPECT_EQ(r.at<u32>(2), 2u);   // 2.5 to even
  EXPECT_EQ(r.at<i32>(3), -56);  // 200 as a signed byte
}

TEST(Ptx, CarriesChain) {
  const Result r = run(kernel(R"(
add.cc.u32 %r1, 0xffffffff, 1;
addc.cc.u32 %r2, 0xffffffff, 0;
addc.u32 %r3, 5, 0;
sub.cc.u32 %r4, 0, 1;
subc.u32 %r5, 9, 0;
st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};
st.global.u32 [%rd0+16], %r5;)"));
  EXPECT_EQ(r.at<u32>(0), 0u);
  EXPECT_EQ(r.at<u32>(1), 0u);
  EXPECT_EQ(r.at<u32>(2), 6u);
  EXPECT_EQ(r.at<u32>(3), 0xFFFFFFFFu);
  EXPECT_EQ(r.at<u32>(4), 8u);
}

TEST(Ptx, PairsOfShortsAreIndependent) {
  const Result r = run(kernel(R"(
add.s16x2 %r1, 0x0001ffff, 0x00020001;
min.s16x2 %r2, 0x8000ffff, 0x00010001;
max.u16x2 %r3, 0x8000ffff, 0x00010001;
st.global.v2.u32 [%rd0], {%r1, %r2};
st.global.u32 [%rd0+8], %r3;)"),
                       "sm_90");
  EXPECT_EQ(r.at<u32>(0), 0x00030000u);
  EXPECT_EQ(r.at<u32>(1), 0x8000FFFFu);
  EXPECT_EQ(r.at<u32>(2), 0x8000FFFFu);
}

TEST(Ptx, SecondPredicateIsTheComplement) {
  const Result r = run(
      kernel("setp.lt.u32 %p1|%p2, %r0, 4;\nselp.u32 %r1, 1, 0, %p1;\nselp.u32 %r2, 2, 0, %p2;\nadd.u32 %r1, "
             "%r1, %r2;\nst.global.u32 [%rd2], %r1;"));
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), lane < 4 ? 1u : 2u);
}

TEST(Ptx, AtomicsReturnWhatWasThere) {
  const Result r = run(kernel("atom.global.add.u32 %r1, [%rd0+512], 2;\nst.global.u32 [%rd2], %r1;"));
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(r.at<u32>(lane), 2 * lane);
  EXPECT_EQ(r.at<u32>(128), 64u);
}

TEST(Ptx, ErrorsNameTheLineAndItsText) {
  const std::string unknown = error_of(kernel("frobnicate.u32 %r1, %r2;"));
  EXPECT_NE(unknown.find("test.ptx:16"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("unknown instruction 'frobnicate.u32'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("frobnicate.u32 %r1, %r2;"), std::string::npos) << unknown;
  EXPECT_NE(error_of(kernel("add.u32 %r1, %q2, 1;")).find("'%q2' is not declared"), std::string::npos);
  EXPECT_NE(error_of(kernel("add.u32 %r1, %r2;")).find("takes 3 operands, not 2"), std::string::npos);
  EXPECT_NE(error_of(kernel("add.u32 %rd1, %r2, 1;")).find("has not the size"), std::string::npos);
  EXPECT_NE(error_of(kernel("bra NOWHERE;")).find("label 'NOWHERE'"), std::string::npos);
  EXPECT_NE(error_of(kernel("tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f1, %f2}];"))
                .find("is not supported"),
            std::string::npos);
  EXPECT_NE(error_of("").find("PTX begins with .version"), std::string::npos);
  EXPECT_NE(error_of(".version 7.8\n.target sm_70\n.entry k() {").find("does not end"), std::string::npos);
}

// Cut within the kernel, the text is an error, and never a crash; its first lines alone are a module without
// kernels.
// What has no place in memory, or too little of it, is not written.
TEST(Ptx, InitialValuesNeedAPlace) {
  const char* const variables[] = {".extern .global .b32 x = 5;", ".global .b32 x[0] = {1};",
                                   ".global .b32 x[1] = {1, 2};", ".const .align 8 .texref x[4] = {1, 0, 2};",
                                   ".global .texref x = 1;"};
  for (const char* variable : variables) {
    const std::string text = ".version 7.8\n.target sm_70\n.address_size 64\n" + std::string(variable) + "\n";
    const auto module = nv::load_module(text, *find_target("sm_70"), "test.ptx");
    ASSERT_FALSE(module.ok()) << variable;
    EXPECT_EQ(module.error().code, "bad-ptx") << variable;
    EXPECT_EQ(module.error().place.line, 4u) << variable;
  }
}

TEST(Ptx, CutTextsAreErrors) {
  const std::string whole = kernel("mad.lo.s32 %r1, %r0, 3, 7;\n@%p1 st.global.v2.u32 [%rd2+4], {%r1, %r2};");
  const std::size_t kernel_at = whole.find(".visible");
  for (std::size_t length = 0; length < kernel_at; ++length) (void)error_of(whole.substr(0, length));
  for (std::size_t length = kernel_at + 1; length + 2 < whole.size(); ++length) {
    EXPECT_NE(error_of(whole.substr(0, length)), "") << length;
  }
}

}  // namespace
}  // namespace lockstep
