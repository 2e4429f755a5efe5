// Mail arrives once, when it is to, however far ahead that is, whoever else sends meanwhile.
#include <gtest/gtest.h>

#include <vector>

#include "time/engine/windows.h"

namespace lockstep {
namespace {

constexpr u32 shards = 12, length = 16;
constexpr u64 round = u64{Outbox::ring} * length;  // cycles until pages are used again

// Sends what it gets on to the next one, and asks for a turn of its own shortly before that arrives.
class Relay final : public Shard {
 public:
  Relay(u32 number, const std::vector<u64>& distances) : number_(number), distances_(distances) {}

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override {
    if (begin == 0) send(0, outbox);
    const auto take_turn = [&](u64 before) {
      if (wake_ >= before) return;
      EXPECT_GE(wake_, begin);
      woken.push_back(wake_);
      wake_ = never;
    };
    for (const Mail& mail : inbox) {
      take_turn(begin + mail.cycle);
      came.push_back(begin + mail.cycle);
      senders.push_back(mail.from);
      send(begin + mail.cycle, outbox);
    }
    take_turn(end);
    return wake_;
  }

  std::vector<u64> came, woken;
  std::vector<u32> senders;

 private:
  void send(u64 time, Outbox& outbox) {
    if (sent_ == distances_.size()) return;
    const u64 arrives = time + distances_[sent_++];
    outbox.send((number_ + 1) % shards, arrives, Mail{});
    wake_ = arrives - length / 2;
  }

  const u32 number_;
  const std::vector<u64>& distances_;
  std::size_t sent_ = 0;
  u64 wake_ = never;
};

TEST(Engine, MailOfAnyDistanceArrivesOnce) {
  const std::vector<u64> distances = {
      length, length + 1, 3 * length, round - length, round - 1, round,  round + 1,  round + length,
      round,  2 * round,  length,     7 * round + 5,  round - 1, length, round + 15, 2 * length};
  std::vector<u64> times;
  u64 time = 0;
  for (const u64 distance : distances) times.push_back(time += distance);
  for (const u32 threads : {1u, 2u, 3u, 5u}) {
    SCOPED_TRACE(threads);
    std::vector<std::unique_ptr<Relay>> relays;
    std::vector<Shard*> all;
    for (u32 i = 0; i < shards; ++i) {
      relays.push_back(std::make_unique<Relay>(i, distances));
      all.push_back(relays.back().get());
    }
    Windows windows(all, length, threads);
    for (u32 i = 0; i < shards; ++i) windows.wake(i, 0);
    u32 steps = 0;
    while (windows.step([](const Perform&) {})) ASSERT_LT(++steps, 1000u);
    for (u32 i = 0; i < shards; ++i) {
      ASSERT_EQ(relays[i]->came, times);
      EXPECT_EQ(relays[i]->senders, std::vector<u32>(times.size(), (i + shards - 1) % shards));
      ASSERT_EQ(relays[i]->woken.size(), times.size());
    }
    // Nobody runs windows in which nothing happens.
    EXPECT_LE(steps, 2 * times.size() + 1);
  }
}

}  // namespace
}  // namespace lockstep
