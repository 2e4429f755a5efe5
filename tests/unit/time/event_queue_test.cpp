#include "time/engine/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace lockstep {
namespace {

struct Log {
  EventQueue* queue = nullptr;
  std::vector<std::tuple<u64, bool, u32, u32>> seen;  // time, is a wake-up, component, payload
  void message(const Message& m) { seen.emplace_back(queue->now(), false, m.component, m.payload); }
  void run(u32 component) { seen.emplace_back(queue->now(), true, component, 0); }
};

TEST(EventQueue, DeliversByTimePhaseComponentAndSequence) {
  EventQueue queue(200);
  Log log{&queue, {}};
  queue.wake(7, 5);
  queue.wake(130, 5);
  queue.send(5, 9, 0, 1);
  queue.send(5, 3, 0, 2);
  queue.send(5, 9, 0, 3);
  queue.send(4, 100, 0, 4);
  while (queue.step(log)) {
  }
  const std::vector<std::tuple<u64, bool, u32, u32>> expected = {{4, false, 100, 4}, {5, false, 3, 2},
                                                                 {5, false, 9, 1},   {5, false, 9, 3},
                                                                 {5, true, 7, 0},    {5, true, 130, 0}};
  EXPECT_EQ(log.seen, expected);
}

TEST(EventQueue, JoinsWakeUpsOfOneCycle) {
  EventQueue queue(4);
  Log log{&queue, {}};
  queue.wake(2, 0);
  queue.wake(2, 9);
  queue.wake(2, 9);
  queue.wake(2, 100000);
  queue.wake(2, 100000);
  while (queue.step(log)) {
  }
  const std::vector<std::tuple<u64, bool, u32, u32>> expected = {
      {0, true, 2, 0}, {9, true, 2, 0}, {100000, true, 2, 0}};
  EXPECT_EQ(log.seen, expected);
  EXPECT_TRUE(queue.empty());
}

// Far events go through the heap, near ones do not: the order must not show it.
TEST(EventQueue, KeepsTheOrderAcrossTheWheelsEnd) {
  std::mt19937 random(1);
  EventQueue queue(8);
  struct Feeder {
    EventQueue& queue;
    std::mt19937& random;
    std::vector<std::tuple<u64, u32, u32>> sent, got;
    u32 left = 3000;
    void feed() {
      for (u32 i = 0; i < 3 && left > 0; ++i, --left) {
        const u64 time = queue.now() + 1 + random() % (random() % 4 == 0 ? 9000 : 50);
        const u32 component = random() % 8;
        sent.emplace_back(time, component, static_cast<u32>(sent.size()));
        queue.send(time, component, 0, std::get<2>(sent.back()));
      }
    }
    void message(const Message& m) {
      got.emplace_back(queue.now(), m.component, m.payload);
      feed();
    }
    void run(u32) {}
  } feeder{queue, random, {}, {}};
  feeder.feed();
  while (queue.step(feeder)) {
  }
  // Sequence numbers grow with sending, so sorting by (time, component, sequence) is the specified order.
  std::sort(feeder.sent.begin(), feeder.sent.end());
  EXPECT_EQ(feeder.sent.size(), 3000u);
  EXPECT_EQ(feeder.got, feeder.sent);
}

}  // namespace
}  // namespace lockstep
