// Runs shards in windows of cycles and carries their mail. Windows in which nothing happens, and shards that
// have nothing to do in one, cost nothing. Any windows that the ways between shards allow (window_plan.h),
// and any number of host threads, give the same result.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "time/engine/outbox.h"
#include "time/engine/shard.h"
#include "time/engine/window_plan.h"

namespace lockstep {

class Workers;

class Windows {
 public:
  // Shards are numbered in the order of `shards`; they must outlive this. `kind`: of each, as the plan has
  // them.
  Windows(std::vector<Shard*> shards, std::vector<u8> kind, WindowPlan plan, u32 threads);
  // All of one kind: windows up to the shortest way between two.
  Windows(std::vector<Shard*> shards, u32 length, u32 threads);
  ~Windows();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  // Lets the shard run in the window of cycle `time`.
  void wake(u32 shard, u64 time);

  // Runs the next window in which anything happens and gives the ordered accesses that were served in it to
  // `perform`; then further ones, as long as they follow at once, up to `most` in all, and until a shard
  // serves such accesses or asks that the run be looked at (Outbox::alarm, pause). How many ran: 0 when
  // nothing is pending.
  u64 step(const std::function<void(const Perform&)>& perform, u64 most = 1);

  // Whether a shard has asked since the last question that the run be looked at (Outbox::alarm).
  bool take_alarm();

  // How many host threads run shards, and which of them runs this one, in all windows.
  u32 parts() const { return static_cast<u32>(parts_.size()); }
  u32 part_of(u32 shard) const { return shard % parts(); }

  // Where the last window that ran ends for the shard.
  u64 now(u32 shard) const { return end_of(kind_[shard], window_ + begun_); }

 private:
  // The shards of one host thread: every so-manieth of each kind, as neighbours are alike.
  struct Part {
    Part(const std::vector<Outbox::To>& shards, u32 length)
        : outbox(shards, length), places(length), next_wake(shards.size(), never) {}
    Outbox outbox;
    std::vector<u64> shards;      // bits
    u64 window = 0;               // the running one
    std::vector<u32> running;     // those of its shards that do, in this phase
    std::vector<u32> between;     // those that do between phases
    std::size_t between_run = 0;  // of these
    std::vector<Mail> inbox;      // of the running shard, in order; never shrinks
    std::vector<u32> places;      // by cycle of the window: where its mail goes in the inbox
    std::vector<Mail> merged;     // room for a run of it
    // By shard, for its own ones: what it has to do first. Not shared, as each run writes one.
    std::vector<u64> next_wake;
    // What other threads wait for: how many phases it has ended, and whether the next window has to wait for
    // whoever runs them, as of the latest two.
    alignas(64) std::atomic<u64> ended{0};
    std::array<bool, 2> stops{};
  };
  // Its windows begin so many cycles before the latest kind's: windows are counted from there.
  u32 early(u8 kind) const { return latest_ - plan_.kinds[kind].late; }
  u64 end_of(u8 kind, u64 windows) const {
    const u64 end = windows * plan_.length;
    return end - std::min<u64>(end, early(kind));
  }
  void perform_before(u64 end, const std::function<void(const Perform&)>& perform);
  u64 scheduled(u64 window, std::size_t word) const;
  void list_running(const Part& part, const std::vector<u64>& of, std::vector<u32>& list) const;
  void prefetch(const Part& part, const std::vector<u32>& list, std::size_t i) const;
  void run_phase(Part& part, u32 phase);
  bool run_between(Part& part);
  void run_rounds(u32 number, u64 most, u32 fewest);
  void wait_for_others(Part& part, u64 ended);
  bool goes_on(u64 window, u64 round, u32 fewest) const;
  void run_alone();
  void run_shard(Part& part, u32 shard);
  std::span<const Mail> collect(Part& part, u32 shard);

  std::vector<Shard*> shards_;
  std::vector<u8> kind_;  // of each
  WindowPlan plan_;
  u32 latest_;
  std::vector<std::vector<u64>> of_phase_;  // bits of shards
  std::vector<u64> between_;                // the same of those that run between phases
  u64 window_ = 0;                          // the running one, or the next that may run
  bool begun_ = false;
  bool shares_few_ = false;
  i64 few_take_ns_ = 0;  // rounds of few shards: of the host's time
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Perform> performs_;  // that were served and are not performed yet
  std::unique_ptr<Workers> workers_;
};

}  // namespace lockstep
