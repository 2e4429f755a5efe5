// Loops over tiles that are unrolled, and loads that go in front of barriers: what lies in memory behind a
// run is what the text's own order gives (targets before 7.0 keep it), and what moved is where ptxas has it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "isa/nv/control.h"
#include "isa/nv/module.h"
#include "isa/step.h"
#include "isa/wave.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr u64 base_address = u64{0x10} << 32, arguments_at = 12288;

std::unique_ptr<Module> load(const std::string& body, const char* target) {
  const std::string text = fmt::format(
      ".version 7.8\n.target {}\n.address_size 64\n.entry k(.param .u64 a, .param .u32 n)\n{{\n"
      ".reg .pred %p<4>; .reg .b32 %r<30>; .reg .b64 %rd<20>;\n.shared .align 4 .b8 s[16384];\n"
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
      "mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, s; add.s64 %rd5, %rd4, %rd2;\n"
      "mov.u32 %r3, 0;\n{}\nst.global.u32 [%rd3+8192], %r3;\nret;\n}}\n",
      target, body);
  auto module = nv::load_module(text, *find_target(target), "k.ptx");
  EXPECT_TRUE(module) << (module ? "" : to_string(module.error()));
  return module ? std::move(*module) : nullptr;
}

// One wave; a[i] is a mix of i's bits.
std::vector<u32> run(const std::string& body, const char* target, u32 n) {
  std::vector<u32> result(3072);
  const auto module = load(body, target);
  if (module == nullptr) return result;
  std::vector<u8> memory(16384, 0);
  for (u32 i = 0; i < 2048; ++i) {
    const u32 value = i * 2654435761u ^ i >> 3;
    std::memcpy(memory.data() + i * 4, &value, 4);
  }
  std::memcpy(memory.data() + arguments_at, &base_address, 8);
  std::memcpy(memory.data() + arguments_at + 8, &n, 4);
  LaunchState state;
  state.module = module.get();
  state.program = &module->programs.at(0);
  state.range.global = {32, 1, 1};
  state.range.local = {32, 1, 1};
  state.arguments_address = base_address + arguments_at;
  std::vector<u8> local(16384);
  WaveState wave;
  wave.local = local;
  module->isa->begin_wave(wave, state, GroupId{});
  StepContext context;
  context.global = {memory.data(), base_address, memory.size()};
  for (u32 count = 0; count < 20000; ++count) {
    const Instruction& instruction = module->code.instructions[wave.pc++];
    instruction.run(wave, instruction, context);
    if (context.event == Event::end || context.event == Event::fault) break;
    context.event = Event::none;
  }
  EXPECT_EQ(context.event, Event::end) << target << ", n " << n;
  std::memcpy(result.data(), memory.data(), result.size() * 4);
  return result;
}

// Loads of a turn stand behind the barrier that the turn before ends with.
std::string tiles(const std::string& begin, const std::string& end, const std::string& more = {}) {
  return begin +
         "LOOP: and.b32 %r5, %r4, 31; mul.wide.u32 %rd6, %r5, 128; add.s64 %rd7, %rd3, %rd6;\n"
         "ld.global.nc.u32 %r6, [%rd7]; ld.global.nc.u32 %r7, [%rd7+4]; st.shared.u32 [%rd5], %r6; bar.sync "
         "0;\n"
         "ld.shared.u32 %r8, [%rd5]; mad.lo.u32 %r3, %r3, 31, %r8; xor.b32 %r3, %r3, %r7;\n" +
         more + "bar.sync 0;\n" + end + "@%p1 bra LOOP;\n";
}

u32 barriers(const Module& module) {
  u32 count = 0;
  for (const Instruction& in : module.code.instructions) count += in.meaning == &nv::group_barrier();
  return count;
}

struct Case {
  const char *name, *begin, *end;
};
constexpr Case unrolled[] = {
    {"less, signed", "mov.u32 %r4, 0;", "add.s32 %r4, %r4, 3; setp.lt.s32 %p1, %r4, %r1;"},
    {"less, unsigned", "mov.u32 %r4, 0;", "add.s32 %r4, %r4, 5; setp.lt.u32 %p1, %r4, %r1;"},
    {"not equal", "mov.u32 %r4, -1;", "add.s32 %r4, %r4, 1; setp.ne.s32 %p1, %r4, %r1;"},
    {"down to", "mov.u32 %r4, %r1;", "add.s32 %r4, %r4, -2; setp.gt.s32 %p1, %r4, -3;"},
    {"down, not equal", "add.s32 %r4, %r1, 40;", "add.s32 %r4, %r4, -1; setp.ne.s32 %p1, %r4, %r1;"},
    {"many", "mov.u32 %r4, -300;", "add.s32 %r4, %r4, 1; setp.lt.s32 %p1, %r4, 17;"},
};

TEST(TileLoops, GiveWhatTheTextGives) {
  for (const Case& one : unrolled) {
    const std::string body = tiles(one.begin, one.end);
    const auto as_is = load(body, "sm_61"), moved = load(body, "sm_80");
    ASSERT_TRUE(as_is && moved) << one.name;
    EXPECT_EQ(barriers(*as_is), 2u) << one.name;
    EXPECT_EQ(barriers(*moved), 10u) << one.name;
    for (const u32 n : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 31u, 33u}) {
      EXPECT_EQ(run(body, "sm_61", n), run(body, "sm_80", n)) << one.name << ", n " << n;
    }
  }
}

// Numbers whose difference has no place in 32 bits end after one turn, as the text has it.
TEST(TileLoops, CountersFarFromTheirEnd) {
  const std::string body =
      tiles("mov.u32 %r4, 2000000000;", "add.s32 %r4, %r4, 1; setp.lt.s32 %p1, %r4, %r1;");
  const auto moved = load(body, "sm_80");
  ASSERT_TRUE(moved);
  EXPECT_EQ(barriers(*moved), 10u);
  for (const u32 n : {0x80000000u, 0xC0000000u, 0u, 2000000003u, 2000000009u})
    EXPECT_EQ(run(body, "sm_61", n), run(body, "sm_80", n)) << n;
}

TEST(TileLoops, WhatStaysAsItIs) {
  const std::string up = "mov.u32 %r4, 0;", less = "add.s32 %r4, %r4, 1; setp.lt.s32 %p1, %r4, ";
  const std::pair<const char*, std::string> kept[] = {
      {"lanes that count on their own", tiles("mov.u32 %r4, %r2;", less + "40;")},
      {"an end that lanes have of their own", tiles(up, "add.s32 %r9, %r2, 1; " + less + "%r9;")},
      {"few turns", tiles(up, less + "6;")},
      {"a test that others ask for",
       tiles(up, less + "%r1; selp.b32 %r9, 1, 0, %p1; add.u32 %r3, %r3, %r9;")},
      {"a large step", tiles(up, "add.s32 %r4, %r4, 1073741824; setp.lt.s32 %p1, %r4, %r1;")},
      {"an atomic", tiles(up, less + "%r1;", "atom.shared.add.u32 %r9, [s], 1;")},
      {"a pragma",
       [&] {
         std::string text = tiles(up, less + "%r1;");
         return text.replace(text.find("LOOP: "), 6, "LOOP: .pragma \"nounroll\"; ");
       }()},
      {"a large turn", tiles(up, less + "%r1;",
                             [] {
                               std::string text;
                               for (int i = 0; i < 80; ++i) text += "mad.lo.u32 %r3, %r3, 5, %r8; ";
                               return text;
                             }())},
  };
  for (const auto& [name, body] : kept) {
    const auto module = load(body, "sm_80");
    ASSERT_TRUE(module) << name;
    EXPECT_EQ(barriers(*module), 2u) << name;
  }
}

// for (i = id - BEGIN; i < END; i += STEP), as clang has it.
std::string strided(int begin, u32 end, int step, const std::string& more = {}) {
  return fmt::format(
      "add.s32 %r4, %r2, {}; mov.u64 %rd10, %rd5; mov.u64 %rd11, %rd3;\n"
      "LOOP: ld.global.nc.u32 %r6, [%rd11]; st.shared.u32 [%rd10], %r6; {}\n"
      "add.s32 %r4, %r4, {}; add.s64 %rd10, %rd10, 128; add.s64 %rd11, %rd11, 64;\n"
      "setp.lt.u32 %p1, %r4, {}; @%p1 bra LOOP;\n"
      "bar.sync 0; ld.shared.u32 %r7, [%rd5+512]; ld.shared.u32 %r8, [%rd5]; mad.lo.u32 %r3, %r7, 7, %r8;\n"
      "st.global.u32 [%rd3+10240], %r4;",
      begin, more, step, end);
}

u32 loads(const std::string& body) {
  const auto module = load(body, "sm_90");
  u32 count = 0;
  if (module != nullptr) {
    for (const Instruction& in : module->code.instructions) count += in.cost == Cost::vmem_load;
  }
  return count;
}

// Lanes leave in different turns.
TEST(TileLoops, CountersThatBeginBelowZero) {
  for (const int step : {1, 4, 8, 11}) {
    for (const u32 end : {4u, 8u, 24u, 40u, 64u}) {
      for (const int begin : {-step, -1, -40}) {
        const std::string body = strided(begin, end, step);
        EXPECT_EQ(loads(body), 8u) << "one turn, four, two and one";
        EXPECT_EQ(run(body, "sm_61", 0), run(body, "sm_90", 0)) << begin << " to " << end << " by " << step;
      }
    }
  }
  EXPECT_EQ(loads(strided(8, 64, 8)), 1u);
  EXPECT_EQ(loads(strided(-8, 64, 8, "ld.global.u32 %r9, [%rd11];")), 2u) << "others may write that";
  EXPECT_EQ(loads(strided(-8, 64, 8, "st.global.u32 [%rd11+4], %r6;")), 1u);
}

// Where in the code the loads of read-only memory stand: barriers in front of each.
std::vector<u32> places(const std::string& body) {
  const auto module = load(body, "sm_80");
  std::vector<u32> result;
  if (module == nullptr) return result;
  u32 passed = 0;
  for (const Instruction& in : module->code.instructions) {
    passed += in.meaning == &nv::group_barrier();
    if (in.cost == Cost::vmem_load) result.push_back(passed);
  }
  return result;
}

std::string tile(u32 number, const std::string& load) {
  return fmt::format(
      "{} st.shared.u32 [%rd5], %r{}; bar.sync 0; ld.shared.u32 %r20, [%rd5]; "
      "add.u32 %r3, %r3, %r20; bar.sync 0;\n",
      load, number + 4);
}

TEST(EarlyLoads, StandInFrontOfBarriers) {
  std::string known, far, other, changed;
  for (u32 i = 0; i < 8; ++i) {
    known += tile(i, fmt::format("ld.global.nc.u32 %r{}, [%rd3+{}];", i + 4, i * 128));
    // Of an index that is multiplied: as many as stand in front of the first barrier.
    far += tile(
        i, fmt::format("mul.lo.u32 %r21, %r1, {}; mul.wide.u32 %rd6, %r21, 4; add.s64 %rd{}, %rd3, %rd6; "
                       "ld.global.nc.u32 %r{}, [%rd{}];",
                       i, i + 7, i + 4, i + 7));
    other += tile(i, fmt::format("ld.global.u32 %r{}, [%rd3+{}];", i + 4, i * 128));
    // What it loads to is in use until the barrier.
    changed +=
        fmt::format("ld.global.nc.u32 %r4, [%rd3+{}]; ", i * 128) +
        "st.shared.u32 [%rd5], %r4; bar.sync 0; ld.shared.u32 %r20, [%rd5]; mad.lo.u32 %r3, %r3, %r4, %r20; "
        "bar.sync 0;\n";
  }
  EXPECT_EQ(places(known), (std::vector<u32>{0, 0, 0, 0, 0, 2, 4, 6}));
  EXPECT_EQ(places(far), (std::vector<u32>{0, 0, 0, 0, 8, 10, 12, 14}));
  EXPECT_EQ(places(other), (std::vector<u32>{0, 2, 4, 6, 8, 10, 12, 14}))
      << "others may write that in front of the barrier";
  EXPECT_EQ(places(changed), (std::vector<u32>{0, 1, 3, 5, 7, 9, 11, 13}));
  for (const std::string& body : {known, far, changed})
    EXPECT_EQ(run(body, "sm_61", 3), run(body, "sm_80", 3));
}

TEST(EarlyLoads, FewOfIndicesThatAreMultiplied) {
  std::string far;
  for (u32 i = 0; i < 6; ++i) {
    far += tile(
        i, fmt::format("mul.lo.u32 %r{}, %r1, {}; mul.wide.u32 %rd{}, %r{}, 4; add.s64 %rd{}, %rd3, %rd{}; "
                       "ld.global.nc.u32 %r{}, [%rd{}];",
                       i + 21, i, i + 6, i + 21, i + 12, i + 6, i + 4, i + 12));
  }
  EXPECT_EQ(places(far), (std::vector<u32>{0, 0, 0, 0, 8, 10}));
  EXPECT_EQ(run(far, "sm_61", 3), run(far, "sm_80", 3));
}

// An address that a load brings, and one that is made anew behind the barrier.
TEST(EarlyLoads, LoadsOfLoads) {
  const std::string body =
      "ld.global.nc.u32 %r4, [%rd3]; st.shared.u32 [%rd5], %r4; bar.sync 0;\n"
      "ld.global.nc.u32 %r5, [%rd3+256]; and.b32 %r6, %r5, 63; mul.wide.u32 %rd6, %r6, 4; add.s64 %rd7, "
      "%rd1, %rd6;\n"
      "ld.global.nc.u32 %r7, [%rd7]; add.u32 %r3, %r5, %r7; bar.sync 0;\n"
      "add.s64 %rd3, %rd3, 64; ld.global.nc.u32 %r8, [%rd3]; xor.b32 %r3, %r3, %r8; add.s64 %rd3, %rd3, "
      "-64;\n";
  EXPECT_EQ(places(body), (std::vector<u32>{0, 0, 0, 1}));
  EXPECT_EQ(run(body, "sm_61", 3), run(body, "sm_80", 3));
}

}  // namespace
}  // namespace lockstep
