// Waves with roles, which count each other at barriers with numbers, and lanes that take a lock one after the
// other: whoever waits does not keep others from going on, and what cannot is explained.
#include <gtest/gtest.h>

#include <cstring>

#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

struct Ran {
  std::optional<Diagnostic> error;
  std::vector<u32> words;
  u64 instructions = 0;
};

constexpr u32 groups = 3, items = 256, rounds = 9;

// Half of a group writes words into one of two halves of local memory, the other half adds them up. Barriers
// 1 and 2: that half is free; 3 and 4: it is full.
const std::string roles = R"(
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<4>; .shared .align 4 .b8 cells[1024];
  ld.param.u64 %rd1, [buffer]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r9, cells;
  setp.ge.u32 %p1, %r1, 128; and.b32 %r4, %r1, 127; shl.b32 %r5, %r4, 2; add.u32 %r5, %r5, %r9;
  @%p1 bra READS;
  WRITES:
  and.b32 %r6, %r2, 1; add.u32 %r7, %r6, 1; add.u32 %r8, %r6, 3; shl.b32 %r10, %r6, 9; add.u32 %r10, %r10, %r5;
  bar.sync %r7, 256;
  mul.lo.u32 %r11, %r2, 1000; add.u32 %r11, %r11, %r4; st.shared.u32 [%r10], %r11;
  bar.arrive %r8, 256;
  add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, ROUNDS;
  @%p2 bra WRITES;
  ret;
  READS:
  bar.arrive 1, 256; bar.arrive 2, 256;
  MORE:
  and.b32 %r6, %r2, 1; add.u32 %r7, %r6, 1; add.u32 %r8, %r6, 3; shl.b32 %r10, %r6, 9; add.u32 %r10, %r10, %r5;
  bar.sync %r8, 256;
  ld.shared.u32 %r11, [%r10]; add.u32 %r3, %r3, %r11;
  add.u32 %r12, %r2, 2; setp.ge.u32 %p3, %r12, ROUNDS;
  @%p3 bra LAST;
  bar.arrive %r7, 256;
  LAST:
  add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, ROUNDS;
  @%p2 bra MORE;
  mov.u32 %r13, %ctaid.x; shl.b32 %r13, %r13, 7; add.u32 %r13, %r13, %r4;
  mul.wide.u32 %rd2, %r13, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r3;
  ret;
)";

Ran run(std::string body, const std::string& gpu, bool timed) {
  for (std::size_t at; (at = body.find("ROUNDS")) != std::string::npos;)
    body.replace(at, 6, std::to_string(rounds));
  const Expected<Machine> machine = load_machine(machine_directory(), gpu);
  if (!machine.ok()) return {machine.error(), {}};
  CompileRequest request;
  request.path = "kernel.ptx";
  request.source =
      ".version 6.4\n.target sm_30\n.address_size 64\n.visible .entry k(.param .u64 buffer)\n{\n" + body +
      "}\n";
  request.language = SourceLanguage::ptx;
  request.target = machine->target;
  const Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) return {loaded.error(), {}};
  DeviceMemory memory(u64{64} << 20);
  const u64 buffer = *memory.allocate(groups * 512, 256, "buffer");
  ArgumentValue argument;
  argument.bytes.resize(8);
  std::memcpy(argument.bytes.data(), &buffer, 8);
  NdRange range;
  range.global = {u64{groups} * items, 1, 1};
  range.local = {items, 1, 1};
  SimulationOptions options;
  options.timed = timed;
  const auto data = simulate(memory, *machine, *loaded->module, *find_kernel(*loaded->module, "k").value(),
                             range, std::span(&argument, 1), options);
  if (!data.ok()) return {data.error(), {}};
  Ran ran;
  ran.words.resize(groups * 128);
  EXPECT_TRUE(memory.read(buffer, {reinterpret_cast<u8*>(ran.words.data()), ran.words.size() * 4}).ok());
  if (data->timing) ran.instructions = data->timing->counter("instructions");
  return ran;
}

TEST(NamedBarriers, PassWorkFromRoleToRole) {
  for (const char* gpu : {"k40c", "gtx1080", "v100", "h200"}) {
    for (const bool timed : {false, true}) {
      SCOPED_TRACE(std::string(gpu) + (timed ? " timed" : ""));
      const Ran ran = run(roles, gpu, timed);
      ASSERT_FALSE(ran.error) << to_string(*ran.error);
      for (u32 i = 0; i < ran.words.size(); ++i) {
        ASSERT_EQ(ran.words[i], rounds * (rounds - 1) / 2 * 1000 + rounds * (i % 128)) << i;
      }
      // Who waits looks seldom: 24 waves go nine times round some twenty instructions.
      EXPECT_LT(ran.instructions, 24u * rounds * 40);
    }
  }
}

TEST(NamedBarriers, ThatNobodyComesToAreExplained) {
  const std::string alone =
      ".reg .pred %p<2>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 bra L; "
      "bar.sync 1, 64; L: ret;";
  for (const char* gpu : {"gtx1080", "h200"}) {
    for (const bool timed : {false, true}) {
      const Ran ran = run(alone, gpu, timed);
      ASSERT_TRUE(ran.error) << gpu;
      EXPECT_EQ(ran.error->code, "deadlock") << to_string(*ran.error);
      EXPECT_NE(to_string(*ran.error).find("bar.sync 1, 64"), std::string::npos) << to_string(*ran.error);
    }
  }
}

// Each lane takes the lock three times; lanes of one warp wait for each other's.
TEST(Locks, AreTakenByLanesOfOneWarpInARow) {
  std::string body = ".reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [buffer];\n";
  for (const char* loop : {"A", "B", "C"}) {
    body += std::string(loop) +
            ": atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra " + loop +
            "; ld.volatile.global.u32 %r2, [%rd1+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd1+4], "
            "%r2; atom.global.exch.b32 %r3, [%rd1], 0;\n";
  }
  for (const char* gpu : {"v100", "h200"}) {
    for (const bool timed : {false, true}) {
      SCOPED_TRACE(std::string(gpu) + (timed ? " timed" : ""));
      const Ran ran = run(body + "ret;", gpu, timed);
      ASSERT_FALSE(ran.error) << to_string(*ran.error);
      EXPECT_EQ(ran.words[0], 0u);
      EXPECT_EQ(ran.words[1], 3 * groups * items);
    }
  }
}

// What a group's waves add in front of a barrier all of them see behind it.
TEST(BarriersOfGroups, KeepReductionsInOrder) {
  const std::string body =
      ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [buffer]; mov.u32 %r1, "
      "%ctaid.x;\n"
      "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
      "L: red.global.add.u32 [%rd2], 1; bar.sync 0; ld.global.u32 %r4, [%rd2]; add.u32 %r3, %r3, ITEMS;\n"
      "setp.ne.u32 %p1, %r4, %r3; @%p1 red.global.add.u32 [%rd1+64], 1; bar.sync 0;\n"
      "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, ROUNDS; @%p2 bra L; ret;";
  std::string counted = body;
  counted.replace(counted.find("ITEMS"), 5, std::to_string(items));
  for (const char* gpu : {"gtx1080", "h200"}) {
    const Ran ran = run(counted, gpu, true);
    ASSERT_FALSE(ran.error) << to_string(*ran.error);
    for (u32 g = 0; g < groups; ++g) EXPECT_EQ(ran.words[g], items * rounds) << gpu;
    EXPECT_EQ(ran.words[16], 0u) << gpu << ": work-items that saw another sum";
  }
}

// Nor do they wait for them (mvt_both of experiments/h200-timing/fresh7.cu): a way to the second level and
// back takes some 300 cycles.
TEST(BarriersOfGroups, DoNotWaitForReductions) {
  const auto cycles = [](const std::string& in_front) {
    const Ran ran = run(
        ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [buffer]; mov.u32 %r2, 0;\n"
        "mov.u32 %r5, %tid.x; setp.eq.u32 %p3, %r5, 0; ld.global.u32 %r3, [%rd1+512];\n"
        "add.u32 %r3, %r3, %r2; bar.sync 0; mov.u32 %r6, %clock;\n"
        "L: " +
            in_front +
            " bar.sync 0; ld.global.u32 %r4, [%rd1+512]; add.u32 %r3, %r3, %r4; bar.sync 0;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, ROUNDS; @%p2 bra L;\n"
            "mov.u32 %r7, %clock; sub.u32 %r7, %r7, %r6; add.u32 %r7, %r7, %r3; st.global.u32 [%rd1+1024], "
            "%r7; ret;",
        "h200", true);
    EXPECT_FALSE(ran.error) << to_string(*ran.error);
    return ran.words[256];
  };
  const u32 without = cycles("");
  EXPECT_GT(without, rounds * 60u);
  EXPECT_LT(cycles("@%p3 red.global.add.u32 [%rd1], 1;"), without + rounds * 100);
}

}  // namespace
}  // namespace lockstep
