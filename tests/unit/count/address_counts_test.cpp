#include "count/address_counts.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(AddressCounts, FindsTheHottestWordAndTheLowestOfEquals) {
  AddressCounts counts;
  EXPECT_EQ(counts.hottest().count, 0u);
  counts.add(0x7F00'0000'1000, 3);
  counts.add(0x7F00'0000'0FFC, 2);
  counts.add(0x6F00'0000'0000, 3);  // below all others
  EXPECT_EQ(counts.hottest().count, 3u);
  EXPECT_EQ(counts.hottest().address, 0x6F00'0000'0000u);
  counts.add(0x7F00'0000'0FFC, 2);
  EXPECT_EQ(counts.hottest().address, 0x7F00'0000'0FFCu);
  EXPECT_EQ(counts.hottest().count, 4u);
}

TEST(AddressCounts, CountsBeyondSixteenBitsAndAddsUp) {
  AddressCounts one, other;
  for (u32 i = 0; i < 5000; ++i) one.add(0x2000, 64);
  for (u32 i = 0; i < 5000; ++i) other.add(0x2000, 32);
  other.add(0x1'0000'0000, 1);
  one.add(other);
  EXPECT_EQ(one.hottest().count, 5000u * 96);
  EXPECT_EQ(one.hottest().address, 0x2000u);
}

}  // namespace
}  // namespace lockstep
