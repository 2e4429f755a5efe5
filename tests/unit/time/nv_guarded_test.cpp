// Where guards replace branches the machine's code is one straight line, whichever way a warp's lanes go.
#include "machine/machine.h"
#include "nv_lower_support.h"
#include "source_kernel.h"
#include "time/program/nv/text.h"
#include "time/timing.h"

namespace lockstep {
namespace {

// Two bodies that lanes pass by, and two sides of which each lane goes one: warps of which all lanes, some
// and none go into each. LLVM lays blocks out like this.
const std::string kernel_text = R"(
.visible .entry guarded(.param .u64 p0, .param .u64 p1) {
  .reg .pred %p<5>; .reg .b32 %r<16>; .reg .b64 %rd<10>;
  .shared .align 4 .b32 tile[128];
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4;
  shl.b32 %r8, %r1, 2; mov.u32 %r7, tile; add.u32 %r7, %r7, %r8;
  setp.lt.u32 %p1, %r1, 72; setp.lt.u32 %p2, %r1, 40; setp.ge.u32 %p3, %r1, 80;
  bra.uni START;
BEHIND:
  @%p3 bra OTHER;
  add.u32 %r5, %r5, 1000;
  bra.uni END;
OTHER:
  add.u32 %r5, %r5, 2000;
END:
  ld.shared.u32 %r9, [%r7];
  add.u32 %r5, %r5, %r9;
  st.global.u32 [%rd6], %r5;
  ret;
START:
  mov.u32 %r5, 0;
  st.shared.u32 [%r7], %r5;
  @%p1 bra FIRST;
  bra.uni NEXT;
FIRST:
  ld.global.u32 %r5, [%rd5];
  st.shared.u32 [%r7], %r5;
  bra.uni NEXT;
NEXT:
  @!%p2 bra BEHIND;
  ld.global.u32 %r6, [%rd5+512];
  add.u32 %r5, %r5, %r6;
  bra.uni BEHIND;
}
)";

constexpr u32 items = 128;

TEST(Guarded, ShortBodiesAreGuarded) {
  const Lowered l = lower(std::string(indexed) +
                          "ld.global.u32 %r5, [%rd6]; setp.gt.s32 %p1, %r5, 3; @%p1 bra L; add.s32 %r5, %r5, "
                          "1; L: st.global.u32 [%rd6], %r5;");
  auto count = mnemonics(l.program);
  EXPECT_EQ(count["BRA"], 0);
  EXPECT_EQ(count["BSSY"], 0);
  EXPECT_TRUE(l.program.branches.empty());
  ASSERT_EQ(l.program.guarded.size(), 1u);
  const LoweredGuarded& body = l.program.guarded[0];
  EXPECT_EQ(region_of(l.program, body.first - 1), region_of(l.program, body.first + body.count))
      << "one line";
  u32 guarded = 0;
  for (const LoweredInstruction& in : l.program.instructions) {
    const bool inside = in.from >= body.first && in.from < body.first + body.count;
    EXPECT_EQ(in.guard.file == LoweredOperand::File::predicate, inside) << print_lowered(in);
    guarded += inside ? 1 : 0;
  }
  EXPECT_GT(guarded, 0u);
}

// clang lays a jump behind a branch whose target comes next.
TEST(Guarded, BodiesBehindJumpsAreGuarded) {
  const std::string begin = std::string(indexed) +
                            "ld.global.u32 %r5, [%rd6]; mov.u32 %r9, 0; mov.u32 %r7, s; "
                            "setp.gt.s32 %p1, %r5, 3; setp.gt.s32 %p2, %r5, 9; ";
  const std::string take = "ld.global.u32 %r6, [%rd6+64]; st.shared.u32 [%r7], %r6; ";
  const std::string clear = "st.shared.u32 [%r7+4], %r9; st.shared.u32 [%r7+8], %r9; ";
  const std::string end = " ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd6], %r8;";
  const auto branches = [&](const std::string& body, const char* target = "sm_90") {
    return mnemonics(lower(begin + body + end, target).program)["BRA"];
  };
  const std::string two = "@%p1 bra T; bra.uni E; T: " + take + "bra.uni J; E: " + clear + "J:";
  EXPECT_EQ(branches(two), 0);
  EXPECT_EQ(branches("@!%p1 bra J; bra.uni T; T: " + take + "J:"), 0) << "one side";
  // Two sides that read global memory, where some warps do not come by: a branch and a jump.
  EXPECT_EQ(branches("@%p2 bra Q; " + two + " Q:"), 3);
  const std::string stores =
      "@%p1 bra T; bra.uni E; T: st.shared.u32 [%r7], %r5; bra.uni J; E: " + clear + "J:";
  EXPECT_EQ(branches("@%p2 bra Q; " + stores + " Q:"), 1) << "those that read nothing are guarded";
  const std::string hands_over =
      "@%p1 bra T; bra.uni E; T: ld.global.u32 %r6, [%rd6+64]; st.shared.u32 [%r7], %r5; bra.uni J; "
      "E: mov.u32 %r6, 0; " +
      clear + "J: st.shared.u32 [%r7+16], %r6; ";
  EXPECT_EQ(branches("@%p2 bra Q; " + hands_over + " Q:"), 1) << "and those that hand over what they read";
  // Whichever way lanes go, each side is one body of the line.
  const Lowered l = lower(begin + two + end, "sm_90");
  ASSERT_EQ(l.program.guarded.size(), 1u);
  EXPECT_EQ(region_of(l.program, l.program.guarded[0].first - 1),
            region_of(l.program, l.program.guarded[0].first + l.program.guarded[0].count));
}

// Loads of several bodies go in front of what takes the first one's.
TEST(Guarded, GuardedBodiesAreOrderedTogether) {
  const Lowered l = lower(std::string(indexed) + R"(
    shl.b32 %r8, %r3, 2; mov.u32 %r9, s; add.u32 %r8, %r8, %r9;
    setp.gt.u32 %p1, %r3, 3; setp.gt.u32 %p2, %r3, 5;
    @%p1 bra L; ld.global.u32 %r5, [%rd6]; st.shared.u32 [%r8], %r5;
    L: @%p2 bra M; ld.global.u32 %r6, [%rd6+4096]; st.shared.u32 [%r8+128], %r6;
    M: bar.sync 0; ld.shared.u32 %r7, [%r8+64]; st.global.u32 [%rd6], %r7;)",
                          "sm_90");
  EXPECT_EQ(l.program.guarded.size(), 2u);
  std::string order;
  for (const LoweredInstruction& in : l.program.instructions) {
    if (in.opcode == LoweredOpcode::ldg) order += 'l';
    if (in.opcode == LoweredOpcode::sts) order += 's';
  }
  EXPECT_EQ(order, "llss") << print_lowered(l.program);
}

Expected<TimingResult> time_on_v100(Kernel& kernel) {
  const auto machine = load_machine(machine_directory(), "v100");
  if (!machine) return machine.error();
  auto device = TimedDevice::make(*machine);
  if (!device) return device.error();
  const auto launch = kernel.prepare(16384);
  const TimedLaunch timed = kernel.timed(*launch);
  LiveFactory live(*launch);
  return (*device)->launch(timed, live, {});
}

// A body that all lanes take falls through to the kernel's end.
TEST(Guarded, ABodyMayLeadToTheEnd) {
  Kernel kernel(R"(
.visible .entry ends(.param .u64 p0) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  setp.ge.u32 %p1, %r1, 64;
  @%p1 bra DONE;
  st.global.u32 [%rd3], %r1;
DONE:
  st.global.u32 [%rd3+512], %r1;
  ret;
}
)",
                3, items);
  kernel.buffer(std::vector<u32>(2 * items));
  const auto result = time_on_v100(kernel);
  ASSERT_TRUE(result.ok()) << to_string(result.error());
  for (u32 i = 0; i < kernel.module->code.text.size(); ++i) {
    const std::string& text = kernel.module->code.text[i];
    if (!text.starts_with("st.")) continue;
    EXPECT_EQ(result->per_instruction[i].issued, 3 * items / 32) << text;
  }
}

TEST(Guarded, EachWarpIssuesAllOfTheLine) {
  Kernel kernel(kernel_text, 1, items);
  std::vector<u32> words(2 * items);
  for (u32 i = 0; i < words.size(); ++i) words[i] = i + 1;
  kernel.buffer(words);
  kernel.buffer(std::vector<u32>(items));
  const auto result = time_on_v100(kernel);
  ASSERT_TRUE(result.ok()) << to_string(result.error());
  const std::vector<u32> sums = kernel.read(1);
  for (u32 i = 0; i < items; ++i) {
    const u32 first = i < 72 ? i + 1 : 0, second = i < 40 ? i + 129 : 0;
    EXPECT_EQ(sums[i], first + second + first + (i < 80 ? 1000 : 2000)) << i;
  }
  u32 accesses = 0;
  for (u32 i = 0; i < kernel.module->code.text.size(); ++i) {
    const std::string& text = kernel.module->code.text[i];
    if (!text.starts_with("ld.") && !text.starts_with("st.")) continue;
    if (text.starts_with("ld.param")) continue;
    ++accesses;
    EXPECT_EQ(result->per_instruction[i].issued % (items / 32), 0u) << text;
    EXPECT_GE(result->per_instruction[i].issued, items / 32) << text;
  }
  EXPECT_EQ(accesses, 6u);
}

// Code comes behind what leads to it, and keeps its lines.
TEST(Guarded, CodeLiesInItsNaturalOrder) {
  const Kernel kernel(kernel_text, 1, items);
  const auto at = [&](std::string_view text) {
    const auto& all = kernel.module->code.text;
    return std::find(all.begin(), all.end(), text) - all.begin();
  };
  EXPECT_LT(at("mov.u32 %r5, 0"), at("ld.global.u32 %r5, [%rd5]"));
  EXPECT_LT(at("ld.global.u32 %r5, [%rd5]"), at("ld.global.u32 %r6, [%rd5+512]"));
  EXPECT_LT(at("ld.global.u32 %r6, [%rd5+512]"), at("add.u32 %r5, %r5, 1000"));
  EXPECT_LT(at("add.u32 %r5, %r5, 2000"), at("ret"));
}

// A loop whose end stands in front of its beginning and falls into it: its branch out is turned round.
TEST(Guarded, ALoopsEndLiesBehindItsBeginning) {
  Kernel kernel(R"(
.visible .entry loop(.param .u64 p0) {
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r2, 0; mov.u32 %r3, 0;
  bra.uni BEGIN;
END:
  add.u32 %r3, %r3, 1;
  setp.gt.u32 %p1, %r3, 6;
  @%p1 bra OUT;
BEGIN:
  add.u32 %r2, %r2, %r3;
  setp.lt.u32 %p2, %r1, 9;
  @%p2 bra END;
  add.u32 %r2, %r2, 100;
  bra.uni END;
OUT:
  st.global.u32 [%rd3], %r2;
  ret;
}
)",
                1, 32);
  kernel.buffer(std::vector<u32>(32));
  EXPECT_FALSE(kernel.drive({}).has_value());
  const std::vector<u32> sums = kernel.read(0);
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(sums[i], 21 + (i < 9 ? 0u : 700u)) << i;
  const auto& all = kernel.module->code.text;
  const auto at = [&](std::string_view text) {
    return std::find(all.begin(), all.end(), text) - all.begin();
  };
  EXPECT_LT(at("add.u32 %r2, %r2, %r3"), at("add.u32 %r3, %r3, 1"));
  EXPECT_LT(at("add.u32 %r3, %r3, 1"), at("@!%p1 bra BEGIN"));
  EXPECT_LT(at("@!%p1 bra BEGIN"), at("st.global.u32 [%rd3], %r2"));
}

// What is no branch that could be turned round is refused as ever.
TEST(Guarded, BranchesWithoutATargetAreRefused) {
  const std::string text =
      ptx_head + ".entry k() { .reg .pred %p<2>; L: @%p1 bra; M: @%p1 bra L, M; bra.uni L; }";
  EXPECT_FALSE(nv::load_module(text, *find_target("sm_70"), "k.ptx").ok());
}

}  // namespace
}  // namespace lockstep
