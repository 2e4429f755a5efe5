// Kernels and copies of several queues on one device.
#include "run/device_timeline.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

DeviceShare use(f64 share, f64 memory) {
  return {share, {{"memory", memory}, {"valu", 0.1}}};
}

TEST(DeviceTimeline, KernelsThatFillTheDeviceFollowEachOther) {
  DeviceTimeline timeline(16, 2);
  EXPECT_EQ(timeline.kernel(0, 100, use(1, 0.5)).end_ns, 100u);
  const auto second = timeline.kernel(10, 50, use(0.1, 0.1));
  EXPECT_EQ(second.begin_ns, 100u);
  EXPECT_EQ(second.end_ns, 150u);
}

TEST(DeviceTimeline, SmallKernelsRunBesideEachOther) {
  DeviceTimeline timeline(16, 2);
  EXPECT_EQ(timeline.kernel(0, 100, use(0.5, 0.3)).end_ns, 100u);
  const auto second = timeline.kernel(20, 100, use(0.5, 0.3));
  EXPECT_EQ(second.begin_ns, 20u);
  EXPECT_EQ(second.end_ns, 120u);
  // No room for a third before the first is done; then it runs beside the second.
  const auto third = timeline.kernel(30, 10, use(0.25, 0));
  EXPECT_EQ(third.begin_ns, 100u);
  EXPECT_EQ(third.end_ns, 110u);
}

// Two that would move more than memory can: together they take as long as what they move needs.
TEST(DeviceTimeline, NobodyGetsMoreThanOthersLeave) {
  DeviceTimeline timeline(16, 2);
  EXPECT_EQ(timeline.kernel(0, 100, use(0.2, 0.8)).end_ns, 100u);
  const auto second = timeline.kernel(0, 100, use(0.2, 0.8));
  EXPECT_EQ(second.begin_ns, 0u);
  EXPECT_EQ(second.end_ns, 175u);  // a quarter of its speed for 100 ns, then 75 more
  DeviceTimeline full(16, 2);
  full.kernel(0, 100, use(0.2, 1));
  EXPECT_EQ(full.kernel(0, 100, use(0.2, 1)).end_ns, 200u);
}

TEST(DeviceTimeline, HasSoManyKernelsAtOnceAsTheHardware) {
  DeviceTimeline one(1, 2), two(2, 2);
  one.kernel(0, 100, use(0.1, 0));
  EXPECT_EQ(one.kernel(0, 100, use(0.1, 0)).begin_ns, 100u);
  two.kernel(0, 100, use(0.1, 0));
  EXPECT_EQ(two.kernel(0, 100, use(0.1, 0)).begin_ns, 0u);
  EXPECT_EQ(two.kernel(0, 100, use(0.1, 0)).begin_ns, 100u);
}

TEST(DeviceTimeline, KernelsPlacedLaterThanTheyAreReadyLeaveTheirTimeAlone) {
  DeviceTimeline timeline(16, 2);
  timeline.kernel(100, 100, use(1, 0.5));
  // It is ready before, and fits in front of it, or does not.
  EXPECT_EQ(timeline.kernel(0, 100, use(1, 0.5)).end_ns, 100u);
  EXPECT_EQ(timeline.kernel(50, 10, use(1, 0.5)).begin_ns, 200u);
}

TEST(DeviceTimeline, CopiesFollowEachOtherInTheirEngine) {
  DeviceTimeline two(16, 2), one(16, 1);
  for (DeviceTimeline* timeline : {&two, &one}) EXPECT_EQ(timeline->copy(false, 5, 10).end_ns, 15u);
  EXPECT_EQ(two.copy(false, 0, 10).begin_ns, 15u);
  EXPECT_EQ(two.copy(true, 0, 10).begin_ns, 0u);
  EXPECT_EQ(one.copy(true, 0, 10).begin_ns, 15u);
}

TEST(DeviceTimeline, ManyKernelsStayInOrder) {
  DeviceTimeline timeline(4, 2);
  u64 last = 0;
  for (u64 i = 0; i < 1000; ++i) {
    const auto span = timeline.kernel(i, 100, use(0.25, 0));
    EXPECT_GE(span.begin_ns, i);
    EXPECT_EQ(span.end_ns, span.begin_ns + 100);
    last = std::max(last, span.end_ns);
  }
  EXPECT_EQ(last, 100 * 1000 / 4 + 3);
}

}  // namespace
}  // namespace lockstep
