// Waves that are executed ahead of their issue do what the functional runner does; ordered accesses may be
// performed and committed in any order that hardware could come to.
#include <numeric>

#include "exec/printf.h"
#include "source_kernel.h"

namespace lockstep {
namespace {

std::vector<DriveOptions> ways() {
  std::vector<DriveOptions> all;
  for (const u32 clusters : {1u, 3u}) {
    for (const u64 seed : {0, 1, 77, 12345}) all.push_back({clusters, seed, 4, 1 << 22});
  }
  return all;
}

TEST(LiveSource, AtomicsGiveUniqueTicketsInAnyOrder) {
  for (const DriveOptions& way : ways()) {
    SCOPED_TRACE(testing::Message() << way.clusters << " clusters, seed " << way.seed);
    constexpr u32 groups = 13, items = 96, all = groups * items;
    Kernel kernel(tickets, groups, items);
    kernel.buffer(std::vector<u32>(all, ~0u));
    kernel.buffer({0, 0, 0, 0});
    kernel.buffer(std::vector<u32>(all, ~0u));
    Drive* drive = nullptr;
    const auto error = kernel.drive(way, &drive);
    ASSERT_FALSE(error) << to_string(*error);
    EXPECT_GE(drive->tokens, groups * 3 * 4u);
    const std::vector<u32> counters = kernel.read(1);
    EXPECT_EQ(counters, (std::vector<u32>{all, all * (all - 1) / 2, 2 * all, all - 1}));
    std::vector<u32> drawn = kernel.read(0), expected(all), second = kernel.read(2);
    std::iota(expected.begin(), expected.end(), 0u);
    std::sort(drawn.begin(), drawn.end());
    EXPECT_EQ(drawn, expected);
    // The second counter's values, each stored at a place that the first one gave.
    std::sort(second.begin(), second.end());
    for (u32 i = 0; i < all; ++i) ASSERT_EQ(second[i], 2 * i);
  }
}

// Each group's lanes increment a word under a lock and go on when they have it.
const std::string lock = R"(
.visible .entry locked(.param .u64 p0, .param .u64 p1) {
  .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
TRY:
  atom.global.cas.b32 %r2, [%rd1], 0, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra TRY;
  ld.volatile.global.u32 %r3, [%rd2];
  add.u32 %r4, %r3, 1;
  st.volatile.global.u32 [%rd2], %r4;
  membar.gl;
  atom.global.exch.b32 %r5, [%rd1], 0;
DONE:
  ret;
})";

TEST(LiveSource, LocksKeepOthersOut) {
  for (const DriveOptions& way : ways()) {
    Kernel kernel(lock, 40, 32);
    kernel.buffer({0});
    kernel.buffer({0});
    const auto error = kernel.drive(way);
    ASSERT_FALSE(error) << to_string(*error);
    EXPECT_EQ(kernel.read(1)[0], 40u);
    EXPECT_EQ(kernel.read(0)[0], 0u);
  }
}

TEST(LiveSource, WhoWaitsForALockForEverIsTold) {
  for (const DriveOptions& way : {DriveOptions{1, 0, 4, 1 << 22}, DriveOptions{3, 77, 4, 1 << 22}}) {
    Kernel kernel(lock, 40, 32);
    kernel.buffer({1});
    kernel.buffer({0});
    const auto error = kernel.drive(way);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, "deadlock") << to_string(*error);
    EXPECT_EQ(kernel.read(0)[0], 1u);
    EXPECT_EQ(kernel.read(1)[0], 0u);
  }
}

// The result of an atomic is overwritten at once, and its address and data too.
const std::string reuse = R"(
.visible .entry reuse(.param .u64 p0, .param .u64 p1) {
  .reg .b64 %rd<6>; .reg .b32 %r<8>;
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  add.u32 %r2, %r1, 100;
  atom.global.add.u32 %r3, [%rd4], %r2;
  add.s64 %rd4, %rd4, 128;
  add.u32 %r2, %r2, 900;
  red.global.add.u32 [%rd4], %r2;
  add.u32 %r3, %r3, 1;
  mov.u32 %r2, %r3;
  mov.u32 %r3, 7;
  st.global.u32 [%rd5], %r2;
  bar.sync 0;
  ld.global.u32 %r4, [%rd4];
  st.global.u32 [%rd5+128], %r4;
  ret;
})";

TEST(LiveSource, RegistersOfOrderedAccessesAreThoseOfTheirCapture) {
  for (const DriveOptions& way : ways()) {
    Kernel kernel(reuse, 1, 32);
    std::vector<u32> data(64);
    std::iota(data.begin(), data.end(), 1000u);
    kernel.buffer(data);
    kernel.buffer(std::vector<u32>(64, 0));
    const auto error = kernel.drive(way);
    ASSERT_FALSE(error) << to_string(*error);
    const std::vector<u32> after = kernel.read(0), out = kernel.read(1);
    for (u32 i = 0; i < 32; ++i) {
      EXPECT_EQ(after[i], 1000 + i + 100 + i);
      EXPECT_EQ(after[32 + i], 1032 + i + 1000 + i);
      EXPECT_EQ(out[i], 1000 + i + 1) << i;
      EXPECT_EQ(out[32 + i], after[32 + i]);
    }
  }
}

// Each lane prints its number; what vprintf gives is read at once.
const std::string print = R"(
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 fmt[8] = {110, 61, 37, 100, 10, 0};
.visible .entry print(.param .u64 p0) {
  .reg .b64 %rd<8>; .reg .b32 %r<8>;
  .local .align 8 .b8 args[8];
  ld.param.u64 %rd5, [p0];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mov.u64 %rd1, args;
  cvta.local.u64 %rd2, %rd1;
  st.local.u32 [args], %r4;
  mov.u64 %rd4, fmt;
  { .param .b64 p0; .param .b64 p1; .param .b32 r0; st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd2;
  call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r5, [r0]; }
  st.local.u32 [args], 12345;
  mul.wide.u32 %rd6, %r4, 4;
  add.s64 %rd7, %rd5, %rd6;
  st.global.u32 [%rd7], %r5;
  ret;
})";

TEST(LiveSource, PrintedRecordsAreWhole) {
  for (const DriveOptions& way : ways()) {
    Kernel kernel(print, 5, 64);
    kernel.buffer(std::vector<u32>(5 * 64, ~0u));
    std::vector<u8> room(1 << 16);
    kernel.printf_buffer = *kernel.memory.allocate(room.size(), 256, "printf");
    ASSERT_TRUE(
        prepare_printf_buffer(kernel.memory, kernel.printf_buffer, room.size(), kernel.module->printf_formats)
            .ok());
    const auto error = kernel.drive(way);
    ASSERT_FALSE(error) << to_string(*error);
    EXPECT_EQ(kernel.read(0), std::vector<u32>(5 * 64, 1));
    ASSERT_TRUE(kernel.memory.read(kernel.printf_buffer, room).ok());
    const std::string text = printf_text(room, kernel.module->printf_formats);
    std::vector<bool> seen(5 * 64);
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); ++lines) {
      ASSERT_EQ(text.substr(at, 2), "n=");
      seen[std::stoul(text.substr(at + 2))] = true;
      at = text.find('\n', at) + 1;
    }
    EXPECT_EQ(lines, seen.size());
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 5 * 64);
  }
}

TEST(LiveSource, ClocksAreReadAtIssue) {
  Kernel kernel(R"(
.visible .entry clocks(.param .u64 p0) {
  .reg .b64 %rd<4>; .reg .b32 %r<6>;
  ld.param.u64 %rd1, [p0];
  mov.u32 %r1, %clock;
  mov.u32 %r2, %smid;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
  ret;
})",
                1, 32);
  kernel.buffer({0, 0});
  Drive* drive = nullptr;
  ASSERT_FALSE(kernel.drive({}, &drive));
  EXPECT_EQ(drive->executed_at_issue, 2u);
  EXPECT_EQ(kernel.read(0)[0], 1u);  // the drive's clock counts what issues
}

TEST(LiveSource, EndlessLoopsAndFaultsEndTheRun) {
  {
    Kernel kernel(".visible .entry loop() { L: bra L; }", 2, 32);
    const auto error = kernel.drive({});
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->code == "endless-loop" || error->code == "deadlock") << to_string(*error);
  }
  for (const char* access : {"ld.global.u32 %r1, [%rd1];", "atom.global.add.u32 %r1, [%rd1], 1;"}) {
    for (const char* address : {"64", "0x7000000000000001"}) {
      Kernel kernel(std::string(".visible .entry bad() { .reg .b32 %r<2>; .reg .b64 %rd<2>; mov.u64 %rd1, ") +
                        address + "; " + access + " ret; }",
                    1, 32);
      const auto error = kernel.drive({});
      ASSERT_TRUE(error) << access;
      EXPECT_EQ(error->code, "out-of-bounds") << to_string(*error);
      EXPECT_NE(to_string(*error).find("work-item (0, 0, 0)"), std::string::npos) << to_string(*error);
    }
    Kernel kernel(std::string(".visible .entry bad(.param .u64 p0) { .reg .b32 %r<2>; .reg .b64 %rd<2>; "
                              "ld.param.u64 %rd1, [p0]; add.s64 %rd1, %rd1, 2; ") +
                      access + " ret; }",
                  1, 32);
    kernel.buffer({0, 0});
    const auto error = kernel.drive({});
    ASSERT_TRUE(error) << access;
    EXPECT_EQ(error->code, "misaligned-access") << to_string(*error);
  }
}

}  // namespace
}  // namespace lockstep
