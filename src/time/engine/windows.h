// Runs shards in windows of cycles and carries their mail. Windows in which nothing happens, and shards that
// have nothing to do in one, cost nothing. Any window length up to the shortest way between two shards, and
// any number of host threads, give the same result.
#pragma once
#include <functional>
#include <memory>
#include <vector>

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

  // End of the last window that ran.
  u64 now() const { return now_; }

 private:
  // Mail for a shard, by the window of its arrival; what arrives later than the ring reaches waits.
  static constexpr u32 ring = 64;
  struct Inbox {
    std::vector<Mail> bucket[ring];
    std::vector<Mail> later;
    std::vector<Mail> sorted;
    std::vector<u64> keys;
    u64 next_wake = never;
  };

  u64 window_of(u64 time) const { return time / length_; }
  void schedule(u32 shard, u64 window);
  void run_shard(u32 shard);
  void collect(u32 shard);
  void deliver(Mail& mail);

  std::vector<Shard*> shards_;
  u32 length_;
  u64 window_ = 0;  // the running one, or the next that may run
  u64 now_ = 0;
  bool begun_ = false;
  u32 words_;
  std::vector<u64> scheduled_;            // bits of shards, for each window of the ring
  std::vector<u32> used_;                 // shards scheduled in each window of the ring
  std::vector<std::pair<u64, u32>> far_;  // heap of (window, shard) beyond the ring
  std::vector<Inbox> inbox_;
  std::vector<Outbox> outbox_;
  std::vector<u32> running_;
  std::vector<Perform> performs_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace lockstep
