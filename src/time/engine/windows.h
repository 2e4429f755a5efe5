// Runs shards in windows of cycles and carries their mail. Windows in which nothing happens, and shards that
// have nothing to do in one, cost nothing. Any windows that the ways between shards allow (window_plan.h),
// and any number of host threads, give the same result.
#pragma once
#include <algorithm>
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

  // Runs the next window in which anything happens, gives the ordered accesses that were served in it to
  // `perform` and its mail to those it is for. False when nothing is pending.
  bool step(const std::function<void(const Perform&)>& perform);

  // Whether a shard has asked since the last question that the run be looked at (Outbox::alarm).
  bool take_alarm();

  // How many host threads run shards, and which of them runs this one, in all windows.
  u32 parts() const { return static_cast<u32>(parts_.size()); }
  u32 part_of(u32 shard) const { return shard % parts(); }

  // Where the last window that ran ends for the shard.
  u64 now(u32 shard) const { return end_of(kind_[shard]); }

 private:
  // The shards of one host thread: every so-manieth of each kind, as neighbours are alike.
  struct Part {
    Part(const std::vector<Outbox::To>& shards, u32 length)
        : outbox(shards, length), places(length), next_wake(shards.size(), never) {}
    Outbox outbox;
    std::vector<u64> shards;   // bits
    std::vector<u32> running;  // those of them that do
    std::vector<Mail> inbox;   // of the running shard, in order; never shrinks
    std::vector<u32> places;   // by cycle of the window: where its mail goes in the inbox
    std::vector<Mail> merged;  // room for a run of it
    // By shard, for its own ones: what it has to do first. Not shared, as each run writes one.
    std::vector<u64> next_wake;
  };
  // Its windows begin so many cycles before the latest kind's: windows are counted from there.
  u32 early(u8 kind) const { return latest_ - plan_.kinds[kind].late; }
  u64 end_of(u8 kind) const {
    const u64 end = (window_ + begun_) * plan_.length;
    return end - std::min<u64>(end, early(kind));
  }
  void perform_before(u64 end, const std::function<void(const Perform&)>& perform);
  void begin_phase(u32 phase);
  void run_phases(u32 part);
  void run_parts();
  void run_part(u32 part);
  void run_shard(Part& part, u32 shard);
  std::span<const Mail> collect(Part& part, u32 shard);

  std::vector<Shard*> shards_;
  std::vector<u8> kind_;  // of each
  WindowPlan plan_;
  u32 latest_;
  std::vector<std::vector<u64>> of_phase_;  // bits of shards
  u64 window_ = 0;                          // the running one, or the next that may run
  bool begun_ = false;
  std::vector<u64> running_;  // bits of shards
  bool few_ = false;          // of the round's first phase
  bool alone_ = false;        // so few that the first thread runs all of them
  bool shares_few_ = false;
  i64 few_take_ns_ = 0;  // rounds of few: of the host's time
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Perform> performs_;  // that were served and are not performed yet
  std::unique_ptr<Workers> workers_;
};

}  // namespace lockstep
