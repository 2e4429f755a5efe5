// Accesses are told as the simplest pattern that they are, and come back as they were.
#include <gtest/gtest.h>

#include <bit>

#include "time/source/recording.h"

namespace lockstep {
namespace {

Access access_of(u64 lanes, u64 base, i64 stride) {
  Access access;
  access.space = Space::constant;
  access.kind = AccessKind::atomic;
  access.bytes = 12;
  access.lanes = lanes;
  for (u32 lane = 0; lane < 64; ++lane) {
    // What lanes outside of the mask say must not matter.
    const bool takes_part = ((lanes >> lane) & 1) != 0;
    access.address[lane] = takes_part ? base + lane * static_cast<u64>(stride) : 0xDEAD'0000 + lane * 977u;
  }
  return access;
}

void expect_back(const Access& access, Pattern pattern) {
  Segment segment;
  segment.addresses = {1, 2, 3};  // of earlier ones
  add_access(segment, 5, access);
  ASSERT_EQ(segment.accesses.size(), 1u);
  const SegmentAccess& told = segment.accesses[0];
  EXPECT_EQ(told.instruction, 5u);
  EXPECT_EQ(told.pattern, pattern);
  if (pattern != Pattern::list) {
    EXPECT_EQ(segment.addresses.size(), 3u);
  } else {
    EXPECT_EQ(segment.addresses.size(), 3u + static_cast<u32>(std::popcount(access.lanes)));
  }
  Access back;
  expand(segment, told, back);
  EXPECT_EQ(back.space, access.space);
  EXPECT_EQ(back.kind, access.kind);
  EXPECT_EQ(back.bytes, access.bytes);
  EXPECT_EQ(back.lanes, access.lanes);
  for (u32 lane = 0; lane < 64; ++lane) {
    if (((access.lanes >> lane) & 1) != 0) {
      EXPECT_EQ(back.address[lane], access.address[lane]) << lane;
    }
  }
}

TEST(Segment, ComesBackFromEveryPattern) {
  constexpr u64 all = ~u64{0}, half = 0xFFFF'FFFF, scattered = 0x8000'1002'0040'0810;
  for (const u64 lanes : {all, half, u64{0xFF}, scattered, u64{0xF0F0}, u64{3}, u64{1} << 63 | 1}) {
    for (const i64 stride : {i64{4}, i64{-4}, i64{16}, i64{1} << 40, i64{1}, i64{-4096}})
      expect_back(access_of(lanes, 0x7000'0000, stride), Pattern::strided);
    expect_back(access_of(lanes, 0x7000'0000, 0), Pattern::uniform);
  }
  for (const u64 lane : {u64{1}, u64{1} << 40, u64{1} << 63})
    expect_back(access_of(lane, 0x1234, 4), Pattern::uniform);
  // Addresses below the stride: the base of lane 0 wraps.
  expect_back(access_of(u64{3} << 60, 0 - u64{60} * 4096, 4096), Pattern::strided);
}

TEST(Segment, OneLaneOutOfStepMakesAList) {
  for (const u64 lanes : {~u64{0}, u64{0x8000'1002'0040'0810}, u64{0xFFFF}}) {
    const u32 count = static_cast<u32>(std::popcount(lanes));
    u32 which = 0;
    for (u64 left = lanes; left != 0; left &= left - 1, ++which) {
      if (which == 1 && count == 2) continue;
      Access access = access_of(lanes, 0x10'0000, 8);
      access.address[static_cast<u32>(std::countr_zero(left))] += 1;
      expect_back(access, Pattern::list);
      access = access_of(lanes, 0x10'0000, 0);
      access.address[static_cast<u32>(std::countr_zero(left))] += u64{1} << 33;
      expect_back(access, Pattern::list);
    }
  }
}

TEST(Segment, SlowWaysAreRecorded) {
  Segment segment;
  segment.first = segment.next_pc = 7;
  segment.count = 3;
  segment.next_pc = 10;
  segment.active = {0xF, 0xF, 0xFF};
  segment.slow_ways = {{0, 0x3}, {2, 0x80}};
  std::vector<u8> bytes;
  PieceWriter writer;
  writer.write(segment, bytes);
  segment.slow_ways.clear();
  writer.write(segment, bytes);
  PieceReader reader(bytes);
  Segment back;
  ASSERT_TRUE(reader.read(back));
  EXPECT_EQ(slow_lanes_of(back, 7), 0x3u);
  EXPECT_EQ(slow_lanes_of(back, 8), 0u);
  EXPECT_EQ(slow_lanes_of(back, 9), 0x80u);
  ASSERT_TRUE(reader.read(back));
  EXPECT_TRUE(back.slow_ways.empty());
  EXPECT_FALSE(reader.read(back));
}

TEST(Segment, NoLaneIsNoAccess) {
  Segment segment;
  add_access(segment, 0, access_of(0, 16, 4));
  EXPECT_TRUE(segment.accesses.empty());
}

}  // namespace
}  // namespace lockstep
