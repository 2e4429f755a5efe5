// Runs shards in windows of cycles and carries their mail. Windows in which nothing happens, and shards that
// have nothing to do in one, cost nothing. Any window length up to the shortest way between two shards, and
// any number of host threads, give the same result.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "time/engine/outbox.h"
#include "time/engine/shard.h"

namespace lockstep {

class Workers;

class Windows {
 public:
  // Shards are numbered in the order of `shards`; they must outlive this. `length` in cycles, at least 1.
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

  // End of the last window that ran.
  u64 now() const { return now_; }

 private:
  // The shards of one host thread: every so-manieth of each kind, as neighbours are alike.
  struct Part {
    explicit Part(u32 shards, u32 length)
        : outbox(shards, length), places(length), next_wake(shards, never) {}
    Outbox outbox;
    std::vector<u64> shards;   // bits
    std::vector<Mail> inbox;   // of the running shard, in order; never shrinks
    std::vector<u32> places;   // by cycle of the window: where its mail goes in the inbox
    std::vector<Mail> merged;  // room for a run of it
    // By shard, for its own ones: what it has to do first. Not shared, as each run writes one.
    std::vector<u64> next_wake;
  };
  void run_part(u32 part);
  void run_shard(Part& part, u32 shard);
  std::span<const Mail> collect(Part& part, u32 shard);

  std::vector<Shard*> shards_;
  u32 length_;
  u64 window_ = 0;  // the running one, or the next that may run
  u64 now_ = 0;
  bool begun_ = false;
  std::vector<u64> running_;  // bits of shards
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Perform> performs_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace lockstep
