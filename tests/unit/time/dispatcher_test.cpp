// Which unit each group goes to, launch by launch, where groups give their places back as a whole.
#include "time/dispatch/dispatcher.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "time/engine/windows.h"

namespace lockstep {
namespace {

// A cluster whose groups have one wave, which lives for some cycles.
class Lives final : public Shard {
 public:
  Lives(u32 number, u32 dispatcher, std::vector<u32>& unit_of_group)
      : number_(number), dispatcher_(dispatcher), unit_of_group_(unit_of_group) {}

  u64 run(u64 begin, u64, std::span<const Mail> inbox, Outbox& outbox) override {
    for (const Mail& mail : inbox) {
      unit_of_group_.at(mail.address) = number_;
      Mail end;
      end.address = mail.address;
      end.tag = number_;
      end.what = static_cast<u16>(Mail::what_of(MailKind::wave_ended, 0) | Mail::marked_bit);
      end.bytes = 1;
      outbox.send(dispatcher_, begin + mail.cycle + 100, end);
    }
    return never;
  }

 private:
  u32 number_, dispatcher_;
  std::vector<u32>& unit_of_group_;
};

class DispatchedLaunches : public testing::Test {
 protected:
  DispatchedLaunches() {
    figures_.units = 6;
    figures_.engines = 3;
    figures_.simds = 1;
    figures_.cycles_per_wave = 0;
    figures_.cycles_per_256_groups = 256;
    figures_.by_engine = true;
    dispatcher_ = std::make_unique<Dispatcher>(figures_, 0);
    limits_.waves_per_simd_slots = limits_.waves_per_simd_vector = limits_.waves_per_simd_scalar = 2;
    limits_.groups_local = limits_.groups_barriers = 2;
    limits_.whole_groups = true;
  }

  // The units of a launch's groups, in their order.
  std::vector<u32> launch(u32 groups) {
    std::vector<u32> units(groups, ~0u);
    std::vector<std::unique_ptr<Lives>> clusters;
    std::vector<Shard*> shards;
    for (u32 i = 0; i < figures_.units; ++i) {
      clusters.push_back(std::make_unique<Lives>(i, figures_.units, units));
      shards.push_back(clusters.back().get());
    }
    shards.push_back(dispatcher_.get());
    NdRange range;
    range.global[0] = 32 * groups;
    range.local[0] = 32;
    dispatcher_->begin_launch(limits_, range, 32, 10);
    Windows windows(shards, 1, 1);
    windows.wake(figures_.units, 10);
    while (windows.step([](const Perform&) {})) {
    }
    EXPECT_EQ(dispatcher_->groups_done(), groups);
    return units;
  }

  CoreFigures figures_;
  LaunchLimits limits_;
  std::unique_ptr<Dispatcher> dispatcher_;
};

using Units = std::vector<u32>;

TEST_F(DispatchedLaunches, EachUnitOfAnEngineHasAGroupBeforeTheNextEngine) {
  EXPECT_EQ(launch(12), (Units{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
}

TEST_F(DispatchedLaunches, WithoutWaitingTheNextOneBeginsAtTheSameEngine) {
  EXPECT_EQ(launch(3), (Units{0, 1, 2}));
  EXPECT_EQ(launch(3), (Units{0, 1, 2}));
}

TEST_F(DispatchedLaunches, AfterOneThatHadToWaitTheNextBeginsWhereItEnded) {
  const Units long_one = launch(14);
  EXPECT_EQ(Units(long_one.end() - 2, long_one.end()), (Units{0, 1}));
  EXPECT_EQ(launch(7), (Units{2, 3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(launch(7), (Units{2, 3, 4, 5, 0, 1, 2}));
  dispatcher_->forget_launches();
  EXPECT_EQ(launch(7), (Units{0, 1, 2, 3, 4, 5, 0}));
}

TEST_F(DispatchedLaunches, OtherGpusGoRoundTheEnginesGroupByGroup) {
  figures_.by_engine = false;
  EXPECT_EQ(launch(7), (Units{0, 2, 4, 1, 3, 5, 0}));
  launch(20);
  EXPECT_EQ(launch(7), (Units{0, 2, 4, 1, 3, 5, 0}));
  limits_.whole_groups = false;
  EXPECT_EQ(launch(7), (Units{0, 2, 4, 1, 3, 5, 0}));
}

// How fast groups start has no part in where they go.
TEST_F(DispatchedLaunches, TheOrderIsNotTheRates) {
  figures_.cycles_per_256_groups = 0;
  EXPECT_EQ(launch(12), (Units{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace lockstep
