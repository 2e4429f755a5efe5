#include "time/units/bank_schedule.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace lockstep {
namespace {

TEST(BankSchedule, WorkFillsTheGapsThatEarlierWorkLeft) {
  BankSchedule banks;
  EXPECT_EQ(banks.take(10, 10, 4), 14U);
  EXPECT_EQ(banks.take(10, 18, 4), 22U);  // one port's second instruction
  EXPECT_EQ(banks.take(10, 10, 4), 18U);  // another port's first one fits in front of it
  EXPECT_EQ(banks.take(10, 16, 4), 26U);
  EXPECT_EQ(banks.take(10, 10, 3), 29U);
}

// Against the definition: the earliest cycles that nobody has.
TEST(BankSchedule, TakesTheEarliestFreeCycles) {
  std::mt19937 random(1);
  BankSchedule banks;
  std::set<u64> taken;
  u64 now = 0;
  for (u32 i = 0; i < 20000; ++i) {
    now += random() % 40;
    const u64 from = now + random() % 600;
    const u32 count = 1 + random() % 70;
    u64 cycle = from;
    for (u32 left = count; left != 0; ++cycle) {
      if (taken.insert(cycle).second) --left;
    }
    if (cycle - now > 3900) {  // further ahead than it keeps: let it drain
      banks.clear();
      taken.clear();
      continue;
    }
    ASSERT_EQ(banks.take(now, from, count), cycle) << i;
    taken.erase(taken.begin(), taken.lower_bound(now));
  }
}

TEST(BankSchedule, WorkBeyondTheHorizonComesOneAfterTheOther) {
  BankSchedule banks;
  EXPECT_EQ(banks.take(0, 0, 5000), 5000U);
  EXPECT_EQ(banks.take(0, 0, 10), 5010U);
  EXPECT_EQ(banks.take(5100, 5100, 10), 5110U);
}

}  // namespace
}  // namespace lockstep
