// Mail arrives once, when it is to, however far ahead that is, whoever else sends meanwhile.
#include <gtest/gtest.h>

#include <array>
#include <memory>
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
    u64 steps = 0;
    while (const u64 ran = windows.step([](const Perform&) {}, threads)) {
      EXPECT_LE(ran, threads);
      ASSERT_LT(steps += ran, 1000u);
    }
    for (u32 i = 0; i < shards; ++i) {
      ASSERT_EQ(relays[i]->came, times);
      EXPECT_EQ(relays[i]->senders, std::vector<u32>(times.size(), (i + shards - 1) % shards));
      ASSERT_EQ(relays[i]->woken.size(), times.size());
    }
    // Nobody runs windows in which nothing happens.
    EXPECT_LE(steps, 2 * times.size() + 1);
  }
}

constexpr u8 asking = 0, serving = 1, far = 2;
constexpr u32 of_kind = 10, near_way = 40, far_way = 90;

// Those that ask write to those that serve, these to those that are far away and back, whoever gets mail: so
// many pieces go round for ever, until time is over.
class Talker final : public Shard {
 public:
  Talker(u32 number, u8 kind, u64 over) : number_(number), kind_(kind), over_(over) {}

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override {
    windows.push_back(begin);
    if (begin < length && kind_ == asking) {
      for (u32 i = 0; i < 4; ++i) send(begin, i, outbox);
    }
    for (const Mail& mail : inbox) {
      const u64 time = begin + mail.cycle;
      EXPECT_LT(time, end);
      came.push_back({time, mail.from, mail.tag});
      if (time < over_) send(time, mail.tag * 31 + mail.from, outbox);
      // A few times in a window of its own, then and when it had said so.
      if (number_ == 3 && came.size() % 64 == 0) outbox.pause();
    }
    return never;
  }

  std::vector<std::array<u64, 3>> came;
  std::vector<u64> windows;

 private:
  void send(u64 time, u32 chance, Outbox& outbox) {
    Mail mail;
    mail.tag = chance * 2654435761u + number_;
    const bool to_far = kind_ == serving && (mail.tag >> 20 & 1) != 0;
    const u8 to = kind_ != serving ? serving : to_far ? far : asking;
    const u32 way = to_far || kind_ == far ? far_way : near_way;
    outbox.send(to * of_kind + (mail.tag >> 8) % of_kind, time + way + (mail.tag >> 13) % 70, mail);
  }

  const u32 number_;
  const u8 kind_;
  const u64 over_;
};

constexpr MailWay ways[] = {{asking, serving, near_way},
                            {serving, asking, near_way},
                            {serving, far, far_way},
                            {far, serving, far_way}};

struct Talkers {
  std::vector<std::unique_ptr<Talker>> all;
  std::vector<Shard*> shards;
  std::vector<u8> kinds;
  Talkers() {
    for (u32 i = 0; i < 3 * of_kind; ++i) {
      kinds.push_back(static_cast<u8>(i / of_kind));
      all.push_back(std::make_unique<Talker>(i, kinds.back(), 40000));
      shards.push_back(all.back().get());
    }
  }
};

// Whoever runs them, in rounds of their own or one right behind the other, and whether those far away run
// between the phases or in one.
TEST(Engine, KindsHearTheSameHoweverTheyRun) {
  std::vector<std::vector<std::array<u64, 3>>> expected;
  for (const bool between : {false, true}) {
    const WindowPlan::Kind kinds[] = {{0, 0, false}, {1, 0, false}, {0, 0, false, between}};
    const WindowPlan plan = longest_windows(kinds, ways, 1000);
    EXPECT_EQ(plan.length, 2 * near_way);
    EXPECT_EQ(plan.phases(), 2u);
    for (const auto& [threads, most] :
         {std::pair(1u, 1u), {1u, 9u}, {2u, 1u}, {2u, 9u}, {3u, 1000u}, {8u, 9u}}) {
      SCOPED_TRACE(testing::Message() << between << ", " << threads << " threads, " << most);
      Talkers talkers;
      Windows windows(talkers.shards, talkers.kinds, plan, threads);
      for (u32 i = 0; i < of_kind; ++i) windows.wake(i, 0);
      u64 longest = 0;
      while (const u64 ran = windows.step([](const Perform&) {}, most)) {
        EXPECT_LE(ran, most);
        longest = std::max(longest, ran);
      }
      EXPECT_EQ(longest > 1, threads > 1 && most > 1);
      std::vector<std::vector<std::array<u64, 3>>> heard;
      for (const auto& talker : talkers.all) heard.push_back(talker->came);
      if (expected.empty()) expected = heard;
      EXPECT_EQ(heard, expected);
    }
  }
  EXPECT_GT(expected[0].size(), 100u);
  EXPECT_GT(expected[2 * of_kind].size(), 100u);
}

// Nobody goes on before whoever runs the windows has had its turn.
TEST(Engine, APauseEndsAStep) {
  const WindowPlan::Kind kinds[] = {{0, 0, false}, {1, 0, false}, {0, 0, false, true}};
  for (const u32 threads : {2u, 4u}) {
    Talkers talkers;
    Windows windows(talkers.shards, talkers.kinds, longest_windows(kinds, ways, 1000), threads);
    for (u32 i = 0; i < of_kind; ++i) windows.wake(i, 0);
    const Talker& pauses = *talkers.all[3];
    u32 pauses_seen = 0;
    std::size_t before = 0;
    while (windows.step([](const Perform&) {}, 1000) != 0) {
      // It asked in its latest window, if at all.
      const std::size_t asked = pauses.came.size() / 64;
      if (asked == before) continue;
      before = asked;
      ++pauses_seen;
      EXPECT_EQ(pauses.windows.back() + 2 * near_way, windows.now(3));
    }
    EXPECT_GT(pauses_seen, 2u);
  }
}

}  // namespace
}  // namespace lockstep
