// One DRAM channel: banks with an open row each, one data bus. It chooses among the oldest requests of its
// queue the one whose data can be on the bus first (an open row wins), the oldest of equals, and lets nobody
// be overtaken for ever. Writes wait in their own queue and are sent in batches, so that the bus turns
// seldom. All times are clocks of the memory.
#pragma once
#include <deque>
#include <vector>

#include "base/types.h"

namespace lockstep {

struct DramParameters {
  u32 banks = 0;
  u32 row_bytes = 0;
  u32 burst_bytes = 0;
  u32 burst_clocks = 0;  // of the data bus
  u32 bursts_per_request = 1;
  u32 tcl = 0, trcd = 0, trp = 0, tras = 0;
  u32 turnaround = 0;  // of the bus, between a write and a read
  u32 refresh_interval = 0, refresh = 0;
  u32 queue = 0;  // requests among which it chooses
};

struct DramCounts {
  u64 reads = 0, writes = 0;  // bursts
  u64 row_hits = 0, row_misses = 0, row_conflicts = 0;
  u64 busy_clocks = 0;  // data on the bus
  u64 turnarounds = 0, refreshes = 0;
  u64 most_queued = 0;
};

class DramChannel {
 public:
  DramChannel() = default;
  explicit DramChannel(const DramParameters& parameters);

  // `address` is within the channel. Requests come in the order of `arrival`.
  void push(u64 arrival, u64 address, bool write, u32 tag);

  struct Served {
    bool any = false;
    bool write = false;
    u32 tag = 0;
    u64 done = 0;  // clock after the last data of the request
  };
  // Chooses and serves one request that has arrived at `now`, if the bus is free then. Nothing is served
  // before next_time().
  Served serve(u64 now);

  // When it should be asked again: ~0 when it has nothing to do.
  u64 next_time() const;

  std::size_t waiting_reads() const { return reads_.size(); }
  std::size_t waiting_writes() const { return writes_.size(); }
  const DramCounts& counts() const { return counts_; }

 private:
  struct Request {
    u64 arrival = 0;
    u64 row = 0;
    u32 bank = 0;
    u32 tag = 0;
    u32 overtaken = 0;
  };
  struct Bank {
    u64 row = ~u64{0};
    u64 activated = 0;  // clock of the activation
    u64 free = 0;       // after the last data
  };
  u64 first_data(const Request& request) const;

  DramParameters parameters_;
  std::vector<Bank> banks_;
  std::deque<Request> reads_, writes_;
  u64 bus_free_ = 0;
  u64 next_refresh_ = 0;
  bool writing_ = false;
  DramCounts counts_;
};

}  // namespace lockstep
